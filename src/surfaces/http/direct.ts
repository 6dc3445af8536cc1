import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER, requestIdOf } from '../../platform/request-id.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { failedWith, type Handler, type Handlers, type HttpParts, type Requested } from './http.ts';
import type { Reply } from './representations.ts';

/** Answers a request and says so, or leaves it alone. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers plain requests for operations and documents by the handlers that the app has, without a Request, a router and
 * a Response in between, which cost more than most answers. Whatever is out of the ordinary is left to the app, and so
 * are queries of documents, which may ask a page for something else.
 */
export function directWay(
  handlers: Handlers,
  documents: ReadonlyMap<string, Handler>,
  parts: Pick<HttpParts, 'baseUrl' | 'onBug'>,
): Direct {
  const failed = failedWith(parts);
  return (request, response) => {
    const { url = '', method = '' } = request;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const document = mark < 0 && method === 'GET' ? documents.get(path) : undefined;
    const handler = handlers.get(path)?.get(method) ?? document;
    if (handler === undefined || path.includes(':') || !isPlain(request)) return false;
    const requested = requestedBy(request);
    const send = (reply: Reply) => write(response, reply, requestIdOf(requested));
    const fail = (error: unknown) => {
      const reply = failed(error, requested);
      if (response.headersSent) response.destroy();
      else send(reply);
    };
    try {
      const reply = handler(requested);
      if (reply instanceof Promise) reply.then(send).catch(fail);
      else send(reply);
    } catch (error) {
      // The app has a page for people in place of a document.
      if (handler === document) return false;
      fail(error);
    }
    return true;
  };
}

// What the app takes as it stands; it has other spellings parsed, which may change or refuse them.
const PLAIN_TARGET = /^[!#$%&(-;=?-[\]_a-z~]*$/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

function isPlain({ url = '', method, headers, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  if (httpVersionMinor !== 1 || !PLAIN_TARGET.test(url) || !PLAIN_HOST.test(headers.host ?? '')) return false;
  if (method === 'GET') return true;
  // Of two types Node.js keeps the first.
  const types = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'content-type');
  return method === 'POST' && Number(headers['content-length']) <= MAX_BODY_BYTES && types.length < 2;
}

const requestedBy = (request: IncomingMessage): Requested => ({
  env: { incoming: request },
  req: {
    method: request.method ?? '',
    url: request.url ?? '',
    header: (name) => request.headers[name] as string | undefined,
    param: () => ({}),
    arrayBuffer: () => bodyOf(request),
    raw: { body: null },
  },
});

const bodyOf = (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () =>
      resolve(parts.length === 1 ? (parts[0] as Buffer<ArrayBuffer>) : Buffer.concat(parts)),
    );
    // Also when the connection breaks.
    request.once('error', reject);
  });

function write(response: ServerResponse, { status, headers, body }: Reply, requestId: string | null): void {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] as string);
  if (requestId !== null) lines.push(REQUEST_ID_HEADER, requestId);
  const length = body === null ? null : Buffer.byteLength(body);
  // As @hono/node-server does: said by Node.js itself, behind our own headers.
  (response as { _contentLength?: number | null })._contentLength = length;
  response.writeHead(status, lines);
  if (body === null) response.end();
  // What is ASCII alone takes a third of the room while it is written.
  else response.end(body, length === body.length ? 'latin1' : 'utf8');
}
