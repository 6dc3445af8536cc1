import type { IncomingMessage } from 'node:http';
import * as plain from 'node:http';
import * as secure from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { Hex } from '../x402/payment.ts';

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

type PostOptions = {
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

// A reply over its limit is read and dropped up to here, which costs less than a new connection.
const MAX_PASSED_BYTES = 4 * 1024 * 1024;

/** The text of a reply; null if it is longer than `mostBytes`. Rejects if the connection breaks. */
export const collect = (incoming: IncomingMessage, mostBytes: number): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve(null);
        if (size > MAX_PASSED_BYTES) incoming.destroy();
      }
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('reply cut off')));
  });

/** The JSON in a text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of a JSON-RPC block that are read. */
export type RpcBlock = { readonly number: Hex; readonly timestamp: Hex; readonly baseFeePerGas: Hex };
/** A JSON-RPC log. */
export type RpcLog = {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
};
/** A JSON-RPC receipt. `l1Fee` is a rollup's data fee. */
export type RpcReceipt = {
  readonly transactionHash: Hex;
  readonly to?: Hex | null;
  readonly status: '0x0' | '0x1';
  readonly blockNumber: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly l1Fee?: Hex | null;
  readonly logs: readonly RpcLog[];
};

type Shape = (value: unknown, params: readonly unknown[]) => boolean;

const matching =
  (pattern: RegExp): Shape =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const data = matching(/^0x(?:[0-9a-fA-F]{2})*$/);
const hash = matching(/^0x[0-9a-fA-F]{64}$/);
const address = matching(/^0x[0-9a-fA-F]{40}$/);
/** At most 256 bits. */
const quantity = matching(/^0x[0-9a-fA-F]{1,64}$/);
/** A quantity that a number holds exactly. */
const count: Shape = (value, params) => quantity(value, params) && Number.isSafeInteger(Number(value));
const absentOr =
  (shape: Shape): Shape =>
  (value, params) =>
    value === undefined || value === null || shape(value, params);
const listOf =
  (shape: Shape, most = Number.POSITIVE_INFINITY): Shape =>
  (value, params) =>
    Array.isArray(value) && value.length <= most && value.every((entry) => shape(entry, params));
const object =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, params) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(shapes).every(([name, shape]) => shape((value as Record<string, unknown>)[name], params));

const block = object({ number: count, timestamp: count, baseFeePerGas: quantity });
const log = object({
  address,
  topics: listOf(hash, 4),
  data,
  transactionHash: hash,
  blockNumber: count,
  logIndex: count,
});
const receipt = object({
  transactionHash: hash,
  to: absentOr(address),
  status: matching(/^0x[01]$/),
  blockNumber: count,
  gasUsed: count,
  effectiveGasPrice: quantity,
  l1Fee: absentOr(quantity),
  logs: listOf(log),
});

/** The shapes of valid results, by method. A result of another shape counts as no answer. */
const shapes = {
  eth_blockNumber: count,
  eth_call: data,
  eth_chainId: count,
  eth_getBalance: quantity,
  // Only a block requested by its number may be unknown.
  eth_getBlockByNumber: (value, params) => (value === null ? params[0] !== 'latest' : block(value, params)),
  eth_getCode: data,
  eth_getLogs: listOf(log),
  // A receipt of another transaction is not evidence.
  eth_getTransactionReceipt: (value, params) =>
    value === null || (receipt(value, params) && isOf(value as RpcReceipt, params[0])),
  eth_getTransactionCount: count,
  eth_sendRawTransaction: hash,
  eth_sendRawTransactionSync: receipt,
} satisfies Record<string, Shape>;

const isOf = ({ transactionHash }: RpcReceipt, asked: unknown): boolean =>
  typeof asked === 'string' && transactionHash.toLowerCase() === asked.toLowerCase();

/** The calls that we make to a node. */
export type RpcMethod = keyof typeof shapes;

const KIB = 1024;
// A block lists its transactions, code may be long, and logs span many blocks.
const longer: Partial<Record<RpcMethod, number>> = {
  eth_getBlockByNumber: 1_024 * KIB,
  eth_getCode: 512 * KIB,
  eth_getLogs: 4_096 * KIB,
};

/** Longest reply that is read. */
export const mostBytesOf = (method: RpcMethod): number => longer[method] ?? 64 * KIB;

/** Whether a result has the shape that its method promises; `bytes` is the exact length of an eth_call's answer. */
export const isShaped = (
  method: RpcMethod,
  params: readonly unknown[],
  result: unknown,
  bytes?: number,
): boolean =>
  shapes[method](result, params) && (bytes === undefined || (result as string).length === 2 + 2 * bytes);

