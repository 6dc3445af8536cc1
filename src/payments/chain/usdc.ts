import { decodeAbiParameters, encodeFunctionData, parseAbi, toFunctionSelector, toHex } from 'viem/utils';
import type { Authorization, Hex } from '../x402/payment.ts';
import type { Terms } from '../x402/requirements.ts';
import { domainSeparator } from '../x402/signature.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { RpcLog } from './rpc-node.ts';

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)',
]);

// The selector is computed once, because every sale encodes this call twice.
const transferAbi = [abi[0]] as const;
const transferSelector = toFunctionSelector(abi[0]);

/** keccak256 of `Transfer(address,address,uint256)` and of the two events that can use up an EIP-3009 nonce. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
export const CANCELED_TOPIC = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';

/** Calldata that moves the money. The overload with bytes accepts EOA and contract-wallet signatures. */
export function transferCall(
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  signature: Hex,
): Hex {
  return encodeFunctionData({
    abi: transferAbi,
    functionName: transferSelector,
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  });
}

/** Calldata that asks whether an authorization was used or canceled. */
export const stateCall = ({ from, nonce }: Authorization): Hex =>
  encodeFunctionData({ abi, functionName: 'authorizationState', args: [from, nonce] });

/** Calldata that requests the balance of an account. */
export const balanceCall = (account: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] });

/** Calldata that asks an account with code whether it accepts a signature (ERC-1271). */
export const walletCall = (digest: Uint8Array, signature: Hex): Hex =>
  encodeFunctionData({ abi, functionName: 'isValidSignature', args: [toHex(digest), signature] });

/** Whether the answer to `walletCall` accepts the signature, read as USDC reads it. */
export const isSignatureAccepted = (answer: string): boolean =>
  answer.startsWith(`0x1626ba7e${'0'.repeat(56)}`);

/** An address as an indexed event argument. */
export const asTopic = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/**
 * Whether the logs of one receipt show that an authorization moved the ordered money at `asset`; null if they do not
 * completely show its use. USDC writes a Transfer of the payer directly after AuthorizationUsed. Any other Transfer
 * belongs to another authorization, and if it is missing, the node has left something out.
 */
export function movesMoney(
  logs: readonly RpcLog[],
  asset: Hex,
  { from, to, value, nonce }: Authorization,
): boolean | null {
  const is = (log: RpcLog, topics: readonly string[]): boolean =>
    log.address.toLowerCase() === asset.toLowerCase() &&
    topics.every((topic, index) => log.topics[index]?.toLowerCase() === topic);
  // A nonce is used once, so there is at most one such log.
  const at = logs.findIndex((log) => is(log, [USED_TOPIC, asTopic(from), nonce]));
  if (at < 0) return null;
  const [used, next] = logs.slice(at) as [RpcLog, RpcLog?];
  if (next === undefined || !isNext(used, next) || !is(next, [TRANSFER_TOPIC, asTopic(from)])) return null;
  return next.topics[2]?.toLowerCase() === asTopic(to) && BigInt(next.data) === value;
}

/**
 * Whether two logs are adjacent. If a node leaves out a log, two logs that do not belong together may follow each
 * other.
 */
const isNext = (one: RpcLog, other: RpcLog): boolean => Number(other.logIndex) === Number(one.logIndex) + 1;

const ERROR_SELECTOR = '0x08c379a0';

/** The text of a Solidity `Error(string)` revert, or the node's own words. */
export function revertText(data: string | null, said: string): string {
  if (data?.startsWith(ERROR_SELECTOR)) {
    try {
      return decodeAbiParameters([{ type: 'string' }], `0x${data.slice(10)}`)[0];
    } catch {
      return said;
    }
  }
  return said;
}

/** The selectors of `paused()`, `DOMAIN_SEPARATOR()` and `isBlacklisted(address)`. */
const PAUSED = '0x5c975abb';
const DOMAIN_SEPARATOR = '0x3644e515';
const IS_BLACKLISTED = '0xfe575a87';

/** The asset of some terms, and its chain. */
type Asset = Pick<Terms, 'chainId' | 'asset' | 'assetName' | 'assetVersion'>;

