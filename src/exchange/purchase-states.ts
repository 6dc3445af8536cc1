import { type End, type Handover, handedOver, type Order, type Settlement } from '../payments/settlement.ts';
import type { Hex, Payment } from '../payments/x402/payment.ts';
import { outsideWindow } from '../payments/x402/requirements.ts';
import type { Signing } from '../payments/x402/signature.ts';
import {
  type Claim,
  type Claims,
  COLLECT_SECONDS,
  type Down,
  type Named,
  type Opened,
} from './claims/claims.ts';
import { type FirstSeen, type Rechecks, type Slots, type Unproven, withRefusalLimit } from './limits.ts';
import {
  answered,
  conflict,
  notGoneThrough,
  ON_HOLD,
  type OnBug,
  type Outcome,
  type Purchase,
  type PurchaseEnd,
  type PurchaseKeys,
  REUSED_DETAIL,
  refused,
  type SignedPurchase,
  sold,
  UNAVAILABLE,
  UNDECIDED,
  USED_DETAIL,
  underWay,
  voided,
  waiting,
  withoutAnswer,
} from './purchase.ts';

/** The parts that process a purchase to its outcome. */
export type PurchaseParts = {
  readonly claims: Claims;
  readonly settlement: Settlement;
  readonly signing: Signing;
  readonly unproven: Unproven;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onBug: OnBug;
  readonly onEnd?: ((end: PurchaseEnd) => void) | undefined;
};

/** One attempt of this process to complete a purchase. */
export type Attempt = {
  readonly purchase: SignedPurchase;
  readonly keys: PurchaseKeys;
  /** What all purchases of a process share. */
  readonly shared: PurchaseParts & {
    readonly slots: Slots;
    readonly rechecks: Rechecks;
    readonly firstSeen: FirstSeen;
  };
};

/** Takes a purchase from the state of its claim to its outcome. Only one runs for a key in this process. */
export async function advance(attempt: Attempt): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const { firstSeen, now } = shared;
  const nowSeconds = Math.floor(now() / 1000);
  const outcome = await byState(attempt, nowSeconds);
  const earlier = firstSeen.of(keys.twin);
  // The payment could not be processed (503): remember when it was first presented.
  if (outcome.state === 'unavailable')
    firstSeen.note(keys.twin, purchase.caller, Math.min(earlier ?? nowSeconds, nowSeconds));
  else if (outcome.state !== 'limited') firstSeen.note(keys.twin, purchase.caller, null);
  return outcome;
}

/** Whether a claim was made for this request with this very payment. */
const isSame = (claim: Claim, { request, signature }: PurchaseKeys): boolean =>
  claim.request === request && claim.signature === signature;

/**
 * Decides by the state of the payment's claim what it has bought and what happens next: none, `open`, `sent`, `settled`
 * or `void`. Payments without a claim are also looked for on the chain, when they are proven.
 */
async function byState(attempt: Attempt, nowSeconds: number): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const found = await shared.claims.find(keys.key);
  if (found.kind === 'down') return UNAVAILABLE;
  const outside = outsideWindow(purchase.payment, nowSeconds);
  const fresh: Claim = {
    state: 'open',
    request: keys.request,
    signature: keys.signature,
    today: purchase.today,
    transaction: null,
    validBefore: Number(purchase.payment.authorization.validBefore),
    operation: purchase.operation.name,
    claimedAt: nowSeconds,
  };
  if (found.kind === 'absent') return firstPresented(attempt, fresh, { outside, nowSeconds });
  const { claim } = found;
  if (outside === null) return presentedAgain(attempt, claim, fresh);
  // The payment has expired, but a paid answer can still be collected.
  if (claim.state !== 'open' || !isSame(claim, keys)) return collect(attempt, claim);
  // The process that opened the claim may be gone, and a third party may have submitted the payment. Looking up the
  // payment's result drops the claim even if nothing is found.
  shared.firstSeen.note(keys.twin, purchase.caller, claim.claimedAt ?? nowSeconds);
  return findEnd(attempt, claim);
}

