import { BUSINESS_WORDS, listed, METHOD_WORDS, people, REGION_WORDS } from './directory-words.ts';
import type { Asker, Exclusion } from './stack-report-score.ts';
import { ageing, excluded, notThePick, setting, textDay } from './stack-report-score.ts';
import type { Candidate, Tool, VendorQuote, Weakness } from './stack-report-types.ts';

const WEAKNESS_WORDS: Record<Weakness, string> = {
  undated_commit: 'the date of the quoted text is not confirmed',
  old_text: 'the quoted text is old',
  limits_unproven: 'the quote shows that it is free, not within which limits',
};

/** A name in the middle of a sentence: 'taking payments', but 'AI assistants'. */
export const lowerFirst = (name: string) =>
  /^[A-Z][a-z]/.test(name) ? `${name[0]?.toLowerCase()}${name.slice(1)}` : name;

const regionsText = (regions: readonly string[]) =>
  listed(regions.map((region) => REGION_WORDS[region] ?? region));

export const quoteOf = ({ check }: Tool): VendorQuote => ({
  text: check.quote,
  language: check.language,
  source_url: check.source_url,
  checked_on: check.checked_on,
  method: check.method,
  source_dated: check.source_dated,
});

const terms = ({ pricing, free_limits, licence }: Tool): string => {
  const limits = free_limits === null ? '' : `: ${free_limits}`;
  if (pricing === 'open_source') return `Open source under ${licence ?? 'its own licence'}${limits}`;
  return pricing === 'free' ? `Free of subscription${limits}` : `Free plan${limits}`;
};

const SETTING_WORDS = {
  hosted: 'runs at the vendor, nothing to install on a server',
  'own computer': 'runs on your own computer, no server needed',
  'own server': 'runs on your own server',
} as const;

function evidenceText(candidate: Candidate): string {
  const { check } = candidate.tool;
  const day = textDay(check);
  const dated = day === null ? 'not dated' : check.method === 'live_page' ? '' : `dated ${day}`;
  const proof =
    candidate.proves === 'licence' ? 'the licence or its summary was read' : "the vendor's words were read";
  return `On ${check.checked_on} ${proof} ${METHOD_WORDS[check.method]}${dated === '' ? '' : `; the text is ${dated}`}.`;
}

/** Reasons for a pick; each cites a fact of the listing. */
export function whyPicked(
  candidate: Candidate,
  asker: Asker,
  { needName, mainName }: { needName: string; mainName: string },
): string[] {
  const { tool } = candidate;
  const why = [`${terms(tool)}.`];
  if (candidate.kind !== null) why.push(`For this need it is ${candidate.kind.label}.`);
  else if (candidate.isMain) why.push(`${needName} is its main purpose.`);
  else why.push(`It covers ${lowerFirst(needName)} besides its main purpose, ${lowerFirst(mainName)}.`);
  if (tool.good_for.includes(asker.businessType)) why.push(`Suits ${BUSINESS_WORDS[asker.businessType]}.`);
  const place = SETTING_WORDS[setting(candidate)];
  why.push(`It ${place}${candidate.requires === null ? '' : ` and needs ${candidate.requires}`}.`);
  if (asker.teamSize !== null && tool.team_size_max !== null)
    why.push(`The free use covers ${people(tool.team_size_max)}; your team has ${asker.teamSize}.`);
  why.push(evidenceText(candidate));
  return why;
}

/** The warning that words about a plan may no longer hold on that day, or null; a licence text needs none. */
export function ageText(candidate: Pick<Candidate, 'tool' | 'proves'>, today: string): string | null {
  const age = ageing(candidate, today);
  if (age === 'unknown')
    return 'The age of the quoted text is not known: open its source and compare before you sign up.';
  if (age === 'old')
    return `The quoted text is of ${textDay(candidate.tool.check)}, and plans may have changed since: open its source first.`;
  return null;
}

