import type { RpcError } from './rpc-node.ts';

/**
 * Why a node rejected a transaction, so that it cannot be mined. `no_room`: the node keeps no more transactions of
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
// The request is at fault, and not the node: its form, its method or its parameters.
const QUESTION_CODES = new Set([-32600, -32601, -32602]);

/** Whether a node rejected a call because it does not know the method. */
export const lacksMethod = ({ code, said }: Pick<RpcError, 'code' | 'said'>): boolean =>
  code === -32601 || /method .*(not (found|supported|exist|available)|unsupported)/i.test(said);

/** Whether the request itself is at fault, so that the node may well answer others. */
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

/** Whether a rejected read comes from the chain itself, so that every node would answer the same. */
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
