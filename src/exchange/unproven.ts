import type { Payment } from '../payments/x402/payment.ts';
import { type Outcome, withoutAnswer } from './outcome.ts';
import type { Purchase } from './purchase.ts';
import { ON_HOLD, refused, UNAVAILABLE, UNSAID } from './purchase-outcomes.ts';
import { digest } from './request-hash.ts';

/** How many refused payments one caller may present. */
export type RefusalLimit = {
  /** Whole seconds until this caller may present payments again; null when it may. */
  restSeconds(caller: string): Promise<number | null>;
  count(caller: string): Promise<void>;
};

/** What payments may cost that have not proven anything yet: each of them is a call to a node that anybody can cause. */
export type Unproven = {
  /** Waits for a place among this caller's unproven payments; gives what returns it, or null when too many wait. */
  enter(caller: string): Promise<(() => void) | null>;
  /** Whole seconds that this caller has to wait after too many refusals; null for none. */
  restSeconds(caller: string): Promise<number | null>;
  /** Remembers a refusal for a few seconds, one that is final for minutes, and counts it. */
  refused(caller: string, payment: Payment, reason: string): Promise<void>;
  /** Counts one that was turned away and may come again. */
  turnedAway(caller: string): Promise<void>;
  /** Why this very payment was refused a while ago; null when it was not. */
  knownRefusal(payment: Payment): string | null;
};

export type UnprovenParts = {
  readonly limit: RefusalLimit;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

const PLACES_PER_CALLER = 32;
const WAITING_PER_CALLER = 256;
const WAITING_IN_ALL = 4_096;
const KNOWN_MS = 5_000;
// Finding out that a payment was used costs the most calls, but its sender paid for that use on the chain.
const KNOWN_USED_MS = 600_000;
const USED = 'invalid_exact_evm_nonce_already_used';
const MAX_KNOWN = 10_000;

export function unprovenPayments({ limit, now }: UnprovenParts): Unproven {
  const callers = new Map<string, { places: number; waiting: (() => void)[] }>();
  const known = new Map<string, { reason: string; until: number }>();
  let waitingInAll = 0;

  function leave(caller: string): void {
    const mine = callers.get(caller);
    if (mine === undefined) return;
    const next = mine.waiting.shift();
    // The place goes to the one that has waited longest.
    if (next !== undefined) {
      next();
      return;
    }
    mine.places -= 1;
    if (mine.places === 0) callers.delete(caller);
  }

  return {
    async enter(caller) {
      const mine = callers.get(caller) ?? { places: 0, waiting: [] };
      callers.set(caller, mine);
      if (mine.places < PLACES_PER_CALLER) mine.places += 1;
      else if (mine.waiting.length >= WAITING_PER_CALLER || waitingInAll >= WAITING_IN_ALL) return null;
      else {
        waitingInAll += 1;
        await new Promise<void>((resolve) => mine.waiting.push(resolve));
        waitingInAll -= 1;
      }
      let hasLeft = false;
      return () => {
        if (!hasLeft) leave(caller);
        hasLeft = true;
      };
    },
    restSeconds: limit.restSeconds,
    turnedAway: limit.count,
    async refused(caller, payment, reason) {
      for (const [key, { until }] of known) {
        if (until >= now() && known.size < MAX_KNOWN) break;
        known.delete(key);
      }
      known.set(fingerprint(payment), {
        reason,
        until: now() + (reason === USED ? KNOWN_USED_MS : KNOWN_MS),
      });
      await limit.count(caller);
    },
    knownRefusal(payment) {
      const found = known.get(fingerprint(payment));
      return found !== undefined && found.until >= now() ? found.reason : null;
    },
  };
}

/**
 * Proves a payment by `work`, unless it was refused a moment ago, its caller has had too many refused, or too many of
 * them are being proven. `work` gives its place back as soon as the payment is proven. A price is only named for an
 * answer that exists, so a refusal is a challenge only where there is one.
 */
export async function unlessRefused<Result extends Outcome | null>(
  purchase: Purchase,
  { unproven }: { readonly unproven: Unproven },
  work: (leave: () => void) => Promise<Result>,
): Promise<Result | Outcome> {
  const { payment, caller, operation, input, today } = purchase;
  const orNoAnswer = (refusal: Outcome) => withoutAnswer(operation.run(input, { today })) ?? refusal;
  const known = unproven.knownRefusal(payment);
  if (known !== null) return orNoAnswer(refused(purchase, known));
  const leave = await unproven.enter(caller);
  if (leave === null) return UNAVAILABLE;
  try {
    // While it waited for a place, its caller may have reached the limit of refusals.
    const restSeconds = await unproven.restSeconds(caller);
    if (restSeconds !== null) return { state: 'limited', retryAfterSeconds: restSeconds };
    const outcome = await work(leave);
    if (outcome === ON_HOLD || outcome === UNSAID) await unproven.turnedAway(caller);
    if (outcome?.state !== 'challenged') return outcome;
    await unproven.refused(caller, payment, outcome.reason);
    return orNoAnswer(outcome);
  } finally {
    leave();
  }
}

/** Everything that the signature is over, and the signature. */
function fingerprint({ authorization, signature }: Payment): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return digest([from, to, value, validAfter, validBefore, nonce, signature].join());
}
