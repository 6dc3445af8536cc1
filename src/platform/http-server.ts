import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ListenAddress, listenFault } from './start-fault.ts';

/** An HTTP server that can be stopped without losing an answer. */
export type HttpServer = {
  /** The address of the server, as the operating system reports it. */
  readonly url: string;
  /** Requests whose answer is not complete yet. */
  openRequests(): number;
  /** Open connections; at most 1,024. */
  connections(): number;
  /** Accepts no more connections, and closes each after its next answer. Resolves when the last one is closed. */
  drain(): Promise<void>;
  /** Closes everything that is still open. */
  close(): void;
};

const MAX_HEADER_BYTES = 16_384;
// Maximum time from the first byte of a request to the last one of its body.
const REQUEST_MS = 10_000;
// Longer than the 60 s of nginx, because the side that sends requests must close an idle connection first.
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 1_024;
/** Maximum requests on one connection, including the one being answered. */
const MAX_PIPELINED = 16;
// How often Node.js checks for connections that are over time.
const CHECK_MS = 1_000;
const LINGER_MS = 1_000;
// A connection is dropped if its client does not read its answer for this long.
const UNREAD_MS = 30_000;

type ServeOptions = {
  readonly port: number;
  readonly host: string;
  /** Maximum number of connections. At the maximum, idle ones are closed, then one of the peer that has the most. */
  readonly maxConnections?: number;
  /** Returns the name under which a peer's connections are counted; null for a trusted proxy, which has no share. */
  readonly peerOf?: (socketAddress: string | undefined) => string | null;
  readonly unreadMs?: number;
  /** The response to bytes that are not an HTTP request, by the error code of Node.js' parser. */
  readonly unreadable: (errorCode: string | undefined) => string;
  /** Called after every answer, complete or aborted. */
  readonly onAnswered?: ((status: number) => void) | undefined;
};

/** A connection with its pending requests. */
type Client = {
  readonly peer: string | null;
  /** The requests whose answers the client has not received completely, in order. The first is being answered. */
  readonly turns: (readonly [IncomingMessage, ServerResponse])[];
  /** Requests beyond the maximum that may wait. They are not answered. */
  ignored: number;
  /** Bytes read when the last request and its answer were complete; null before. */
  readBytes: number | null;
};

