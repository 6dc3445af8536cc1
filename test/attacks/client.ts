import { request } from 'node:http';
import { connect, type Socket } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: what a server says has any shape
type Json = any;

export type Sent = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The local address of the connection, in 127.0.0.0/8. */
  readonly from?: string;
  readonly timeoutMs?: number;
};

/** The reply; status 0 if there was none. */
export type Heard = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly durationMs: number;
  /** The body as JSON; null if it is not JSON. */
  readonly json: Json;
};

const TIMEOUT_MS = 60_000;

/** One HTTP request on a separate connection. Never throws. */
export function ask(url: string, sent: Sent = {}): Promise<Heard> {
  const { method = 'GET', headers = {}, body, from, timeoutMs = TIMEOUT_MS } = sent;
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, incoming: Record<string, unknown>, text: string) =>
      resolve({
        status,
        headers: incoming as Heard['headers'],
        text,
        durationMs: performance.now() - startedMs,
        json: parsed(text),
      });
    const outgoing = request(
      url,
      { method, headers, agent: false, ...(from !== undefined && { localAddress: from }) },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('end', () =>
          done(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(parts).toString()),
        );
        incoming.on('error', () => done(0, {}, ''));
      },
    );
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy());
    outgoing.on('error', () => done(0, {}, ''));
    outgoing.end(body);
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The JSON of an x402 header; null if it is absent. */
export const headerJson = ({ headers }: Heard, name: string): Json =>
  headers[name] === undefined ? null : parsed(Buffer.from(headers[name], 'base64').toString());

/** A connection that writes bytes unchanged and keeps the replies, unless reading is switched off. */
export type Wire = {
  readonly socket: Socket;
  write(bytes: string): void;
  heard(): string;
  /** Whether the other side has closed the connection. */
  isClosed(): boolean;
  /** Resolves when the other side has closed the connection, or after the given time. */
  closed(withinMs: number): Promise<boolean>;
  end(): void;
};

export function wire(port: number, { reads = true, from }: { reads?: boolean; from?: string } = {}): Wire {
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) });
  let heard = '';
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  if (reads)
    socket.on('data', (part) => {
      heard += part.toString('latin1');
    });
  else socket.pause();
  return {
    socket,
    write: (bytes) => void (socket.writable && socket.write(bytes, 'latin1')),
    heard: () => heard,
    isClosed: () => isClosed,
    async closed(withinMs) {
      const end = Date.now() + withinMs;
      while (!isClosed && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
      return isClosed;
    },
    end: () => void socket.destroy(),
  };
}

/** The number of HTTP answers that a connection has returned. */
export const answersIn = (text: string): number => [...text.matchAll(/HTTP\/1\.1 \d{3} /g)].length;

/** The bytes of a request by GET, with further header lines. */
export const getBytes = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: calc.example\r\n${more}\r\n`;
