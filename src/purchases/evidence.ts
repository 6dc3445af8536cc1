import { open } from 'node:fs/promises';
import { formatUnits, toHex } from 'viem/utils';
import { z } from 'zod';
import { type Claim, COLLECT_SECONDS } from '../exchange/claims/claims.ts';
import { type Rpc, RpcFailure } from '../payments/chain/rpc.ts';
import { jsonOf, type RpcBlock, type RpcReceipt } from '../payments/chain/rpc-node.ts';
import { type IncomingTransfer, incomingTransfers, type Payee } from '../payments/chain/usdc.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { MAX_VALIDITY_SECONDS } from '../payments/x402/requirements.ts';

/** A transfer to the payee with the time of its block, in Unix seconds. */
export type Payment = IncomingTransfer & { readonly at: number };
/** The transfers of a transaction to the payee. */
export type Seen =
  | { readonly kind: 'payments'; readonly payments: readonly Payment[] }
  | { readonly kind: 'unknown' | 'reverted' | 'elsewhere' };

// Block ranges that public nodes answer in one reply, normally and with very many payments.
const RANGE_BLOCKS = 9_000;
const LIMITS = { most: Number.POSITIVE_INFINITY, fewestBlocks: 10 };
const DAY_SECONDS = 86_400;

/** Reads incoming payments from the asset's own events. Every function throws RpcFailure. */
export type Chain = {
  /** Transfers of whole days, given as days since 1970, oldest first. */
  ofDays(from: number, to: number): Promise<readonly Payment[]>;
  ofTransaction(hash: Hex): Promise<Seen>;
};

export function readChain(rpc: Rpc, payee: Payee): Chain {
  const times = new Map<number, number>();
  async function timeOf(number: number): Promise<number> {
    const known = times.get(number);
    if (known !== undefined) return known;
    const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [toHex(number), false]);
    if (block === null) throw new RpcFailure('unclear');
    const at = Number(block.timestamp);
    times.set(number, at);
    return at;
  }

  /** The first block that is not before this time; one past the head if there is none. */
  async function firstSince(seconds: number, head: number): Promise<number> {
    let [low, high] = [0, head + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await timeOf(middle)) < seconds) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const inBlocks = (first: number, last: number) => incomingTransfers(rpc, payee, { first, last }, LIMITS);

  const timed = async (incoming: readonly IncomingTransfer[]): Promise<readonly Payment[]> => {
    const payments: Payment[] = [];
    for (const one of incoming) payments.push({ ...one, at: await timeOf(one.block) });
    return payments;
  };

  return {
    async ofDays(from, to) {
      const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
      const begin = await firstSince(from * DAY_SECONDS, head);
      const end = await firstSince((to + 1) * DAY_SECONDS, head);
      const found: IncomingTransfer[] = [];
      for (let first = begin; first < end; first += RANGE_BLOCKS)
        found.push(...(await inBlocks(first, Math.min(first + RANGE_BLOCKS, end) - 1)));
      return timed(found);
    },
    async ofTransaction(hash) {
      const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
      if (receipt === null) return { kind: 'unknown' };
      if (receipt.status === '0x0') return { kind: 'reverted' };
      const block = Number(receipt.blockNumber);
      const mine = (await inBlocks(block, block)).filter(({ transaction }) => transaction === hash);
      return mine.length === 0 ? { kind: 'elsewhere' } : { kind: 'payments', payments: await timed(mine) };
    },
  };
}

/** A product and its price in atomic USDC. */
export type Product = { readonly name: string; readonly amount: bigint };
/** The claim of a payment: `down` if the store could not be reached, `none` if there is no store. */
export type ClaimLookup = Claim | 'absent' | 'down' | 'none';

/** The product that a payment bought, and the evidence for it. */
export type Bought = { readonly product: string; readonly by: 'claim' | 'log' | 'price' | null };
export type PurchaseEvidence = { readonly claim: ClaimLookup; readonly logged: LoggedPurchase | undefined };

const DECIMALS = 6;

export const dollars = (atomic: bigint): string => {
  const [whole = '0', rest = ''] = formatUnits(atomic, DECIMALS).split('.');
  return `${whole}.${rest.padEnd(2, '0')}`;
};
const time = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '');

/** A price identifies its product only if no other product has the same price. */
export function boughtBy(
  payment: Payment,
  { claim, logged }: PurchaseEvidence,
  products: readonly Product[],
): Bought {
  if (payment.nonce === null) return { product: '(plain transfer)', by: null };
  if (typeof claim === 'object' && claim.operation !== undefined)
    return { product: claim.operation, by: 'claim' };
  if (logged !== undefined) return { product: logged.operation, by: 'log' };
  const names = products.filter(({ amount }) => amount === payment.value).map(({ name }) => name);
  if (names.length === 1) return { product: String(names[0]), by: 'price' };
  return {
    product: names.length === 0 ? '(no price of ours)' : `(ambiguous: ${names.join(' or ')})`,
    by: null,
  };
}

/** Whether no answer is known for a payment, in which case its sender may be owed money. */
export function mayBeOwed({ nonce }: Payment, { claim, logged }: PurchaseEvidence): boolean {
  if (nonce === null) return true;
  return !(typeof claim === 'object' && claim.state === 'settled') && logged?.outcome !== 'settled';
}

