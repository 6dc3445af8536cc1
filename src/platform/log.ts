import { parseUrl } from '../domain/url.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

const paymentEnd = {
  outcome: 'word',
  reason: 'word',
  transaction: 'transaction',
  duration_ms: 'number',
  request_id: 'requestId',
  count: 'number',
} as const;

/**
 * Every event with its fields. There are no fields for callers' addresses, input or payments. Only scheme and host of
 * an `origin` are written; a `transaction` is a public transaction hash.
 */
const events = {
  listening: {
    version: 'version',
    origin: 'origin',
    network: 'word',
    settlers: 'words',
    duration_ms: 'number',
  },
  embedded_chain: { state: 'word', origin: 'origin', duration_ms: 'number' },
  health: { status: 'word', payments: 'word', reasons: 'words' },
  draining: { reason: 'constant', open_requests: 'number' },
  stopped: { duration_ms: 'number', complete: 'boolean' },
  not_production: { origin: 'origin' },
  setting_ignored: { setting: 'constant' },
  request: { operation: 'word', outcome: 'word', duration_ms: 'number', request_id: 'requestId' },
  purchase: { operation: 'word', ...paymentEnd },
  settlement: { settler: 'word', ...paymentEnd },
  settler_error: { settler: 'word', reason: 'word' },
  settlement_unverified: { missing: 'constant' },
  payee_shared: { transaction: 'transaction', count: 'number' },
  redis: { state: 'word', code: 'constant' },
  relayer_key: { state: 'word' },
  fault: {
    where: 'word',
    operation: 'word',
    name: 'className',
    code: 'constant',
    at: 'place',
    request_id: 'requestId',
  },
} as const satisfies Record<string, Record<string, Shape>>;

// The shapes of our own names. They are narrow, so that addresses, keys, amounts, dates, emails and sentences do not
// match.
const patterns = {
  /** `late_fee`, `eip155:8453`, `payload-too-large` */
  word: /^[a-z]{1,20}\d{0,6}([_:-]([a-z]{1,20}\d{0,6}|\d{1,6}))*$/,
  /** `PAY_TO`, `ECONNREFUSED` */
  constant: /^[A-Z]{1,20}\d{0,3}(_[A-Z]{1,20}\d{0,3})*$/,
  /** `TypeError` */
  className: /^[A-Z][A-Za-z]{0,60}$/,
  /** `exchange/exchange.js:42:7` */
  place: /^[a-z0-9-]{1,40}(\/[a-z0-9-]{1,40}){0,6}(\.[a-z]{1,10}){1,2}(:\d{1,6}){2}$/,
  transaction: /^0x[0-9a-f]{64}$/,
  /** `2.0.0` */
  version: /^\d{1,4}(\.\d{1,4}){2}$/,
  requestId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
} as const;

const LONGEST_TEXT = 120;
const LARGEST_NUMBER = 1e12;

type Shape = keyof typeof patterns | 'words' | 'number' | 'boolean' | 'origin';

type Value<S extends Shape> = S extends 'number'
  ? number
  : S extends 'boolean'
    ? boolean
    : S extends 'words'
      ? readonly string[]
      : string;

type LogEvent = keyof typeof events;
export type LogFields<E extends LogEvent> = {
  readonly [F in keyof (typeof events)[E]]?: (typeof events)[E][F] extends Shape
    ? Value<(typeof events)[E][F]> | null | undefined
    : never;
};

type Write = <E extends LogEvent>(event: E, fields?: LogFields<E>) => void;

/**
 * One JSON object per line. Unknown events and fields are not written, and a value of another shape is written as
 * `[removed]`.
 */
export type Log = {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  /** Number of lines that could not be written. */
  readonly lost: () => number;
};

export type LogOptions = {
  readonly level: LogLevel;
  /** Writes one line with its line break. Call `onLost` if it cannot be written. */
  readonly write: (line: string, onLost: () => void) => void;
  readonly now?: () => Date;
};

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };
const REMOVED = '[removed]';

