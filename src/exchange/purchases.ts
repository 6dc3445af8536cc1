import { createFirstSeen, createRechecks, createSlots, withRefusalLimit } from './limits.ts';
import {
  keysOf,
  type Outcome,
  type Purchase,
  refused,
  type SignedPurchase,
  UNAVAILABLE,
  UNDECIDED,
} from './purchase.ts';
import { advance, type PurchaseParts } from './purchase-states.ts';

export type Purchases = {
  /** Runs, claims and settles. The same payment for the same request gets the same result. Throws only on a bug. */
  buy(purchase: Purchase): Promise<Outcome>;
  /** Stops watching purchases, and resolves when none is in progress. */
  drain(): Promise<void>;
  /** Number of pending purchases. */
  underWay(): number;
};

export function createPurchases(parts: PurchaseParts): Purchases {
  // Concurrent requests for the same purchase share one attempt; a client that hangs up does not end it.
  const underWay = new Map<string, { twin: string; end: Promise<Outcome> }>();
  const slots = createSlots();
  const rechecks = createRechecks(parts.now);
  const firstSeen = createFirstSeen();
  const watch = createWatch(settle, parts.now);

  /** No signed field of a payment is trusted before its signature is verified. */
  async function buy(purchase: Purchase): Promise<Outcome> {
    const signed = await signedPurchase(purchase, parts);
    if ('state' in signed) return signed;
    const outcome = await settle(signed.purchase);
    // Limits callers whose signatures cost calls to a node and then pay nothing.
    const isInVain =
      outcome.state === 'conflict' ||
      outcome.state === 'challenged' ||
      (outcome.state === 'unavailable' && outcome.isRefusal !== true);
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
    const shared = { ...parts, slots, rechecks, firstSeen };
    const end = advance({ purchase, keys, shared })
      .catch((error): Outcome => {
        parts.onBug(purchase.operation.name, error, purchase.requestId);
        return { state: 'failed' };
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, { twin, end });
    // If the same payment is presented for another request, this request is still watched.
    void end.then(async (outcome) => {
      // The outcome may belong to an earlier payment. Nothing was then claimed for this one, so it needs no watching.
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

/** `wasAsked`: a node was asked whether the account accepts the signature. */
type Proven = { readonly purchase: SignedPurchase; readonly wasAsked: boolean };

/** The purchase with its signed payment, or its outcome if the payer did not sign. */
async function signedPurchase(purchase: Purchase, parts: PurchaseParts): Promise<Proven | Outcome> {
  const payment = await parts.signing.ofKey(purchase.payment);
  if (payment !== null) return { purchase: { ...purchase, payment, signedBy: 'key' }, wasAsked: false };
  const signed: SignedPurchase = { ...purchase, signedBy: 'wallet' };
  // For a claim with the same digests, the signature was already verified.
  const { key, request, signature } = keysOf(signed);
  const found = await parts.claims.find(key);
  if (found.kind === 'down') return UNAVAILABLE;
  const isClaimed =
    found.kind === 'held' && found.claim.request === request && found.claim.signature === signature;
  if (isClaimed) return { purchase: signed, wasAsked: false };
  return (await refusalOfWallet(signed, parts)) ?? { purchase: signed, wasAsked: true };
}

/** The outcome if the payer has no code, or if its code rejects the signature; null if it accepts. */
function refusalOfWallet(purchase: SignedPurchase, parts: PurchaseParts): Promise<Outcome | null> {
  const { settlement, signing, now } = parts;
  return withRefusalLimit<Outcome | null>(purchase, parts, async (leave) => {
    const order = { ...purchase, usedSince: Math.floor(now() / 1000) };
    const isSigned = await settlement.isWalletSigned(order, signing.digest(purchase.payment.authorization));
    leave();
    if (isSigned === null) return UNDECIDED;
    return isSigned ? null : refused(purchase, NOT_SIGNED);
  });
}

const NOT_SIGNED = 'invalid_exact_evm_payload_signature';

/** Follows payments with an unknown result without the buyer, so that the next request finds them settled. */
export type Watch = {
  /**
   * Called with every outcome: starts to watch a waiting purchase, and forgets a purchase that ended. null: the outcome
   * belongs to another purchase.
   */
  note(key: string, purchase: SignedPurchase, outcome: Outcome | null): void;
  stop(): void;
};

type Waiting = { tries: number; since: number; timer: NodeJS.Timeout };

// The buyer's own retry still finds the result of a purchase that is not watched.
const MAX_WATCHED = 1_000;
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
// An authorization may be valid for a day. The longer its result is unknown, the less a minute matters.
const SHARE_OF_AGE = 20;
// The chain's clock may be behind ours when it must show that an authorization has expired.
const PATIENCE_SECONDS = 120;

/** `buy` presents the purchase again, and its outcome comes back through `note`. */
export function createWatch(buy: (purchase: SignedPurchase) => Promise<Outcome>, now: () => number): Watch {
  const waiting = new Map<string, Waiting>();
  let isStopped = false;

  function note(key: string, purchase: SignedPurchase, outcome: Outcome | null): void {
    const { tries, since } = waiting.get(key) ?? { tries: 0, since: now() };
    clearTimeout(waiting.get(key)?.timer);
    // A lookup that failed, or found no free slot or no store, has no result.
    const hasFoundNothing = outcome?.state === 'failed' || outcome?.state === 'unavailable';
    const isWaiting =
      (outcome?.state === 'conflict' && outcome.code === 'waiting') || (hasFoundNothing && waiting.has(key));
    const until = Number(purchase.payment.authorization.validBefore) + PATIENCE_SECONDS;
    if (!isWaiting || isStopped || now() / 1000 > until || (tries === 0 && waiting.size >= MAX_WATCHED)) {
      waiting.delete(key);
      return;
    }
    const longestMs = Math.max(LONGEST_MS, (now() - since) / SHARE_OF_AGE);
    const timer = setTimeout(() => void buy(purchase), Math.min(FIRST_MS * 2 ** tries, longestMs));
    timer.unref();
    waiting.set(key, { tries: tries + 1, since, timer });
  }

  function stop(): void {
    isStopped = true;
    for (const { timer } of waiting.values()) clearTimeout(timer);
    waiting.clear();
  }

  return { note, stop };
}
