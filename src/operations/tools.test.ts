import { describe, expect, it } from 'vitest';
import { proves } from '../../test/spec/clauses.ts';
import { catalog, fakePayment, scriptedSettlement, testApp } from '../../test/support/app.ts';
import type { Operation } from '../catalog/operation.ts';

type Tools = {
  count: number;
  category: string | null;
  country: string | null;
  shelf: { id: string; reason: string }[];
  next_offset: number | null;
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

  it(proves('4-tools', 'gives the whole directory and its categories for nothing'), async () => {
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

  it(proves('2.4-category', 'filters by slug, alias, hyphens and any letter case'), async () => {
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

  it('gives a category in the editor’s order, with the reason for each place', async () => {
    const body = await read(await app.get('/v1/tools?category=scheduling_booking'));
    const places = [...new Set(body.shelf.map(({ id }) => id))];
    expect(body.tools.slice(0, places.length).map(({ id }) => id)).toEqual(places);
    expect(body.shelf[0]?.reason).toMatch(/\.$/);
    expect((await read(await app.get('/v1/tools'))).shelf).toEqual([]);
  });

  it('leaves out what does not serve a country, and takes a code in any letter case', async () => {
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

  it('tells who writes UK that the code is GB', async () => {
    const response = await app.get('/v1/tools?country=UK');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ pointer: '/country', code: 'invalid_country', hint: 'did you mean GB?' }],
    });
  });

  it('refuses an unknown category with the nearest one', async () => {
    const response = await app.get('/v1/tools?category=invoiceing');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [
        { pointer: '/category', code: 'unknown_category', hint: expect.stringContaining('invoicing') },
      ],
    });
  });

  it('pages without losing or repeating a listing', async () => {
    const whole = await read(await app.get('/v1/tools'));
    const seen: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Tools = await read(await app.get(`/v1/tools?limit=50&offset=${offset}`));
      seen.push(...page.tools.map(({ id }) => id));
      offset = page.next_offset;
    }
    expect(seen).toEqual(whole.tools.map(({ id }) => id));
  });

  it('is cacheable: the same validator for the same question, 304 for who holds it, gzip for who reads it', async () => {
    const first = await app.get('/v1/tools');
    const etag = first.headers.get('etag') as string;
    expect(first.headers.get('cache-control')).toBe('private, max-age=300');
    const held = await app.get('/v1/tools', { 'if-none-match': etag });
    expect([held.status, await held.text()]).toEqual([304, '']);
    const zipped = await app.get('/v1/tools', { 'accept-encoding': 'br, gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    const { gunzipSync } = await import('node:zlib');
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(await first.text());
    const unzipped = await app.get('/v1/tools', { 'accept-encoding': 'gzip;q=0' });
    expect(unzipped.headers.get('content-encoding')).toBeNull();
  });

  it(proves('7-404', 'gives one listing by its id, and 404 for an unknown one'), async () => {
    const [first] = (await read(await app.get('/v1/tools?limit=1'))).tools;
    const one = await app.get(`/v1/tools/${first?.id}`);
    expect(one.status).toBe(200);
    expect(await one.json()).toEqual(first);
    const none = await app.get('/v1/tools/no-such-tool');
    expect(none.status).toBe(404);
    expect(await none.json()).toMatchObject({ code: 'not_found', charged: false });
  });
});

