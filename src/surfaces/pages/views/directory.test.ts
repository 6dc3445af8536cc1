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
  free_limits: '3 documents a month',
  licence: null,
  check: { checked_on: '2026-11-21' },
  ...changes,
});

const categories = [
  { slug: 'e_signature', name: 'Electronic signature', count: 3 },
  { slug: 'invoicing', name: 'Invoicing', count: 1 },
];
const a = row('a');
const b = row('b', { pricing: 'open_source', free_limits: null, licence: 'MIT' });
const c = row('c', { categories: ['invoicing', 'e_signature'], pricing: 'free', free_limits: null });
const whole: DirectoryBody = { count: 3, category: null, next_offset: null, categories, tools: [a, b, c] };

const page = (body: DirectoryBody) => ({
  path: '/tools',
  title: 'T',
  description: 'D',
  blocks: directoryView(body),
});
const markdown = (body: DirectoryBody) => pageMarkdown(page(body), '');
const html = (body: DirectoryBody) =>
  pageHtml(page(body), { baseUrl: BASE_URL, siteName: 'S' }).replace(/^.*<main>|<\/main>.*$/gs, '');
const served = async (query = ''): Promise<DirectoryBody> =>
  (await testApp().get(`/v1/tools${query}`)).json() as Promise<DirectoryBody>;

describe('the whole directory', () => {
  it('counts, names the categories, and lists each tool once under its main category', () => {
    expect(markdown(whole)).toBe(`# T

> D

3 listings in 2 categories, each with the vendor’s own words and the day they were read: [how listings are checked](/tools/how-checked).

## Categories

- [Electronic signature](/tools/category/e-signature) (3)
- [Invoicing](/tools/category/invoicing) (1)

## Listings

Each tool stands once, under its main category; a category’s own page also has those that cover it besides.

### Electronic signature

- [A](/tools/a), free plan: 3 documents a month. Checked on 21 November 2026.
- [B](/tools/b), open source: licence MIT. Checked on 21 November 2026.

### Invoicing

- [C](/tools/c), free: limits are not evidenced. Checked on 21 November 2026.
`);
  });

  it('gives each group an address of its own', () => {
    expect(html(whole)).toContain('<h3 id="e-signature">Electronic signature</h3>');
  });

  it('as served: all 219 listings, each linked once, in 40 groups with ids of their own', async () => {
    const body = await served();
    const text = html(body);
    expect(text).toContain('<p>219 listings in 40 categories, ');
    for (const { id } of body.tools) expect(text.split(`href="/tools/${id}"`), id).toHaveLength(2);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(42);
    expect(new Set(ids).size).toBe(42);
  });
});

describe('one category', () => {
  const one: DirectoryBody = { ...whole, category: 'e_signature' };

  it('shows only that category, with the tools that are mainly something else after its own', () => {
    expect(markdown(one)).toBe(`# T

> D

## Electronic signature: 3 listings

- [A](/tools/a), free plan: 3 documents a month. Checked on 21 November 2026.
- [B](/tools/b), open source: licence MIT. Checked on 21 November 2026.

### Mainly for something else

- [C](/tools/c), free: limits are not evidenced. Its main category is Invoicing. Checked on 21 November 2026.

[All categories](/tools) · [How listings are checked](/tools/how-checked)
`);
  });

  it('counts one listing as one', () => {
    const single = { ...whole, count: 1, category: 'invoicing', tools: [c] };
    expect(directoryView(single)[0]).toEqual({ heading: 'Invoicing: 1 listing', id: 'invoicing' });
  });

  it('as served, has exactly the listings of the API', async () => {
    const body = await served('?category=invoicing');
    expect(body.tools).toHaveLength(19);
    const linked = [...html(body).matchAll(/<li><a href="\/tools\/([^"]+)">/g)].map(([, id]) => id);
    expect(linked).toEqual(body.tools.map(({ id }) => id));
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
