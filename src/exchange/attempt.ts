import { outsideWindow } from '../payments/x402/requirements.ts';
import { type Claim, COLLECT_SECONDS } from './claims/claims.ts';
import { purchaseUnderName } from './idempotency.ts';
import { type Outcome, withoutAnswer } from './outcome.ts';
import type { Attempt } from './parts.ts';
import { UNAVAILABLE } from './purchase-outcomes.ts';
import { isSame, lookForEnd, resume } from './resume.ts';
import { sell } from './sell.ts';

/** Takes one purchase from its claim to its end. Exclusive for its key within this process. */
export async function runAttempt(attempt: Attempt): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const { firstSights, now } = shared;
  const nowSeconds = Math.floor(now() / 1000);
  const outcome = await runAt(nowSeconds, attempt);
  const earlier = firstSights.of(keys.twin);
  // It was not looked into, but it has been seen now at the latest.
  if (outcome.state === 'unavailable')
    firstSights.note(keys.twin, purchase.caller, Math.min(earlier ?? nowSeconds, nowSeconds));
  else if (outcome.state !== 'limited') firstSights.note(keys.twin, purchase.caller, null);
  return outcome;
}

async function runAt(nowSeconds: number, attempt: Attempt): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const { claims, firstSights } = shared;
  const found = await claims.find(keys.key);
  if (found.kind === 'down') return UNAVAILABLE;
  const outside = outsideWindow(purchase.payment, nowSeconds);
  // A payment that was answered 503 while it was valid may have been submitted all the same, and so have been charged.
  const validBefore = Number(purchase.payment.authorization.validBefore);
  const mayBeUsed =
    found.kind === 'absent' &&
    firstSights.of(keys.twin) !== undefined &&
    nowSeconds <= validBefore + COLLECT_SECONDS;
  if (outside !== null && !mayBeUsed) {
    // It is too late to pay, but what was paid for can still be collected.
    if (found.kind === 'absent') {
      const none = withoutAnswer(purchase.operation.run(purchase.input, { today: purchase.today }));
      // While nothing can be settled, it is not known whose clock is wrong: the server's or the buyer's.
      if (none === null && (await shared.settlement.refusal?.())) return UNAVAILABLE;
      return none ?? { state: 'challenged', reason: outside, receipt: null };
    }
    // The process that opened it may be gone, and another party may have submitted it.
    if (found.claim.state === 'open' && isSame(found.claim, keys)) {
      // Looking for the end drops the claim, even where nothing was found.
      firstSights.note(keys.twin, purchase.caller, found.claim.claimedAt ?? nowSeconds);
      return lookForEnd(attempt, found.claim);
    }
    return resume(attempt, found);
  }
  const fresh: Claim = {
    state: 'open',
    request: keys.request,
    signature: keys.signature,
    today: purchase.today,
    transaction: null,
    validBefore,
    operation: purchase.operation.name,
    claimedAt: nowSeconds,
  };
  // A free key is claimed once the payment is proven: an unproven one costs no room.
  if (found.kind === 'absent') {
    const earlier = await purchaseUnderName(attempt);
    return earlier ?? sell(attempt, { fresh, opened: null });
  }
  const { state } = found.claim;
  const isDecided =
    state === 'settled' || state === 'void' || (state === 'sent' && !isSame(found.claim, keys));
  if (isDecided) return resume(attempt, found);
  // Who may not settle now takes nothing over: dropped again, it would lose the trust that it was opened with.
  if (state === 'open' && (await shared.settlement.refusal?.())) return resume(attempt, found);
  // What another request has left open is taken once this payment is proven: who cannot buy with it takes nothing away.
  if (state === 'open' && !isSame(found.claim, keys)) return sell(attempt, { fresh, opened: null });
  const opened = await claims.open(keys.key, fresh);
  return opened.kind === 'opened' ? sell(attempt, { fresh, opened }) : resume(attempt, opened);
}
