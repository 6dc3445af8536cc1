import { describe, expect, test } from 'vitest';
import type { BusinessType } from '../../src/domain/directory-labels.ts';
import type { StackReport } from '../../src/report/report.ts';
import { type AskedTrade, TRADES, tradeOf, worthPayingFor } from '../../src/trades/trades.ts';
import { asking } from './asking.ts';
import { directoryOf, need, place, reportOf as reportFrom, tool } from './tools.ts';

const { reportOf } = asking({ teamSize: 4, country: 'US' });
const asked = (text: string): AskedTrade => ({ asked: text, match: tradeOf(text) });
const typeOf = (text: string): BusinessType => tradeOf(text)?.trade.business_type ?? 'service';

/** The report for a trade of the table, with the paid tools that it should know. */
const forTrade = (text: string, over: Parameters<typeof reportOf>[0] = {}) =>
  reportOf({
    businessType: typeOf(text),
    trade: asked(text),
    paid: worthPayingFor(tradeOf(text)?.trade ?? null, typeOf(text)),
    ...over,
  });

describe('a trade for which free tools are the wrong answer', () => {
  test('begins its report with this warning, from the team size in the table on, and names the tool to consider', () => {
    for (const trade of TRADES.filter(({ free_is_wrong }) => free_is_wrong !== undefined)) {
      const from = trade.free_is_wrong?.from_team ?? 1;
      const { summary, worth_paying_for } = forTrade(trade.name, { teamSize: from });
      expect([trade.id, summary.free_is_wrong]).toEqual([
        trade.id,
        expect.stringContaining(trade.free_is_wrong?.text ?? ''),
      ]);
      const hasOwn = 'trade_software' in trade.tools;
      const about = trade.free_is_wrong?.need ?? (hasOwn ? 'trade_software' : trade.own_tools_only?.[0]);
      const first = worth_paying_for.find(({ need }) => need === about)?.name;
      if (first !== undefined) expect(summary.free_is_wrong).toContain(`Look at ${first} first`);
      if (from > 1)
        expect(forTrade(trade.name, { teamSize: from - 1 }).summary).not.toHaveProperty('free_is_wrong');
    }
  });
});

describe('a trade that keeps clients’ papers', () => {
  test('is not offered storage in a personal account, and is told where to keep confidential papers', () => {
    for (const { id, name } of TRADES.filter(({ confidential }) => confidential)) {
      const { picks, unmet } = forTrade(name, { needs: ['file_storage'] });
      expect([id, picks.map(({ need: of }) => of)]).not.toEqual([
        id,
        expect.arrayContaining(['file_storage']),
      ]);
      expect(unmet.find(({ need: of }) => of === 'file_storage')?.way_out).toMatch(/\w/);
    }
  });
});

describe('a trade with needs that only its own tools meet', () => {
  test('gets one of its own tools, or what to do instead, but never a general tool', () => {
    for (const trade of TRADES)
      for (const slug of trade.own_tools_only ?? []) {
        const own = (trade.tools[slug] ?? []).map(({ id }) => id);
        const pick = forTrade(trade.name, { country: 'NZ' }).picks.find(({ need: of }) => of === slug);
        if (pick !== undefined) expect(own).toContain(pick.tool.id);
        const names = pick?.alternatives.map(({ id }) => id) ?? [];
        expect([trade.id, names.filter((id) => !own.includes(id))]).toEqual([trade.id, []]);
      }
  });
});

describe('an adviser', () => {
  test('is never sent to an accountant', () => {
    const words = /\b(?:your|an) (?:accountant|bookkeeper|auditor)\b/;
    const countries = ['US', 'GB', 'DE', 'AU', 'IN'];
    const told = (text: string) =>
      countries.filter((country) =>
        words.test(JSON.stringify(forTrade(text, { country }).picks.map(({ caveats }) => caveats))),
      );
    expect(told('bookkeeper')).toEqual([]);
    expect(told('plumber').length).toBeGreaterThan(0);
  });
});

