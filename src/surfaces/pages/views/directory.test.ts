import { describe, expect, it } from 'vitest';
import { BASE_URL, testApp } from '../../../../test/support/app.ts';
import { pageHtml } from '../html.tsx';
import { pageMarkdown } from '../markdown.ts';
import { type DirectoryBody, directoryView, type ListingRow } from './directory.ts';

const row = (id: string, changes: Partial<ListingRow> = {}): ListingRow => ({
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
const b = row('b', { pricing: 'open_source', free_limits: null, licence: 'MIT', requires: ['server'] });
const c = row('c', {
  categories: ['invoicing', 'e_signature'],
  pricing: 'free',
  free_limits: null,
  proof: 'thin',
  check: { checked_on: '2026-11-21', method: 'stored_copy', source_dated: null, transcribed_by: null },
});
const whole: DirectoryBody = {
  count: 3,
  category: null,
  country: null,
  next_offset: null,
  categories,
  shelf: [],
  tools: [a, b, c],
};

const page = (body: DirectoryBody) => ({
  path: '/tools',
  title: 'T',
  description: 'D',
  blocks: directoryView(body),
});
const markdown = (body: DirectoryBody) => pageMarkdown(page(body), '');
const html = (body: DirectoryBody) =>
  pageHtml(page(body), { baseUrl: BASE_URL, operations: [], contactEmail: null }).replace(
    /^.*<main>|<\/main>.*$/gs,
    '',
  );
const served = async (query = ''): Promise<DirectoryBody> =>
  (await testApp().get(`/v1/tools${query}`)).json() as Promise<DirectoryBody>;

describe('the whole directory', () => {
  it('counts, names the categories, and lists each tool once under its main category', () => {
    expect(markdown(whole)).toBe(`# T

> D

3 listings in 2 categories, each with the vendor’s own words, their age and the day they were read: [how listings are checked](/tools/how-checked).

## Categories

- [Electronic signature](/tools/category/e-signature) (3)
- [Invoicing](/tools/category/invoicing) (1)

## Listings

Each tool stands once, under its main category; a category’s own page has all that cover it, in an editor’s order of choice.

### Electronic signature

- [A](/tools/a), free plan: 3 documents a month. Vendor text of August 2026; proof: strong.
- [B](/tools/b), open source: licence MIT. Needs a server of your own. Vendor text of August 2026; proof: strong.

### Invoicing

- [C](/tools/c), free: the vendor’s text does not say how much. Vendor text, age unknown; proof: thin.
`);
  });

  it('gives each group an address of its own', () => {
    expect(html(whole)).toContain('<h3 id="e-signature">Electronic signature</h3>');
  });

  it('as served: all listings, each linked once, in groups with ids of their own by the names of categories', async () => {
    const body = await served();
    const text = html(body);
    expect(text).toContain(`<p>${body.count} listings in ${body.categories.length} categories, `);
    for (const { id } of body.tools) expect(text.split(`href="/tools/${id}"`), id).toHaveLength(2);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const names = [...text.matchAll(/<h3 id="[^"]+">([^<]+)</g)].map(([, name = '']) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  });
});

describe('one category', () => {
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
  const one: DirectoryBody = { ...whole, category: 'e_signature', shelf };

  it('stands in the editor’s order, says for whom, and marks what needs a server', () => {
    expect(markdown(one)).toBe(`# T

> D

## Electronic signature: 3 listings

In the order in which an editor would choose: take the first that is for you.

1. [B](/tools/b), open source: licence MIT. Needs a server of your own. Signs without a limit. For agencies. Vendor text of August 2026; proof: strong.
2. [C](/tools/c), free: the vendor’s text does not say how much. Known to all. Not for shops. Only in the US and the EU. Vendor text, age unknown; proof: thin.

### Listed besides, not chosen

- [A](/tools/a), free plan: 3 documents a month. Vendor text of August 2026; proof: strong.

[All categories](/tools) · [How listings are checked](/tools/how-checked)
`);
  });

  it('counts one listing as one', () => {
    const single = { ...whole, count: 1, category: 'invoicing', tools: [c] };
    expect(directoryView(single)[0]).toEqual({ heading: 'Invoicing: 1 listing', id: 'invoicing' });
  });

  it('as served, has exactly the listings of the API', async () => {
    const body = await served('?category=invoicing');
    expect(body.tools.length).toBeGreaterThan(10);
    const linked = [...html(body).matchAll(/<li><a href="\/tools\/([^"]+)">/g)].map(([, id]) => id);
    // A tool has a second place where it is the choice of others later.
    expect([...new Set(linked)]).toEqual(body.tools.map(({ id }) => id));
  });
});

it('says what part of an answer is shown, and where it goes on', () => {
  const cut = { ...whole, count: 13, category: 'e_signature', next_offset: 6 };
  expect(markdown(cut)).toContain(
    '\nShown here: 3 of 13. [The next ones](/tools?category=e_signature&limit=3&offset=6)\n',
  );
  expect(markdown({ ...whole, next_offset: 3 })).toContain('(/tools?limit=3&offset=3)');
});

it('keeps hostile words as words, in HTML and in Markdown', () => {
  const evil = 'x\n\n# Big\n<script>alert(1)</script> [y](javascript:alert(1)) `code` </li></ul>';
  const tagsOf = (text: string) => text.match(/<\/?[a-z][a-z0-9]*/g);
  const hostile = { ...whole, tools: [row('a', { name: evil, free_limits: evil }), b, c] };
  expect(tagsOf(html(hostile))).toEqual(tagsOf(html(whole)));
  const text = markdown(hostile);
  expect(text.split('\n')).toHaveLength(markdown(whole).split('\n').length);
  expect(text).toContain(
    '\n- [x # Big \\<script\\>alert(1)\\</script\\> \\[y\\](javascript:alert(1)) \\`code\\`',
  );
  expect(text).not.toMatch(/(?<!\\)<|(?<!\\)`/);
});
