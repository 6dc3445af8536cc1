import type { Hex } from 'viem';
import { keccak256, toHex } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';

/** One transfer to a payee that an authorization ordered, as the asset's own events show it. */
export type Transfer = {
  readonly transaction: Hex;
  readonly from: Hex;
  readonly nonce: Hex;
  readonly value: bigint;
};

/** One request with its payment, and the reply. */
export type Presented = {
  /** Path and body. Two requests with the same text are the same request. */
  readonly asked: string;
  readonly nonce: Hex;
  readonly from: Hex;
  readonly price: bigint;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly transaction: Hex | null;
  readonly body: string;
  /** Whether the payment is one that its payer signed for this request. */
  readonly isHonest: boolean;
};

type Log = { topics: Hex[]; data: Hex; transactionHash: Hex; logIndex: Hex; blockNumber: Hex };

const USED = keccak256(toHex('AuthorizationUsed(address,bytes32)'));
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'));
const addressOf = (topic: Hex | undefined): Hex => `0x${(topic ?? '').slice(26).toLowerCase()}`;

/** Every transfer to `payee` that directly follows the AuthorizationUsed event of its own authorization. */
export async function transfersTo({ rpcUrl, usdc }: EmbeddedChain, payee: Hex): Promise<Transfer[]> {
  const logs = await rpc<Log[]>(rpcUrl, 'eth_getLogs', {
    address: usdc,
    fromBlock: '0x0',
    toBlock: 'latest',
  });
  return logs.flatMap((log, index) => {
    const before = logs[index - 1];
    if (log.topics[0] !== TRANSFER || addressOf(log.topics[2]) !== payee.toLowerCase()) return [];
    if (before?.topics[0] !== USED || before.transactionHash !== log.transactionHash) return [];
    if (before.topics[1] !== log.topics[1] || Number(before.logIndex) + 1 !== Number(log.logIndex)) return [];
    return [
      {
        transaction: log.transactionHash,
        from: addressOf(log.topics[1]),
        nonce: before.topics[2] as Hex,
        value: BigInt(log.data),
      },
    ];
  });
}

const short = (hex: string) => hex.slice(0, 10);

/** Compares all replies to buyers with the events on the chain. */
export function unbalanced(presented: readonly Presented[], transfers: readonly Transfer[]): string[] {
  const sold = new Map<Transfer, Set<string>>();
  const bodies = new Map<string, Set<string>>();
  const found: string[] = [];
  for (const one of presented.filter(({ status }) => status === 200)) {
    const paid =
      transfers.find(({ nonce, from }) => nonce === one.nonce && from === one.from) ??
      transfers.find(({ transaction, from }) => transaction === one.transaction && from === one.from);
    if (paid === undefined) found.push(`an answer without a transfer of its own (${short(one.nonce)})`);
    else if (paid.value !== one.price)
      found.push(`an answer of ${one.price} for a transfer of ${paid.value} (${short(one.nonce)})`);
    else sold.set(paid, (sold.get(paid) ?? new Set()).add(one.asked));
    const key = `${one.nonce} ${one.asked}`;
    bodies.set(key, (bodies.get(key) ?? new Set()).add(one.body));
  }
  for (const [{ nonce }, asked] of sold)
    if (asked.size > 1) found.push(`${asked.size} requests answered for one transfer (${short(nonce)})`);
  for (const [key, texts] of bodies)
    if (texts.size > 1) found.push(`one request answered in ${texts.size} ways (${short(key)})`);
  for (const one of presented) {
    if (!one.isHonest || !isFinal(one)) continue;
    if (transfers.some(({ nonce, from }) => nonce === one.nonce && from === one.from))
      found.push(`charged, and told ${one.status} ${one.code}: "${one.detail.slice(0, 90)}"`);
  }
  return [...new Set(found)];
}

/** A reply after which a buyer may pay again. */
const isFinal = ({ status, code }: Presented): boolean =>
  status === 402 || (status === 409 && code !== 'waiting' && code !== 'payment_already_used');