/** A payment without a claim; `outside` says why it is outside its validity window. */
async function firstPresented(
  attempt: Attempt,
  fresh: Claim,
  { outside, nowSeconds }: { readonly outside: string | null; readonly nowSeconds: number },
): Promise<Outcome> {
  const { keys, shared } = attempt;
  // A payment that got 503 while it was valid may still have been submitted, and so charged.
  const mayBeUsed =
    shared.firstSeen.of(keys.twin) !== undefined && nowSeconds <= fresh.validBefore + COLLECT_SECONDS;
  if (outside !== null && !mayBeUsed) return untimely(attempt, outside);
  // The key is claimed only after the payment is proven: an unproven payment takes no space.
  return (await purchaseUnderName(attempt)) ?? sell(attempt, { fresh, opened: null });
}

/** A payment within its validity window that already has a claim. */
async function presentedAgain(attempt: Attempt, claim: Claim, fresh: Claim): Promise<Outcome> {
  const { keys, shared } = attempt;
  const isOpen = claim.state === 'open';
  if (!isOpen && !(claim.state === 'sent' && isSame(claim, keys))) return collect(attempt, claim);
  // While settlement is refused, no claim is taken over: dropping it again would lose `usedSince`.
  if (isOpen && (await shared.settlement.refusal?.())) return collect(attempt, claim);
  // An open claim of another request is taken over only after this payment is proven: a payment that buys nothing must
  // not take it away.
  if (!isSame(claim, keys)) return sell(attempt, { fresh, opened: null });
  // Takes over what a crashed process left open, and waits for a process that is working on it.
  const opened = await shared.claims.open(keys.key, fresh);
  return opened.kind === 'opened' ? sell(attempt, { fresh, opened }) : notTaken(attempt, opened);
}

/** The outcome without a claim and outside the validity window. */
async function untimely({ purchase, shared }: Attempt, outside: string): Promise<Outcome> {
  const none = withoutAnswer(purchase.operation.run(purchase.input, { today: purchase.today }));
  // While nothing can be settled, it is unknown whose clock is wrong: the server's or the buyer's.
  if (none === null && (await shared.settlement.refusal?.())) return UNAVAILABLE;
  return none ?? { state: 'challenged', reason: outside, receipt: null };
}

/** The outcome if the key could not be claimed: another attempt holds it, or the store is full or does not answer. */
const notTaken = (
  attempt: Attempt,
  taken: Exclude<Opened, { kind: 'opened' }>,
): Promise<Outcome> | Outcome => (taken.kind === 'held' ? collect(attempt, taken.claim) : UNAVAILABLE);

/**
 * The outcome of a claim that this attempt does not hold. The same request gets its result; another request gets
 * nothing.
 */
function collect(attempt: Attempt, claim: Claim): Promise<Outcome> | Outcome {
  const { purchase, keys, shared } = attempt;
  if (!isSame(claim, keys)) return conflict('payment_already_used', USED_DETAIL, null);
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    case 'open':
      return underWay(purchase, claim);
    case 'void':
    case 'sent':
      return shared.rechecks.run(keys, () => reconcile(attempt, claim));
  }
}

/** The start of a sale: the claim that it would make, and the result of `claims.open`, null before that. */
type Beginning = { readonly fresh: Claim; readonly opened: Opened | null };

/** From no claim or `open` to `settled`: answer, prove, claim, settle. */
async function sell(attempt: Attempt, { fresh, opened }: Beginning): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const release = async () => {
    if (opened !== null) await releaseClaim(attempt, { claim: fresh, opened });
  };
  const answer = purchase.operation.run(purchase.input, { today: fresh.today });
  if (answer.kind !== 'answer') {
    await release();
    return withoutAnswer(answer);
  }
  const heldSince = opened?.kind === 'opened' ? opened.usedSince : undefined;
  const order = await freshOrder(attempt, { heldSince, firstSeen: shared.firstSeen.of(keys.twin) });
  if (order === null) {
    await release();
    return UNAVAILABLE;
  }
  let hasBegun = false;
  const outcome = await withRefusalLimit(purchase, shared, (leave) => {
    hasBegun = true;
    return settle(attempt, { fresh, opened, order, body: answer.body, leave });
  });
  if (!hasBegun) await release();
  return outcome;
}

/** `leave` frees the slot among unproven payments. */
type Sale = Beginning & { readonly order: Order; readonly body: unknown; readonly leave: () => void };

