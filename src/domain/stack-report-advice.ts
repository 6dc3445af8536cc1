import { listed } from './directory-words.ts';
import { type Asker, excluded, setting } from './stack-report-score.ts';
import type { Candidate, StackPick, StackRequest, Tool, ToolDirectory } from './stack-report-types.ts';
import { lowerFirst } from './stack-report-words.ts';

const SUITE_COVERS_AT_LEAST = 4;
const FIRST_STEPS = 3;
const TOOLS_PER_STEP = 4;

export type Choice = { readonly need: string; readonly candidate: Candidate; readonly pick: StackPick };

/** Whether a tool is a full answer to another need of the same asker; weak evidence does not count against it. */
export function covers(tool: Tool, need: string, asker: Asker, directory: ToolDirectory): boolean {
  const candidate = directory.candidate(need, tool.id);
  return candidate !== null && candidate.kind?.role !== 'alternative' && excluded(candidate, asker) === null;
}

/** Each tool once, with every need it was picked for. */
function byTool(choices: readonly Choice[]): UsedTool[] {
  const tools = new Map<string, { candidate: Candidate; needs: string[] }>();
  for (const { candidate, pick } of choices) {
    const known = tools.get(pick.tool.id);
    if (known === undefined) tools.set(pick.tool.id, { candidate, needs: [lowerFirst(pick.need_name)] });
    else known.needs.push(lowerFirst(pick.need_name));
  }
  return [...tools.values()];
}

type UsedTool = { readonly candidate: Candidate; readonly needs: readonly string[] };

const toolFor = ({ candidate, needs }: UsedTool) => `${candidate.tool.name} for ${listed(needs)}`;

/** Lines of at most so many tools each, so that a report for every need stays readable. */
const linesOf = (tools: readonly UsedTool[], line: (names: string) => string): string[] =>
  Array.from({ length: Math.ceil(tools.length / TOOLS_PER_STEP) }, (_, index) =>
    line(listed(tools.slice(index * TOOLS_PER_STEP, (index + 1) * TOOLS_PER_STEP).map(toolFor))),
  );

/** The picks in the order in which a small business can put them to work. */
export function gettingStarted(choices: readonly Choice[]): string[] {
  const tools = byTool(choices);
  const runs = (where: string) => (tool: UsedTool) =>
    tool.candidate.requires === null && setting(tool.candidate) === where;
  const ready = tools.filter(runs('hosted'));
  const desktop = tools.filter(runs('own computer'));
  const rest = tools.filter((tool) => !ready.includes(tool) && !desktop.includes(tool));
  return [
    'Open the source under each vendor quote and compare it with the quote before you sign up.',
    ...linesOf(ready.slice(0, FIRST_STEPS), (names) => `Today: open an account with ${names}.`),
    ...linesOf(ready.slice(FIRST_STEPS), (names) => `Then add ${names}.`),
    ...linesOf(desktop, (names) => `Install on your own computer: ${names}.`),
    ...linesOf(
      rest,
      (names) => `Last, with help, because a server or another platform comes first: ${names}.`,
    ),
    'Once everything runs, export your data from each tool and keep a copy outside it.',
  ];
}

/** 'Block, Inc. (Square)' and 'Block' are one vendor. */
const vendorKey = (vendor: string) =>
  vendor
    .replace(/\s*\(.*?\)/g, '')
    .replace(/,?\s+(?:Inc\.?|LLC|Ltd\.?|Limited|GmbH|Corporation|B\.V\.|S\.A\.)$/u, '')
    .toLowerCase();

/** The vendor that more than half of the picks depend on, if any. */
function lockIn(choices: readonly Choice[]): string[] {
  const counts = new Map<string, { vendor: string; count: number }>();
  for (const { pick } of choices) {
    const key = vendorKey(pick.tool.vendor);
    counts.set(key, { vendor: pick.tool.vendor, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()]
    .filter(({ count }) => count > 1 && count * 2 > choices.length)
    .map(
      ({ vendor, count }) =>
        `Lock-in: ${count} of ${choices.length} picks come from ${vendor}. If its terms change, much of your stack changes with them, so look at the alternatives before you put everything there.`,
    );
}

function suite(asker: Asker, directory: ToolDirectory, needs: readonly string[]): string[] {
  let best: { tool: Tool; covered: string[] } | null = null;
  for (const tool of directory.listings) {
    const least = Math.max(SUITE_COVERS_AT_LEAST, (best?.covered.length ?? 0) + 1);
    if (tool.categories.length < least) continue;
    const named = needs.filter((need) => tool.categories.includes(need));
    if (named.length < least) continue;
    const covered = named.filter((need) => covers(tool, need, asker, directory));
    if (covered.length >= least) best = { tool, covered };
  }
  if (best === null) return [];
  const names = listed(best.covered.map((need) => lowerFirst(directory.describe(need).name)));
  return [
    `One suite instead of several tools: ${best.tool.name} covers ${names} together; read its listing, /v1/tools/${best.tool.id}, before you decide.`,
  ];
}

/** What holds for the report as a whole. */
export function reportCaveats(
  request: StackRequest,
  directory: ToolDirectory,
  needs: readonly string[],
  choices: readonly Choice[],
): string[] {
  const copies = choices.filter(({ pick }) => pick.vendor_quote.method === 'stored_copy').length;
  return [
    ...lockIn(choices),
    ...suite({ ...request, today: request.generatedOn }, directory, needs),
    ...(copies > 0
      ? [
          `${copies} of ${choices.length} vendor quotes were read in stored copies of unknown age; they show what the vendor once wrote.`,
        ]
      : []),
    ...(request.freeOnly
      ? [
          'Free only means: no subscription, an open-source licence, or a lasting free plan with known limits. Fees per transaction, web hosting and domains can still cost money.',
        ]
      : []),
    ...(request.teamSize === null && choices.some(({ pick }) => pick.tool.team_size_max === 1)
      ? ['No team size was given, so tools for one person are among the picks; their caveats say so.']
      : []),
    'Free plans change without notice. This is a selection, not legal, tax or security advice.',
  ];
}
