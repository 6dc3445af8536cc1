import { pageMarkdown } from '../../src/surfaces/pages/markdown.ts';
import {
  type DirectoryBody,
  directoryView,
  type ListingRow,
} from '../../src/surfaces/pages/views/directory.ts';

export const row = (id: string, changes: Partial<ListingRow> = {}): ListingRow => ({
  id,
  name: id.toUpperCase(),
  categories: ['e_signature'],
  pricing: 'freemium',
  requires: [],
  free_limits: '3 documents a month',
  limits_by_need: {},
  licence: null,
  changed_on: '2026-11-21',
  proof: 'strong',
  vendor: 'V',
  good_for: [],
  hosting: [],
  check: {
    checked_on: '2026-11-21',
    method: 'vendor_page',
    source_dated: '2026-08-03',
    transcribed_by: null,
  },
  ...changes,
});

const categories = [
  { slug: 'e_signature', name: 'Electronic signature', count: 3 },
  { slug: 'invoicing', name: 'Invoicing', count: 1 },
];
const a = row('a');
export const b = row('b', {
  pricing: 'open_source',
  free_limits: null,
  licence: 'MIT',
  requires: ['server'],
});
export const c = row('c', {
  categories: ['invoicing', 'e_signature'],
  pricing: 'free',
  free_limits: null,
  proof: 'thin',
  check: { checked_on: '2026-11-21', method: 'stored_copy', source_dated: null, transcribed_by: null },
});
/** Three listings in two categories. */
export const whole: DirectoryBody = {
  count: 3,
  category: null,
  country: null,
  next_offset: null,
  categories,
  shelf: [],
  tools: [a, b, c],
};

export const page = (body: DirectoryBody) => ({
  path: '/tools',
  title: 'T',
  description: 'D',
  blocks: directoryView(body),
});
export const markdown = (body: DirectoryBody) => pageMarkdown(page(body), '');

const shelf = [
  {
    id: 'b',
    reason: 'Signs without a limit.',
    for: ['agency'],
    not_for: null,
    regions: null,
    requires: ['server'],
  },
  { id: 'c', reason: 'Known to all.', for: null, not_for: ['retail'], regions: ['US', 'EU'], requires: [] },
] as const;
/** The shelf of one of them. */
export const one: DirectoryBody = { ...whole, category: 'e_signature', shelf };
