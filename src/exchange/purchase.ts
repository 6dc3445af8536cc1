import type { Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { Extensions } from '../payments/challenge.ts';
import type { Payment } from '../payments/payment.ts';
import type { Requirements, ResourceInfo } from '../payments/requirements.ts';
import type { Settlement } from '../payments/settlement.ts';
import { attempt } from './attempt.ts';
import type { Claims } from './claims.ts';
import type { Outcome } from './outcome.ts';
import { digest, requestHash } from './request-hash.ts';
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
};

/** What identifies a purchase in a claim: the authorization, and digests of the request and of the signature. */
export type Marks = {
  readonly key: string;
  readonly request: string;
  readonly signature: string;
  /** Digest of the client's name for the purchase, scoped to the payer; null without one. */
  readonly name: string | null;
};

export type PurchaseParts = {
  readonly claims: Claims;
  readonly settlement: Settlement;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onBug: (operation: string, error: unknown) => void;
};

export type Purchases = {
  /** Claims, runs, settles; the same payment for the same request always ends the same way. Never throws. */
  buy(purchase: Purchase): Promise<Outcome>;
  /** Resolves when no purchase is under way. */
  idle(): Promise<void>;
};

// More than these at once would only wait for each other; nothing of a refused one is signed or sent.
const MAX_UNDER_WAY = 512;
const MAX_UNDER_WAY_PER_PAYER = 128;
const RETRY_SECONDS = 1;

export function createPurchases(parts: PurchaseParts): Purchases {
  // Concurrent twins share one purchase; a client that hangs up does not end it.
  const underWay = new Map<string, { twin: string; end: Promise<Outcome> }>();
  const perPayer = new Map<string, number>();
  const watch = createWatch(buy, parts.now);

  async function buy(purchase: Purchase): Promise<Outcome> {
    const marks = marksOf(purchase);
    const { key } = marks;
    const twin = `${marks.request}:${marks.signature}`;
    for (let current = underWay.get(key); current !== undefined; current = underWay.get(key)) {
      if (current.twin === twin) return current.end;
      await current.end;
    }
    const payer = purchase.payment.authorization.from;
    const mine = perPayer.get(payer) ?? 0;
    if (underWay.size >= MAX_UNDER_WAY || mine >= MAX_UNDER_WAY_PER_PAYER)
      return { state: 'unavailable', retryAfterSeconds: RETRY_SECONDS };
    perPayer.set(payer, mine + 1);
    const end = guarded(purchase, marks, parts).finally(() => {
      underWay.delete(key);
      const left = (perPayer.get(payer) ?? 1) - 1;
      if (left === 0) perPayer.delete(payer);
      else perPayer.set(payer, left);
    });
    underWay.set(key, { twin, end });
    void end.then((outcome) => watch.note(key, purchase, outcome));
    return end;
  }

  async function idle(): Promise<void> {
    watch.stop();
    while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ end }) => end));
  }

  return { buy, idle };
}

async function guarded(purchase: Purchase, marks: Marks, parts: PurchaseParts): Promise<Outcome> {
  try {
    return await attempt(purchase, marks, parts);
  } catch (error) {
    parts.onBug(purchase.operation.name, error);
    return { state: 'failed' };
  }
}

/** Under which an authorization is claimed; payer and nonce in lower case. */
export const claimKey = (
  { network, asset }: Pick<Requirements, 'network' | 'asset'>,
  { from, nonce }: Pick<Payment['authorization'], 'from' | 'nonce'>,
): string => `${network}:${asset.toLowerCase()}:${from}:${nonce}`;

function marksOf({ operation, input, payment, name, requirements }: Purchase): Marks {
  const { from, nonce } = payment.authorization;
  return {
    key: claimKey(requirements, { from, nonce }),
    request: requestHash(operation.name, input),
    signature: digest(payment.signature),
    name: name === null ? null : digest(`${requirements.network}:${from}:${name}`),
  };
}
