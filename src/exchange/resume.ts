import { type Handover, handedOver } from '../payments/settlement.ts';
import type { Payment } from '../payments/x402/payment.ts';
import type { Claim, Found, Opened } from './claims/claims.ts';
import { conclude } from './conclude.ts';
import { freshOrder, orderOf } from './order.ts';
import { type Outcome, withoutAnswer } from './outcome.ts';
import type { Attempt } from './parts.ts';
import type { PurchaseKeys, SignedPurchase } from './purchase.ts';
import {
  answered,
  conflict,
  rejected,
  UNAVAILABLE,
  USED_DETAIL,
  underWay,
  waiting,
} from './purchase-outcomes.ts';

/** Whether a claim was made for this request with this very payment. */
export const isSame = (claim: Claim, { request, signature }: PurchaseKeys): boolean =>
  claim.request === request && claim.signature === signature;

/** Seen before: the same request gets its end, another request gets nothing. */
export async function resume(
  attempt: Attempt,
  found: Found | Exclude<Opened, { kind: 'opened' }>,
): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  if (found.kind !== 'held') return UNAVAILABLE;
  const { claim } = found;
  if (!isSame(claim, keys)) return conflict('payment_already_used', USED_DETAIL, null);
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    case 'open':
      return underWay(purchase, claim);
    case 'void':
    case 'sent':
      return shared.looks.take(keys, () => lookAgain(attempt, claim));
  }
}

async function lookAgain(attempt: Attempt, claim: Claim): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const known = await freshOrder(attempt);
  if (known === null) return waiting(purchase, claim);
  const order = handedOver(known);
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return withoutAnswer(answer);
  let latest = claim;
  const handover: Handover = {
    proven: async () => true,
    async sending(transaction) {
      latest = { ...claim, state: 'sent', transaction };
      return (await shared.claims.save(keys.key, latest)) === 'saved';
    },
  };
  // A void claim is looked up again but never sent: if the chain shows a payment, the buyer gets what was paid for.
  const mayHandOver = claim.state === 'sent' ? handover : null;
  try {
    const result = await shared.settlement.reconcile(order, claim.transaction, mayHandOver);
    if (claim.state === 'void' && result.state !== 'settled') return rejected(purchase, claim, null);
    return await conclude(attempt, { claim: latest, result, body: answer.body });
  } catch (error) {
    return stillWaiting(attempt, latest, error);
  }
}

/** An internal error after something was sent: saying that nothing was settled could be wrong. */
export function stillWaiting({ purchase, shared }: Attempt, claim: Claim, error: unknown): Outcome {
  shared.onBug(purchase.operation.name, error, purchase.requestId ?? null);
  return waiting(purchase, claim);
}

/**
 * How a claim ends whose process may be gone: it holds enough to look its payment up, not enough to send it. An open
 * one for which nothing was sent is dropped once no process owns it.
 */
export const lookForEnd = (attempt: Attempt, claim: Claim): Promise<Outcome> =>
  attempt.shared.looks.take(attempt.keys, () => look(attempt, claim));

async function look({ purchase, keys, shared }: Attempt, claim: Claim): Promise<Outcome> {
  const { claims, settlement } = shared;
  const first: SignedPurchase = { ...purchase, payment: paymentOf(purchase, keys, claim) };
  let usedSince: number | null = 0;
  if (claim.state === 'open') {
    const opened = await claims.open(keys.key, claim);
    if (opened.kind === 'held') return waiting(first, opened.claim);
    if (opened.kind !== 'opened') return UNAVAILABLE;
    usedSince = opened.usedSince ?? (await claims.completeSince());
  }
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer' || usedSince === null) return waiting(first, claim);
  const order = orderOf(first, usedSince);
  const result = await settlement.reconcile(order, claim.transaction, null);
  if (claim.state === 'open' && result.state !== 'settled') {
    await claims.drop(keys.key);
    return UNAVAILABLE;
  }
  const outcome = await conclude({ purchase: first, keys, shared }, { claim, result, body: answer.body });
  return result.state === 'refused' ? UNAVAILABLE : outcome;
}

/** What is known of an earlier payment of the same payer for the same request: enough to look for, not to send. */
function paymentOf({ payment }: SignedPurchase, { key }: PurchaseKeys, { validBefore }: Claim): Payment {
  const authorization = {
    ...payment.authorization,
    nonce: key.slice(key.lastIndexOf(':') + 1) as `0x${string}`,
    validBefore: BigInt(validBefore),
  };
  return { ...payment, authorization };
}
