import { describe, expect, it } from 'vitest';
import { b, c, markdown, one, page, row, whole } from '../../../../test/pages/directory-samples.ts';
import { BASE_URL, testApp } from '../../../../test/support/app.ts';
import { inOrder } from '../../../../test/support/facts.ts';
import { pageHtml } from '../html.tsx';
import { type DirectoryBody, directoryView, pickText } from './directory.ts';

const html = (body: DirectoryBody) =>
  pageHtml(page(body), { baseUrl: BASE_URL, operations: [], contactEmail: null }).replace(
    /^.*<main>|<\/main>.*$/gs,
    '',
  );
const served = async (query = ''): Promise<DirectoryBody> =>
  (await testApp().get(`/v1/tools${query}`)).json() as Promise<DirectoryBody>;

describe('the page with the whole directory', () => {
  it('has an anchor for each group', () => {
    expect(html(whole)).toContain('<h3 id="e-signature">Electronic signature</h3>');
  });

  it('is served with all listings, each linked once, in groups whose ids are category names', async () => {
    const body = await served();
    const text = html(body);
    expect(text).toMatch(inOrder(`<p>${body.count} `, ` ${body.categories.length} `));
    for (const { id } of body.tools) expect(text.split(`href="/tools/${id}"`), id).toHaveLength(2);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const names = [...text.matchAll(/<h3 id="[^"]+">([^<]+)</g)].map(([, name = '']) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  });
});

describe('the page of one category', () => {
  it('shows the count of a single listing in the singular', () => {
    const single = { ...whole, count: 1, category: 'invoicing', tools: [c] };
    expect(directoryView(single)[0]).toEqual({ heading: 'Invoicing: 1 listing', id: 'invoicing' });
  });

  it('is served with exactly the listings of the API', async () => {
    const body = await served('?category=invoicing');
    expect(body.tools.length).toBeGreaterThan(10);
    const linked = [...html(body).matchAll(/<li><a href="\/tools\/([^"]+)">/g)].map(([, id]) => id);
    expect(linked.toSorted()).toEqual(body.tools.map(({ id }) => id).toSorted());
  });

  it('names a pick before the list: the first choice for most business types, with its reason', () => {
    const place = (id: string, more: object = {}) => ({
      id,
      reason: `Why ${id}.`,
      for: null,
      not_for: null,
      regions: null,
      requires: [],
      ...more,
    });
    const pick = (...shelf: DirectoryBody['shelf']) =>
      pickText({ shelf, tools: shelf.map(({ id }) => ({ id, name: id.toUpperCase() })) });
    expect(pick(place('a'), place('b'))).toBe('Our pick: A. Why a.');
    expect(pick(place('a', { for: ['nonprofit'] }), place('b'))).toBe('Our pick: B. Why b.');
    expect(pick(place('a', { not_for: ['nonprofit', 'retail'] }), place('b'))).toBe('Our pick: A. Why a.');
    expect(pick(place('a', { for: ['creator'] }))).toBe('Our pick: A. Why a.');
    expect(
      pick(
        place('a', { for: ['agency'], reason: 'For agencies.' }),
        place('a', { not_for: ['agency', 'retail'], reason: 'For the others.' }),
        place('b'),
      ),
    ).toMatch(/\bA\. For the others\.$/);
    expect(pick(place('a', { regions: ['US', 'CA'] }), place('b'))).toBe('Our pick: B. Why b.');
    expect(pick(place('a', { regions: ['US', 'CA'] }))).toBe(
      'Our pick: A, if you are in the US or Canada. Why a.',
    );
    expect(pick()).toBeNull();
    expect(markdown(one)).toMatch(/^Our pick: /m);
  });
});

it('each page of the list says which part it shows and where the rest is', () => {
  const cut = { ...whole, count: 13, category: 'e_signature', next_offset: 6 };
  expect(markdown(cut)).toContain(
    '\nShown here: 3 of 13. [Show more](/tools?category=e_signature&limit=3&offset=6)\n',
  );
  expect(markdown({ ...whole, next_offset: 3 })).toContain('(/tools?limit=3&offset=3)');
});

it('hostile text in a directory stays text in HTML and Markdown', () => {
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
