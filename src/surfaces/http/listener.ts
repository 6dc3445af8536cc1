import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { parseUrl } from '../../domain/url.ts';

/** A request as handlers read it. */
export type Requested = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without its question mark; '' if there is none. */
  readonly query: string;
  /** Returns a header by its lower-case name; undefined if it was not sent. */
  header(name: string): string | undefined;
  /** The address that holds the connection; undefined once it is closed. */
  readonly socketAddress: string | undefined;
  /** The service's id of the request; null without a connection. */
  readonly requestId: string | null;
  /** Returns the whole body, or null when it is longer than `limit` bytes. Rejects when the caller hangs up. */
  body(limit: number): Promise<Uint8Array | null>;
};

/** An answer, before it is written to a connection. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
};

/** The router, which answers requests. */
export type Answering = {
  /** Answers a request, even if a handler throws. */
  answer(requested: Requested): Promise<Reply>;
  /** The answer to a request whose target cannot be read. */
  readonly malformed: Reply;
};

const REQUEST_ID_HEADER = 'x-request-id';

/** Answers the requests of a Node.js server. An id that the client sent is ignored: each request gets a new one. */
export const listenerOf =
  ({ answer, malformed }: Answering): RequestListener =>
  (request, response) => {
    const requestId = randomUUID();
    const target = targetOf(request.url ?? '');
    if (target === null || !HOST.test(request.headers.host ?? 'none')) {
      send(response, malformed, requestId);
      return;
    }
    const requested: Requested = {
      method: request.method ?? '',
      ...target,
      header: (name) => request.headers[name] as string | undefined,
      socketAddress: request.socket.remoteAddress,
      requestId,
      body: (limit) => bodyOf(request, limit),
    };
    void answer(requested).then((reply) => send(response, reply, requestId));
  };

// RFC 9112, 3.2: any other value is rejected. Only MCP uses the value.
const HOST =
  /^(?:[\w.~%!$&'()*+,;=-]+|\[[\da-f:.]+\])(?::(?:[1-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])?)?$/i;

/** Path and query of a request's target; null if they are not a valid address. */
function targetOf(target: string): Pick<Requested, 'path' | 'query'> | null {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  if (PLAIN_PATH.test(path)) return { path, query };
  // The absolute form of a proxy, percent-encoding, or dots to resolve.
  const url = OTHER_PATH.test(path)
    ? parseUrl(path.startsWith('/') ? `http://localhost${path}` : path)
    : null;
  return url === null ? null : { path: url.pathname, query };
}

// A path without a dot segment, because no dot follows a slash.
const PLAIN_PATH = /^\/(?:[\w~:@!$&'()*+,;=-]|(?<!\/)\.|\/(?!\/))*$/;
const OTHER_PATH = /^(?:https?:\/)?\/[!#-[\]-~]*$/;

function bodyOf(request: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      // The rest is read and dropped, because a reset connection would lose the answer. The time for this is limited.
      if (size > limit) resolve(null);
      else parts.push(part);
    });
    request.once('end', () => resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)));
    // Node.js also emits `error` if the connection breaks.
    request.once('error', reject);
  });
}

function send(response: ServerResponse, { status, headers, body }: Reply, requestId: string): void {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] as string);
  lines.push(REQUEST_ID_HEADER, requestId);
  const length = body === null ? 0 : Buffer.byteLength(body);
  const isLengthKnown = response.req.method === 'HEAD' || status === 204 || status === 304;
  if (!isLengthKnown && !('content-length' in headers)) lines.push('content-length', String(length));
  response.writeHead(status, lines);
  // Node.js sends no body for a HEAD request. ASCII takes a third of the memory while it is written.
  response.end(body ?? undefined, length === body?.length ? 'latin1' : 'utf8');
}

/**
 * Returns a complete HTTP response for bytes that are not a request, with its own id. It is written by hand, because
 * Node.js has no response object here.
 */
export function rawResponse({ status, headers, body }: Reply): string {
  const text = String(body ?? '');
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(text)),
    [REQUEST_ID_HEADER]: randomUUID(),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`;
}
