import { keepNewest } from '../payments/keep-newest.ts';
import type { Payment } from '../payments/x402/payment.ts';
import {
  digest,
  type Outcome,
  type Purchase,
  type PurchaseKeys,
  refused,
  UNAVAILABLE,
  withoutAnswer,
} from './purchase.ts';

/** How many refused payments one caller may present. */
export type RefusalLimit = {
  /** Whole seconds until this caller may present payments again; null when it may. */
  restSeconds(caller: string): Promise<number | null>;
  count(caller: string): Promise<void>;
};

/** Limits the cost of unproven payments, because anybody can send them and each can cause a call to a node. */
export type Unproven = {
  /**
   * Waits for a slot among this caller's unproven payments. Resolves to a function that frees it, or null if too many
   * wait.
   */
  enter(caller: string): Promise<(() => void) | null>;
  /** Whole seconds that this caller must wait after too many refusals; null if it need not wait. */
  restSeconds(caller: string): Promise<number | null>;
  /** Remembers a refusal for a few seconds (a final one for minutes) and counts it. */
  refused(caller: string, payment: Payment, reason: string): Promise<void>;
  /** Counts a payment that was not accepted now but may be presented again. */
  turnedAway(caller: string): Promise<void>;
  /** Why this payment was refused recently; null if it was not. */
  knownRefusal(payment: Payment): string | null;
};

const PLACES_PER_CALLER = 32;
const WAITING_PER_CALLER = 256;
const WAITING_IN_ALL = 4_096;
const KNOWN_MS = 5_000;
// Finding out that a payment was used takes the most calls, but its sender has paid gas for that use.
const KNOWN_USED_MS = 600_000;
const USED = 'invalid_exact_evm_nonce_already_used';
const MAX_KNOWN = 10_000;

/** `now`: milliseconds since the epoch. */
export function unprovenPayments(parts: {
  readonly limit: RefusalLimit;
  readonly now: () => number;
}): Unproven {
  const { limit, now } = parts;
  const callers = new Map<string, { places: number; waiting: (() => void)[] }>();
  const known = new Map<string, { reason: string; until: number }>();
  let waitingInAll = 0;

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
        if (hasLeft) return;
        hasLeft = true;
        // The slot goes to the payment that has waited longest.
        const next = mine.waiting.shift();
        if (next !== undefined) return next();
        mine.places -= 1;
        if (mine.places === 0) callers.delete(caller);
      };
    },
    restSeconds: limit.restSeconds,
    turnedAway: limit.count,
    async refused(caller, payment, reason) {
      const until = now() + (reason === USED ? KNOWN_USED_MS : KNOWN_MS);
      keepNewest(known, [fingerprint(payment), { reason, until }], MAX_KNOWN);
      await limit.count(caller);
    },
    knownRefusal(payment) {
      const found = known.get(fingerprint(payment));
      return found !== undefined && found.until >= now() ? found.reason : null;
    },
  };
}

/**
 * Proves a payment with `work`, unless it was refused recently, too many payments of its caller were refused, or too
 * many are being proven. `work` calls `leave` as soon as the payment is proven. A price is stated only for an answer
 * that exists, so without an answer a refusal is not a challenge.
 */
export async function withRefusalLimit<Result extends Outcome | null>(
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
    // While the payment waited for a slot, its caller may have reached the limit of refusals.
    const restSeconds = await unproven.restSeconds(caller);
    if (restSeconds !== null) return { state: 'limited', retryAfterSeconds: restSeconds };
    const outcome = await work(leave);
    if (outcome?.state === 'unavailable' && outcome.isRefusal) await unproven.turnedAway(caller);
    if (outcome?.state !== 'challenged') return outcome;
    await unproven.refused(caller, payment, outcome.reason);
    return orNoAnswer(outcome);
  } finally {
    leave();
  }
}

/** Digest of the signature and of all fields that it signs. */
function fingerprint({ authorization, signature }: Payment): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return digest([from, to, value, validAfter, validBefore, nonce, signature].join());
}

/** Limits the purchases in progress whose payment is proven; more at once would only wait for each other. */
export type Slots = {
  /** The slot of one purchase of a payer. */
  of(payer: string): Slot;
};

type Slot = {
  /** Whether the purchase has the slot, from an earlier call or from now on; false if none is free. */
  take(): boolean;
  /** A call without the slot does nothing. */
  release(): void;
};

const MAX_UNDER_WAY = 512;
const MAX_UNDER_WAY_PER_PAYER = 128;

