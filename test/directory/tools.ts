import type { Directory } from '../../src/directory/directory.ts';
import type { Need, SameAs, ShelfTool, Tool } from '../../src/directory/needs.ts';
import { type StackReport, stackReport } from '../../src/report/report.ts';
import type { StackRequest } from '../../src/report/shelf.ts';

const day = '2026-11-21';

export const tool = (id: string, over: Partial<Tool> = {}, check: Partial<Tool['check']> = {}): Tool => ({
  id,
  name: id.toUpperCase(),
  vendor: `${id} Ltd`,
  homepage: `https://${id}.example`,
  categories: ['invoicing'],
  pricing: 'freemium',
  hosting: ['saas'],
  requires: [],
  free_limits: '10 invoices a month',
  limits_by_need: {},
  then: null,
  leave: null,
  cost: null,
  team_size_max: null,
  regions: null,
  licence: null,
  good_for: ['service'],
  changed_on: day,
  caveats: ['Shows the branding of the vendor.'],
  ...over,
  check: {
    quote: 'The free plan has ten invoices a month.',
    language: 'en',
    quote_translation: null,
    source_url: `https://${id}.example/pricing`,
    checked_on: day,
    method: 'vendor_repository',
    transcribed_by: null,
    source_dated: '2026-08-01',
    status: 'found',
    ...check,
  },
});

/** A tool in its place on a shelf. */
export const place = (
  of: Tool,
  over: Partial<ShelfTool> = {},
  notes: Partial<ShelfTool['notes']> = {},
): ShelfTool => ({
  tool: of,
  reason: `${of.name} is the clearest.`,
  regions: of.regions,
  not_regions: [],
  closed_to: [],
  processors: [],
  seats: of.team_size_max,
  requires: of.requires,
  ...over,
  notes: {
    quote_sha256: null,
    home_firms: [],
    local_caveats: [],
    local_costs: {},
    team_plans: [],
    refreshed_on: null,
    failure: null,
    proves: 'limit',
    seats_unlimited: false,
    own_accounts: false,
    account: null,
    paid_into: null,
    extra_paid_into: null,
    first_step: null,
    one_need_only: false,
    also_read: [],
    open_site: false,
    ...notes,
  },
});

/** A tool on a vendor's own servers. */
export const aa = place(tool('aa'));

/** A desktop tool with an open license. */
export const bb = place(
  tool('bb', { hosting: ['desktop'], pricing: 'open_source', licence: 'MIT', free_limits: null }),
);

/** A need with this shelf that only the owner uses. */
export const need = (
  slug: string,
  shelf: readonly (ShelfTool | SameAs)[],
  over: Partial<Need> = {},
): Need => ({
  slug,
  name: slug === 'crm' ? 'CRM' : `${slug[0]?.toUpperCase()}${slug.slice(1)}`,
  purpose: `do the ${slug}`,
  note: null,
  seats: 'owner',
  seats_for: {},
  takes_money: false,
  setup_minutes: 20,
  first_hour: [`Try the ${slug} once.`],
  notes_for: {},
  after: [],
  way_out: null,
  way_out_confidential: null,
  ways_out: {},
  ways_out_in: [],
  from_team: 1,
  law: { bars: [], ways_out: {}, notes: [], unplaced: null },
  shelf,
  also_well_known: [],
  ...over,
});

/** A directory in which every business has the first of these needs, and a team also has the others. */
export const directoryOf = (...needs: readonly Need[]): Directory => {
  const bySlug = new Map(needs.map((one) => [one.slug, one]));
  const [first, ...others] = needs.map(({ slug }) => slug);
  return {
    listings: needs.flatMap(({ shelf }) => shelf.flatMap((entry) => ('tool' in entry ? [entry.tool] : []))),
    need: (slug: string) => bySlug.get(slug) ?? need(slug, []),
    place: () => null,
    gaps: [],
    musts: [],
    find: () => null,
    plansOf: () => [],
    needsOf: () => ({ needs: first === undefined ? [] : [first], needs_for_teams: others }),
    firstChecked: day,
    lastChecked: day,
  } as unknown as Directory;
};

export const request: StackRequest = {
  businessType: 'service',
  needs: [],
  teamSize: 1,
  freeOnly: false,
  country: null,
  generatedOn: day,
};

export const reportOf = (directory: Directory, over: Partial<StackRequest> = {}): StackReport => {
  const result = stackReport({ ...request, ...over }, directory);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};

/** 'invoicing: aa' for every pick of a report about all needs of a directory. */
export const picksOf = (needs: readonly Need[], over: Partial<StackRequest> = {}): string[] =>
  reportOf(directoryOf(...needs), { needs: needs.map(({ slug }) => slug), ...over }).picks.map(
    (pick) => `${pick.need}: ${pick.tool.id}`,
  );
