import type { Hex } from 'viem';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc, rpcBatch } from '../../src/devnet/chain-rpc.ts';

type Transaction = { hash: Hex; from: Hex; input: Hex };
type Receipt = { status: Hex; gasUsed: Hex; effectiveGasPrice: Hex };

/** Number of blocks requested at once. */
const CHUNK = 100;

/** Every transaction of an account on the chain, with its result. */
export async function sentBy({ rpcUrl }: EmbeddedChain, address: Hex) {
  const head = Number(await rpc<Hex>(rpcUrl, 'eth_blockNumber'));
  const found: Transaction[] = [];
  for (let start = 0; start <= head; start += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, head - start + 1) }, (_, index) => start + index);
    const blocks = (await rpcBatch(
      rpcUrl,
      numbers.map((number) => ['eth_getBlockByNumber', `0x${number.toString(16)}`, true] as const),
    )) as { transactions: Transaction[] }[];
    for (const { transactions } of blocks)
      for (const one of transactions) if (one.from.toLowerCase() === address.toLowerCase()) found.push(one);
  }
  if (found.length === 0) return [];
  const receipts = (await rpcBatch(
    rpcUrl,
    found.map(({ hash }) => ['eth_getTransactionReceipt', hash] as const),
  )) as Receipt[];
  return receipts.map(({ status, gasUsed, effectiveGasPrice }, index) => ({
    hash: (found[index] as Transaction).hash,
    input: (found[index] as Transaction).input,
    isReverted: status === '0x0',
    gasUsed: BigInt(gasUsed),
    costWei: BigInt(gasUsed) * BigInt(effectiveGasPrice),
  }));
}
