import { toHex } from 'viem/utils';
import type { Hex } from '../x402/payment.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import type { RpcLog } from './rpc-shapes.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

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

// Maximum transfers to read, the latest ones: to detect another seller, one sale is enough.
const MOST_TRANSFERS = 500;
// Maximum payers in one request.
const MOST_PAYERS = 100;
const FEWEST_BLOCKS = 500;

/**
 * The transfers to the payee in a range of blocks, oldest first; if there are more than `most`, only the latest ones.
 * If a node refuses the range, its halves are requested. Throws RpcFailure.
 */
export async function incomingTransfers(
  rpc: Rpc,
  payee: Payee,
  { first, last }: Blocks,
  most = MOST_TRANSFERS,
): Promise<readonly IncomingTransfer[]> {
  try {
    return await read(rpc, payee, { first, last }, most);
  } catch (error) {
    const isRefusal = error instanceof RpcFailure && error.code !== null;
    if (!isRefusal || last - first < FEWEST_BLOCKS) throw error;
    const middle = Math.floor((first + last) / 2);
    const earlier = await incomingTransfers(rpc, payee, { first, last: middle }, most);
    return [...earlier, ...(await incomingTransfers(rpc, payee, { first: middle + 1, last }, most))];
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
