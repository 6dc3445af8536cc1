import { runAttempt } from './attempt.ts';
import { createFirstSights } from './first-sights.ts';
import { createLooks } from './looks.ts';
import type { Outcome } from './outcome.ts';
import type { PurchaseParts } from './parts.ts';
import { keysOf, type Purchase, type SignedPurchase } from './purchase.ts';
import { refused, UNAVAILABLE, UNSAID } from './purchase-outcomes.ts';
import { createSlots } from './slots.ts';
import { unlessRefused } from './unproven.ts';
import { createWatch } from './watch.ts';

export type Purchases = {
  /** Claims, runs, settles; the same payment for the same request always ends the same way. Throws what is a bug. */
  buy(purchase: Purchase): Promise<Outcome>;
  /** Stops watching purchases, and resolves when none is under way. */
  drain(): Promise<void>;
  /** Purchases that have no end yet. */
  underWay(): number;
};

export function createPurchases(parts: PurchaseParts): Purchases {
  // Concurrent twins share one purchase; a client that hangs up does not end it.
  const underWay = new Map<string, { twin: string; end: Promise<Outcome> }>();
  const slots = createSlots();
  const looks = createLooks(parts.now);
  const firstSights = createFirstSights();
  const watch = createWatch(settle, parts.now);

  /** Nothing of a payment is trusted before its signature over all its fields is verified. */
  async function buy(purchase: Purchase): Promise<Outcome> {
    const signed = await signedPurchase(purchase, parts);
    if ('state' in signed) return signed;
    const outcome = await settle(signed.purchase);
    // A caller is limited whose signatures cost calls to a node and then pay nothing.
    const isInVain =
      outcome.state === 'conflict' || outcome.state === 'challenged' || outcome === UNAVAILABLE;
    if (signed.wasAsked && isInVain) await parts.unproven.turnedAway(purchase.caller);
    return outcome;
  }

  async function settle(purchase: SignedPurchase): Promise<Outcome> {
    const keys = keysOf(purchase);
    const { key } = keys;
    const twin = `${keys.twin}:${keys.answer}`;
    for (let current = underWay.get(key); current !== undefined; current = underWay.get(key)) {
      if (current.twin === twin) return current.end;
      await current.end;
    }
    const shared = { ...parts, slots, looks, firstSights };
    const end = runAttempt({ purchase, keys, shared })
      .catch((error): Outcome => {
        parts.onBug(purchase.operation.name, error, purchase.requestId ?? null);
        return { state: 'failed' };
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, { twin, end });
    // The same payment presented for another request does not end the watch of this one.
    void end.then(async (outcome) => {
      // The outcome is that of an earlier payment: nothing was claimed for this one, so it needs no watching.
      const isAnothers = outcome.state === 'conflict' && (await parts.claims.find(key)).kind === 'absent';
      watch.note(keys.twin, purchase, isAnothers ? null : outcome);
    });
    return end;
  }

  async function drain(): Promise<void> {
    watch.stop();
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ end }) => end));
  }

  return { buy, drain, underWay: () => underWay.size };
}

/** `wasAsked`: a node had to say whose signature it is. */
type Proven = { readonly purchase: SignedPurchase; readonly wasAsked: boolean };

/** The purchase as its payer signed it, or how a purchase ends that the payer did not sign. */
async function signedPurchase(purchase: Purchase, parts: PurchaseParts): Promise<Proven | Outcome> {
  const payment = await parts.signing.ofKey(purchase.payment);
  if (payment !== null) return { purchase: { ...purchase, payment, signedBy: 'key' }, wasAsked: false };
  const signed: SignedPurchase = { ...purchase, signedBy: 'wallet' };
  // A claim with the same digests was made of a payment whose signature was verified then.
  const { key, request, signature } = keysOf(signed);
  const found = await parts.claims.find(key);
  if (found.kind === 'down') return UNAVAILABLE;
  const isClaimed =
    found.kind === 'held' && found.claim.request === request && found.claim.signature === signature;
  if (isClaimed) return { purchase: signed, wasAsked: false };
  return (await refusalOfWallet(signed, parts)) ?? { purchase: signed, wasAsked: true };
}

/** How a purchase ends whose payer has no code, or whose code does not know the signature; null when it does. */
function refusalOfWallet(purchase: SignedPurchase, parts: PurchaseParts): Promise<Outcome | null> {
  const { settlement, signing, now } = parts;
  return unlessRefused<Outcome | null>(purchase, parts, async (leave) => {
    const order = { ...purchase, usedSince: Math.floor(now() / 1000) };
    const isSigned = await settlement.isWalletSigned(order, signing.digest(purchase.payment.authorization));
    leave();
    if (isSigned === null) return UNSAID;
    return isSigned ? null : refused(purchase, NOT_SIGNED);
  });
}

const NOT_SIGNED = 'invalid_exact_evm_payload_signature';
