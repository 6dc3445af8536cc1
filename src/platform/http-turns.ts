import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on one connection, the one that is being answered among them. */
const MAX_UNANSWERED = 16;
// Those of one read arrive together, whatever is done about them: a few too many are a mistake, more are an attack.
const MAX_ARRIVED = 2 * MAX_UNANSWERED;
// Names and values of headers: a request of short ones takes twelve times its bytes in memory.
const MAX_HEADER_PARTS = 2_000;

type Turn = readonly [IncomingMessage, ServerResponse];

/** The requests of a connection that came in and have no whole answer yet; the first of them is being answered. */
type Line = { readonly waiting: Turn[]; headerParts: number; unanswered: number; hasOverflown: boolean };

/**
 * Hands on the requests of a connection one at a time, each once the answer before it has left: who pipelines holds
 * one answer in memory, whether it is read or not, and others come in between. The answer to the last one that may
 * wait says that the connection ends with it, and what was sent behind it is never looked at.
 */
export function inTurn(take: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  function begin(line: Line, [request, response]: Turn): void {
    if (request.socket.destroyed) return;
    if (line.hasOverflown && line.waiting.length === 0) response.setHeader('connection', 'close');
    response.once('close', () => {
      line.unanswered -= 1;
      const next = line.waiting.shift();
      line.headerParts -= next?.[0].rawHeaders.length ?? 0;
      // Not within this turn of the event loop: that one belongs to the other connections.
      if (next !== undefined) setImmediate(begin, line, next);
    });
    take(request, response);
  }
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { waiting: [], headerParts: 0, unanswered: 0, hasOverflown: false };
    lines.set(socket, line);
    line.unanswered += 1;
    if (line.unanswered === 1) begin(line, [request, response]);
    else if (mayWait(line, request)) {
      line.headerParts += request.rawHeaders.length;
      line.waiting.push([request, response]);
    } else if (line.unanswered <= MAX_ARRIVED) {
      line.hasOverflown = true;
      socket.pause();
    } else socket.destroy();
  };
}

const mayWait = ({ hasOverflown, unanswered, headerParts }: Line, { rawHeaders }: IncomingMessage): boolean =>
  !hasOverflown && unanswered <= MAX_UNANSWERED && headerParts + rawHeaders.length <= MAX_HEADER_PARTS;
