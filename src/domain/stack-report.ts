import { type Choice, covers, gettingStarted, reportCaveats } from './stack-report-advice.ts';
import { rank } from './stack-report-rank.ts';
import type { Asker } from './stack-report-score.ts';
import type {
  StackPick,
  StackReport,
  StackRequest,
  StackResult,
  ToolDirectory,
} from './stack-report-types.ts';
import {
  caveatsOf,
  elsewhereHint,
  quoteOf,
  regionalHint,
  whyAlternative,
  whyPicked,
  whyUnmet,
} from './stack-report-words.ts';

/**
 * One free tool per need from the checked listings, as the wire document itself: business type's own needs first,
 * then those asked for, each once. Deterministic: the same request and directory give the same bytes.
 * `ok: false` when no need at all has a pick, so there is nothing to sell. `needs` must be known category slugs.
 */
export function stackReport(request: StackRequest, directory: ToolDirectory): StackResult {
  const asker = { ...request, today: request.generatedOn };
  const needs = needsOf(request, directory);
  const choices: Choice[] = [];
  const unmet: { need: string; reason: string }[] = [];
  for (const need of needs) {
    const choice = choose(need, needs, asker, directory);
    if (choice === null) unmet.push({ need, reason: whyUnmet(directory.candidates(need), asker) });
    else choices.push(choice);
  }
  if (choices.length === 0)
    return { ok: false, reason: `No checked listing qualifies for any of the ${needs.length} needs.` };
  return { ok: true, report: document(request, directory, { needs, choices, unmet }) };
}

function needsOf({ businessType, needs, teamSize }: StackRequest, directory: ToolDirectory): string[] {
  const own = directory.needsOf(businessType);
  const forTeam = teamSize !== null && teamSize > 1 ? own.forTeams : [];
  return [...new Set([...own.always, ...forTeam, ...needs])];
}

function choose(
  need: string,
  needs: readonly string[],
  asker: Asker,
  directory: ToolDirectory,
): Choice | null {
  const ranked = rank(directory.candidates(need), asker);
  if (ranked === null) return null;
  const { tool } = ranked.pick;
  const { name, note } = directory.describe(need);
  const pick: StackPick = {
    need,
    need_name: name,
    tool: {
      id: tool.id,
      name: tool.name,
      vendor: tool.vendor,
      homepage: tool.homepage,
      categories: tool.categories,
      pricing: tool.pricing,
      hosting: tool.hosting,
      free_limits: tool.free_limits,
      team_size_max: tool.team_size_max,
      regions: tool.regions,
      licence: tool.licence,
    },
    vendor_quote: quoteOf(tool),
    why: whyPicked(ranked.pick, asker, {
      needName: name,
      mainName: directory.describe(tool.categories[0] ?? need).name,
    }),
    caveats: [
      ...caveatsOf(ranked.pick, asker),
      ...(ranked.regional === null ? [] : [regionalHint(ranked.regional)]),
      ...(ranked.elsewhere === null ? [] : [elsewhereHint(ranked.pick, ranked.elsewhere)]),
      ...(note === null ? [] : [note]),
    ],
    alternatives: ranked.alternatives.map((candidate) => ({
      id: candidate.tool.id,
      name: candidate.tool.name,
      homepage: candidate.tool.homepage,
      pricing: candidate.tool.pricing,
      why: whyAlternative(candidate, asker.today),
      vendor_quote: quoteOf(candidate.tool),
    })),
    also_covers: needs.filter((other) => other !== need && covers(tool, other, asker, directory)),
  };
  return { need, candidate: ranked.pick, pick };
}

type Findings = {
  readonly needs: readonly string[];
  readonly choices: readonly Choice[];
  readonly unmet: readonly { readonly need: string; readonly reason: string }[];
};

const document = (request: StackRequest, directory: ToolDirectory, findings: Findings): StackReport => ({
  business_type: request.businessType,
  team_size: request.teamSize,
  free_only: request.freeOnly,
  generated_on: request.generatedOn,
  picks: findings.choices.map(({ pick }) => pick),
  unmet: findings.unmet,
  getting_started: gettingStarted(findings.choices),
  caveats: reportCaveats(request, directory, findings.needs, findings.choices),
  directory: {
    listings: directory.listings.length,
    oldest_check: directory.firstChecked,
    newest_check: directory.lastChecked,
  },
});