/** Whether a node is on the expected chain and has the asset that buyers sign for. Throws RpcFailure. */
export async function isOurs(rpc: Rpc, terms: Asset): Promise<boolean> {
  if (Number(await rpc.call<Hex>('eth_chainId', [])) !== terms.chainId) return false;
  // An address without code answers every call with empty data.
  const shown = await viewed(rpc, terms.asset, DOMAIN_SEPARATOR);
  return shown?.toLowerCase() === `0x${domainSeparator(terms)}`;
}

/** Whether the asset rejects every transfer at the moment. Throws RpcFailure. */
export const isPaused = async (rpc: Rpc, asset: Hex): Promise<boolean> =>
  isYes(await viewed(rpc, asset, PAUSED));

/** Whether the asset rejects transfers to an account. Throws RpcFailure. */
export async function isBlacklisted(rpc: Rpc, asset: Hex, account: Hex): Promise<boolean> {
  return isYes(await viewed(rpc, asset, `${IS_BLACKLISTED}${asTopic(account).slice(2)}`));
}

const isYes = (shown: Hex | null): boolean => shown !== null && /[1-9a-f]/.test(shown.slice(2));

/** The result of a view function; null if the contract has no such function. */
async function viewed(rpc: Rpc, to: Hex, data: Hex): Promise<Hex | null> {
  try {
    return await rpc.call<Hex>('eth_call', [{ to, data }, 'latest']);
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'answered') return null;
    throw error;
  }
}

/** A transfer of the asset to the payee. `nonce`: of its EIP-3009 authorization; null for a plain transfer. */
export type IncomingTransfer = {
  readonly transaction: Hex;
  readonly from: Hex;
  readonly value: bigint;
  readonly nonce: Hex | null;
  readonly block: number;
};

export type Payee = { readonly asset: Hex; readonly payTo: Hex };
export type Blocks = { readonly first: number; readonly last: number };

// Maximum payers in one request.
const MOST_PAYERS = 100;

/** `most`: of more transfers, only the latest ones are read. A range of `fewestBlocks` is not divided. */
type TransferLimits = { readonly most: number; readonly fewestBlocks: number };

/**
 * The transfers to the payee in a range of blocks, oldest first. If no node reads the range at once, its halves are
 * requested. Throws RpcFailure.
 */
export async function incomingTransfers(
  rpc: Rpc,
  payee: Payee,
  { first, last }: Blocks,
  limits: TransferLimits,
): Promise<readonly IncomingTransfer[]> {
  try {
    return await read(rpc, payee, { first, last }, limits.most);
  } catch (error) {
    const isAnswer = error instanceof RpcFailure && error.kind !== 'unreached';
    if (!isAnswer || last - first < limits.fewestBlocks) throw error;
    const middle = Math.floor((first + last) / 2);
    const earlier = await incomingTransfers(rpc, payee, { first, last: middle }, limits);
    return [...earlier, ...(await incomingTransfers(rpc, payee, { first: middle + 1, last }, limits))];
  }
}

async function read(
  rpc: Rpc,
  { asset, payTo }: Payee,
  { first, last }: Blocks,
  most: number,
): Promise<readonly IncomingTransfer[]> {
  const logs = (topics: readonly unknown[]) =>
    rpc.call<readonly RpcLog[]>('eth_getLogs', [
      { address: asset, fromBlock: toHex(first), toBlock: toHex(last), topics },
    ]);
  const transfers = (await logs([TRANSFER_TOPIC, null, asTopic(payTo)])).slice(-most);
  const payers = [...new Set(transfers.map(({ topics }) => topics[1] as Hex))];
  const nonces = new Map<string, Hex>();
  for (let at = 0; at < payers.length; at += MOST_PAYERS)
    for (const use of await logs([USED_TOPIC, payers.slice(at, at + MOST_PAYERS)]))
      nonces.set(mark(use, Number(use.logIndex)), use.topics[2]?.toLowerCase() as Hex);
  return transfers.map((transfer) => ({
    transaction: transfer.transactionHash.toLowerCase() as Hex,
    from: `0x${transfer.topics[1]?.slice(-40).toLowerCase()}` as Hex,
    value: BigInt(transfer.data),
    block: Number(transfer.blockNumber),
    // USDC writes AuthorizationUsed directly before the Transfer.
    nonce: nonces.get(mark(transfer, Number(transfer.logIndex) - 1)) ?? null,
  }));
}

/** Key of a log: its transaction, its account and its index. */
const mark = ({ transactionHash, topics }: RpcLog, index: number): string =>
  `${transactionHash}:${topics[1]}:${index}`.toLowerCase();