describe('the price of a paid tool', () => {
  const priceIn = (country: string, teamSize: number, id: string, trade: string) =>
    forTrade(trade, { country, teamSize }).worth_paying_for.find((paid) => paid.id === id)?.price;

  test('is the price of the plan that covers the team, with the other limits of that plan', () => {
    // The source names prices of Connect, but not for how many people each is.
    expect(priceIn('US', 2, 'jobber', 'plumber')).toMatch(
      /Connect, up to 5 users: \$139 to \$399; .*; for 2 people price not checked$/,
    );
    expect(priceIn('US', 10, 'housecall-pro', 'plumber')).toMatch(
      /USD 399 a month for 10 people on the plan Max/,
    );
    // A team may have more jobs than the cheapest plan allows.
    expect(priceIn('AU', 4, 'servicem8', 'plumber')).toMatch(/^From USD 29 a month \(US price/);
    expect(forTrade('plumber', { country: 'AU', teamSize: 4 }).worth_paying_for[0]?.why).toContain(
      'The cheapest paid plan has 50 jobs a month.',
    );
    expect(priceIn('GB', 8, 'servicem8', 'cleaner')).toBeUndefined();
  });

  test('comes with the free tools to leave out, if the paid tool covers more than its own need', () => {
    const told = (trade: string) => forTrade(trade, { country: 'US', teamSize: 6 }).does_not_fit[0] ?? '';
    expect(told('cleaner')).toBe(
      'If you choose Jobber, skip Quotes and estimates and Invoicing here: it covers them.',
    );
    expect(told('etsy')).not.toContain('If you take');
  });

  test('begins the later cost, which leaves out the plans that the paid tool replaces', () => {
    const { after_free } = forTrade('plumber', { country: 'AU', teamSize: 6 }).summary;
    expect(after_free.sentence).toMatch(/^ServiceM8: US price: from USD 29 a month\. Other tools: /);
    expect(after_free.not_checked).not.toContain('Square Invoices');
    const podcast = forTrade('podcast', { teamSize: 1 }).summary;
    expect(podcast.after_free.sentence).toMatch(/^Buzzsprout: \$15 a month, paid by the year\. /);
    expect(podcast.subscription_total).toContain('paid by the year');
    expect(forTrade('consultant', { country: 'US', teamSize: 1 }).summary.after_free.sentence).toMatch(
      /^About /,
    );
  });

  test('is that of a tool for a need of the report, if the report begins with the tool', () => {
    for (const trade of TRADES) {
      const { summary, picks, unmet, worth_paying_for } = forTrade(trade.name);
      const [, name] = /choose (.*?)(?: \(| or |\. Until)/.exec(summary.sentence) ?? [];
      const tool = worth_paying_for.find((paid) => paid.name === name);
      const needs = [...picks, ...unmet].map(({ need }) => need);
      if (name !== undefined)
        expect([trade.id, needs]).toEqual([trade.id, expect.arrayContaining([tool?.need])]);
    }
  });

  test('is left out of the warning about free tools if the tool is for another need', () => {
    const { summary } = forTrade('cleaner', { country: 'NL', teamSize: 6 });
    expect(summary.free_is_wrong).toContain('one schedule of who goes to which job');
    expect(summary.free_is_wrong).not.toContain('Look at');
    expect(summary.free_is_wrong).toContain('We have checked none for this country');
  });

  test('is not called unchecked for the country if the caller wants free tools only', () => {
    const { summary } = forTrade('cleaner', { freeOnly: true, teamSize: 6 });
    expect(summary.free_is_wrong).toContain('one schedule of who goes to which job');
    expect(summary.free_is_wrong).not.toContain('We have checked none');
  });

  test('is called a US price for owners elsewhere', () => {
    for (const country of ['AU', 'NZ', 'GB'])
      for (const { price } of forTrade('plumber', { country }).worth_paying_for)
        if (price.includes('USD')) expect([country, price]).toEqual([country, expect.stringContaining('US')]);
  });

  test('does not name plans from other countries', () => {
    for (const country of ['AU', 'IE', 'ZA'])
      for (const trade of ['plumber', 'café', 'lawyer'])
        for (const { price } of forTrade(trade, { country, teamSize: 6 }).worth_paying_for)
          expect([country, trade, price]).toEqual([
            country,
            trade,
            expect.not.stringMatching(/Solopreneur|Simple Start|Early|Core|Connect|on the plan .*US price/),
          ]);
  });

  test('is shown first for the tool that is made for the country and the trade', () => {
    for (const [country, id] of Object.entries({ AU: 'servicem8', NZ: 'servicem8', GB: 'servicem8-uk' }))
      expect(forTrade('plumber', { country }).worth_paying_for[0]?.id).toBe(id);
    expect(forTrade('roofer').worth_paying_for.map(({ id }) => id)).not.toContain('housecall-pro');
  });
});

describe('the page that a quote is from', () => {
  test('is shown with its country if the owner is elsewhere', () => {
    const quoted = place(tool('aa', {}, { source_url: 'https://aa.example/us/pricing' }));
    const page = (country: string | null) =>
      reportFrom(directoryOf(need('invoicing', [quoted])), { country }).picks[0]?.vendor_quote.page_for;
    expect([page('US'), page('GB'), page(null)]).toEqual([undefined, 'US', 'US']);
  });
});

describe('the requirements of a country or a trade', () => {
  test('are stated for every pick, and only for that country or trade', () => {
    const saidIn = ({ summary, caveats }: StackReport) =>
      [summary.first, summary.trap?.text, ...caveats].join(' ');
    const said = (over: Parameters<typeof reportOf>[0]) => saidIn(reportOf(over));
    expect(said({ country: 'AU' })).toContain('Single Touch Payroll');
    expect(said({ country: 'AU', teamSize: 1 })).not.toContain('Single Touch Payroll');
    expect(said({ country: 'GB', businessType: 'nonprofit' })).toContain('Gift Aid');
    expect(said({ country: 'SG' })).toContain('PayNow');
    expect(said({ country: 'MX' })).toContain('CFDI');
    expect(said({ country: 'NG' })).toMatch(/WhatsApp.*bank transfer/);
    expect(said({ country: 'DK' })).toContain('MobilePay');
    expect(saidIn(forTrade('lawyer'))).toContain('trust account');
    expect(saidIn(forTrade('daycare'))).toContain('consent of parents');
    expect(said({})).not.toMatch(/PayNow|CFDI|Gift Aid|trust account/);
  });

  test('begin with a requirement of the trade, first for the country and then in general; duties of all businesses follow', () => {
    const said = (trade: string, country: string) => {
      const { summary, caveats } = forTrade(trade, { country, teamSize: 3 });
      return { trap: summary.trap, rest: caveats.join(' ') };
    };
    expect(said('plumber', 'GB')).toEqual({
      trap: {
        text: expect.stringContaining('Construction Industry Scheme'),
        source_url: 'https://www.gov.uk/what-you-must-do-as-a-cis-subcontractor',
      },
      rest: expect.stringMatching(/call-out fee.*Making Tax Digital/),
    });
    expect(said('plumber', 'GB').rest).not.toContain('Construction Industry Scheme');
    expect(said('hairdresser', 'SE').trap?.text).toContain('personalliggare');
    expect(said('hairdresser', 'GB').trap?.text).toContain('No-shows');
    expect(said('locksmith', 'GB').trap?.text).toContain('night');
    expect(said('locksmith', 'BE')).toMatchObject({
      trap: { text: expect.stringContaining('night') },
      rest: expect.stringContaining('Peppol'),
    });
  });

  test('begin with a requirement of the trade for every trade in every country, and with none if no trade is known', () => {
    for (const { id, name } of TRADES)
      for (const country of [null, 'US', 'DE', 'SE', 'IN'])
        expect([id, country, forTrade(name, { country }).summary.trap?.text]).toEqual([
          id,
          country,
          expect.stringMatching(/^[A-Z“].*[.]$/),
        ]);
    const { summary, caveats } = reportOf({ country: 'SE', teamSize: 1 });
    expect(summary).not.toHaveProperty('trap');
    expect(caveats.join(' ')).toContain('Swish');
  });

  test('do not tell volunteers about wages', () => {
    for (const country of ['NZ', 'AU', 'ZA', 'GB']) {
      const { summary, caveats } = forTrade('sports club', { country, teamSize: 5 });
      expect([summary.trap?.text, ...caveats].join(' ')).not.toMatch(/payday|wages|pay run/i);
    }
  });
});

describe('a business that meets its customers only online', () => {
  const toolsOf = (trade: string, needs: readonly string[]) =>
    forTrade(trade, { country: 'GB', teamSize: 1, needs }).picks.map(({ tool: { id } }) => id);

  test('is not sent to a map service, even if it asks for one', () => {
    for (const trade of ['online maths tutor', 'virtual assistant', 'remote IT support'])
      for (const needs of [[], ['seo_local']])
        expect([trade, toolsOf(trade, needs)]).toEqual([
          trade,
          expect.not.arrayContaining(['google-business-profile']),
        ]);
  });

  test('is distinguished from a business that also meets customers in person', () => {
    for (const trade of ['maths tutor', 'online and in-person tutor', 'bike shop and online store'])
      expect([trade, toolsOf(trade, [])]).toEqual([
        trade,
        expect.arrayContaining(['google-business-profile']),
      ]);
  });
});

describe('the costs after the free plans', () => {
  const then = (over: object) => ({
    text: 'Plus: $6 a month',
    source_url: 'https://price.example',
    plan: 'Plus',
    amount: '6',
    currency: 'USD',
    per: 'account' as const,
    period: 'month' as const,
    source_dated: null,
    ...over,
  });
  const monthly = (over: object, needOver: object = {}) =>
    reportFrom(directoryOf(need('crm', [place(tool('aa', { then: then(over) }))], needOver)), { teamSize: 5 })
      .summary.after_free.monthly;

  test('count a seat for each person if everybody needs a paid seat', () => {
    expect(monthly({ per: 'user' }, { paid_seats: 'staff' })).toEqual([{ currency: 'USD', amount: '30.00' }]);
    expect(monthly({ per: 'user' })).toEqual([{ currency: 'USD', amount: '6.00' }]);
  });

  test('count all units in the first paid plan of a tool that is priced per unit', () => {
    expect(monthly({ times: 4 })).toEqual([{ currency: 'USD', amount: '24.00' }]);
  });
});

describe('a request', () => {
  test('finds each need that it names among the picks or the unmet needs, also one that the trade usually lacks', () => {
    for (const { name, without: needs = [] } of TRADES) {
      const { picks, unmet } = forTrade(name, { needs });
      const met = [...picks, ...unmet].map(({ need }) => need);
      expect([name, met]).toEqual([name, expect.arrayContaining([...needs])]);
    }
  });

  test('for an exempt service is not shown the rules for taxed ones', () => {
    const rules = (text: string, country: string) => forTrade(text, { country }).caveats.join(' ');
    expect(rules('plumber', 'CA')).toContain('CAD 30,000');
    expect(rules('daycare', 'CA')).not.toContain('CAD 30,000');
    expect(rules('daycare', 'CA')).toContain('exempt from GST and HST');
    expect(rules('plumber', 'ZA')).not.toContain('exempt');
  });
});
