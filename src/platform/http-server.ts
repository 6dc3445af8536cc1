import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { inTurn } from './http-turns.ts';
import { identify, sayRequestId } from './request-id.ts';
import { listenFault, type Place } from './start-fault.ts';

/** An open port that can be closed without anybody losing an answer. */
export type HttpServer = {
  /** Where it listens, as the operating system sees it. */
  readonly url: string;
  /** Requests whose answer is not complete yet. */
  openRequests(): number;
  /** Takes no more connections and keeps none after its next answer; resolves when the last one is closed. */
  drain(): Promise<void>;
  /** Ends whatever is still open. */
  close(): void;
};

type Fetch = Parameters<typeof getRequestListener>[0];

const MAX_HEADER_BYTES = 16_384;
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
// Longer than the 60 s for which nginx keeps a connection: of two ends, the one that sends requests must hang up first.
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 1_024;
// Node looks for connections that are over time only this often.
const CHECK_MS = 1_000;
const LINGER_MS = 1_000;
// An answer that is not read within one to two of these is dropped with its connection.
const UNREAD_MS = 30_000;

export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  /** Connections at most; who comes then is hung up on, and idle ones make room. */
  readonly maxConnections?: number;
  readonly unreadMs?: number;
  /** The bytes of the response to what is no request, by the error code of Node.js' parser. */
  readonly unreadable: (errorCode: string | undefined) => string;
  /** Answers a request before `fetch` is asked, its name among the headers, and says so; false leaves it to `fetch`. */
  readonly direct?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Called after every answer, complete or aborted. */
  readonly onAnswered?: ((status: number) => void) | undefined;
};

/** Serves `fetch` at an address. Throws when the port cannot be had. */
export async function serve(fetch: Fetch, options: ServeOptions): Promise<HttpServer> {
  const { port, host, unreadable, maxConnections = MAX_CONNECTIONS, unreadMs = UNREAD_MS } = options;
  const { onAnswered = () => {}, direct = () => false } = options;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS });
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const listener: RequestListener = getRequestListener(fetch);
  const answer: RequestListener = (request, response) => {
    if (direct(request, response)) return;
    sayRequestId(request, response);
    listener(request, response);
  };
  const clients = clientsOf(server, answer, { maxConnections, onAnswered });
  const sweeping = setInterval(clients.giveUpUnread, unreadMs).unref();
  server.once('close', () => clearInterval(sweeping));
  const hungUp = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // What follows on a connection that is being hung up cannot be read either.
    if (hungUp.has(socket)) return;
    hungUp.add(socket);
    if (clients.canReply(socket)) hangUp(socket, unreadable(error.code));
    else socket.destroy();
  });
  await listen(server, { port, host });
  return {
    url: addressOf(server),
    openRequests: clients.openRequests,
    drain() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      clients.closeIdle();
      return closed;
    },
    close: () => server.closeAllConnections(),
  };
}

/** Has the requests of a server answered, and knows every connection and every answer under way. */
function clientsOf(
  server: Server,
  answer: RequestListener,
  { maxConnections, onAnswered }: { maxConnections: number; onAnswered: (status: number) => void },
) {
  const sockets = new Set<Socket>();
  const open = new Set<ServerResponse>();
  const unread = new WeakSet<ServerResponse>();
  let isLeaving = false;
  server.on('connection', (socket) => {
    // Not `server.maxConnections`: a worker that is full would hand the connection on, and full ones to each other for ever.
    if (sockets.size >= maxConnections) {
      socket.destroy();
      server.closeIdleConnections();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const take: RequestListener = (request, response) => {
    open.add(response);
    identify(request);
    if (isLeaving) announceClose(response);
    response.once('close', () => {
      open.delete(response);
      onAnswered(response.statusCode);
      // An answer that had begun before could not say that it is the last one of its connection.
      if (isLeaving) setImmediate(() => server.closeIdleConnections());
    });
    answer(request, response);
  };
  server.on('request', inTurn(take));
  return {
    openRequests: () => open.size,
    /** Whether a reply now would be taken for the answer to the unreadable request, not to an earlier one. */
    canReply: (socket: Duplex) =>
      socket.writable &&
      [...open].every(({ req, headersSent }) => req.socket !== socket || !(req.complete || headersSent)),
    /** Ends the connections of those who leave a whole answer unread. */
    giveUpUnread() {
      for (const response of open) {
        if (unread.has(response)) response.socket?.destroy();
        else if (response.writableEnded) unread.add(response);
      }
    },
    closeIdle() {
      isLeaving = true;
      for (const response of open) announceClose(response);
      // Browsers open connections ahead of need; no request waits on them.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      server.closeIdleConnections();
    },
  };
}

/** Says a last thing and ends the connection; what still comes is read and dropped, for a reset would lose it. */
function hangUp(socket: Duplex, reply: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.end(reply);
  socket.resume();
}

function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

/** Resolves when the server listens. Rejects with a sentence for the operator where the place cannot be had. */
export function listen(server: Server, place: Place): Promise<void> {
  const { port, host } = place;
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(listenFault(error, place));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

/** Where a server listens, as the operating system sees it. */
export function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
