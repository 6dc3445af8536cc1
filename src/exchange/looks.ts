import type { Outcome } from './outcome.ts';

/**
 * How often anybody is asked how a purchase ended: each look costs calls to a node, whoever repeats the request. The
 * time between two looks doubles with each one in vain.
 */
export type Looks = {
  /** The last outcome of this claim, while it is too early to look again; null when it is time. */
  recent(key: string): Outcome | null;
  /** Remembers what a look has found, and gives it back. */
  note(key: string, outcome: Outcome): Outcome;
};

type Look = { readonly outcome: Outcome; readonly at: number; readonly pauseMs: number };

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const MAX_KEPT = 10_000;

export function createLooks(now: () => number): Looks {
  const looks = new Map<string, Look>();
  return {
    recent(key) {
      const look = looks.get(key);
      if (look === undefined || now() - look.at >= look.pauseMs) return null;
      const { outcome } = look;
      if (outcome.state !== 'conflict' || outcome.retryAfterSeconds === null) return outcome;
      const leftSeconds = Math.ceil((look.at + look.pauseMs - now()) / 1_000);
      return { ...outcome, retryAfterSeconds: Math.max(outcome.retryAfterSeconds, leftSeconds) };
    },
    note(key, outcome) {
      const before = looks.get(key)?.pauseMs;
      looks.delete(key);
      if (outcome.state !== 'conflict') return outcome;
      const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before * 2, LONGEST_PAUSE_MS);
      looks.set(key, { outcome, at: now(), pauseMs });
      const [oldest] = looks.keys();
      if (looks.size > MAX_KEPT && oldest !== undefined) looks.delete(oldest);
      return outcome;
    },
  };
}
