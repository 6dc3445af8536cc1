import * as plain from 'node:http';
import * as secure from 'node:https';

/**
 * Why a JSON-RPC call gave no result. `unreached`: no byte of it can have been acted on. `unclear`: it may have been.
 * `answered`: the node said no. Nothing of the node's own words leaves this folder.
 */
export class RpcFailure extends Error {
  readonly kind: 'unreached' | 'unclear' | 'answered';
  readonly code: number | null;
  /** The node's message, for classification only. */
  readonly said: string;
  /** Revert data, when the node gave any. */
  readonly data: string | null;
  constructor(kind: RpcFailure['kind'], { code = null, said = '', data = null }: Partial<RpcFailure> = {}) {
    super(`JSON-RPC call ${kind}`);
    this.kind = kind;
    this.code = code;
    this.said = said;
    this.data = data;
  }
}

export type RpcOptions = {
  readonly deadlineMs?: number;
  /** The call changes the chain: what one node may have taken, no answer of another can undo. */
  readonly sends?: boolean;
};
export type Rpc = {
  /** Calls the first node that can be reached. Throws RpcFailure. */
  call<Result>(method: string, params: readonly unknown[], options?: RpcOptions): Promise<Result>;
};

const DEADLINE_MS = 5_000;
// More than all purchases under way need, so that a call is not held up behind sends that wait for their block.
const MAX_SOCKETS = 1_024;
const MAX_REPLY_BYTES = 4 * 1024 * 1024;
// What a refused, unresolved or unroutable connection is called; nothing was delivered then.
const UNREACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_INVALID_URL',
]);

/** A JSON-RPC client over one or more nodes of the same chain, in order of preference. */
export function rpcOver(urls: readonly string[]): Rpc {
  const nodes = urls.map(node);
  let id = 0;
  return {
    async call<Result>(method: string, params: readonly unknown[], options: RpcOptions = {}) {
      id += 1;
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      let failure = new RpcFailure('unreached');
      for (const send of nodes) {
        try {
          return (await send(body, options.deadlineMs ?? DEADLINE_MS, !options.sends)) as Result;
        } catch (error) {
          if (!(error instanceof RpcFailure)) throw error;
          if (error.kind === 'answered' && !(options.sends && failure.kind === 'unclear')) throw error;
          if (failure.kind !== 'unclear') failure = error;
        }
      }
      throw failure;
    },
  };
}

type Send = (body: string, deadlineMs: number, mayRepeat: boolean) => Promise<unknown>;

function node(url: string): Send {
  const target = new URL(url);
  const { request, Agent } = target.protocol === 'https:' ? secure : plain;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const auth = target.username
    ? { auth: `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}` }
    : {};
  const once: Send = (body, deadlineMs, mayRepeat) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const outgoing = request(target, { method: 'POST', agent, headers, ...auth }, (incoming) => {
        collect(incoming).then(
          (text) => settle(text, resolve, reject),
          () => reject(new RpcFailure('unclear')),
        );
      });
      const timer = setTimeout(() => outgoing.destroy(new Error('deadline')), deadlineMs);
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection that the node had just closed.
        if (mayRepeat && outgoing.reusedSocket && error.code === 'ECONNRESET')
          once(body, deadlineMs, false).then(resolve, reject);
        else reject(new RpcFailure(UNREACHED.has(error.code ?? '') ? 'unreached' : 'unclear'));
      });
      outgoing.end(body);
    });
  return once;
}

async function collect(incoming: plain.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) throw new Error('reply too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

type Reply = { result?: unknown; error?: { code?: unknown; message?: unknown; data?: unknown } };

function settle(
  text: string,
  resolve: (result: unknown) => void,
  reject: (failure: RpcFailure) => void,
): void {
  let reply: Reply;
  try {
    reply = JSON.parse(text) as Reply;
  } catch {
    reject(new RpcFailure('unclear'));
    return;
  }
  if (typeof reply !== 'object' || reply === null) reject(new RpcFailure('unclear'));
  else if (reply.error) reject(answered(reply.error));
  else if ('result' in reply) resolve(reply.result);
  else reject(new RpcFailure('unclear'));
}

function answered({ code, message, data }: NonNullable<Reply['error']>): RpcFailure {
  // Some nodes nest revert data one level deeper.
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return new RpcFailure('answered', {
    code: typeof code === 'number' ? code : null,
    said: typeof message === 'string' ? message : '',
    data: typeof inner === 'string' ? inner : null,
  });
}
