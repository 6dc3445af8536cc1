import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { reportView } from '../../src/surfaces/pages/documents/report.ts';
import { blocksMarkdown } from '../../src/surfaces/pages/markdown.ts';
import { type AskedTrade, type PaidTool, TRADES, tradeOf, worthPayingFor } from '../../src/trades/trades.ts';
import { directory, shelves } from '../support/directory.ts';
import { asking, OPEN } from './asking.ts';
import { directoryOf, need, place, reportOf as reportFrom, tool } from './tools.ts';

const { reportOf } = asking();
const asked = (text: string): AskedTrade => ({ asked: text, match: tradeOf(text) });

describe('the plan of a report', () => {
  test('has one part for each tool, with all of its needs', () => {
    for (const businessType of BUSINESS_TYPES) {
      const report = reportOf({ businessType, teamSize: 4 });
      const tools = report.getting_started.flatMap((step) => ('tool' in step ? [step.tool] : []));
      expect(tools).toEqual([...new Set(tools)]);
      expect(tools.toSorted()).toEqual([...new Set(report.picks.map((pick) => pick.tool.id))].toSorted());
    }
  });

  const kinds = [
    ...BUSINESS_TYPES.map((businessType) => ({ businessType, trade: undefined })),
    ...TRADES.map(({ name, business_type }) => ({ businessType: business_type, trade: asked(name) })),
  ];
  const tooLong = (some: typeof kinds, countries: readonly (string | null)[], teams: readonly number[]) =>
    some.flatMap(({ businessType, trade }) =>
      countries.flatMap((country) =>
        teams.flatMap((teamSize) => {
          const known = TRADES.find(({ name }) => name === trade?.match?.trade.name) ?? null;
          const paid = worthPayingFor(known, businessType);
          const report = reportOf({ businessType, trade, country, teamSize, paid });
          const bytes = Buffer.byteLength(blocksMarkdown(reportView(report), 'https://calc.example'));
          return bytes > 12_288
            ? [`${trade?.asked ?? businessType} of ${teamSize} in ${country}: ${bytes}`]
            : [];
        }),
      ),
    );

  test('has at most 12,288 bytes of Markdown for every trade and kind of business', () => {
    expect(tooLong(kinds, [null, 'US', 'GB', 'DE'], [1, 5, 12])).toEqual([]);
  }, 180_000);

  test('has at most 12,288 bytes of Markdown in every country', () => {
    expect(tooLong(kinds.slice(0, BUSINESS_TYPES.length), OPEN, [5])).toEqual([]);
  }, 180_000);

  test('does not repeat sentences or contain internal notes', () => {
    for (const trade of TRADES) {
      const report = reportOf({
        businessType: trade.business_type,
        trade: asked(trade.name),
        paid: worthPayingFor(trade, trade.business_type),
        teamSize: 3,
        country: 'US',
      });
      const lines = reportView(report)
        .flatMap((block) => ('list' in block ? block.list : []))
        .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
        .filter((line) => line.length > 40 && !/^\["(?:Free now|Then|Leaving): /.test(line));
      expect([trade.id, lines.filter((line, at) => lines.indexOf(line) !== at)]).toEqual([trade.id, []]);
      expect(JSON.stringify(report)).not.toMatch(/vendor words|words of the vendor|shelf/i);
    }
  });

  test('has two or three things to do in the first hour for every need', () => {
    for (const [slug, { first_hour }] of Object.entries(shelves.needs))
      for (const line of first_hour)
        expect([slug, line]).toEqual([slug, expect.stringMatching(/^[A-Z].*\.$/)]);
  });

  test('adds up the monthly price of the next plans for this team, counting each plan of a vendor once', () => {
    const paid = (id: string, amount: string, over: object) =>
      place(
        tool(id, {
          vendor: id.startsWith('square') ? 'Square' : `${id} Ltd`,
          then: {
            text: `${amount} dollars`,
            source_url: 'https://price.example',
            plan: 'Plus',
            amount,
            currency: 'USD',
            per: 'account',
            period: 'month',
            source_dated: null,
            ...over,
          },
        }),
      );
    const needs = [
      need('invoicing', [paid('square-a', '49', { per: 'location' })]),
      need('crm', [paid('square-b', '49', { per: 'location' })]),
      need('stock', [paid('square-c', '29', { per: 'location' })]),
      need('chat', [paid('talk', '8.75', { per: 'user' })], { seats: 'staff' }),
      need('forms', [paid('ask', '120', { period: 'year' })]),
      need('notes', [place(tool('quiet'))]),
      need('books', [place(tool('open', { pricing: 'open_source', licence: 'MIT' }))]),
    ];
    const report = reportFrom(directoryOf(...needs), { teamSize: 4 });
    expect(report.summary.after_free).toEqual({
      // This is 49 for two tools on one plan, 29 for a plan of the same name, 4 x 8.75, and 120 / 12.
      monthly: [{ currency: 'USD', amount: '123.00' }],
      not_checked: ['QUIET'],
      sentence: expect.stringMatching(
        /USD 123\.00 a month for 4 people.*Billed yearly[^.]*ASK.*price for 4 people: QUIET/,
      ),
    });
    const later = Object.fromEntries(
      report.getting_started.flatMap((step) => ('tool' in step ? [[step.tool, step.monthly_later]] : [])),
    );
    expect(later).toMatchObject({ talk: 'USD 35.00 a month', quiet: 'price not checked', open: null });
  });

  test('says how to handle two separate lists, unless one vendor has both lists', () => {
    const both = (vendor: string) =>
      reportFrom(
        {
          ...directoryOf(need('till', [place(tool('aa', { vendor }))]), need('shop', [place(tool('bb'))])),
          gaps: [{ needs: ['till', 'shop'], text: '{a} and {b} do not share stock.' }],
        },
        { teamSize: 2 },
      ).does_not_fit;
    expect(both('aa Ltd')).toEqual(['AA and BB do not share stock.']);
    expect(both('bb Ltd')).toEqual([]);
  });
});

describe('the list of tools worth paying for', () => {
  const paidFor = (text: string, over: object = {}) => {
    const trade = asked(text);
    const type = trade.match?.trade.business_type ?? 'service';
    const known = TRADES.find(({ name }) => name === trade.match?.trade.name) ?? null;
    return reportOf({
      businessType: type,
      trade,
      paid: worthPayingFor(known, type),
      teamSize: 4,
      country: 'US',
      ...over,
    }).worth_paying_for.map(({ name }) => name);
  };

  test('depends on the trade, the country and the team size', () => {
    expect(paidFor('nail salon')).toContain('Fresha');
    expect(paidFor('law office')).toContain('Clio');
    expect(paidFor('hvac')).toContain('Jobber');
    expect(paidFor('hvac', { teamSize: 1 })).not.toContain('Jobber');
    expect(paidFor('pest control', { country: 'AU' })).not.toContain('Housecall Pro');
    expect(paidFor('restaurant', { country: 'DE', teamSize: 9 })).not.toContain('Toast');
  });

  test('is empty if only free tools were requested', () => {
    for (const { name } of TRADES) expect(paidFor(name, { freeOnly: true })).toEqual([]);
  });

  test('says that the age of the page is unknown if a price has no date', () => {
    const one: PaidTool = { id: 'x', name: 'X', homepage: 'https://x.example', need: 'crm', why: 'Because.' };
    const price = (amount: string | null, source_dated: string | null) => ({
      ...{ text: '$9 a month', source_url: 'https://x.example/p', plan: null, currency: 'USD' },
      ...({ per: 'user', period: 'month', amount, source_dated } as const),
    });
    const said = (of: ReturnType<typeof price> | null) =>
      reportFrom(
        {
          ...directoryOf(need('crm', [place(tool('aa'))])),
          find: () =>
            of && { ...tool('x', { then: of, caveats: [] }), proof: 'strong', seats_unlimited: false },
        },
        { paid: [one] },
      ).worth_paying_for[0];
    expect(said(null)).toMatchObject({ price: 'price not checked' });
    expect(said(price('9', null))).toMatchObject({ price: '$9 a month (page of unknown age)' });
    expect(said(price(null, '2026-09-01'))).toMatchObject({ price: '$9 a month' });
    expect(said(price('9', '2026-09-01'))).toMatchObject({
      price: '$9 a month',
      source_url: 'https://x.example/p',
    });
  });

  test('names a need of the directory in every entry, and no tool that is a pick of the same report', () => {
    for (const trade of TRADES) {
      const names = paidFor(trade.name);
      const picks = reportOf({
        businessType: trade.business_type,
        trade: asked(trade.name),
        country: 'US',
      }).picks;
      expect(picks.filter(({ tool: { name } }) => names.includes(name))).toEqual([]);
      for (const paid of worthPayingFor(trade, trade.business_type))
        expect(directory.need(paid.need).slug).toBe(paid.need);
    }
  });
});
