import { stackReport } from '../../src/domain/stack-report.ts';
import type {
  Candidate,
  StackReport,
  StackRequest,
  Tool,
  ToolDirectory,
} from '../../src/domain/stack-report-types.ts';

const day = '2026-11-21';

export const tool = (id: string, over: Partial<Tool> = {}, check: Partial<Tool['check']> = {}): Tool => ({
  id,
  name: id.toUpperCase(),
  vendor: `${id} Ltd`,
  homepage: `https://${id}.example`,
  categories: ['invoicing'],
  pricing: 'freemium',
  hosting: ['saas'],
  free_limits: '10 invoices a month',
  team_size_max: null,
  good_for: ['service'],
  regions: null,
  licence: null,
  caveats: ['Shows the branding of the vendor.'],
  ...over,
  check: {
    quote: 'The free plan has ten invoices a month.',
    language: 'en',
    source_url: `https://${id}.example/pricing`,
    checked_on: day,
    method: 'vendor_repository',
    source_dated: '2026-08-01',
    ...check,
  },
});

export const candidate = (of: Tool, over: Partial<Candidate> = {}): Candidate => ({
  tool: of,
  isMain: true,
  kind: null,
  weak: null,
  proves: 'limit',
  freeOn: of.hosting,
  developerOnly: false,
  requires: null,
  tightLimit: false,
  usableForGood: true,
  ...over,
});

/** A directory in which a service business needs invoicing, then crm. */
export const directoryOf = (invoicing: Candidate[], crm: Candidate[] = []): ToolDirectory => {
  const byNeed: Record<string, Candidate[]> = { invoicing, crm };
  return {
    listings: [...invoicing, ...crm].map(({ tool }) => tool),
    candidates: (need) => byNeed[need] ?? [],
    candidate: (need, id) => byNeed[need]?.find(({ tool }) => tool.id === id) ?? null,
    describe: (slug) => ({ slug, name: slug === 'crm' ? 'CRM' : 'Invoicing', note: null }),
    needsOf: () => ({ always: ['invoicing'], forTeams: ['crm'] }),
    firstChecked: day,
    lastChecked: day,
  };
};

export const request: StackRequest = {
  businessType: 'service',
  needs: [],
  teamSize: 1,
  freeOnly: false,
  generatedOn: day,
};

export const reportOf = (directory: ToolDirectory, over: Partial<StackRequest> = {}): StackReport => {
  const result = stackReport({ ...request, ...over }, directory);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};

export const pickOf = (candidates: Candidate[], over: Partial<StackRequest> = {}) =>
  reportOf(directoryOf(candidates), over).picks[0];