/** Serves requests at an address. Throws when the port cannot be opened. */
export async function serve(answer: RequestListener, options: ServeOptions): Promise<HttpServer> {
  const { port, host, unreadable, maxConnections = MAX_CONNECTIONS, unreadMs = UNREAD_MS } = options;
  const { onAnswered = () => {}, peerOf = (address = '') => address } = options;
  // Repeated headers are joined. Two joined Content-Type values are invalid, and two joined payments are not a valid
  // payment.
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: CHECK_MS,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    joinDuplicateHeaders: true,
  });
  const clients = new Map<Socket, Client>();
  let openRequests = 0;
  let isLeaving = false;

  const drop = (socket: Socket) => {
    clients.delete(socket);
    socket.destroy();
  };
  const closeIdle = () => {
    for (const [socket, { turns, readBytes }] of clients)
      if (turns.length === 0 && readBytes === socket.bytesRead) drop(socket);
  };

  server.on('connection', (socket) => {
    const peer = peerOf(socket.remoteAddress);
    if (clients.size >= maxConnections) closeIdle();
    if (clients.size >= maxConnections) {
      const displaced = displacedBy(peer, clients);
      drop(displaced ?? socket);
      if (displaced === undefined) return;
    }
    clients.set(socket, { peer, turns: [], ignored: 0, readBytes: null });
    socket.once('close', () => clients.delete(socket));
  });

  // Node.js would start all requests of a connection at once, and keep their answers until the client reads.
  server.on('request', (request, response) => {
    const client = clients.get(request.socket);
    if (client === undefined || client.ignored > MAX_PIPELINED) request.socket.destroy();
    else if (client.turns.length === MAX_PIPELINED || client.ignored > 0) client.ignored += 1;
    else if (client.turns.push([request, response]) === 1) begin(client, request, response);
  });

  function begin(client: Client, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const { turns } = client;
    if (socket.destroyed) return;
    openRequests += 1;
    const isLast = () => turns.length <= 1 && (isLeaving || client.ignored > 0);
    if (isLast()) announceClose(response);
    response.once('prefinish', () => socket.setTimeout(unreadMs));
    response.once('close', () => {
      openRequests -= 1;
      onAnswered(response.statusCode);
      const noteRead = () => {
        client.readBytes = socket.bytesRead;
      };
      if (request.complete) noteRead();
      else request.once('end', noteRead);
      // An answer that had already started could not announce the end of its connection.
      if (isLast()) socket.end();
      turns.shift();
      const [next] = turns;
      if (next === undefined) return;
      // This answer may take a long time, and other connections are served in the meantime.
      socket.setTimeout(0);
      setImmediate(begin, client, ...next);
    });
    answer(request, response);
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Later bytes on a closing connection cannot be read either.
    if (socket.writableEnded) return;
    const client = clients.get(socket as Socket);
    const [turn, next] = client?.turns ?? [];
    const response = turn?.[1];
    // A client must not read the reply as the answer to an earlier request, or as a part of one.
    const isBehind = response !== undefined && (response.req.complete || response.headersSent);
    if (client && isBehind && !response.headersSent) {
      // The first request that came before these bytes is still answered. Those that wait behind it are not.
      client.turns.length = 1;
      client.ignored += 1;
      announceClose(response);
    } else if (socket.writable && !isBehind && next === undefined) hangUp(socket, unreadable(error.code));
    else socket.destroy();
  });

  await listen(server, { port, host });
  return {
    url: addressOf(server),
    openRequests: () => openRequests,
    connections: () => clients.size,
    drain() {
      isLeaving = true;
      // `close` of the HTTP server would cut off unread answers, because it considers them sent.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const [socket, { turns }] of clients) {
        const last = turns.at(-1);
        if (last !== undefined) announceClose(last[1]);
        // Browsers open connections in advance, without a request.
        if (socket.bytesRead === 0) drop(socket);
      }
      closeIdle();
      return closed;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The connection that a newcomer replaces: the oldest of the peer that has the most, and a slow one before one whose
 * answer is being prepared. Undefined if the newcomer's peer would then have more than that peer.
 */
function displacedBy(newcomer: string | null, clients: ReadonlyMap<Socket, Client>): Socket | undefined {
  const held = new Map<string, Socket[]>();
  for (const [socket, { peer }] of clients) {
    if (peer === null) continue;
    const its = held.get(peer) ?? [];
    its.push(socket);
    held.set(peer, its);
  }
  let most: readonly Socket[] = [];
  for (const its of held.values()) if (its.length > most.length) most = its;
  const own = newcomer === null ? 0 : (held.get(newcomer)?.length ?? 0);
  if (most.length < own + 2) return undefined;
  return most.find((socket) => !isAtWork(clients.get(socket)?.turns[0]?.[1])) ?? most[0];
}

/** Whether the client has sent all of its request and waits for the answer. */
const isAtWork = (response: ServerResponse | undefined): boolean =>
  response?.req.complete === true && !response.writableEnded;

/** Sends a last reply and closes. Further bytes are read and dropped, because a reset would discard the reply. */
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

/** Resolves when the server listens. Rejects with a sentence for the operator if the address cannot be used. */
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

/** Checks a bearer token in constant time. */
export function bearerOf(token: string | null): (header: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (token === null) return () => false;
  const expected = digest(token);
  return (header) => {
    const shown = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header ?? '')?.[1];
    return shown !== undefined && timingSafeEqual(digest(shown), expected);
  };
}
