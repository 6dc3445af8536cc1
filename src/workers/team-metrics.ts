import { createExposition } from '../metrics/exposition.ts';
import { mergedMetrics, type Part } from './merged-metrics.ts';
import type { FromWorker } from './messages.ts';
import { type Seat, tell } from './seats.ts';

/** The metrics of all workers and of the process that holds them together, which is number 0. */
export type TeamMetrics = {
  text(): Promise<string>;
  heard(message: Extract<FromWorker, { kind: 'metrics' }>): void;
  restarted(): void;
};

// Who is busier than that is left out this time.
const ANSWER_MS = 1_000;

export function teamMetrics(seats: readonly Seat[]): TeamMetrics {
  const exposition = createExposition();
  const restarts = exposition.counter({
    name: 'calc_worker_restarts_total',
    help: 'Workers that ended unasked and were replaced.',
  })();
  exposition.gauge({ name: 'calc_workers', help: 'Processes that serve, and that should.' }, () => [
    { labels: { state: 'serving' }, value: seats.filter(({ isServing }) => isServing).length },
    { labels: { state: 'wanted' }, value: seats.length },
  ]);
  exposition.gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, () =>
    process.memoryUsage.rss(),
  );
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;

  async function ask(seat: Seat): Promise<Part | null> {
    asked += 1;
    const id = asked;
    const text = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), ANSWER_MS);
      waiting.set(id, (said) => {
        clearTimeout(timer);
        resolve(said);
      });
      tell(seat, { kind: 'metrics', id });
    });
    waiting.delete(id);
    return text === null ? null : { worker: seat.number, text };
  }

  return {
    async text() {
      const parts = await Promise.all(seats.filter(({ isServing }) => isServing).map(ask));
      const own = { worker: 0, text: exposition.text() };
      return mergedMetrics([own, ...parts.filter((part) => part !== null)]);
    },
    heard: ({ id, text }) => waiting.get(id)?.(text),
    restarted() {
      restarts.value += 1;
    },
  };
}