/** What an attempt holds during a sale; the settler's callbacks change it. */
type Held = {
  /** The claim as last saved. */
  claim: Claim;
  /** The result of `claims.open`; null before the call. */
  opened: Opened | null;
  /** The other purchase that the client's name refers to; null if there is none. */
  earlier: Named | Down | null;
};

/**
 * Settles a sale. When the settler reports that the payment is proven, the payment and the client's name are claimed.
 * Directly before the settler sends, it reports the transaction, and the claim becomes `sent`. If either step fails,
 * the settler sends nothing.
 */
async function settle(attempt: Attempt, sale: Sale): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const { fresh, order, body } = sale;
  const held: Held = { claim: fresh, opened: sale.opened, earlier: null };
  const slot = shared.slots.of(purchase.payment.authorization.from);
  const takeClaim = async (): Promise<boolean> => {
    held.opened ??= await shared.claims.open(keys.key, fresh);
    if (held.opened.kind !== 'opened') return false;
    held.earlier = await bindName(attempt, fresh);
    return held.earlier === null;
  };
  const handover: Handover = {
    async proven() {
      sale.leave();
      return slot.take() && takeClaim();
    },
    async sending(transaction) {
      held.claim = { ...fresh, state: 'sent', transaction };
      return (await shared.claims.save(keys.key, held.claim)) === 'saved';
    },
  };
  try {
    const result = await shared.settlement.settle(order, handover);
    // A third party had submitted the payment, so nothing was sent here. Payment and name are still claimed.
    if (result.state === 'settled' && held.claim.state === 'open') await takeClaim();
    // Looking up the earlier purchase must not take a slot from the payer's other purchases.
    if (held.earlier !== null) slot.release();
    const other = await boughtElsewhere(attempt, held, result);
    if (other === null) return await conclude(attempt, { ...held, result, body });
    // The payment was proven but buys nothing: the caller gets the other payment's answer, or nothing.
    if (other.state === 'settled' || other.state === 'conflict')
      await shared.unproven.turnedAway(purchase.caller);
    return other;
  } catch (error) {
    // A claim for which something was sent stays: the next attempt finds the result.
    if (held.claim.state === 'sent') return stillWaiting(attempt, held.claim, error);
    if (held.opened !== null) await releaseClaim(attempt, held);
    throw error;
  } finally {
    slot.release();
  }
}

/** The outcome if another attempt or another payment has bought the answer; null if this attempt buys it. */
async function boughtElsewhere(attempt: Attempt, held: Held, result: End): Promise<Outcome | null> {
  const { keys, shared } = attempt;
  const { opened, earlier } = held;
  if (opened !== null && opened.kind !== 'opened') return notTaken(attempt, opened);
  if (opened === null && result.state === 'refused') {
    // Another instance may have sold the answer since the claims were read, which would explain the refusal.
    const found = await shared.claims.find(keys.key);
    if (found.kind !== 'absent') return notTaken(attempt, found);
  }
  // A payment that somebody else submitted pays for this request, whatever the client's name referred to.
  if (earlier === null || result.state === 'settled') return null;
  await shared.claims.drop(keys.key);
  return collectNamed(attempt, earlier);
}

/** From `sent` or `void` to its outcome: asks the chain, and sends a lost payment again. */
async function reconcile(attempt: Attempt, claim: Claim): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  const known = await freshOrder(attempt);
  if (known === null) return waiting(purchase, claim);
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
  // A void claim is looked up but never sent. If the chain shows a payment, the buyer gets the answer.
  const mayHandOver = claim.state === 'sent' ? handover : null;
  try {
    const result = await shared.settlement.reconcile(handedOver(known), claim.transaction, mayHandOver);
    if (claim.state === 'void' && result.state !== 'settled') return voided(purchase, claim, null);
    return await conclude(attempt, { claim: latest, opened: null, result, body: answer.body });
  } catch (error) {
    return stillWaiting(attempt, latest, error);
  }
}

/**
 * The result of a claim whose process may be gone. The claim is enough to look up its payment, but not to send it. An
 * open claim for which nothing was sent is dropped once no process owns it.
 */
