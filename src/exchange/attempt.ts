import { outsideWindow } from '../payments/requirements.ts';
import { type BeforeSending, handedOver, type Order } from '../payments/settlement.ts';
import type { Claim, Down, Found, Named, Opened } from './claims.ts';
import {
  answered,
  COLLECT_SECONDS,
  conclude,
  conflict,
  rejected,
  UNAVAILABLE,
  USED_DETAIL,
  waiting,
} from './conclude.ts';
import { collectEarlier, earlierPurchase, lookForEnd } from './earlier.ts';
import { ended } from './ended.ts';
import type { Outcome } from './outcome.ts';
import type { Marks, Purchase, PurchaseParts } from './purchase.ts';

/** Takes one purchase from its claim to its end. Exclusive for its key within this process. */
export async function attempt(purchase: Purchase, marks: Marks, parts: PurchaseParts): Promise<Outcome> {
  const { claims, now } = parts;
  const outside = outsideWindow(purchase.payment, Math.floor(now() / 1000));
  if (outside !== null) {
    // Too late to pay, never too late to collect what was paid for.
    const found = await claims.find(marks.key);
    if (found.kind === 'absent') {
      const none = ended(purchase.operation.run(purchase.input, { today: purchase.today }));
      // Whose clock is wrong, ours or the buyer's, is not known then.
      if (none === null && (await parts.settlement.refusal?.())) return UNAVAILABLE;
      return none ?? { state: 'challenged', reason: outside, receipt: null };
    }
    // Whoever opened it may be gone, and somebody else may have submitted it.
    if (found.kind === 'held' && found.claim.state === 'open' && isSame(found.claim, marks))
      return lookForEnd(purchase, marks, parts, found.claim);
    return resume(purchase, marks, parts, found);
  }
  const fresh: Claim = {
    state: 'open',
    request: marks.request,
    signature: marks.signature,
    today: purchase.today,
    transaction: null,
    expires: Number(purchase.payment.authorization.validBefore) + COLLECT_SECONDS,
  };
  const opened = await claims.open(marks.key, fresh);
  return opened.kind === 'opened'
    ? begin(purchase, marks, parts, fresh, opened.usedSince)
    : resume(purchase, marks, parts, opened);
}

/** First sight of an authorization: answer, then settle. */
async function begin(
  purchase: Purchase,
  marks: Marks,
  parts: PurchaseParts,
  claim: Claim,
  heldSince: number | undefined,
): Promise<Outcome> {
  const { claims, settlement } = parts;
  let latest = claim;
  let earlier: Named | Down | null = null;
  const beforeSending: BeforeSending = async (transaction) => {
    earlier = await earlierPurchase(marks, parts, claim);
    if (earlier !== null) return false;
    latest = { ...claim, state: 'sent', transaction };
    return claims.save(marks.key, latest);
  };
  try {
    const answer = purchase.operation.run(purchase.input, { today: claim.today });
    const order = answer.kind === 'answer' ? await orderOf(purchase, parts, heldSince) : null;
    if (answer.kind !== 'answer' || order === null) {
      await claims.drop(marks.key);
      return ended(answer) ?? UNAVAILABLE;
    }
    const result = await settlement.settle(order, beforeSending);
    if (earlier !== null) {
      await claims.drop(marks.key);
      return collectEarlier(purchase, marks, parts, earlier);
    }
    // Submitted by somebody else it was not sent by us, and its name stands for it all the same.
    if (result.state === 'settled' && latest.state === 'open') await earlierPurchase(marks, parts, claim);
    return await conclude(purchase, marks, parts, { claim: latest, result, body: answer.body });
  } catch (error) {
    // A claim for which something was sent stays: its end is found out by the next try.
    if (latest.state === 'open') await claims.drop(marks.key);
    throw error;
  }
}

const isSame = (claim: Claim, { request, signature }: Marks): boolean =>
  claim.request === request && claim.signature === signature;

/** Seen before: the same request gets its end, another request gets nothing. */
async function resume(
  purchase: Purchase,
  marks: Marks,
  parts: PurchaseParts,
  found: Found | Exclude<Opened, { kind: 'opened' }>,
): Promise<Outcome> {
  if (found.kind !== 'held') return UNAVAILABLE;
  const { claim } = found;
  if (!isSame(claim, marks)) return conflict('payment_already_used', USED_DETAIL, null);
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    case 'open':
      return waiting(purchase, claim);
    // A void one is looked at again: should the chain know better, the buyer gets what was paid for.
    case 'void':
    case 'sent':
      return findOut(purchase, marks, parts, claim);
  }
}

async function findOut(
  purchase: Purchase,
  marks: Marks,
  parts: PurchaseParts,
  claim: Claim,
): Promise<Outcome> {
  const known = await orderOf(purchase, parts);
  if (known === null) return waiting(purchase, claim);
  const order = handedOver(known);
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return ended(answer) as Outcome;
  let latest: Claim = { ...claim, state: 'sent' };
  let isSentAgain = false;
  const result = await parts.settlement.reconcile(order, claim.transaction, async (transaction) => {
    isSentAgain = true;
    latest = { ...latest, transaction };
    return parts.claims.save(marks.key, latest);
  });
  // Nothing new is known of a void one: it stays what the buyer was told.
  if (claim.state === 'void' && result.state === 'unknown' && !isSentAgain)
    return rejected(purchase, claim, null);
  return conclude(purchase, marks, parts, { claim: latest, result, body: answer.body });
}

/** null while the memory of what was used before cannot be asked: then nothing may be granted. */
async function orderOf(
  purchase: Purchase,
  { claims }: PurchaseParts,
  heldSince = Number.POSITIVE_INFINITY,
): Promise<Order | null> {
  const { payment, requirements, resource, extensions } = purchase;
  const since = await claims.completeSince();
  if (since === null) return null;
  return { payment, requirements, resource, extensions, usedSince: Math.min(since, heldSince) };
}
