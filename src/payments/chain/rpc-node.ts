import * as plain from 'node:http';
import * as secure from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { collect, jsonOf } from './collect.ts';

/** An error reply of a node. `status` is the HTTP status; `said` and `data` are the node's own. */
export type RpcError = {
  readonly status: number;
  readonly code: number | null;
  readonly said: string;
  readonly data: string | null;
};

/**
 * The result of one call. `unreached`: not delivered. `broken`: the reply was not JSON-RPC. `too_large`: longer than
 * the limit.
 */
export type NodeReply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError }
  | { readonly kind: 'unreached' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'broken' };

/** The replies to a batch of calls, by the id of each call. */
export type BatchReply = { readonly kind: 'batch'; readonly byId: ReadonlyMap<unknown, NodeReply> };

export type PostOptions = {
  readonly deadlineMs: number;
  /** Called when there is a connection, which may take a while. If it returns false, no request is sent. */
  readonly mayAsk?: (() => boolean) | undefined;
  /** Whether the call may be sent again if a kept connection was closed in between. */
  readonly mayRepeat: boolean;
  readonly mostBytes: number;
};

/** Posts a call, or a batch of calls, to a node; never throws. */
export type Post = (body: string, options: PostOptions) => Promise<NodeReply | BatchReply>;

// More than all pending purchases need, so that no call waits behind sends that wait for their block.
const MAX_SOCKETS = 1_024;
// Error codes of connections that were refused, unresolved or unroutable: nothing was delivered.
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_INVALID_URL',
]);

/** One JSON-RPC node, over kept connections. */
export function rpcNode(url: string): Post {
  const target = new URL(url);
  const { request, Agent } = target.protocol === 'https:' ? secure : plain;
  const { hostname, port, path, protocol } = urlToHttpOptions(target);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const auth = target.username
    ? { auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}` }
    : {};
  const options = { method: 'POST', agent, hostname, port, path, protocol, ...auth };
  const connected = protocol === 'https:' ? 'secureConnect' : 'connect';
  const post: Post = (body, { deadlineMs, mayAsk, mayRepeat, mostBytes }) =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const outgoing = request({ ...options, headers }, (incoming) => {
        collect(incoming, mostBytes).then(
          (text) => resolve(text === null ? { kind: 'too_large' } : replyOf(incoming.statusCode ?? 0, text)),
          () => resolve({ kind: 'broken' }),
        );
      });
      const timer = setTimeout(() => outgoing.destroy(new Error('deadline')), deadlineMs);
      const stopIfLate = () => {
        if (mayAsk?.() !== false) return;
        resolve({ kind: 'unreached' });
        outgoing.destroy();
      };
      outgoing.on('socket', (socket) => {
        if (socket.connecting) socket.once(connected, stopIfLate);
        else stopIfLate();
      });
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The node had just closed a kept connection.
        if (mayRepeat && outgoing.reusedSocket && error.code === 'ECONNRESET')
          resolve(post(body, { deadlineMs, mayAsk, mayRepeat: false, mostBytes }));
        else resolve({ kind: UNREACHED.has(error.code ?? '') ? 'unreached' : 'broken' });
      });
      outgoing.end(body);
    });
  return post;
}

function replyOf(status: number, text: string): NodeReply | BatchReply {
  const json = jsonOf(text);
  if (!Array.isArray(json)) return single(status, json);
  return { kind: 'batch', byId: new Map(json.map((one) => [one?.id, single(status, one)])) };
}

function single(status: number, json: unknown): NodeReply {
  // An error page of a gateway says no more than its status.
  if (typeof json !== 'object' || json === null)
    return status >= 400 ? { kind: 'error', error: errorOf(status, {}) } : { kind: 'broken' };
  const envelope: { readonly result?: unknown; readonly error?: unknown } = json;
  if (envelope.error) return { kind: 'error', error: errorOf(status, envelope.error) };
  if (status >= 400) return { kind: 'error', error: errorOf(status, {}) };
  return 'result' in envelope ? { kind: 'result', result: envelope.result } : { kind: 'broken' };
}

function errorOf(status: number, error: unknown): RpcError {
  const { code, message, data } = Object(error) as Record<string, unknown>;
  // Some nodes nest revert data one level deeper.
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return {
    status,
    code: typeof code === 'number' ? code : null,
    said: typeof message === 'string' ? message : '',
    data: typeof inner === 'string' ? inner : null,
  };
}