export function createSlots(): Slots {
  const perPayer = new Map<string, number>();
  let underWay = 0;
  const count = (payer: string, change: 1 | -1) => {
    const mine = (perPayer.get(payer) ?? 0) + change;
    if (mine === 0) perPayer.delete(payer);
    else perPayer.set(payer, mine);
    underWay += change;
  };
  const isFree = (payer: string) =>
    underWay < MAX_UNDER_WAY && (perPayer.get(payer) ?? 0) < MAX_UNDER_WAY_PER_PAYER;
  return {
    of(payer) {
      let isTaken = false;
      return {
        take() {
          if (isTaken || !isFree(payer)) return isTaken;
          count(payer, 1);
          isTaken = true;
          return true;
        },
        release() {
          if (isTaken) count(payer, -1);
          isTaken = false;
        },
      };
    },
  };
}

/** When payments that could not be processed were first presented. */
export type FirstSeen = {
  /** Unix seconds; undefined when it is not remembered. */
  of(twin: string): number | undefined;
  /** Remembers the time for a caller; null forgets it. */
  note(twin: string, caller: string, seenAt: number | null): void;
};

const MAX_SEEN = 10_000;
// While no node answers, a caller can present any number of payments. This limit lets them displace only that
// caller's own entries.
const MAX_SEEN_PER_CALLER = 100;

export function createFirstSeen(): FirstSeen {
  const seen = new Map<string, { readonly caller: string; readonly seenAt: number }>();
  const callers = new Map<string, Set<string>>();

  function forget(twin: string): void {
    const found = seen.get(twin);
    if (found === undefined) return;
    seen.delete(twin);
    const theirs = callers.get(found.caller);
    theirs?.delete(twin);
    if (theirs?.size === 0) callers.delete(found.caller);
  }

  return {
    of: (twin) => seen.get(twin)?.seenAt,
    note(twin, caller, seenAt) {
      forget(twin);
      if (seenAt === null) return;
      seen.set(twin, { caller, seenAt });
      const theirs = callers.get(caller) ?? new Set();
      callers.set(caller, theirs.add(twin));
      const [oldestOfTheirs] = theirs;
      if (theirs.size > MAX_SEEN_PER_CALLER && oldestOfTheirs !== undefined) forget(oldestOfTheirs);
      const [oldest] = seen.keys();
      if (seen.size > MAX_SEEN && oldest !== undefined) forget(oldest);
    },
  };
}

/**
 * Limits how often the result of a purchase is looked up: each lookup costs calls to a node, no matter who repeats
 * the request. The pause doubles after each lookup without a result.
 */
export type Rechecks = {
  /**
   * The result of `look`, or during the pause its last result. Concurrent callers for the same answer share one lookup.
   */
  run(claim: Pick<PurchaseKeys, 'key' | 'answer'>, look: () => Promise<Outcome>): Promise<Outcome>;
};

type Look = { readonly outcome: Outcome; readonly at: number; readonly pauseMs: number };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
// A void payment is almost always final. If the chain shows otherwise after all, that is not urgent.
const LONGEST_PAUSE_OF_VOID_MS = 300_000;
const MAX_KEPT = 10_000;

/** `now`: milliseconds since the epoch. */
export function createRechecks(now: () => number): Rechecks {
  const looks = new Map<string, Look>();
  const underWay = new Map<string, Promise<Outcome>>();

  function recent(key: string): Outcome | null {
    const look = looks.get(key);
    if (look === undefined || now() - look.at >= look.pauseMs) return null;
    const { outcome } = look;
    if (outcome.state !== 'conflict' || outcome.retryAfterSeconds === null) return outcome;
    const leftSeconds = Math.ceil((look.at + look.pauseMs - now()) / 1_000);
    return { ...outcome, retryAfterSeconds: Math.max(outcome.retryAfterSeconds, leftSeconds) };
  }

  function note(key: string, outcome: Outcome): Outcome {
    const before = looks.get(key)?.pauseMs;
    looks.delete(key);
    if (outcome.state !== 'conflict') return outcome;
    const longestMs = outcome.code === 'waiting' ? LONGEST_PAUSE_MS : LONGEST_PAUSE_OF_VOID_MS;
    const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before * 2, longestMs);
    keepNewest(looks, [key, { outcome, at: now(), pauseMs }], MAX_KEPT);
    return outcome;
  }

  return {
    async run({ key, answer }, look) {
      const last = recent(key);
      if (last !== null) return last;
      const shared = `${key}:${answer}`;
      const begun =
        underWay.get(shared) ??
        look()
          .then((outcome) => note(key, outcome))
          .finally(() => underWay.delete(shared));
      underWay.set(shared, begun);
      return begun;
    },
  };
}