/** One line for an alternative: what it costs, where it runs, and what speaks against it. */
export function whyAlternative(candidate: Candidate, today: string): string {
  const { tool } = candidate;
  const doubt = candidate.weak === null ? '' : ` Not the pick because ${WEAKNESS_WORDS[candidate.weak]}.`;
  const kind = candidate.kind === null ? '' : ` For this need it is ${candidate.kind.label}.`;
  const needs = candidate.requires === null ? '' : ` and needs ${candidate.requires}`;
  const where = tool.regions === null ? '' : ` Only for ${regionsText(tool.regions)}.`;
  const text = ageText(candidate, today);
  const age = candidate.weak !== null || text === null ? '' : ` ${text}`;
  return `${terms(tool)}; ${SETTING_WORDS[setting(candidate)]}${needs}.${kind}${where}${doubt}${age}`;
}

/** Points somebody in its regions to a tool that would have been near the pick for them. */
export const regionalHint = ({ tool }: Candidate): string =>
  `In ${regionsText(tool.regions ?? [])}, look at ${tool.name} as well: ${tool.homepage}`;

/** Names the best tool for all to people whom a regional pick does not serve. */
export const elsewhereHint = (pick: Candidate, { tool }: Candidate): string =>
  `Outside ${regionsText(pick.tool.regions ?? [])}, look at ${tool.name} instead: ${tool.homepage}`;

/** What to know before signing up, besides the listing's own caveats. */
export function caveatsOf(candidate: Candidate, asker: Asker): string[] {
  const { tool } = candidate;
  const extra: string[] = [];
  if (tool.regions !== null) extra.push(`Only for ${regionsText(tool.regions)}.`);
  const age = ageText(candidate, asker.today);
  if (age !== null) extra.push(age);
  if (candidate.tightLimit) extra.push('A growing business soon passes this free limit.');
  if (asker.teamSize === null && tool.team_size_max !== null)
    extra.push(`The free use ends at ${people(tool.team_size_max)}.`);
  return [...tool.caveats, ...extra];
}

const EXCLUSION_WORDS: Record<Exclusion, (tools: readonly Tool[], asker: Asker) => string> = {
  team: (tools) =>
    `too small for your team: ${listed(tools.map((tool) => `${tool.name} (${people(tool.team_size_max ?? 0)})`))}`,
  not_free_for_good: (tools) => `no known lasting free limits: ${listed(tools.map(({ name }) => name))}`,
  developers_only: (tools) => `for developers only: ${listed(tools.map(({ name }) => name))}`,
  wrong_kind: (tools) => `something else in the same category: ${listed(tools.map(({ name }) => name))}`,
  weak_evidence: (tools) => `evidence too weak to pick: ${listed(tools.map(({ name }) => name))}`,
  alternative_only: (tools) => `only a partial answer: ${listed(tools.map(({ name }) => name))}`,
};

const NAMES_PER_REASON = 3;

/** Why no checked listing meets a need, with the tools that came nearest. */
export function whyUnmet(candidates: readonly Candidate[], asker: Asker): string {
  if (candidates.length === 0) return 'The directory has no checked listing for this need.';
  const groups = new Map<Exclusion, Tool[]>();
  for (const candidate of candidates) {
    const cause = excluded(candidate, asker) ?? notThePick(candidate);
    if (cause !== null) groups.set(cause, [...(groups.get(cause) ?? []), candidate.tool]);
  }
  const parts = Object.entries(EXCLUSION_WORDS).flatMap(([cause, words]) => {
    const tools = groups.get(cause as Exclusion);
    return tools === undefined ? [] : [words(tools.slice(0, NAMES_PER_REASON), asker)];
  });
  const count = candidates.length;
  const head =
    count === 1
      ? 'The only checked listing does not qualify'
      : `None of the ${count} checked listings qualifies`;
  return `${head}: ${parts.join('; ')}.`;
}