const findEnd = (attempt: Attempt, claim: Claim): Promise<Outcome> =>
  attempt.shared.rechecks.run(attempt.keys, async () => {
    const { purchase, keys, shared } = attempt;
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
    const result = await settlement.reconcile(orderOf(first, usedSince), claim.transaction, null);
    if (claim.state === 'open' && result.state !== 'settled') {
      await claims.drop(keys.key);
      return UNAVAILABLE;
    }
    const end = { claim, opened: null, result, body: answer.body };
    const outcome = await conclude({ purchase: first, keys, shared }, end);
    return result.state === 'refused' ? UNAVAILABLE : outcome;
  });

/**
 * The known facts about an earlier payment of the same payer for the same request: enough to look it up, not to send
 * it.
 */
function paymentOf({ payment }: SignedPurchase, { key }: PurchaseKeys, { validBefore }: Claim): Payment {
  const authorization = {
    ...payment.authorization,
    nonce: key.slice(key.lastIndexOf(':') + 1) as Hex,
    validBefore: BigInt(validBefore),
  };
  return { ...payment, authorization };
}

// Each of these reasons cost a call to a node, and the caller could repeat it without limit.
const COSTS_A_CALL = new Set(['unclear', 'payer_busy', 'wallet_gas_budget_spent']);

type Conclusion = Pick<Held, 'claim' | 'opened'> & { readonly result: End; readonly body: unknown };

/** Saves the result of a settlement in the claim, and turns it into an outcome. */
export async function conclude(attempt: Attempt, conclusion: Conclusion): Promise<Outcome> {
  const { claim, result, body } = conclusion;
  const { purchase, keys } = attempt;
  const { claims, now, onEnd } = attempt.shared;
  const report = (outcome: PurchaseEnd['outcome']) => onEnd?.(endOf(purchase, result, outcome));
  if (result.state !== 'settled') report(result.state);
  switch (result.state) {
    case 'settled': {
      const { transaction } = result;
      const settled: Claim = { ...claim, state: 'settled', transaction, readyAt: Math.floor(now() / 1000) };
      const saved = await claims.save(keys.key, settled);
      const isSold = saved === 'saved' || (saved === 'unconfirmed' && claim.state !== 'open');
      report(isSold ? 'settled' : saved === 'conflict' ? 'conflict' : 'unknown');
      // The store has lost this claim, and another request holds it now: the transfer pays for that request.
      if (saved === 'conflict') return conflict('payment_already_used', USED_DETAIL, null);
      // Unconfirmed is fine for a sent claim: the next attempt finds the transaction. An open claim, whose payment
      // somebody else submitted, may now belong to another request.
      if (saved === 'unconfirmed' && claim.state === 'open') return waiting(purchase, settled);
      return sold(purchase, settled, body);
    }
    case 'refused':
      if (claim.state === 'sent') {
        // If the save is unconfirmed, another instance may have saved another result. Only the state of the claim is
        // final.
        return (await claims.save(keys.key, { ...claim, state: 'void' })) === 'saved'
          ? voided(purchase, claim, result.reason)
          : waiting(purchase, claim);
      }
      await claims.drop(keys.key);
      return refused(purchase, result.reason);
    case 'not_sent':
      await releaseClaim(attempt, conclusion);
      if (COSTS_A_CALL.has(result.reason)) return UNDECIDED;
      return result.reason === 'payer_on_hold' ? ON_HOLD : UNAVAILABLE;
    case 'declined':
    case 'unknown': {
      const sent = { ...claim, transaction: result.transaction ?? claim.transaction };
      return result.state === 'declined'
        ? notGoneThrough(purchase, sent, result.reason)
        : waiting(purchase, sent);
    }
  }
}

function endOf(purchase: Purchase, result: End, outcome: PurchaseEnd['outcome']): PurchaseEnd {
  return {
    operation: purchase.operation.name,
    outcome,
    reason: 'reason' in result ? result.reason : null,
    transaction: 'transaction' in result ? result.transaction : null,
    amount: purchase.requirements.amount,
    requestId: purchase.requestId,
    durationMs: performance.now() - purchase.askedAtMs,
  };
}

