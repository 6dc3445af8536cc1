import { type End, type Handover, handedOver, type Order } from '../payments/settlement.ts';
import { outsideWindow } from '../payments/x402/requirements.ts';
import type { Claim, Down, Found, Named, Opened } from './claims/claims.ts';
import {
  answered,
  conclude,
  conflict,
  expiryOf,
  rejected,
  UNAVAILABLE,
  USED_DETAIL,
  underWay,
  waiting,
} from './conclude.ts';
import { collectEarlier, earlierPurchase, lookForEnd, underName } from './earlier.ts';
import { ended } from './ended.ts';
import type { FirstSights } from './first-sights.ts';
import type { Looks } from './looks.ts';
import type { Outcome } from './outcome.ts';
import type { Marks, PurchaseParts, SignedPurchase } from './purchase.ts';
import type { Slots } from './slots.ts';
import { unlessRefused } from './unproven.ts';

type Parts = PurchaseParts & {
  readonly slots: Slots;
  readonly looks: Looks;
  readonly firstSights: FirstSights;
};

/** Takes one purchase from its claim to its end. Exclusive for its key within this process. */
export async function attempt(purchase: SignedPurchase, marks: Marks, parts: Parts): Promise<Outcome> {
  const { claims, now } = parts;
  const found = await claims.find(marks.key);
  if (found.kind === 'down') return UNAVAILABLE;
  const outside = outsideWindow(purchase.payment, Math.floor(now() / 1000));
  if (outside !== null) {
    // Too late to pay, never too late to collect what was paid for.
    if (found.kind === 'absent') {
      const none = ended(purchase.operation.run(purchase.input, { today: purchase.today }));
      // Whose clock is wrong, ours or the buyer's, is not known then.
      if (none === null && (await parts.settlement.refusal?.())) return UNAVAILABLE;
      return none ?? { state: 'challenged', reason: outside, receipt: null };
    }
    // Whoever opened it may be gone, and somebody else may have submitted it.
    if (found.claim.state === 'open' && isSame(found.claim, marks))
      return lookForEnd(purchase, marks, parts, found.claim);
    return resume(purchase, marks, parts, found);
  }
  const fresh: Claim = {
    state: 'open',
    request: marks.request,
    signature: marks.signature,
    today: purchase.today,
    transaction: null,
    expires: expiryOf(purchase),
    operation: purchase.operation.name,
    claimedAt: Math.floor(now() / 1000),
  };
  // A key that nobody holds is claimed once the payment is proven: an unproven one costs no room.
  if (found.kind === 'absent') {
    const earlier = await underName(purchase, marks, parts);
    return earlier ?? begin(purchase, marks, parts, { fresh, opened: null });
  }
  const { state } = found.claim;
  const isDecided =
    state === 'settled' || state === 'void' || (state === 'sent' && !isSame(found.claim, marks));
  if (isDecided) return resume(purchase, marks, parts, found);
  const opened = await claims.open(marks.key, fresh);
  return opened.kind === 'opened'
    ? begin(purchase, marks, parts, { fresh, opened })
    : resume(purchase, marks, parts, opened);
}

type Beginning = { readonly fresh: Claim; readonly opened: Opened | null };

/** First sight of an authorization: answer, prove, claim, settle. */
async function begin(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  { fresh, opened }: Beginning,
): Promise<Outcome> {
  const answer = purchase.operation.run(purchase.input, { today: fresh.today });
  const { twin } = marks;
  const heldSince = opened?.kind === 'opened' ? opened.usedSince : undefined;
  const order =
    answer.kind === 'answer'
      ? await freshOrder(purchase, parts, { heldSince, firstSight: parts.firstSights.of(twin) })
      : null;
  if (answer.kind !== 'answer' || order === null) {
    if (opened !== null) await parts.claims.drop(marks.key);
    return ended(answer) ?? UNAVAILABLE;
  }
  let hasBegun = false;
  const outcome = await unlessRefused(purchase, parts, (leave) => {
    hasBegun = true;
    return settleAndConclude(purchase, marks, parts, { fresh, opened, order, body: answer.body, leave });
  });
  if (!hasBegun && opened !== null) await parts.claims.drop(marks.key);
  if (outcome.state !== 'limited')
    parts.firstSights.note(twin, purchase.caller, outcome.state === 'unavailable' ? order.usedSince : null);
  return outcome;
}

type Sale = Beginning & { readonly order: Order; readonly body: unknown; readonly leave: () => void };

