import type { RefusalLimit } from '../../exchange/unproven.ts';
import { BoundedCounters } from './bounded-counters.ts';

const WINDOW_SECONDS = 60;
const MAX_CALLERS = 100_000;

/**
 * So many refused payments a caller may present in a minute, counted in this process alone: what they cost is this
 * process' time and its calls to the chain.
 */
export function refusalLimit(perMinute: number, onRefused: () => void = () => {}): RefusalLimit {
  const counters = new BoundedCounters({
    points: perMinute,
    windowSeconds: WINDOW_SECONDS,
    maxKeys: MAX_CALLERS,
  });
  return {
    async restSeconds(caller) {
      const counted = await counters.get(caller);
      if (counted === null || counted.consumedPoints < perMinute) return null;
      onRefused();
      return Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(counted.msBeforeNext / 1000)));
    },
    async count(caller) {
      // Over the limit it is counted all the same: several were under way when it was reached.
      await counters.consume(caller).catch(() => undefined);
    },
  };
}