/** Everything known about one payment, one line each. The last line is meant for the buyer. */
export function describePurchase(
  payment: Payment,
  known: PurchaseEvidence,
  { products, nowSeconds }: { readonly products: readonly Product[]; readonly nowSeconds: number },
): readonly string[] {
  const { transaction, value, from, nonce, at } = payment;
  const { product, by } = boughtBy(payment, known, products);
  const { claim, logged } = known;
  const until = typeof claim === 'object' ? claim.validBefore + COLLECT_SECONDS : null;
  const last = until ?? lastCollection(known);
  const line = (name: string, text: string) => `${`${name}: `.padEnd(16)}${text}`;
  return [
    line('transaction', transaction),
    line('paid', `${dollars(value)} USDC, ${time(at)}`),
    line('payer', from),
    line('nonce', nonce ?? 'none: a plain transfer'),
    line('product', by === null ? product : `${product}, by its ${by}`),
    line('answer', answerOf(known, nonce !== null)),
    ...(until === null ? [] : [line('collect until', time(until))]),
    ...(logged?.requestId ? [line('request', logged.requestId)] : []),
    line('tell the buyer', wordsFor(payment, known, { product, isOver: last < nowSeconds })),
  ];
}

/**
 * The last second at which an answer without a readable claim may still be collected. A store that has forgotten the
 * claim returns no answer. If no store can be asked, the service may still have what its log says.
 */
function lastCollection({ claim, logged }: PurchaseEvidence): number {
  if (claim === 'absent' || logged === undefined) return 0;
  return Date.parse(logged.time) / 1_000 + Number(MAX_VALIDITY_SECONDS) + COLLECT_SECONDS;
}

function answerOf({ claim, logged }: PurchaseEvidence, isPayment: boolean): string {
  if (!isPayment) return 'none: this was not a purchase';
  if (typeof claim === 'object') {
    if (claim.state === 'settled')
      return claim.readyAt === undefined
        ? 'ready, since an unknown time'
        : `ready since ${time(claim.readyAt)}`;
    // If the claims were unreachable when the purchase completed, only the log has the result.
    if (claim.state === 'sent' && logged?.outcome === 'settled') return `ready since ${logged.time}`;
    if (claim.state === 'sent')
      return 'not known: the claim says that the payment was sent, not how it ended';
    if (claim.state === 'open')
      return 'not sent yet: the purchase is in progress, or its process has crashed and the next identical request continues it';
    return 'refused: the payment was considered void';
  }
  if (logged?.outcome === 'settled') return `ready since ${logged.time}`;
  if (logged !== undefined) return `not sent when the log was written (${logged.outcome})`;
  if (claim === 'down') return 'not known: the claims cannot be read';
  return claim === 'none'
    ? 'not known: REDIS_URL is not set, and no log that you passed has it'
    : 'not known: the payment has no claim, or no longer has one';
}

function wordsFor(
  { value, transaction }: Payment,
  { claim, logged }: PurchaseEvidence,
  { product, isOver }: { readonly product: string; readonly isOver: boolean },
): string {
  const paid = `Your payment of ${dollars(value)} USDC in transaction ${transaction}`;
  const again = 'Send the identical request with the same payment again';
  const otherwise = 'if you still get no answer, we will send the money back.';
  if (product === '(plain transfer)')
    return `${paid} was a plain transfer without a request, so there is no answer for it. (Send it back if the buyer wishes.)`;
  if (typeof claim === 'object' && claim.state !== 'void')
    return isOver
      ? `${paid} was for ${product}. The time to collect it is over. (If the buyer never got it, send the money back.)`
      : `${paid} was for ${product}. ${again}: you get the answer and are not charged a second time.`;
  if (logged?.outcome !== 'settled')
    return `${paid} has arrived. Please tell us which address you called and when. ${again}; ${otherwise}`;
  const ready = `${paid} was for ${product}, and the answer was ready at ${logged.time}.`;
  return isOver
    ? `${ready} It can no longer be collected. (If the buyer never got it, send the money back.)`
    : `${ready} ${again}; ${otherwise}`;
}

/** The purchase in a log line of the service. */
type LoggedPurchase = {
  readonly operation: string;
  readonly outcome: string;
  readonly time: string;
  readonly requestId: string | null;
};

const name = z.string().regex(/^[a-z_]{1,40}$/);
/**
 * Accepts only what the service itself writes: a log may contain lines from other programs, and the output goes to a
 * terminal and into a table.
 */
const lineShape = z.object({
  event: z.literal('purchase'),
  time: z.iso.datetime(),
  operation: name,
  outcome: name,
  transaction: z.string().regex(/^0x[0-9a-f]{64}$/),
  request_id: z.guid().optional(),
});

/**
 * The purchases in logs, by transaction. Of several lines for one transaction, the one that says `settled` counts, or
 * else the last one. Throws an
 * UnreadableLog if a file cannot be opened.
 */
export async function readLogs(files: readonly string[]): Promise<ReadonlyMap<Hex, LoggedPurchase>> {
  const found = new Map<Hex, LoggedPurchase>();
  for (const file of files)
    for await (const line of (await opened(file)).readLines()) {
      if (!line.includes('"purchase"')) continue;
      const read = lineShape.safeParse(jsonOf(line.slice(line.indexOf('{'))));
      if (!read.success) continue;
      const { transaction, operation, outcome, time, request_id: requestId = null } = read.data;
      if (found.get(transaction as Hex)?.outcome === 'settled' && outcome !== 'settled') continue;
      found.set(transaction as Hex, { operation, outcome, time, requestId });
    }
  return found;
}

/** A log that the operator named cannot be opened. */
export class UnreadableLog extends Error {}

const opened = (file: string) =>
  open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableLog(`The log ${file} cannot be read (${error.code}).`);
  });