async function settleAndConclude(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  { fresh, opened: first, order, body, leave }: Sale,
): Promise<Outcome> {
  const { claims, settlement, slots } = parts;
  const payer = purchase.payment.authorization.from;
  let opened = first;
  let earlier: Named | Down | null = null;
  let latest = fresh;
  let hasSlot = false;
  const giveBack = () => {
    if (hasSlot) slots.release(payer);
    hasSlot = false;
  };
  const claimed = async (): Promise<boolean> => {
    opened ??= await claims.open(marks.key, fresh);
    if (opened.kind !== 'opened') return false;
    earlier = await earlierPurchase(marks, parts, fresh);
    return earlier === null;
  };
  const handover: Handover = {
    async proven() {
      leave();
      hasSlot ||= slots.take(payer);
      return hasSlot && claimed();
    },
    async sending(transaction) {
      latest = { ...fresh, state: 'sent', transaction };
      return (await claims.save(marks.key, latest)) === 'saved';
    },
  };
  try {
    const result = await settlement.settle(order, handover);
    // Submitted by somebody else it was not sent by us; it and its name are claimed all the same.
    if (result.state === 'settled' && latest.state === 'open') await claimed();
    // Whoever looks for the end of another purchase keeps nobody from one of their own.
    if (earlier !== null) giveBack();
    const other = await otherEnd(purchase, marks, parts, { opened, earlier, result });
    if (other !== null && isToldOnly(other)) await parts.unproven.turnedAway(purchase.caller);
    return other ?? (await conclude(purchase, marks, parts, { claim: latest, result, body }));
  } catch (error) {
    // A claim for which something was sent stays: its end is found out by the next try.
    if (latest.state === 'sent') return stillWaiting(purchase, latest, parts, error);
    if (opened !== null) await claims.drop(marks.key);
    throw error;
  } finally {
    giveBack();
  }
}

/** A payment was proven for it, and buys nothing: what another one has bought is told. */
const isToldOnly = ({ state }: Outcome): boolean => state === 'settled' || state === 'conflict';

/** How it ends when this attempt did not get to be the one that sells; null when it did. */
async function otherEnd(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  { opened, earlier, result }: { opened: Opened | null; earlier: Named | Down | null; result: End },
): Promise<Outcome | null> {
  if (opened !== null && opened.kind !== 'opened') return resume(purchase, marks, parts, opened);
  if (opened === null && result.state === 'refused') {
    // What refuses it may be that another instance has sold it since it was looked for.
    const found = await parts.claims.find(marks.key);
    if (found.kind !== 'absent') return resume(purchase, marks, parts, found);
  }
  // Somebody else's submission counts for this request, whatever its name stood for.
  if (earlier === null || result.state === 'settled') return null;
  await parts.claims.drop(marks.key);
  return collectEarlier(purchase, marks, parts, earlier);
}

const isSame = (claim: Claim, { request, signature }: Marks): boolean =>
  claim.request === request && claim.signature === signature;

/** Seen before: the same request gets its end, another request gets nothing. */
async function resume(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  found: Found | Exclude<Opened, { kind: 'opened' }>,
): Promise<Outcome> {
  if (found.kind !== 'held') return UNAVAILABLE;
  const { claim } = found;
  if (!isSame(claim, marks)) return conflict('payment_already_used', USED_DETAIL, null);
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    case 'open':
      return underWay(purchase, claim);
    case 'void':
    case 'sent':
      return findOut(purchase, marks, parts, claim);
  }
}

function findOut(purchase: SignedPurchase, marks: Marks, parts: Parts, claim: Claim): Promise<Outcome> {
  return parts.looks.take(marks, () => lookAgain(purchase, marks, parts, claim));
}

async function lookAgain(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parts,
  claim: Claim,
): Promise<Outcome> {
  const known = await freshOrder(purchase, parts);
  if (known === null) return waiting(purchase, claim);
  const order = handedOver(known);
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return ended(answer) as Outcome;
  let latest = claim;
  const handover: Handover = {
    proven: async () => true,
    async sending(transaction) {
      latest = { ...claim, state: 'sent', transaction };
      return (await parts.claims.save(marks.key, latest)) === 'saved';
    },
  };
  // A void one is looked at again, and never sent: should the chain know better, the buyer gets what was paid for.
  const mayHandOver = claim.state === 'sent' ? handover : null;
  try {
    const result = await parts.settlement.reconcile(order, claim.transaction, mayHandOver);
    if (claim.state === 'void' && result.state !== 'settled') return rejected(purchase, claim, null);
    return await conclude(purchase, marks, parts, { claim: latest, result, body: answer.body });
  } catch (error) {
    return stillWaiting(purchase, latest, parts, error);
  }
}

/** A fault of ours once something was sent: to say that nothing was settled could be wrong. */
function stillWaiting(purchase: SignedPurchase, claim: Claim, parts: Parts, error: unknown): Outcome {
  parts.onBug(purchase.operation.name, error, purchase.requestId ?? null);
  return waiting(purchase, claim);
}

// An authorization reaches us before anybody else can have it, but for the time that a request may take to arrive.
const SEEN_AFTER_SECONDS = 120;

/**
 * An order that was not handed over yet: a use from long before its first sight was for something else. null while the
 * memory of what was used before cannot be asked, for then nothing may be granted.
 */
async function freshOrder(
  { payment, requirements, resource, extensions, signedBy, requestId }: SignedPurchase,
  { claims, now }: Parts,
  { heldSince, firstSight }: { heldSince?: number | undefined; firstSight?: number | undefined } = {},
): Promise<Order | null> {
  const since = await claims.completeSince();
  if (since === null) return null;
  const sight = Math.min(
    Math.floor(now() / 1000) - SEEN_AFTER_SECONDS,
    firstSight ?? Number.POSITIVE_INFINITY,
  );
  // What the memory has lost since the first sight was perhaps sold to somebody else.
  const usedSince = Math.min(Math.max(since, sight), heldSince ?? Number.POSITIVE_INFINITY);
  return { payment, requirements, resource, extensions, signedBy, usedSince, requestId: requestId ?? null };
}
