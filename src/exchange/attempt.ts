import { outsideWindow } from '../payments/x402/requirements.ts';
import { type Claim, COLLECT_SECONDS } from './claims/claims.ts';
import { purchaseUnderName } from './idempotency.ts';
import { type Outcome, withoutAnswer } from './outcome.ts';
import type { Shared } from './parts.ts';
import type { PurchaseKeys, SignedPurchase } from './purchase.ts';
import { UNAVAILABLE } from './purchase-outcomes.ts';
import { isSame, lookForEnd, resume } from './resume.ts';
import { sell } from './sell.ts';

/** Takes one purchase from its claim to its end. Exclusive for its key within this process. */
export async function attempt(
  purchase: SignedPurchase,
  keys: PurchaseKeys,
  shared: Shared,
): Promise<Outcome> {
  const { firstSights, now } = shared;
  const nowSeconds = Math.floor(now() / 1000);
  const outcome = await attemptAt(nowSeconds, purchase, keys, shared);
  const earlier = firstSights.of(keys.twin);
  // Whatever kept it from being looked into, it was seen now at the latest.
  if (outcome.state === 'unavailable')
    firstSights.note(keys.twin, purchase.caller, Math.min(earlier ?? nowSeconds, nowSeconds));
  else if (outcome.state !== 'limited') firstSights.note(keys.twin, purchase.caller, null);
  return outcome;
}

async function attemptAt(
  nowSeconds: number,
  purchase: SignedPurchase,
  keys: PurchaseKeys,
  shared: Shared,
): Promise<Outcome> {
  const { claims, firstSights } = shared;
  const found = await claims.find(keys.key);
  if (found.kind === 'down') return UNAVAILABLE;
  const outside = outsideWindow(purchase.payment, nowSeconds);
  // Who was told 503 while it was good may have been charged: what was turned away can have been passed on all the same.
  const validBefore = Number(purchase.payment.authorization.validBefore);
  const mayBeUsed =
    found.kind === 'absent' &&
    firstSights.of(keys.twin) !== undefined &&
    nowSeconds <= validBefore + COLLECT_SECONDS;
  if (outside !== null && !mayBeUsed) {
    // Too late to pay, never too late to collect what was paid for.
    if (found.kind === 'absent') {
      const none = withoutAnswer(purchase.operation.run(purchase.input, { today: purchase.today }));
      // Whose clock is wrong, ours or the buyer's, is not known then.
      if (none === null && (await shared.settlement.refusal?.())) return UNAVAILABLE;
      return none ?? { state: 'challenged', reason: outside, receipt: null };
    }
    // The process that opened it may be gone, and another party may have submitted it.
    if (found.claim.state === 'open' && isSame(found.claim, keys)) {
      // The claim is gone after a look, also after one that told nothing.
      firstSights.note(keys.twin, purchase.caller, found.claim.claimedAt ?? nowSeconds);
      return lookForEnd(purchase, keys, shared, found.claim);
    }
    return resume(purchase, keys, shared, found);
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
    const earlier = await purchaseUnderName(purchase, keys, shared);
    return earlier ?? sell(purchase, keys, shared, { fresh, opened: null });
  }
  const { state } = found.claim;
  const isDecided =
    state === 'settled' || state === 'void' || (state === 'sent' && !isSame(found.claim, keys));
  if (isDecided) return resume(purchase, keys, shared, found);
  // Who may not settle now takes nothing over: dropped again, it would lose the trust that it was opened with.
  if (state === 'open' && (await shared.settlement.refusal?.())) return resume(purchase, keys, shared, found);
  const opened = await claims.open(keys.key, fresh);
  return opened.kind === 'opened'
    ? sell(purchase, keys, shared, { fresh, opened })
    : resume(purchase, keys, shared, opened);
}
