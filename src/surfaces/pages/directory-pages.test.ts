import { describe, expect, it } from 'vitest';
import { BASE_URL, catalog, testApp } from '../../../test/support/app.ts';
import { directory } from '../../../test/support/directory.ts';
import { inOrder } from '../../../test/support/facts.ts';
import { siteOf } from '../../../test/support/site.ts';
import { release } from '../../platform/release.ts';
import { directoryPages } from './directory-pages.tsx';
import { pageHtml } from './html.tsx';
import { pageMarkdown } from './markdown.ts';

const { site } = siteOf();
const pages = directoryPages(site);
const pageAt = (path: string, from = pages) => {
  const found = from.find((source) => source.path === path);
  if (found === undefined) throw new Error(`There is no page ${path}`);
  return found;
};
const crumb = (position: number, name: string, path: string) => ({
  '@type': 'ListItem',
  position,
  name,
  item: `https://calc.example${path}`,
});
const above = [
  crumb(1, 'Small-Business Calculator', '/'),
  crumb(2, 'Free tools for small businesses', '/tools'),
];

describe('the pages of the directory', () => {
  it('include the methodology, categories, listings and tools without a free plan, each at its own address', async () => {
    const { tools, also_known, categories } = (await (
      await testApp().get('/v1/tools?include_paid=true')
    ).json()) as {
      tools: { id: string }[];
      also_known: { id: string }[];
      categories: { slug: string }[];
    };
    expect(also_known.length).toBeGreaterThan(20);
    const paths = pages.map(({ path }) => path);
    expect(paths).toEqual([
      '/tools/how-checked',
      ...categories.map(({ slug }) => `/tools/category/${slug.replaceAll('_', '-')}`),
      ...[...tools, ...also_known].map(({ id }) => `/tools/${id}`),
    ]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).not.toContain('/tools');
    for (const path of paths) expect(path).toMatch(/^\/tools\/(?:category\/)?[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });

  it('have their own addresses, titles, one-sentence descriptions and days of the latest change', () => {
    const made = pages.map(({ changedOn, page }) => ({ changedOn, ...page() }));
    for (const [index, { path, title, description, changedOn }] of made.entries()) {
      expect(path).toBe(pages[index]?.path);
      expect(changedOn, path).toMatch(
        path === '/tools/how-checked' ? new RegExp(release.day) : /^\d{4}-\d{2}-\d{2}$/,
      );
      expect(title.length, path).toBeGreaterThan(1);
      expect(description, path).toMatch(/^[^\n]{20,200}\.$/);
    }
    expect(new Set(made.map(({ title }) => title)).size).toBe(pages.length);
  });

  it('link within this site only to each other, the directory and its API', () => {
    const known = new Set(pages.map(({ path }) => path));
    for (const { page } of pages) {
      const text = pageMarkdown(page(), '');
      for (const [, href = ''] of text.matchAll(/\]\((\/[^)#?]*)/g))
        expect(known.has(href) || href === '/tools' || href.startsWith('/v1/tools/'), href).toBe(true);
    }
  });

  it('are rendered one at a time: a listing page loads only its listing', () => {
    const { site: fresh, asked } = siteOf();
    const sources = directoryPages(fresh);
    expect(asked).toEqual([{ include_paid: true }]);
    const { page } = pageAt('/tools/zulip', sources);
    expect(page()).toBe(page());
    pageAt('/tools/category/e-signature', sources).page();
    expect(asked).toEqual([
      { include_paid: true },
      { id: 'zulip' },
      { category: 'e_signature', include_paid: true },
    ]);
  });

  it('do not exist without a directory', () => {
    const others = catalog.filter(({ name }) => name !== 'list_tools');
    expect(directoryPages(siteOf({ operations: others }).site)).toEqual([]);
  });
});

describe('the page of a category', () => {
  it('names its tools for people and for programs', () => {
    const { title, description, data, blocks } = pageAt('/tools/category/link-in-bio').page();
    const count = directory.byCategory('link_in_bio').length;
    expect(title).toBe('Link in bio: free tools');
    expect(description).toMatch(inOrder('Link in bio: ', String(count)));
    expect(blocks[0]).toEqual({ text: [{ link: 'Free tools for small businesses', href: '/tools' }] });
    expect(blocks[1]).toEqual({ heading: `Link in bio: ${count} listings`, id: 'link-in-bio' });
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'BreadcrumbList',
          itemListElement: [...above, crumb(3, 'Link in bio', '/tools/category/link-in-bio')],
        },
        { '@type': 'ItemList', numberOfItems: count },
      ],
    });
  });
});

it('every page of a category lists each tool in one row, as HTML and as Markdown', () => {
  const categories = pages.filter(({ path }) => path.startsWith('/tools/category/'));
  expect(categories.length).toBeGreaterThan(30);
  for (const { path, page, html } of categories) {
    const rows = [...(html?.() ?? '').matchAll(/<h3><a href="\/tools\/([^"]+)"/g)].map(([, id]) => id);
    const lines = [...pageMarkdown(page(), '').matchAll(/^(?:\d+\.|-) \[[^\]]*\]\(\/tools\/([^)]+)\)/gm)];
    const listed = lines.map(([, id]) => id);
    expect([path, rows.length]).toEqual([path, new Set(rows).size]);
    expect([path, listed.length]).toEqual([path, new Set(listed).size]);
    // The page for people lists the well-known tools below its rows.
    expect([path, listed.slice(0, rows.length)]).toEqual([path, rows]);
    expect(rows.length).toBeGreaterThan(0);
  }
});

