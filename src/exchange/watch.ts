import type { Outcome } from './outcome.ts';
import type { SignedPurchase } from './purchase.ts';

/** Looks after payments whose end is not known: asks again without the buyer, so that their retry finds it settled. */
export type Watch = {
  /** Called with every end: starts watching a waiting purchase and forgets one that ended. null: not one of its own. */
  note(key: string, purchase: SignedPurchase, outcome: Outcome | null): void;
  stop(): void;
};

type Waiting = { tries: number; since: number; timer: NodeJS.Timeout };

// A purchase that is not watched is still found out by the buyer's own retry.
const MAX_WATCHED = 1_000;
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
// An authorization may hold for a day: the longer its end is open, the less a minute matters.
const SHARE_OF_AGE = 20;
// The chain's clock may be behind ours when it has to say that an authorization ran out.
const PATIENCE_SECONDS = 120;

export function createWatch(buy: (purchase: SignedPurchase) => Promise<Outcome>, now: () => number): Watch {
  const waiting = new Map<string, Waiting>();
  let isStopped = false;

  function note(key: string, purchase: SignedPurchase, outcome: Outcome | null): void {
    const { tries, since } = waiting.get(key) ?? { tries: 0, since: now() };
    clearTimeout(waiting.get(key)?.timer);
    // A look that failed, found no room, or no store to ask, has found out nothing.
    const hasFoundNothing = outcome?.state === 'failed' || outcome?.state === 'unavailable';
    const isWaiting =
      (outcome?.state === 'conflict' && outcome.code === 'waiting') || (hasFoundNothing && waiting.has(key));
    const until = Number(purchase.payment.authorization.validBefore) + PATIENCE_SECONDS;
    if (!isWaiting || isStopped || now() / 1000 > until || (tries === 0 && waiting.size >= MAX_WATCHED)) {
      waiting.delete(key);
      return;
    }
    // The outcome of the next try comes back here through note.
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
