import { distance } from './words.ts';

/**
 * The candidate that a mistyped name most likely means, or null if none is near. To bound the work, long names match
 * nothing.
 */
export function nearest(text: string, candidates: readonly string[]): string | null {
  const wanted = text.trim().toLowerCase().replaceAll('-', '_');
  if (wanted === '' || wanted.length > 40) return null;
  const farthest = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // The distance is at least the difference in length.
    if (Math.abs(candidate.length - wanted.length) > farthest) continue;
    const score = distance(wanted, candidate.toLowerCase());
    if (score < bestScore) [best, bestScore] = [candidate, score];
  }
  return bestScore <= farthest ? best : partner(wanted, candidates);
}

/**
 * `tax_rate` for `tax_percent`, `price` for `unit_price`, `qty` for `quantity`: a shared word, or an abbreviation.
 * Null if there is none.
 */
function partner(wanted: string, candidates: readonly string[]): string | null {
  if (wanted.length < 3) return null;
  const [head = ''] = wanted.split('_');
  const words = candidates.map((candidate) => ({ candidate, parts: candidate.toLowerCase().split('_') }));
  const found =
    words.find(({ parts }) => head.length >= 3 && parts[0] === head) ??
    words.find(({ parts }) => parts.includes(wanted)) ??
    words.find(({ candidate }) => abbreviates(wanted, candidate.toLowerCase()));
  return found?.candidate ?? null;
}

/** Whether `long` has the letters of `short` in their order, with the same first and last letter. */
function abbreviates(short: string, long: string): boolean {
  if (short[0] !== long[0] || short.at(-1) !== long.at(-1)) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}