describe('GET /v1/stack-report', () => {
  const settled = {
    state: 'settled',
    transaction: `0x${'ab'.repeat(32)}`,
    payer: '0x00000000000000000000000000000000000000bb',
  } as const;
  const app = testApp({ end: () => settled });
  const pay = (path: string, nonce: string) =>
    app.get(path, { 'payment-signature': fakePayment({ value: '1000000', nonce }) });

  it(
    proves(['4-stack-report', '2.3-business-type'], 'costs one dollar for each of the eight business types'),
    async () => {
      const types = [
        'service',
        'trades',
        'retail',
        'online_store',
        'creator',
        'consultant',
        'agency',
        'nonprofit',
      ];
      for (const type of types) {
        const response = await app.get(`/v1/stack-report?business_type=${type}`);
        expect(response.status).toBe(402);
        expect(await response.json()).toMatchObject({ price_usd: '1.00', accepts: [{ amount: '1000000' }] });
      }
      expect((await app.get('/v1/stack-report')).status).toBe(400);
      expect((await app.get('/v1/stack-report?business_type=bakery')).status).toBe(400);
    },
  );

  it(
    proves('2.5-report', 'names one tool per need with quote, source, check date, alternatives and caveats'),
    async () => {
      const response = await pay('/v1/stack-report?business_type=retail', '1');
      expect(response.status).toBe(200);
      const report = (await response.json()) as {
        picks: {
          need: string;
          vendor_quote: { text: string; checked_on: string; source_url: string };
          alternatives: unknown[];
        }[];
        unmet: unknown[];
      };
      expect(report.picks.map(({ need }) => need)).toContain('point_of_sale');
      for (const { vendor_quote: quote } of report.picks) {
        expect(quote.text.length).toBeGreaterThan(10);
        expect(quote.checked_on).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(quote.source_url).toMatch(/^https:/);
      }
    },
  );

  it(
    proves(
      ['2.3-needs', '2.3-team-size', '2.3-free-only'],
      'adds needs by slug or alias, and heeds team size and free_only',
    ),
    async () => {
      const path = '/v1/stack-report?business_type=consultant&needs=backup,esign&team_size=25&free_only=true';
      const response = await pay(path, '2');
      const report = (await response.json()) as {
        picks: { need: string; why: string[]; vendor_quote: { proof: string } }[];
        unmet: { need: string }[];
      };
      const needs = [...report.picks, ...report.unmet].map(({ need }) => need);
      expect(needs).toEqual(expect.arrayContaining(['backup', 'e_signature']));
      for (const { why, vendor_quote } of report.picks) {
        expect(why.length).toBeGreaterThan(0);
        expect(vendor_quote.proof).not.toBe('thin');
      }
    },
  );

  it('gives the document as text too, and either form collects the same purchase', async () => {
    const path = '/v1/stack-report?business_type=trades&team_size=4';
    const json = await (await pay(path, '3')).json();
    expect(json).not.toHaveProperty('markdown');
    const response = await pay(`${path}&format=markdown`, '3');
    expect(response.status).toBe(200);
    const { markdown, ...rest } = (await response.json()) as { markdown: string };
    expect(rest).toEqual(json);
    expect(markdown).toMatch(/^For trades: \d+ free tools meet /);
    for (const { tool, vendor_quote } of (
      rest as { picks: { tool: { name: string }; vendor_quote: { source_url: string } }[] }
    ).picks) {
      expect(markdown).toContain(tool.name);
      expect(markdown).toContain(new URL(vendor_quote.source_url).href);
    }
  });

  it('asked for in both forms at once, answers each in its own', async () => {
    const path = '/v1/stack-report?business_type=retail';
    const [text, json] = await Promise.all([pay(`${path}&format=markdown`, '4'), pay(path, '4')]);
    expect([text.status, json.status]).toEqual([200, 200]);
    expect(await text.json()).toHaveProperty('markdown');
    expect(await json.json()).not.toHaveProperty('markdown');
  });

  it('chooses for a country, and refuses what is none before any price', async () => {
    const response = await pay('/v1/stack-report?business_type=service&country=in', '5');
    expect(await response.json()).toMatchObject({ country: 'IN' });
    const wrong = await app.get('/v1/stack-report?business_type=service&country=UK');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ errors: [{ pointer: '/country', hint: 'did you mean GB?' }] });
  });

  it('refuses unknown needs, each with the nearest, before any price', async () => {
    const response = await app.get(
      '/v1/stack-report?business_type=agency&needs=backupp,xyzzy&team_size=0&free_only=maybe',
    );
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { pointer: string; hint?: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/team_size',
      '/free_only',
      '/needs/0',
      '/needs/1',
    ]);
    expect(errors[2]?.hint).toContain('backup');
  });

  it(
    proves(
      ['3-analysis-failed'],
      'answers 409 analysis_failed, and names no price, when no checked listing qualifies',
    ),
    async () => {
      const { buildDirectory } = await import('../directory/directory.ts');
      const { readServed, servedFolder } = await import('../directory/data.ts');
      const { default: stackReport } = await import('./stack-report.ts');
      const { categories, shelves } = readServed(servedFolder());
      const empty = stackReport(buildDirectory([], JSON.parse(categories.text), JSON.parse(shelves.text)));
      const operations = catalog.map(
        (operation): Operation =>
          operation.name === 'small_business_stack_report'
            ? {
                ...operation,
                run: (input, context) =>
                  isNonprofit(input) ? empty.run(input as never, context) : operation.run(input, context),
              }
            : operation,
      );
      const { orders, settlement } = scriptedSettlement(() => settled);
      const bare = testApp({ operations, settlement });
      const path = '/v1/stack-report?business_type=nonprofit';
      const header = { 'payment-signature': fakePayment({ value: '1000000' }) };
      for (const response of [await bare.get(path), await bare.get(path, header)]) {
        expect(response.status).toBe(409);
        expect(response.headers.get('payment-required')).toBeNull();
        expect(await response.json()).toMatchObject({
          code: 'analysis_failed',
          state: 'analysis_failed',
          charged: false,
        });
      }
      expect(orders).toEqual([]);
    },
  );
});

const isNonprofit = (input: unknown): boolean =>
  (input as { business_type: string }).business_type === 'nonprofit';
