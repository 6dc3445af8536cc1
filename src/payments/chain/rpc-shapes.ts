import type { Hex } from '../x402/payment.ts';

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
