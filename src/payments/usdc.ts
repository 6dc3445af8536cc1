import { decodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import type { Authorization, Hex } from './payment.ts';

const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);

/** keccak256 of `Transfer(address,address,uint256)` and of the two ends an EIP-3009 nonce can have. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const USED_TOPIC = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
export const CANCELED_TOPIC = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';

/** Calldata that moves the money. The bytes overload takes EOA and contract-wallet signatures alike. */
export function transferCall(
  { from, to, value, validAfter, validBefore, nonce }: Authorization,
  signature: Hex,
): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  });
}

/** Calldata that asks whether an authorization was used or canceled. */
export const stateCall = ({ from, nonce }: Authorization): Hex =>
  encodeFunctionData({ abi, functionName: 'authorizationState', args: [from, nonce] });

/** An address as an indexed event argument. */
export const asTopic = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** A log as JSON-RPC gives it. */
export type RpcLog = {
  address: Hex;
  topics: Hex[];
  data: Hex;
  transactionHash: Hex;
  blockNumber: Hex;
  blockTimestamp?: Hex;
};

/** Whether these logs of one transaction hold the transfer that an authorization orders, at `asset`. */
export function movesMoney(
  logs: readonly RpcLog[],
  asset: Hex,
  { from, to, value, nonce }: Authorization,
): boolean {
  const of = (log: RpcLog, topics: readonly string[]) =>
    log.address.toLowerCase() === asset.toLowerCase() &&
    log.topics.length === topics.length &&
    topics.every((topic, index) => log.topics[index]?.toLowerCase() === topic);
  const used = logs.some((log) => of(log, [USED_TOPIC, asTopic(from), nonce]));
  const moved = logs.some(
    (log) => of(log, [TRANSFER_TOPIC, asTopic(from), asTopic(to)]) && BigInt(log.data) === value,
  );
  return used && moved;
}

const ERROR_SELECTOR = '0x08c379a0';

/** The text of a Solidity `Error(string)` revert, or what the node says of it. */
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
