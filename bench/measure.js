/**
 * One line of the table. Times are medians; less is better in every row.
 * @typedef {{ name: string, ours: number, peer: number | null, ratio: number | null, target: number | null, unit: string, spread: number }} Row
 */

/** @param {readonly number[]} values */
function median(values) {
  if (values.length === 0) throw new Error('Nothing was measured');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {readonly number[]} values @param {number} share */
const tenth = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.round((values.length - 1) * share)] ?? Number.NaN;

/**
 * A row of medians. `target` limits the ratio if there is a peer, otherwise our own figure.
 * @param {{ name: string, unit: string, ours: number[], peer?: number[] | null, target?: number | null }} measured
 * @returns {Row}
 */
export function row({ name, unit, ours, peer = null, target = null }) {
  const own = median(ours);
  const other = peer === null ? null : median(peer);
  const ratio = other === null ? null : own / other;
  return {
    name,
    ours: own,
    peer: other,
    ratio,
    target,
    unit,
    // Zero has no relative spread.
    spread: own === 0 ? 0 : (tenth(ours, 0.9) - tenth(ours, 0.1)) / own,
  };
}

/** @param {Row} row */
export const misses = ({ ours, ratio, target }) => target !== null && (ratio ?? ours) > target;

/**
 * Times subjects in turn (A B, B A, A B, ...), so that a busy moment of the machine affects all of them equally. `once`
 * returns the figure of one turn, such as milliseconds; the figures of the warm-up are discarded.
 * @template {string} Name
 * @param {Record<Name, () => Promise<number> | number>} subjects
 * @param {{ rounds: number, warmUp: number }} options
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function inTurns(subjects, { rounds, warmUp }) {
  const names = Object.keys(subjects);
  const figures = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await subjects[name]();
      if (round >= 0) figures[name].push(figure);
    }
  return figures;
}

/**
 * Microseconds per call, over `times` consecutive calls.
 * @param {number} times
 * @param {() => unknown} call
 */
export async function microsecondsEach(times, call) {
  const startedMs = performance.now();
  for (let turn = 0; turn < times; turn += 1) await call();
  return ((performance.now() - startedMs) * 1000) / times;
}
