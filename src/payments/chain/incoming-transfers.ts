import type { Hex } from '../x402/payment.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { asTopic, TRANSFER_TOPIC, USED_TOPIC } from './usdc.ts';

/** A transfer of the asset to the payee. `nonce` is that of the EIP-3009 authorization it was made with; null without. */
export type Incoming = {
  readonly transaction: Hex;
  readonly from: Hex;
  readonly value: bigint;
  readonly nonce: Hex | null;
  readonly block: number;
};

export type Payee = { readonly asset: Hex; readonly payTo: Hex };
export type Blocks = { readonly first: number; readonly last: number };

type Log = {
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
};

// Of a longer list only the latest are examined: one foreign sale is enough.
const MOST_TRANSFERS = 500;
// How many payers one question names.
const MOST_PAYERS = 100;
const FEWEST_BLOCKS = 500;

/**
 * What came in over some blocks, oldest first, the latest `most` of it. A node that refuses the range is asked for halves of it. Throws
 * RpcFailure.
 */
export async function incomingIn(
  rpc: Rpc,
  payee: Payee,
  { first, last }: Blocks,
  most = MOST_TRANSFERS,
): Promise<readonly Incoming[]> {
  try {
    return await read(rpc, payee, { first, last }, most);
  } catch (error) {
    const isRefusal = error instanceof RpcFailure && error.code !== null;
    if (!isRefusal || last - first < FEWEST_BLOCKS) throw error;
    const middle = Math.floor((first + last) / 2);
    const earlier = await incomingIn(rpc, payee, { first, last: middle }, most);
    return [...earlier, ...(await incomingIn(rpc, payee, { first: middle + 1, last }, most))];
  }
}

async function read(
  rpc: Rpc,
  { asset, payTo }: Payee,
  { first, last }: Blocks,
  most: number,
): Promise<readonly Incoming[]> {
  const logs = (topics: readonly unknown[]) =>
    rpc.call<readonly Log[]>('eth_getLogs', [
      { address: asset, fromBlock: hex(first), toBlock: hex(last), topics },
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
    // USDC writes the two one after the other.
    nonce: nonces.get(mark(transfer, Number(transfer.logIndex) - 1)) ?? null,
  }));
}

const hex = (block: number): Hex => `0x${block.toString(16)}`;

/** A place in a transaction's logs, with whose money it speaks of. */
const mark = ({ transactionHash, topics }: Log, index: number): string =>
  `${transactionHash}:${topics[1]}:${index}`.toLowerCase();
