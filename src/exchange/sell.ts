import type { End, Handover, Order } from '../payments/settlement.ts';
import type { Claim, Opened } from './claims/claims.ts';
import { conclude } from './conclude.ts';
import { type Held, holdingOf } from './holding.ts';
import { collectEarlier } from './idempotency.ts';
import { letGo } from './let-go.ts';
import { freshOrder } from './order.ts';
import { type Outcome, withoutAnswer } from './outcome.ts';
import type { Attempt } from './parts.ts';
import { UNAVAILABLE } from './purchase-outcomes.ts';
import { resume, stillWaiting } from './resume.ts';
import { unlessRefused } from './unproven.ts';

/** The claim that an attempt would make, and what came of making it; null before it has tried. */
export type Beginning = { readonly fresh: Claim; readonly opened: Opened | null };

/** First sight of an authorization: answer, prove, claim, settle. */
export async function sell(attempt: Attempt, { fresh, opened }: Beginning): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const unclaimed = async () => {
    if (opened !== null) await letGo(attempt, { claim: fresh, opened });
  };
  const answer = purchase.operation.run(purchase.input, { today: fresh.today });
  if (answer.kind !== 'answer') {
    await unclaimed();
    return withoutAnswer(answer);
  }
  const heldSince = opened?.kind === 'opened' ? opened.usedSince : undefined;
  const order = await freshOrder(attempt, { heldSince, firstSight: shared.firstSights.of(keys.twin) });
  if (order === null) {
    await unclaimed();
    return UNAVAILABLE;
  }
  let hasBegun = false;
  const outcome = await unlessRefused(purchase, shared, (leave) => {
    hasBegun = true;
    return settle(attempt, { fresh, opened, order, body: answer.body, leave });
  });
  if (!hasBegun) await unclaimed();
  return outcome;
}

/** `leave` gives back the place among payments that are not proven yet. */
type Sale = Beginning & { readonly order: Order; readonly body: unknown; readonly leave: () => void };

async function settle(attempt: Attempt, { order, body, leave, ...beginning }: Sale): Promise<Outcome> {
  const { purchase, shared } = attempt;
  const holding = holdingOf(attempt, beginning);
  const handover: Handover = {
    async proven() {
      leave();
      return holding.takeSlot() && holding.claim();
    },
    sending: holding.sent,
  };
  try {
    const result = await shared.settlement.settle(order, handover);
    // Submitted by another party, not by us; its payment and name are claimed all the same.
    if (result.state === 'settled' && holding.state().claim.state === 'open') await holding.claim();
    const { claim, opened, earlier } = holding.state();
    // Looking up the end of the earlier purchase must not take a slot from the payer's other purchases.
    if (earlier !== null) holding.giveSlotBack();
    const other = await otherEnd(attempt, { opened, earlier, result });
    if (other !== null && isCollected(other)) await shared.unproven.turnedAway(purchase.caller);
    return other ?? (await conclude(attempt, { claim, opened, result, body }));
  } catch (error) {
    const { claim, opened } = holding.state();
    // A claim for which something was sent stays: the next attempt finds out its end.
    if (claim.state === 'sent') return stillWaiting(attempt, claim, error);
    if (opened !== null) await letGo(attempt, { claim, opened });
    throw error;
  } finally {
    holding.giveSlotBack();
  }
}

/** The payment was proven but buys nothing: the answer that another payment bought is given, or none. */
const isCollected = ({ state }: Outcome): boolean => state === 'settled' || state === 'conflict';

/** The outcome where another attempt or payment sells instead; null where this one does. */
async function otherEnd(
  attempt: Attempt,
  { opened, earlier, result }: Omit<Held, 'claim'> & { readonly result: End },
): Promise<Outcome | null> {
  const { keys, shared } = attempt;
  if (opened !== null && opened.kind !== 'opened') return resume(attempt, opened);
  if (opened === null && result.state === 'refused') {
    // It may be refused because another instance has sold it since the claims were asked.
    const found = await shared.claims.find(keys.key);
    if (found.kind !== 'absent') return resume(attempt, found);
  }
  // A submission by another party counts for this request, whatever its name stood for.
  if (earlier === null || result.state === 'settled') return null;
  await shared.claims.drop(keys.key);
  return collectEarlier(attempt, earlier);
}
