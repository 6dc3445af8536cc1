/** Why the server gave no answer, as a code that is safe to log: its own error code, Node's, `TIMEOUT` or `LOST`. */
export class RedisFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Redis: ${code}`);
    this.code = code;
  }
}

/** Errors of the server begin with a code; any other error means that the connection is lost. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'LOST';
  if (error instanceof RedisFailure) return error.code;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^([A-Z]{2,20}) /.exec(error.message)?.[1] ?? 'LOST';
}

export async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new RedisFailure('TIMEOUT')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
