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
import { type ListenAddress, listenFault } from './start-fault.ts';

/** An HTTP server that can be stopped without losing an answer. */
export type HttpServer = {
  /** Its address, as the operating system reports it. */
  readonly url: string;
  /** Requests whose answer is not complete yet. */
  openRequests(): number;
  /** Takes no more connections and keeps none after its next answer; resolves when the last one is closed. */
  drain(): Promise<void>;
  /** Ends whatever is still open. */
  close(): void;
};

type Fetch = Parameters<typeof getRequestListener>[0];
type PeerOf = (socketAddress: string | undefined) => string | null;

const MAX_HEADER_BYTES = 16_384;
// From the first byte of a request to the last one of its body.
const REQUEST_MS = 10_000;
// Longer than the 60 s of nginx: the side that sends requests must close first.
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 1_024;
// How often Node checks for connections that are over time.
const CHECK_MS = 1_000;
const LINGER_MS = 1_000;
// An unread answer is dropped with its connection after one to two of these.
const UNREAD_MS = 30_000;

export type ServeOptions = {
  readonly port: number;
  readonly host: string;
  /** Maximum number of connections. At the maximum idle ones are closed, then one of the peer that has the most. */
  readonly maxConnections?: number;
  /** Returns the name under which a peer's connections are counted; null for a trusted proxy, which has no share. */
  readonly peerOf?: PeerOf;
  readonly unreadMs?: number;
  /** The response to bytes that are no HTTP request, by the error code of Node's parser. */
  readonly unreadable: (errorCode: string | undefined) => string;
  /** Answers a request, including its id header, before `fetch` is called; false leaves it to `fetch`. */
  readonly direct?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Called after every answer, complete or aborted. */
  readonly onAnswered?: ((status: number) => void) | undefined;
};

/** Serves `fetch` at an address. Throws when the port cannot be opened. */
export async function serve(fetch: Fetch, options: ServeOptions): Promise<HttpServer> {
  const { port, host, unreadable, maxConnections = MAX_CONNECTIONS, unreadMs = UNREAD_MS } = options;
  const { onAnswered = () => {}, direct = () => false, peerOf = (address = '') => address } = options;
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS });
  server.headersTimeout = REQUEST_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const listener: RequestListener = getRequestListener(fetch);
  const answer: RequestListener = (request, response) => {
    if (direct(request, response)) return;
    sayRequestId(request, response);
    listener(request, response);
  };
  const clients = clientsOf(server, answer, { maxConnections, peerOf, onAnswered });
  const sweeping = setInterval(clients.giveUpUnread, unreadMs).unref();
  server.once('close', () => clearInterval(sweeping));
  const hungUp = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Whatever follows on a connection that is being closed cannot be read either.
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

/** Handles the requests of a server, and keeps track of every connection and every open answer. */
function clientsOf(
  server: Server,
  answer: RequestListener,
  options: { maxConnections: number; peerOf: PeerOf; onAnswered: (status: number) => void },
) {
  const { maxConnections, peerOf, onAnswered } = options;
  const sockets = new Map<Socket, string | null>();
  const unread = new WeakSet<ServerResponse>();
  let openRequests = 0;
  let isLeaving = false;
  server.on('connection', (socket) => {
    const peer = peerOf(socket.remoteAddress);
    // Not `server.maxConnections`: with it full workers pass a connection on to each other for ever.
    if (sockets.size >= maxConnections) server.closeIdleConnections();
    if (sockets.size >= maxConnections) {
      const displaced = displacedBy(peer);
      drop(displaced ?? socket);
      if (displaced === undefined) return;
    }
    sockets.set(socket, peer);
    socket.once('close', () => sockets.delete(socket));
  });
  const drop = (socket: Socket) => {
    sockets.delete(socket);
    socket.destroy();
  };
  /**
   * The connection that a newcomer takes the place of: the oldest of the peer that has the most, and a slow one before
   * one whose answer is being made. Nothing when the newcomer's peer would then have more than that peer.
   */
  const displacedBy = (newcomer: string | null): Socket | undefined => {
    const held = new Map<string, Socket[]>();
    for (const [socket, peer] of sockets) {
      if (peer === null) continue;
      const its = held.get(peer) ?? [];
      its.push(socket);
      held.set(peer, its);
    }
    let most: readonly Socket[] = [];
    for (const its of held.values()) if (its.length > most.length) most = its;
    const own = newcomer === null ? 0 : (held.get(newcomer)?.length ?? 0);
    if (most.length < own + 2) return undefined;
    return most.find((socket) => !isAtWork(answering(socket))) ?? most[0];
  };
  const take: RequestListener = (request, response) => {
    openRequests += 1;
    identify(request);
    if (isLeaving) announceClose(response);
    answer(request, response);
  };
  const { listener, answering, unanswered, isIdle } = inTurn(take, ({ statusCode }) => {
    openRequests -= 1;
    onAnswered(statusCode);
    // An answer that had already begun could not announce the end of its connection.
    if (isLeaving) setImmediate(() => server.closeIdleConnections());
  });
  server.on('request', listener);
  // Node.js takes an answer that was made for one that was sent, and cuts what slow readers have not read yet.
  server.closeIdleConnections = () => {
    for (const socket of sockets.keys()) if (isIdle(socket)) drop(socket);
  };
  return {
    openRequests: () => openRequests,
    /** Whether a reply now would be read as the answer to the unreadable request, and not to an earlier one. */
    canReply(socket: Duplex): boolean {
      const response = answering(socket);
      if (response === null) return socket.writable && unanswered(socket) === 0;
      return socket.writable && !(response.req.complete || response.headersSent);
    },
    /** Closes connections whose clients leave a complete answer unread. */
    giveUpUnread() {
      for (const socket of sockets.keys()) {
        const response = answering(socket);
        if (response === null) continue;
        if (unread.has(response)) socket.destroy();
        else if (response.writableEnded) unread.add(response);
      }
    },
    closeIdle() {
      isLeaving = true;
      for (const socket of sockets.keys()) {
        const response = answering(socket);
        if (response !== null) announceClose(response);
        // Browsers open connections in advance; no request waits on them.
        else if (socket.bytesRead === 0) socket.destroy();
      }
      server.closeIdleConnections();
    },
  };
}

/** Whether the client has sent all of its request and waits for the answer. */
const isAtWork = (response: ServerResponse | null): boolean =>
  response?.req.complete === true && !response.writableEnded;

/** Sends a last reply and closes. Further bytes are read and dropped: a reset would discard the reply. */
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

/** Resolves when the server listens. Rejects with a sentence for the operator where the address cannot be used. */
export function listen(server: Server, address: ListenAddress): Promise<void> {
  const { port, host } = address;
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(listenFault(error, address));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

/** The address of a server, as the operating system reports it. */
export function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
