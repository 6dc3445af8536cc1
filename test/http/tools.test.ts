import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { testApp } from '../support/app.ts';

type Tools = {
  count: number;
  category: string | null;
  country: string | null;
  shelf: { id: string; reason: string }[];
  next_offset: number | null;
  also_known?: { id: string; pricing: 'paid' | 'not_checked' }[];
  categories: { slug: string; count: number }[];
  tools: {
    id: string;
    categories: string[];
    regions: string[] | null;
    check: { quote: string; checked_on: string };
  }[];
};
const read = async (response: Response) => (await response.json()) as Tools;

describe('GET /v1/tools', () => {
  const app = testApp();

  it(proves('4-tools', 'returns the whole directory and its categories for free'), async () => {
    const response = await app.get('/v1/tools');
    expect(response.status).toBe(200);
    const body = await read(response);
    expect(body.category).toBeNull();
    expect(body.count).toBeGreaterThan(200);
    expect(body.tools).toHaveLength(body.count);
    expect(body.next_offset).toBeNull();
    for (const { check } of body.tools)
      expect([check.quote.length > 19, check.checked_on]).toEqual([
        true,
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      ]);
  });

  it(proves('2.4-category', 'filters by slug or alias, with hyphens and in any letter case'), async () => {
    const bodies = await Promise.all(
      ['e_signature', 'e-signature', 'ESIGN'].map(async (word) =>
        read(await app.get(`/v1/tools?category=${word}`)),
      ),
    );
    for (const body of bodies) {
      expect(body.category).toBe('e_signature');
      expect(body.count).toBeGreaterThan(2);
      for (const tool of body.tools) expect(tool.categories).toContain('e_signature');
    }
  });

  it('includes tools without a free plan only on request', async () => {
    const plain = await read(await app.get('/v1/tools'));
    const { also_known, ...rest } = await read(await app.get('/v1/tools?include_paid=true'));
    expect(plain).not.toHaveProperty('also_known');
    expect(rest).toEqual(plain);
    const ids = plain.tools.map(({ id }) => id);
    for (const { id, pricing } of also_known ?? []) {
      expect(ids).not.toContain(id);
      expect((await read(await app.get(`/v1/tools/${id}`))) as unknown).toMatchObject({ id, pricing });
    }
  });

  it('returns a category in the editor’s order, with the reason for each place', async () => {
    const body = await read(await app.get('/v1/tools?category=scheduling_booking'));
    const places = [...new Set(body.shelf.map(({ id }) => id))];
    expect(body.tools.slice(0, places.length).map(({ id }) => id)).toEqual(places);
    expect(body.shelf[0]?.reason).toMatch(/\.$/);
    expect((await read(await app.get('/v1/tools'))).shelf).toEqual([]);
  });

  it('excludes tools that do not serve a country, and accepts a code in any letter case', async () => {
    const all = await read(await app.get('/v1/tools'));
    const india = await read(await app.get('/v1/tools?country=in'));
    expect([all.country, india.country]).toEqual([null, 'IN']);
    const out = all.tools.filter(({ regions }) => regions !== null && !regions.includes('IN'));
    expect(out.length).toBeGreaterThan(0);
    expect(india.count).toBe(all.count - out.length);
    const germany = await read(await app.get('/v1/tools?country=DE'));
    const european = all.tools.filter(({ regions }) => regions?.includes('EU'));
    expect(germany.tools.map(({ id }) => id)).toEqual(expect.arrayContaining(european.map(({ id }) => id)));
  });

  it('answers UK with the hint that the code is GB', async () => {
    const response = await app.get('/v1/tools?country=UK');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '/country', code: 'invalid_country', hint: 'did you mean GB?' }],
    });
  });

  it('refuses an unknown category, with the nearest known category as a hint', async () => {
    const response = await app.get('/v1/tools?category=invoiceing');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [
        { pointer: '/category', code: 'unknown_category', hint: expect.stringContaining('invoicing') },
      ],
    });
  });

  it('returns pages that neither skip nor repeat a listing', async () => {
    const whole = await read(await app.get('/v1/tools'));
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Tools = await read(await app.get(`/v1/tools?limit=50&offset=${offset}`));
      seen.push(...page.tools.map(({ id }) => id));
      offset = page.next_offset;
    }
    expect(seen).toEqual(whole.tools.map(({ id }) => id));
  });

  it('is cacheable: the same validator for the same query, 304 for a cached version, compressed if the client accepts it', async () => {
    const first = await app.get('/v1/tools');
    const etag = first.headers.get('etag') as string;
    expect(first.headers.get('cache-control')).toBe('private, max-age=300');
    const held = await app.get('/v1/tools', { 'if-none-match': etag });
    expect([held.status, await held.text()]).toEqual([304, '']);
    const text = await first.text();
    for (const [accepted, coding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['br, gzip', 'br', brotliDecompressSync],
    ] as const) {
      const zipped = await app.get('/v1/tools', { 'accept-encoding': accepted });
      expect(zipped.headers.get('content-encoding')).toBe(coding);
      expect(decode(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(text);
      const same = { 'accept-encoding': accepted, 'if-none-match': zipped.headers.get('etag') as string };
      expect((await app.get('/v1/tools', same)).status).toBe(304);
    }
    const unzipped = await app.get('/v1/tools', { 'accept-encoding': 'gzip;q=0' });
    expect(unzipped.headers.get('content-encoding')).toBeNull();
  });

  it(proves('7-404', 'returns one listing by its id, and 404 for an unknown id'), async () => {
    const [first] = (await read(await app.get('/v1/tools?limit=1'))).tools;
    const one = await app.get(`/v1/tools/${first?.id}`);
    expect(one.status).toBe(200);
    expect(await one.json()).toEqual(first);
    const none = await app.get('/v1/tools/no-such-tool');
    expect(none.status).toBe(404);
    expect(await none.json()).toMatchObject({ code: 'not_found', charged: false });
  });
});