export function createLog({ level, write, now = () => new Date() }: LogOptions): Log {
  let lost = 0;
  const onLost = () => {
    lost += 1;
  };
  const at = (own: Exclude<LogLevel, 'silent'>): Write => {
    if (ranks[own] < ranks[level]) return () => {};
    return (event, fields = {}) => {
      const line = { time: now().toISOString(), level: own, ...entry(event, fields) };
      write(`${JSON.stringify(line)}\n`, onLost);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), lost: () => lost };
}

const REPEATS_MS = 60_000;
const ONE_ENDS = { request_id: null, duration_ms: null };

/**
 * Writes payments that could not be sent: the first with a given reason at once, then one line a minute with the
 * `count` of further payments, which are written one by one only at debug.
 */
export function countingRepeats(
  log: Log,
): <E extends 'purchase' | 'settlement'>(level: 'info' | 'warn', event: E, fields: LogFields<E>) => void {
  const counts = new Map<string, number>();
  return (level, event, fields) => {
    const key = JSON.stringify([event, { ...fields, ...ONE_ENDS }]);
    const count = counts.get(key);
    if (count !== undefined) {
      counts.set(key, count + 1);
      log.debug(event, fields);
      return;
    }
    log[level](event, fields);
    const countAgain = () => {
      counts.set(key, 0);
      setTimeout(() => {
        const repeated = counts.get(key) ?? 0;
        counts.delete(key);
        if (repeated === 0) return;
        log[level](event, { ...fields, ...ONE_ENDS, count: repeated });
        countAgain();
      }, REPEATS_MS).unref();
    };
    countAgain();
  };
}

function entry(event: string, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Object.hasOwn(events, event)) return { event: REMOVED };
  const shapes: Readonly<Record<string, Shape>> = events[event as LogEvent];
  const written: Record<string, unknown> = { event };
  for (const [field, shape] of Object.entries(shapes)) {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (value !== undefined && value !== null) written[field] = safe(value, shape);
  }
  return written;
}

function safe(value: unknown, shape: Shape): unknown {
  switch (shape) {
    case 'number':
      return typeof value === 'number' && Math.abs(value) <= LARGEST_NUMBER
        ? Math.round(value * 1000) / 1000
        : REMOVED;
    case 'boolean':
      return typeof value === 'boolean' ? value : REMOVED;
    case 'words':
      return Array.isArray(value) ? value.slice(0, 16).map((word) => safe(word, 'word')) : REMOVED;
    case 'origin':
      return originOnly(value);
    default:
      return typeof value === 'string' && value.length <= LONGEST_TEXT && patterns[shape].test(value)
        ? value
        : REMOVED;
  }
}

/** RPC URLs may have keys in the path, the query and the user name, so only scheme, host and port are kept. */
export function originOnly(value: unknown): string {
  if (typeof value !== 'string' || parseUrl(value) === null) return REMOVED;
  const { protocol, host } = new URL(value);
  return /^(https?|rediss?):$/.test(protocol) && host !== '' ? `${protocol}//${host}` : REMOVED;
}

/** The folder above a module in stack traces: as a URL, or as a path, with other separators on Windows. */
export function spellingsOf(moduleUrl: string): readonly string[] {
  const { pathname } = new URL('..', moduleUrl);
  return [pathname, decodeURIComponent(pathname).replace(/^\/(?=[a-z]:\/)/i, '')];
}

const ownRoots = spellingsOf(import.meta.url);

/** The loggable parts of an exception: its class, its code and the first frame in our code; never its message. */
export function faultFields(
  error: unknown,
  roots: readonly string[] = ownRoots,
): Pick<LogFields<'fault'>, 'name' | 'code' | 'at'> {
  if (!(error instanceof Error)) return { name: 'NotAnError' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const stack = error.stack ?? '';
  // The message comes before the frames and may look like one.
  const frames = stack.slice(Math.max(0, stack.indexOf(error.message)) + error.message.length).split('\n');
  const places = frames
    .map((line) => line.replaceAll('\\', '/'))
    .filter((line) => !line.includes('/node_modules/'))
    .flatMap((line) => roots.flatMap((root) => line.split(root).slice(1, 2)))
    // The folder of dependencies in a bundle.
    .filter((place) => !place.startsWith('packages/'));
  const at = places[0]?.replace(/\)$/, '');
  return { name: error.constructor.name, code, at };
}
