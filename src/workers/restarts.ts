/** What is to be done after a worker has ended unasked. */
export type Verdict = { readonly kind: 'again'; readonly afterMs: number } | { readonly kind: 'give_up' };

/** What is remembered of one place for a worker. */
export type Restarts = {
  /** Its worker has ended after `livedMs`, without ever having served or after it had. */
  ended(how: { readonly hasServed: boolean; readonly livedMs: number }): Verdict;
};

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
// Whoever served for so long has not died of what its predecessors died of.
const WELL_MS = 60_000;
const MOST_FAILED_STARTS = 5;

/**
 * The first one is replaced at once, later ones ever more slowly. One that cannot even start, again and again, is given
 * up: what keeps it from starting is for a person, or for a fresh start of everything.
 */
export function createRestarts(): Restarts {
  let deaths = 0;
  let failedStarts = 0;
  return {
    ended({ hasServed, livedMs }) {
      failedStarts = hasServed ? 0 : failedStarts + 1;
      if (failedStarts >= MOST_FAILED_STARTS) return { kind: 'give_up' };
      deaths = hasServed && livedMs >= WELL_MS ? 1 : deaths + 1;
      const afterMs = deaths === 1 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (deaths - 2), LONGEST_WAIT_MS);
      return { kind: 'again', afterMs };
    },
  };
}
