import * as plain from 'node:http';
import * as secure from 'node:https';
import { collect, jsonOf } from '../chain/rpc-node.ts';

/**
 * The outcome of one call. `unreached`: no connection was made, so nothing was delivered. `unclear`: it is unknown what
 * was delivered or done. `body` is the parsed JSON, undefined if the answer is not JSON.
 */
export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      /** Set if the same bytes were sent twice and may have been processed the first time. */
      readonly isRepeated?: true;
    }
  | { readonly kind: 'unreached' }
  | { readonly kind: 'unclear' };

/** Headers of one call, such as a token for just this method and path. */
export type CallHeaders = (method: 'GET' | 'POST', path: string) => Promise<Readonly<Record<string, string>>>;

export type FacilitatorHttpParts = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly headers?: CallHeaders | undefined;
  readonly connectMs?: number | undefined;
};

export type FacilitatorHttp = {
  /** Sends `body` unchanged, so that a repetition has the same bytes. Never throws, follows no redirect. */
  post(resource: string, body: string, deadlineMs: number): Promise<Reply>;
  get(resource: string, deadlineMs: number): Promise<Reply>;
};

const CONNECT_MS = 3_000;
// The lists of what a facilitator supports are the longest replies; a settlement has a few hundred bytes.
const MAX_REPLY_BYTES = 256 * 1024;
// PayAI accepts 100 connections from one address. Further calls wait here, for at most the time that connecting may
// take.
const MAX_SOCKETS = 64;

type Call = { method: 'GET' | 'POST'; target: URL; body: string; deadlineMs: number };
type Attempt = { reply: Reply; isStale: boolean };

/** A facilitator's HTTP API: kept-alive connections, bounded waits and bounded replies. */
export function facilitatorHttp({
  url,
  headers,
  connectMs = CONNECT_MS,
}: FacilitatorHttpParts): FacilitatorHttp {
  const isSecure = url.startsWith('https:');
  const agent = new (isSecure ? secure : plain).Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });

  async function call(request: Call): Promise<Reply> {
    let own: Readonly<Record<string, string>>;
    try {
      own = (await headers?.(request.method, request.target.pathname)) ?? {};
    } catch {
      // Without a token, no call is made.
      return { kind: 'unreached' };
    }
    const first = await attempt(request, { agent, own, connectMs });
    if (!first.isStale) return first.reply;
    // The facilitator had just closed an idle connection: send the same bytes again over a new one.
    const second = await attempt(request, { agent: false, own, connectMs });
    const { reply } = second;
    if (reply.kind === 'unreached') return first.reply;
    return reply.kind === 'answered' ? { ...reply, isRepeated: true } : reply;
  }

  const at = (resource: string) => new URL(`${url}${resource}`);
  return {
    post: (resource, body, deadlineMs) => call({ method: 'POST', target: at(resource), body, deadlineMs }),
    get: (resource, deadlineMs) => call({ method: 'GET', target: at(resource), body: '', deadlineMs }),
  };
}

type Connection = { agent: plain.Agent | false; own: Readonly<Record<string, string>>; connectMs: number };

function attempt({ method, target, body, deadlineMs }: Call, connection: Connection): Promise<Attempt> {
  return new Promise((resolve) => {
    let isConnected = false;
    const end = (reply: Reply, isStale = false) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ reply, isStale });
    };
    // No byte of the request leaves before the connection is established, TLS included.
    const lost = (): Reply => ({ kind: isConnected ? 'unclear' : 'unreached' });
    const options = { method, agent: connection.agent, headers: headersOf(method, body, connection.own) };
    const isSecure = target.protocol === 'https:';
    const outgoing = (isSecure ? secure : plain).request(target, options, (incoming) => {
      collect(incoming, MAX_REPLY_BYTES).then(
        (text) =>
          end(
            text === null
              ? { kind: 'unclear' }
              : { kind: 'answered', status: incoming.statusCode ?? 0, body: jsonOf(text) },
          ),
        () => end({ kind: 'unclear' }),
      );
    });
    const giveUp = () => {
      end(lost());
      outgoing.destroy();
    };
    const timers = [
      setTimeout(giveUp, deadlineMs),
      setTimeout(() => isConnected || giveUp(), connection.connectMs),
    ];
    outgoing.on('socket', (socket) => {
      isConnected = outgoing.reusedSocket;
      if (!isConnected)
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          isConnected = true;
        });
    });
    outgoing.on('error', ({ code }: NodeJS.ErrnoException) => {
      end(lost(), outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE'));
    });
    outgoing.end(body);
  });
}

function headersOf(method: string, body: string, own: Readonly<Record<string, string>>) {
  const content =
    method === 'POST'
      ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
      : {};
  // Some gateways reject calls without a user agent.
  return { accept: 'application/json', 'user-agent': 'small-business-calculator', ...content, ...own };
}
