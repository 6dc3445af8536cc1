import { keepNewest } from '../payments/keep-newest.ts';
import type { Outcome } from './outcome.ts';
import type { PurchaseKeys } from './purchase.ts';

/**
 * How often the end of a purchase is looked up: each look costs calls to a node, whichever client repeats the request.
 * The time between two looks doubles with each one in vain.
 */
export type Looks = {
  /**
   * What `look` finds of this claim; while it is too early to look again, what was found last. Who asks while a look
   * for the same answer is under way shares it.
   */
  take(claim: Pick<PurchaseKeys, 'key' | 'answer'>, look: () => Promise<Outcome>): Promise<Outcome>;
};

type Look = { readonly outcome: Outcome; readonly at: number; readonly pauseMs: number };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
// What can move no money any more has its last word; that the chain knows better after all is no matter of seconds.
const LONGEST_PAUSE_OF_VOID_MS = 300_000;
const MAX_KEPT = 10_000;

export function createLooks(now: () => number): Looks {
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
    async take({ key, answer }, look) {
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
