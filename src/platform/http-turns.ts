import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests that may wait on one connection, the one being answered included. */
const MAX_UNANSWERED = 16;
// Requests in one read arrive together: a few too many are a mistake, more are an attack.
const MAX_ARRIVED = 2 * MAX_UNANSWERED;
// Header names and values: a request of short ones takes twelve times its bytes in memory.
const MAX_HEADER_PARTS = 2_000;

type Turn = readonly [IncomingMessage, ServerResponse];

/** The requests of a connection without a complete answer, of which the first is being answered. */
type Line = {
  answering: ServerResponse | null;
  readonly waiting: Turn[];
  headerParts: number;
  unanswered: number;
  hasOverflown: boolean;
  /** Bytes read when the last answer and its request were complete; null until both are. */
  readBytes: number | null;
};

export type Turns = {
  readonly listener: RequestListener;
  /** The answer that is being made or sent; null when there is none, also between two. */
  answering(socket: Duplex): ServerResponse | null;
  /** Requests without a complete answer. */
  unanswered(socket: Duplex): number;
  /** Whether a request was answered, the answer has been sent, and nothing came after it. */
  isIdle(socket: Socket): boolean;
};

/**
 * Passes on the requests of a connection one at a time, each after the answer before it has been sent. So a client
 * that pipelines has one answer in memory, read or not, and other clients get their turn. The answer to the last
 * request that may wait closes the connection, and later requests are never read. `ended` is called after every
 * answer that was begun, complete or aborted, and before the next one is.
 */
export function inTurn(take: RequestListener, ended: (response: ServerResponse) => void): Turns {
  const lines = new WeakMap<Duplex, Line>();
  function begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    if (request.socket.destroyed) return;
    if (line.hasOverflown && line.waiting.length === 0) response.setHeader('connection', 'close');
    line.answering = response;
    // An answer is closed once; `once` would wrap the listener and take it off again.
    response.on('close', () => {
      line.answering = null;
      ended(response);
      line.unanswered -= 1;
      noteRead(line, request);
      const next = line.waiting.shift();
      if (next === undefined) {
        // Said in its head, or too late for that. What came behind it is not read.
        if (line.hasOverflown) request.socket.destroySoon();
        return;
      }
      line.headerParts -= next[0].rawHeaders.length;
      // Not in the same turn of the event loop, so that other connections are served in between.
      setImmediate(begin, line, ...next);
    });
    take(request, response);
  }
  const firstOf = (socket: Socket): Line => {
    const line = {
      answering: null,
      waiting: [],
      headerParts: 0,
      unanswered: 0,
      hasOverflown: false,
      readBytes: null,
    };
    lines.set(socket, line);
    return line;
  };
  const listener: RequestListener = (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? firstOf(socket);
    line.unanswered += 1;
    if (line.unanswered === 1) begin(line, request, response);
    else if (mayWait(line, request)) {
      line.headerParts += request.rawHeaders.length;
      line.waiting.push([request, response]);
    } else if (line.unanswered <= MAX_ARRIVED) {
      line.hasOverflown = true;
      socket.pause();
    } else socket.destroy();
  };
  return {
    listener,
    answering: (socket) => lines.get(socket)?.answering ?? null,
    unanswered: (socket) => lines.get(socket)?.unanswered ?? 0,
    isIdle(socket) {
      const line = lines.get(socket);
      return line !== undefined && line.unanswered === 0 && line.readBytes === socket.bytesRead;
    },
  };
}

/** An answer may be sent before the body of its request has come, which is read then and dropped. */
function noteRead(line: Line, request: IncomingMessage): void {
  const { socket } = request;
  line.readBytes = request.complete ? socket.bytesRead : null;
  if (line.readBytes === null) request.once('end', () => noteRead(line, request));
}

const mayWait = ({ hasOverflown, unanswered, headerParts }: Line, { rawHeaders }: IncomingMessage): boolean =>
  !hasOverflown && unanswered <= MAX_UNANSWERED && headerParts + rawHeaders.length <= MAX_HEADER_PARTS;
