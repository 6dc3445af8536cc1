import { type Asker, cutoffsOf, excluded, notThePick, POINTS, score, setting } from './stack-report-score.ts';
import type { Candidate } from './stack-report-types.ts';

type Scored = { readonly candidate: Candidate; readonly points: number };

/** The best of those that pass, by points and then by id; one pass, so ten thousand candidates stay cheap. */
function best(scored: readonly Scored[], passes: (candidate: Candidate) => boolean): Scored | null {
  let found: Scored | null = null;
  for (const entry of scored) {
    if (found !== null && entry.points < found.points) continue;
    if (!passes(entry.candidate)) continue;
    if (found === null || entry.points > found.points || entry.candidate.tool.id < found.candidate.tool.id)
      found = entry;
  }
  return found;
}

export type Ranked = {
  readonly pick: Candidate;
  readonly alternatives: readonly Candidate[];
  /** A tool for some regions that would be near the pick for somebody there. */
  readonly regional: Candidate | null;
  /** When the pick itself serves some regions only: the best that serves all. */
  readonly elsewhere: Candidate | null;
};

/** How many points a regional tool may lie behind the pick, its regions not counted against it, and still be named. */
const REGIONAL_MARGIN = 10;

function regionalRival(
  scored: readonly Scored[],
  pick: Scored,
  taken: ReadonlySet<string>,
): Candidate | null {
  if (pick.candidate.tool.regions !== null) return null;
  const rival = best(
    scored,
    (candidate) =>
      candidate.tool.regions !== null && !taken.has(candidate.tool.id) && notThePick(candidate) === null,
  );
  if (rival === null) return null;
  const atHome = rival.points - POINTS.someRegionsOnly;
  return atHome >= pick.points - REGIONAL_MARGIN ? rival.candidate : null;
}

function bestForAll(scored: readonly Scored[], { tool }: Candidate): Candidate | null {
  if (tool.regions === null) return null;
  const passes = (candidate: Candidate) => candidate.tool.regions === null && notThePick(candidate) === null;
  return best(scored, passes)?.candidate ?? null;
}

/** The pick and at most two alternatives, one of another setting than the pick where there is one; null = no pick. */
export function rank(candidates: readonly Candidate[], asker: Asker): Ranked | null {
  const cutoffs = cutoffsOf(asker);
  const scored: Scored[] = [];
  for (const candidate of candidates)
    if (excluded(candidate, asker) === null)
      scored.push({ candidate, points: score(candidate, asker, cutoffs) });
  const pick = best(scored, (candidate) => notThePick(candidate) === null);
  if (pick === null) return null;

  const taken = new Set([pick.candidate.tool.id]);
  const next = (passes: (candidate: Candidate) => boolean) => {
    const fresh = (candidate: Candidate) => !taken.has(candidate.tool.id) && passes(candidate);
    const found =
      best(scored, (candidate) => fresh(candidate) && notThePick(candidate) === null) ?? best(scored, fresh);
    if (found !== null) taken.add(found.candidate.tool.id);
    return found?.candidate ?? null;
  };
  const elsewhere = (candidate: Candidate) => setting(candidate) !== setting(pick.candidate);
  const first = next(() => true);
  const second =
    first !== null && elsewhere(first) ? next(() => true) : (next(elsewhere) ?? next(() => true));
  return {
    pick: pick.candidate,
    alternatives: [first, second].filter((found) => found !== null),
    regional: regionalRival(scored, pick, taken),
    elsewhere: bestForAll(scored, pick.candidate),
  };
}