describe('the page of a listing', () => {
  it('names its category, its other categories and only known facts', () => {
    const { title, description, data, blocks } = pageAt('/tools/zulip').page();
    expect(title).toBe('Zulip');
    expect(description).toMatch(/\bZulip\b.* \d+ \w+ \d{4}\.$/);
    expect(blocks[0]).toEqual({
      text: [
        { link: 'Free tools for small businesses', href: '/tools' },
        ' › ',
        { link: 'Team chat', href: '/tools/category/team-chat' },
        ', also in ',
        { link: 'Community and memberships', href: '/tools/category/community-membership' },
      ],
    });
    expect(data).toEqual({
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            ...above,
            crumb(3, 'Team chat', '/tools/category/team-chat'),
            crumb(4, 'Zulip', '/tools/zulip'),
          ],
        },
        {
          '@type': 'SoftwareApplication',
          name: 'Zulip',
          url: 'https://zulip.com',
          applicationCategory: 'Team chat',
        },
      ],
    });
  });

  it.each(['score-mentoring', 'common-paper-nda'])(
    'does not call the listing software if it is something else: %s',
    (id) => {
      expect(JSON.stringify(pageAt(`/tools/${id}`).page().data)).not.toContain('SoftwareApplication');
    },
  );

  it('cannot be broken by the data in its script element', () => {
    const named = (body: unknown) => ({ ...(body as object), name: '</script><script>alert(1)' });
    const hostile = directoryPages({
      ...site,
      ask: (operation, values) =>
        operation.name === 'tool' ? named(site.ask(operation, values)) : site.ask(operation, values),
    });
    const html = pageHtml(pageAt('/tools/zulip', hostile).page(), {
      baseUrl: BASE_URL,
      operations: [],
      contactEmail: null,
    });
    expect(html.match(/<script/g)).toEqual(['<script']);
    expect(html).toContain('<h1>&lt;/script>&lt;script>alert(1)</h1>');
  });
});

describe('the page about how listings are checked', () => {
  const text = (contactEmail: string | null) =>
    pageMarkdown(
      pageAt('/tools/how-checked', directoryPages(siteOf({ contactEmail }).site)).page(),
      BASE_URL,
    );

  it('explains what the days and grades mean, and what they do not mean', () => {
    expect(text(null).match(/^- (?:Strong|Fair|Thin): /gm)).toHaveLength(3);
    expect(text(null)).toMatch(/\bgrade does not affect the order\b/);
  });

  it('says where to report an error', () => {
    expect(text(null)).toMatch(/\nContact: [^[\n]*\boperator\b/);
    expect(text('help@calc.example')).toContain('\nContact: [help@calc.example](mailto:help@calc.example)\n');
  });
});
