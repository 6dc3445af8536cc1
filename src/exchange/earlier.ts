import type { Order } from '../payments/settlement.ts';
import type { Payment } from '../payments/x402/payment.ts';
import type { Claim, Down, Named } from './claims/claims.ts';
import {
  answered,
  COLLECT_SECONDS,
  conclude,
  conflict,
  REUSED_DETAIL,
  UNAVAILABLE,
  waiting,
} from './conclude.ts';
import type { Looks } from './looks.ts';
import type { Outcome } from './outcome.ts';
import type { Marks, PurchaseParts, SignedPurchase } from './purchase.ts';

/** Whether the client already used its name for this purchase with another authorization; null when it did not. */
export async function earlierPurchase(
  marks: Marks,
  { claims }: PurchaseParts,
  { expires }: Claim,
): Promise<Named | Down | null> {
  if (marks.name === null) return null;
  const named = await claims.name(marks.name, { claim: marks.key, request: marks.request }, expires);
  return 'kind' in named || named.claim !== marks.key ? named : null;
}

type Parts = PurchaseParts & { readonly looks: Looks };

/**
 * How a purchase ends whose name stands for one that was begun with another authorization: known before this one costs
 * a question to a node, or waits for the money that the other may take. null where the name is free.
 */
export async function underName(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
): Promise<Outcome | null> {
  if (marks.name === null) return null;
  const named = await parts.claims.named(marks.name);
  if (named === null || ('claim' in named && named.claim === marks.key)) return null;
  if ('kind' in named) return UNAVAILABLE;
  const found = await parts.claims.find(named.claim);
  if (found.kind === 'down') return UNAVAILABLE;
  if (found.kind === 'absent' || found.claim.state === 'void') return null;
  const outcome = await collectEarlier(purchase, marks, parts, named);
  // A wallet had to be asked whether it signed this one.
  if (purchase.signedBy === 'wallet' && outcome.state === 'settled')
    await parts.unproven.turnedAway(purchase.caller);
  return outcome;
}

/** A client that lost our reply and signed anew gets what the first authorization bought; the new one is not used. */
export async function collectEarlier(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  earlier: Named | Down,
): Promise<Outcome> {
  const { claims } = parts;
  if ('kind' in earlier) return UNAVAILABLE;
  if (earlier.request !== marks.request) return conflict('idempotency_key_reused', REUSED_DETAIL, null);
  const found = await claims.find(earlier.claim);
  if (found.kind !== 'held') return UNAVAILABLE;
  const { claim } = found;
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    // Its name is free again by now.
    case 'void':
      return UNAVAILABLE;
    case 'open':
    case 'sent':
      return lookForEnd(purchase, { ...marks, key: earlier.claim }, parts, claim);
  }
}

/**
 * How a claim ends whose process may be gone and whose payment may be kept by nobody: what it tells is enough to look,
 * not to send. An open one for which nothing was sent is forgotten once it is nobody's.
 */
export function lookForEnd(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  claim: Claim,
): Promise<Outcome> {
  return parts.looks.take(marks, () => look(purchase, marks, parts, claim));
}

async function look(purchase: SignedPurchase, marks: Marks, parts: Parts, claim: Claim): Promise<Outcome> {
  const { claims, settlement } = parts;
  const first: SignedPurchase = { ...purchase, payment: paymentOf(purchase, marks, claim) };
  let usedSince: number | null = 0;
  if (claim.state === 'open') {
    const opened = await claims.open(marks.key, claim);
    if (opened.kind === 'held') return waiting(first, opened.claim);
    if (opened.kind !== 'opened') return UNAVAILABLE;
    usedSince = opened.usedSince ?? (await claims.completeSince());
  }
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer' || usedSince === null) return waiting(first, claim);
  const order = orderOf(first, usedSince);
  const result = await settlement.reconcile(order, claim.transaction, null);
  if (claim.state === 'open' && result.state !== 'settled') {
    await claims.drop(marks.key);
    return UNAVAILABLE;
  }
  const outcome = await conclude(first, marks, parts, { claim, result, body: answer.body });
  return result.state === 'refused' ? UNAVAILABLE : outcome;
}

/** What is known of an earlier payment of the same payer for the same request: enough to look for, not to send. */
function paymentOf({ payment }: SignedPurchase, { key }: Marks, { expires }: Claim): Payment {
  const authorization = {
    ...payment.authorization,
    nonce: key.slice(key.lastIndexOf(':') + 1) as `0x${string}`,
    validBefore: BigInt(expires - COLLECT_SECONDS),
  };
  return { ...payment, authorization };
}

function orderOf(
  { payment, requirements, resource, extensions, signedBy, requestId }: SignedPurchase,
  usedSince: number,
): Order {
  return { payment, requirements, resource, extensions, signedBy, usedSince, requestId: requestId ?? null };
}