/** The value as a receipt if it has that shape, else null. */
export const receiptOf = (value: unknown): RpcReceipt | null =>
  receipt(value, []) ? (value as RpcReceipt) : null;

/**
 * Why a node rejected a transaction. `no_room`: the node keeps no more transactions of
 * this sender, or of all senders, and may accept the same bytes later.
 */
export type Rejection = 'stale_nonce' | 'too_cheap' | 'not_sent' | 'no_room';

const TAKEN = /already known|already imported|already in pool/i;
// How geth, erigon, reth, nethermind, besu and gateways report too many pending transactions.
const NO_ROOM =
  /pool (is )?full|pool size constraint|txpool.*(full|overflow)|too many pending|(pending|future|queued) transactions? (limit|count)|in-flight transaction limit|account.*(slots?|capacity|limit exceeded)|exceeded .*capacity|nonce.* too (far|distant)/i;
const declines: readonly (readonly [RegExp, Rejection])[] = [
  [NO_ROOM, 'no_room'],
  [/nonce|replacement/i, 'stale_nonce'],
  [/less than block base fee|fee cap|max fee per gas|underpriced/i, 'too_cheap'],
  [/insufficient funds|intrinsic gas|gas floor|floor data gas/i, 'not_sent'],
];
// EIP-7966: the node accepted the transaction and saw no block with it in time.
const SYNC_TIMEOUT_CODE = 4;
// A revert, and `VM execution error`, which some nodes use for any failed call.
const HALT_CODES = new Set([3, -32015]);
// How geth, erigon, reth, nethermind, besu and anvil report a call that failed in the EVM, as opposed to a failure of
// the node.
const HALTED =
  /revert|out ?of ?gas|(invalid|bad|undefined|unknown) ?(opcode|jump|instruction|operation|code)|opcode ?not|stack ?(limit|over|under)|(write|static|state)[ _]?(call)?[ _]?(protection|change|violation)|return ?data out of bounds|call ?depth|gas uint64 overflow|vm execution error|evm error(?!.*(fatal|database|custom))/i;
const CANNOT_RUN = /intrinsic gas|gas floor|floor data gas|insufficient funds|less than block base fee/i;
const LIMIT_EXCEEDED_CODE = -32005;
// How gateways reject callers before any node sees the call.
const TURNED_AWAY_STATUS = new Set([401, 403, 429, 503]);
const TURNED_AWAY =
  /no backend|no available (node|upstream)|rate limit|too many requests|limit exceeded|unauthori[sz]ed|must be authenticated/i;
// The request itself is at fault, not the node: its form, method or parameters.
const QUESTION_CODES = new Set([-32600, -32601, -32602]);

/** Whether a node rejected a call because it does not know the method. */
export const lacksMethod = ({ code, said }: Pick<RpcError, 'code' | 'said'>): boolean =>
  code === -32601 || /method .*(not (found|supported|exist|available)|unsupported)/i.test(said);

/** Whether the request itself is at fault. The node may well answer others. */
export const isRequestFault = (error: RpcError): boolean =>
  QUESTION_CODES.has(error.code ?? 0) || lacksMethod(error);

/**
 * Classifies a node's rejection of a transaction: `taken` if the node already has it, or else why it cannot be mined;
 * null if uncertain.
 */
export function rejectionOf({ code, said }: Pick<RpcError, 'code' | 'said'>): Rejection | 'taken' | null {
  if (code === SYNC_TIMEOUT_CODE || TAKEN.test(said)) return 'taken';
  return declines.find(([pattern]) => pattern.test(said))?.[1] ?? null;
}

/** Whether a call ended in the EVM without success, by a revert or in any other way. */
export const isHalt = ({ code, said, data }: Pick<RpcError, 'code' | 'said' | 'data'>): boolean =>
  HALT_CODES.has(code ?? 0) || (data?.startsWith('0x') ?? false) || HALTED.test(said);

/** Whether the rejection of a read comes from the chain itself. Every node would then answer the same. */
export function isReadVerdict(error: RpcError): boolean {
  if (TURNED_AWAY_STATUS.has(error.status) || error.status >= 500) return false;
  return isHalt(error) || CANNOT_RUN.test(error.said);
}

/** Whether no node behind this address can have seen the call. */
export const isTurnedAway = (error: RpcError): boolean =>
  TURNED_AWAY_STATUS.has(error.status) ||
  error.code === LIMIT_EXCEEDED_CODE ||
  TURNED_AWAY.test(error.said) ||
  lacksMethod(error);