/** After an internal error, a sent payment may still settle, so the buyer must not be told that it did not. */
function stillWaiting({ purchase, shared }: Attempt, claim: Claim, error: unknown): Outcome {
  shared.onBug(purchase.operation.name, error, purchase.requestId);
  return waiting(purchase, claim);
}

/**
 * Releases a claim for which nothing was sent and whose payment has no known result. A claim that was taken over stays:
 * it records the time since which the payment was used for nothing else, which its buyer needs if a third party has
 * submitted it.
 */
function releaseClaim(
  { keys, shared }: Attempt,
  { claim, opened }: Pick<Held, 'claim' | 'opened'>,
): Promise<void> {
  const isTakenOver = opened?.kind === 'opened' && opened.usedSince !== undefined;
  return isTakenOver && claim.state === 'open' ? shared.claims.leave(keys.key) : shared.claims.drop(keys.key);
}

// Nobody else has an authorization before it is first presented here, minus the time that a request takes.
const SEEN_AFTER_SECONDS = 120;

/**
 * An order that was not sent yet. If its authorization was used long before it was first presented here, that use was
 * for something else. Returns null while the claims cannot be read, because nothing may be sold without them.
 */
async function freshOrder(
  { purchase, shared: { claims, now } }: Attempt,
  known: { heldSince?: number | undefined; firstSeen?: number | undefined } = {},
): Promise<Order | null> {
  const since = await claims.completeSince();
  if (since === null) return null;
  const seenAt = Math.min(Math.floor(now() / 1000), known.firstSeen ?? Number.POSITIVE_INFINITY);
  // If claims were lost since it was first presented, the payment may already have bought something.
  const usedSince = Math.max(since, seenAt - SEEN_AFTER_SECONDS);
  return orderOf(purchase, Math.min(usedSince, known.heldSince ?? Number.POSITIVE_INFINITY));
}

/** The order of a purchase. If the nonce was used before `usedSince` (Unix seconds), it was used for something else. */
function orderOf(purchase: SignedPurchase, usedSince: number): Order {
  const { payment, requirements, resource, extensions, signedBy, requestId } = purchase;
  return { payment, requirements, resource, extensions, signedBy, usedSince, requestId };
}

/** Binds the name that the client gave this purchase. Returns the earlier purchase with that name, or null. */
async function bindName(
  { keys, shared: { claims } }: Attempt,
  { validBefore }: Claim,
): Promise<Named | Down | null> {
  if (keys.name === null) return null;
  const named = await claims.name(keys.name, { claim: keys.key, request: keys.request }, validBefore);
  return 'kind' in named || named.claim !== keys.key ? named : null;
}

/**
 * The outcome of the other purchase that has the client's name; null if the name is free. Checked first, before this
 * authorization costs a call to a node or waits for money that the other purchase may take.
 */
async function purchaseUnderName(attempt: Attempt): Promise<Outcome | null> {
  const { purchase, keys, shared } = attempt;
  if (keys.name === null) return null;
  const named = await shared.claims.named(keys.name);
  if (named === null || ('claim' in named && named.claim === keys.key)) return null;
  if ('kind' in named) return UNAVAILABLE;
  const found = await shared.claims.find(named.claim);
  if (found.kind === 'down') return UNAVAILABLE;
  if (found.kind === 'absent' || found.claim.state === 'void') return null;
  const outcome = await collectNamed(attempt, named);
  // Checking a wallet's signature took a call to a node.
  if (purchase.signedBy === 'wallet' && outcome.state === 'settled')
    await shared.unproven.turnedAway(purchase.caller);
  return outcome;
}

/** A client that lost the reply and signed again gets what the first authorization bought. The new one is not used. */
async function collectNamed(attempt: Attempt, earlier: Named | Down): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  if ('kind' in earlier) return UNAVAILABLE;
  if (earlier.request !== keys.request) return conflict('idempotency_key_reused', REUSED_DETAIL, null);
  const found = await shared.claims.find(earlier.claim);
  if (found.kind !== 'held') return UNAVAILABLE;
  const { claim } = found;
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    // The client's name for a void purchase is free again, so the next attempt can succeed.
    case 'void':
      return UNAVAILABLE;
    case 'open':
    case 'sent':
      return findEnd({ purchase, keys: { ...keys, key: earlier.claim }, shared }, claim);
  }
}
