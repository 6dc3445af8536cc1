import type { Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { End, Order, Settlement } from '../payments/settlement.ts';
import type { Extensions } from '../payments/x402/challenge.ts';
import type { Hex, Payment } from '../payments/x402/payment.ts';
import type { Requirements, ResourceInfo } from '../payments/x402/requirements.ts';
import type { Signing } from '../payments/x402/signature.ts';
import { attempt } from './attempt.ts';
import type { Claims } from './claims/claims.ts';
import { refused, UNAVAILABLE, UNSAID } from './conclude.ts';
import type { OnBug } from './exchange.ts';
import { createFirstSights } from './first-sights.ts';
import { createLooks } from './looks.ts';
import type { Outcome } from './outcome.ts';
import { bought, digest, requestHash } from './request-hash.ts';
import { createSlots } from './slots.ts';
import { type Unproven, unlessRefused } from './unproven.ts';
import { createWatch } from './watch.ts';

/** A paid call whose input is valid and whose payment matches what is required. */
export type Purchase = {
  readonly operation: Operation;
  readonly input: unknown;
  readonly today: Day;
  readonly payment: Payment;
  /** The client's own name for the purchase: repeating it with a new authorization does not pay twice. */
  readonly name: string | null;
  readonly requirements: Requirements;
  readonly resource: ResourceInfo;
  readonly extensions: Extensions;
  /** Whom limits count. */
  readonly caller: string;
  /** Our own name for the request, for logs. */
  readonly requestId?: string | null;
  /** When it was asked for, by the clock of `performance`. */
  readonly askedAtMs?: number;
};

/** How a purchase came out, whenever that is found out; for logs and books. Nothing of a caller is in it. */
export type PurchaseEnd = {
  readonly operation: string;
  /** `conflict`: another request has what was paid for. */
  readonly outcome: End['state'] | 'conflict';
  readonly reason: string | null;
  readonly transaction: Hex | null;
  /** The price in atomic USDC. */
  readonly amount: string;
  readonly requestId: string | null;
  readonly durationMs: number;
};

/** A purchase whose payment its payer signed, to the last field. */
export type SignedPurchase = Purchase & { readonly signedBy: Order['signedBy'] };

/** What identifies a purchase in a claim: the authorization, and digests of the request and of the signature. */
export type Marks = {
  readonly key: string;
  readonly request: string;
  readonly signature: string;
  /** What two presentations of one payment for one request share. */
  readonly twin: string;
  /** Digest of the answer's own form: in another form it is the same purchase, but not the same answer. */
  readonly answer: string;
  /** Digest of the client's name for the purchase, scoped to the payer; null without one. */
  readonly name: string | null;
};

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

export type Purchases = {
  /** Claims, runs, settles; the same payment for the same request always ends the same way. Never throws. */
  buy(purchase: Purchase): Promise<Outcome>;
  /** Resolves when no purchase is under way. */
  idle(): Promise<void>;
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

  /** Nothing of a payment is believed before its signature over all its fields is. */
  async function buy(purchase: Purchase): Promise<Outcome> {
    try {
      const signed = await signedPurchase(purchase, parts);
      if ('state' in signed) return signed;
      const outcome = await settle(signed.purchase);
      // Whoever has a node asked for a signature that then pays for nothing may not do so without end.
      const isInVain =
        outcome.state === 'conflict' || outcome.state === 'challenged' || outcome === UNAVAILABLE;
      if (signed.wasAsked && isInVain) await parts.unproven.turnedAway(purchase.caller);
      return outcome;
    } catch (error) {
      parts.onBug(purchase.operation.name, error, purchase.requestId ?? null);
      return { state: 'failed' };
    }
  }

  async function settle(purchase: SignedPurchase): Promise<Outcome> {
    const marks = marksOf(purchase);
    const { key } = marks;
    const twin = `${marks.twin}:${marks.answer}`;
    for (let current = underWay.get(key); current !== undefined; current = underWay.get(key)) {
      if (current.twin === twin) return current.end;
      await current.end;
    }
    const end = guarded(purchase, marks, { ...parts, slots, looks, firstSights }).finally(() =>
      underWay.delete(key),
    );
    underWay.set(key, { twin, end });
    // That the same payment is shown for another request ends nothing of this one.
    void end.then(async (outcome) => {
      // What is told of an earlier payment is no reason to look after this one, for which nothing was claimed.
      const isAnothers = outcome.state === 'conflict' && (await parts.claims.find(key)).kind === 'absent';
      watch.note(marks.twin, purchase, isAnothers ? null : outcome);
    });
    return end;
  }

  async function idle(): Promise<void> {
    watch.stop();
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ end }) => end));
  }

  return { buy, idle, underWay: () => underWay.size };
}

async function guarded(
  purchase: SignedPurchase,
  marks: Marks,
  parts: Parameters<typeof attempt>[2],
): Promise<Outcome> {
  try {
    return await attempt(purchase, marks, parts);
  } catch (error) {
    parts.onBug(purchase.operation.name, error, purchase.requestId ?? null);
    return { state: 'failed' };
  }
}

/** `wasAsked`: a node had to say whose signature it is. */
type Proven = { readonly purchase: SignedPurchase; readonly wasAsked: boolean };

/** The purchase as its payer signed it, or how a purchase ends that the payer did not sign. */
async function signedPurchase(purchase: Purchase, parts: PurchaseParts): Promise<Proven | Outcome> {
  const payment = await parts.signing.ofKey(purchase.payment);
  if (payment !== null) return { purchase: { ...purchase, payment, signedBy: 'key' }, wasAsked: false };
  const signed: SignedPurchase = { ...purchase, signedBy: 'wallet' };
  // What stands in a claim, to the last field, was signed when it was claimed.
  const { key, request, signature } = marksOf(signed);
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

/** Under which an authorization is claimed; payer and nonce in lower case. */
export const claimKey = (
  { network, asset }: Pick<Requirements, 'network' | 'asset'>,
  { from, nonce }: Pick<Payment['authorization'], 'from' | 'nonce'>,
): string => `${network}:${asset.toLowerCase()}:${from}:${nonce}`;

function marksOf({ operation, input, payment, name, requirements, signedBy }: SignedPurchase): Marks {
  const { from, nonce, validAfter, validBefore } = payment.authorization;
  // Of a key the signature fits these fields alone; an account with code may call it its own over any. Payee and
  // amount are ours in both.
  const signed = signedBy === 'key' ? payment.signature : [validAfter, validBefore, payment.signature].join();
  const key = claimKey(requirements, { from, nonce });
  const request = requestHash(operation.name, bought(input, operation.form));
  const signature = digest(signed);
  return {
    key,
    request,
    signature,
    twin: `${key}:${request}:${signature}`,
    answer: requestHash(operation.name, input),
    name: name === null ? null : digest(`${requirements.network}:${from}:${name}`),
  };
}
