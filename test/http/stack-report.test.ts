import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import { buildDirectory } from '../../src/directory/directory.ts';
import stackReport from '../../src/operations/stack-report.ts';
import { proves } from '../spec/clauses.ts';
import { catalog, fakePayment, scriptedSettlement, testApp } from '../support/app.ts';
import { categories, shelves } from '../support/directory.ts';

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
      const types = 'service trades retail online_store creator consultant agency nonprofit'.split(' ');
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
    proves(
      '2.5-report',
      'names one tool for each need with its quote, source, check date, alternatives and caveats',
    ),
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
      'adds needs by slug or alias, and respects team_size and free_only',
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

  it('also returns the document as text, and either form is the same purchase', async () => {
    const path = '/v1/stack-report?business_type=trades&team_size=4';
    const json = await (await pay(path, '3')).json();
    expect(json).not.toHaveProperty('markdown');
    const response = await pay(`${path}&format=markdown`, '3');
    expect(response.status).toBe(200);
    const { markdown, ...rest } = (await response.json()) as { markdown: string };
    expect(rest).toEqual(json);
    expect(markdown).toMatch(/^## Software plan\n[\s\S]*\nFor trades: \d+ free tools meet /);
    for (const { tool, vendor_quote } of (
      rest as { picks: { tool: { name: string }; vendor_quote: { source_url: string } }[] }
    ).picks) {
      expect(markdown).toContain(tool.name);
      expect(markdown).toContain(new URL(vendor_quote.source_url).href);
    }
  });

  it('answers each request in its own form if both forms are requested at once', async () => {
    const path = '/v1/stack-report?business_type=retail';
    const [text, json] = await Promise.all([pay(`${path}&format=markdown`, '4'), pay(path, '4')]);
    expect([text.status, json.status]).toEqual([200, 200]);
    expect(await text.json()).toHaveProperty('markdown');
    expect(await json.json()).not.toHaveProperty('markdown');
  });

  it('chooses tools for a country, and refuses an unknown country before it states a price', async () => {
    const response = await pay('/v1/stack-report?business_type=service&country=in', '5');
    expect(await response.json()).toMatchObject({ country: 'IN' });
    const wrong = await app.get('/v1/stack-report?business_type=service&country=UK');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ errors: [{ pointer: '/country', hint: 'did you mean GB?' }] });
  });

  it('refuses unknown needs, each with the nearest known need as a hint, before it states a price', async () => {
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
      'answers 409 analysis_failed, and states no price, if no checked listing qualifies',
    ),
    async () => {
      const empty = stackReport(buildDirectory([], categories, shelves));
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
