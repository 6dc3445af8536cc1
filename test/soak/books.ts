import type { Hex } from 'viem';
import { encodeEventTopics } from 'viem/utils';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';
import { next } from './buyers.ts';
import type { Purchase, Reply } from './purchase.ts';

/** An authorization that the chain shows as used, with the transfer to the payee in the same transaction. */
export type Used = { readonly nonce: Hex; readonly transaction: Hex; readonly value: bigint };
export type Violation = {
  readonly what: string;
  readonly purchase: Purchase | null;
  readonly nonce: Hex | null;
};

type Log = { topics: Hex[]; data: Hex; transactionHash: Hex };

/** Every authorization used so far, by nonce. Throws when a transfer to the payee belongs to none. */
export async function usedOn({ rpcUrl, usdc, payee }: EmbeddedChain): Promise<Map<Hex, Used>> {
  const logs = (topics: unknown[]) =>
    rpc<Log[]>(rpcUrl, 'eth_getLogs', { address: usdc, fromBlock: '0x0', toBlock: 'latest', topics });
  const uses = await logs(encodeEventTopics({ abi: usdcAbi, eventName: 'AuthorizationUsed' }));
  const transfers = await logs(
    encodeEventTopics({ abi: usdcAbi, eventName: 'Transfer', args: { to: payee } }),
  );
  const paid = new Map(transfers.map(({ transactionHash, data }) => [transactionHash, BigInt(data)]));
  if (paid.size !== transfers.length || paid.size !== uses.length)
    throw new Error(
      `${transfers.length} transfers in ${paid.size} transactions for ${uses.length} authorizations`,
    );
  return new Map(
    uses.map(({ topics, transactionHash: transaction }) => {
      const nonce = topics[2] as Hex;
      return [nonce, { nonce, transaction, value: paid.get(transaction) ?? 0n }];
    }),
  );
}

const answersOf = ({ replies }: Purchase) => replies.filter(({ status }) => status === 200);
const nonceOf = ({ payload }: Purchase['signed'][number]): Hex => payload.authorization.nonce;

/** Payments that went through and for which their buyer has no answer yet. */
export function uncollected({ signed, replies }: Purchase, used: ReadonlyMap<Hex, Used>): Purchase['signed'] {
  const bought = new Set(
    replies.filter(({ status }) => status === 200).map(({ transaction }) => transaction),
  );
  return signed.filter((payment) => {
    const use = used.get(nonceOf(payment));
    return use !== undefined && !bought.has(use.transaction);
  });
}

/** Compares what buyers heard with what the chain shows. */
export function violationsIn(purchases: readonly Purchase[], used: ReadonlyMap<Hex, Used>): Violation[] {
  const found = purchases.flatMap((purchase) => [
    ...ofAnswers(purchase, used),
    ...ofAuthorizations(purchase, used),
    ...ofReplies(purchase),
  ]);
  const signed = new Set(purchases.flatMap((purchase) => purchase.signed.map(nonceOf)));
  const strange = [...used.keys()].filter((nonce) => !signed.has(nonce));
  return [...found, ...strange.map((nonce) => ({ what: 'a use that nobody signed', purchase: null, nonce }))];
}

/** For every answer exactly one transfer of the exact price, from an authorization of the same purchase. */
function ofAnswers(purchase: Purchase, used: ReadonlyMap<Hex, Used>): Violation[] {
  const own = new Map<Hex, Used>();
  for (const nonce of purchase.signed.map(nonceOf)) {
    const use = used.get(nonce);
    if (use !== undefined) own.set(use.transaction, use);
  }
  const faultOf = ({ transaction, nonce }: Reply): string | null => {
    const use = transaction === null ? undefined : own.get(transaction);
    if (use === undefined) return 'an answer without a payment';
    if (use.value !== purchase.product.price) return 'an answer for another price';
    if (use.nonce !== nonce && purchase.name === null) return 'an answer paid by another authorization';
    return null;
  };
  return answersOf(purchase).flatMap((reply) => {
    const what = faultOf(reply);
    return what === null ? [] : [{ what, purchase, nonce: reply.nonce }];
  });
}

/** For every use exactly one request that was answered, and for every request one use. */
function ofAuthorizations(purchase: Purchase, used: ReadonlyMap<Hex, Used>): Violation[] {
  const found: Violation[] = [];
  const answers = answersOf(purchase);
  for (const nonce of purchase.signed.map(nonceOf)) {
    const use = used.get(nonce);
    if (use === undefined) continue;
    const requests = new Set(
      answers.filter((one) => one.transaction === use.transaction).map(({ asked }) => asked),
    );
    if (requests.size === 0) found.push({ what: 'charged without an answer', purchase, nonce });
    if (requests.size > 1) found.push({ what: 'two requests answered for one payment', purchase, nonce });
    const refusal = purchase.replies.find(
      (reply) =>
        reply.nonce === nonce && reply.asked === purchase.asked && isWronglyRefused(reply, purchase, use),
    );
    if (refusal) found.push({ what: `told to sign anew (${refusal.code}) though charged`, purchase, nonce });
  }
  for (const asked of new Set(answers.map((reply) => reply.asked))) {
    const mine = answers.filter((reply) => reply.asked === asked);
    // A buyer who tries several payments for another request may well have paid for it several times.
    if (asked === purchase.asked && new Set(mine.map(({ transaction }) => transaction)).size > 1)
      found.push({ what: 'a request charged twice', purchase, nonce: null });
    if (new Set(mine.map(({ digest }) => digest)).size > 1)
      found.push({ what: 'a request answered in two ways', purchase, nonce: null });
  }
  return found;
}

/** Whether a buyer who heard this would pay again although this payment went through for the request. */
function isWronglyRefused(reply: Reply, purchase: Purchase, use: Used): boolean {
  if (next(reply) !== 'sign anew') return false;
  // It went through for another request of the same buyer.
  const bought = answersOf(purchase).find(({ transaction }) => transaction === use.transaction);
  return !(reply.code === 'payment_already_used' && bought !== undefined && bought.asked !== purchase.asked);
}

const PROMISED = new Set([0, 200, 402, 409, 503]);

/** Answers that docs/payments.md does not promise to somebody who does nothing wrong. */
function ofReplies(purchase: Purchase): Violation[] {
  return purchase.replies
    .filter(({ status, code }) => !PROMISED.has(status) || code === 'idempotency_key_reused')
    .map(({ status, code, nonce }) => ({ what: `an answer ${status} ${code}`, purchase, nonce }));
}
