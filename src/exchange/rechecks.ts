import { keepNewest } from '../payments/keep-newest.ts';
import type { Outcome } from './outcome.ts';
import type { PurchaseKeys, SignedPurchase } from './purchase.ts';

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
