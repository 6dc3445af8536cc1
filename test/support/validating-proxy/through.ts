import { createServer, METHODS, request, type Server } from 'node:http';
import { inject } from 'vitest';
import { opened } from '../listening.ts';
import { EXCHANGE_HEADER } from './exchange-header.ts';

export type Asked = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
};
export type Answered = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/**
 * Sends a request through the validating proxy and throws if the document does not allow the answer. Behind the proxy
 * is `answer`, which gets the original request: a proxy rewrites requests and rejects some itself, but tests depend on
 * every byte. A method or path that is not in the document allows every answer. Projects without the proxy check
 * nothing.
 */
export async function expectAllowed(asked: Asked, answer: () => Promise<Answered>): Promise<void> {
  const { method, target } = asked;
  const url = inject('validatingProxy');
  if (url === undefined || !METHODS.includes(method)) {
    await answer();
    return;
  }
  exchanges += 1;
  const number = String(exchanges);
  gate ??= openGate();
  const { port } = await gate;
  let status: number | null = null;
  let failure: unknown;
  pending.set(number, async () => {
    try {
      const answered = await answer();
      ({ status } = answered);
      return answered;
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  const passed = await pass(url, asked, `${port}/${number}`).finally(() => pending.delete(number));
  if (failure !== undefined) throw failure;
  const where = `${method} ${target}: ${passed.status} ${passed.text.slice(0, 300)}`;
  if (status === null) throw new Error(`The proxy did not pass on ${where}`);
  const { violations } = passed;
  if (violations !== undefined && !violations.includes('Selected route not found'))
    throw new Error(`The document does not allow ${status} for ${where}: ${violations}`);
}

let exchanges = 0;
let gate: Promise<{ port: string }> | undefined;
const pending = new Map<string, () => Promise<Answered>>();

/** The address of this test file for the proxy. */
async function openGate(): Promise<{ port: string }> {
  const server: Server = createServer((incoming, outgoing) => {
    const answer = pending.get((incoming.url ?? '').slice(1));
    (answer?.() ?? Promise.reject(new Error('nobody asked'))).then(
      ({ status, headers, body }) => {
        outgoing.writeHead(status, { ...headers, 'content-length': body.length });
        outgoing.end(body);
      },
      () => outgoing.destroy(),
    );
  });
  const { port } = new URL(await opened(server));
  // The server must not keep the test process running.
  server.unref();
  return { port };
}

type Passed = { status: number; violations: string | undefined; text: string };

function pass(url: string, { method, target }: Asked, exchange: string): Promise<Passed> {
  return new Promise((resolve, reject) => {
    const headers = { [EXCHANGE_HEADER]: exchange };
    const outgoing = request(`${url}${target.slice(0, MAX_SHOWN)}`, { method, headers, agent: false });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          violations: incoming.headers['sl-violations'] as string | undefined,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    outgoing.end();
  });
}

// The proxy itself accepts heads of 16 KiB. Which answers are allowed depends only on the path.
const MAX_SHOWN = 4_000;
