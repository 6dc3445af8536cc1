import { describe, expect, test } from 'vitest';
import { type AskedTrade, TRADES, tradeOf, worthPayingFor } from '../../src/trades/trades.ts';
import { directory } from '../support/directory.ts';
import { type Asked, asking, OPEN } from './asking.ts';

const { reportOf, pickFor } = asking({ teamSize: 3, country: 'US' });
const asked = (text: string): AskedTrade => ({ asked: text, match: tradeOf(text) });

/** The picks of a trade's report that are tools of the trade. */
const ownPicks = (trade: (typeof TRADES)[number]) => {
  const reasons = Object.values(trade.tools).flatMap((tools = []) => tools.map(({ reason }) => reason));
  const { picks } = reportOf({ businessType: trade.business_type, trade: asked(trade.name) });
  return picks.filter(({ why }) => reasons.includes(why[0] ?? ''));
};

describe('a report for a trade', () => {
  test('names only tools that are listings with a free plan, under their need', () => {
    for (const { id, tools } of TRADES)
      for (const [need, list = []] of Object.entries(tools))
        for (const tool of list)
          expect([id, need, tool.id, directory.place(need, tool.id)?.tool.id]).toEqual([
            id,
            need,
            tool.id,
            tool.id,
          ]);
  });

  test('says what the trade enters in the first hour, for any tool that meets the need and for the paid tool to start with', () => {
    for (const { id, first_hour = {} } of TRADES)
      for (const [need, lines = []] of Object.entries(first_hour))
        expect([id, directory.need(need).slug, lines]).toEqual([
          id,
          need,
          lines.map(() => expect.stringMatching(/^[A-Z].{10,118}\.$/)),
        ]);
    const nails = asked('nail salon');
    for (const [country, tool] of [
      ['GB', 'square-appointments'],
      ['DE', 'setmore'],
    ] as const) {
      const { getting_started } = reportOf({ businessType: 'service', trade: nails, country, teamSize: 1 });
      expect(getting_started).toContainEqual(
        expect.objectContaining({
          tool,
          first_hour: expect.arrayContaining([expect.stringContaining('removal and repair')]),
        }),
      );
    }
    const { trade } = tradeOf('gym') ?? {};
    const gym = {
      businessType: 'service',
      trade: asked('gym'),
      paid: worthPayingFor(trade ?? null, 'service'),
    };
    expect(reportOf({ ...gym, country: 'DE' } as Asked).summary.first).toMatch(
      /^Start with .* Try it with one member: contract, failed payment/,
    );
  });

  test('has no step without a letter', () => {
    const lines = TRADES.flatMap(({ name, business_type: businessType }) =>
      [1, 3].flatMap((teamSize) =>
        ['GB', 'NZ'].flatMap((country) =>
          reportOf({ businessType, trade: asked(name), country, teamSize }).getting_started.flatMap((step) =>
            'first_hour' in step ? [step.text, ...step.first_hour] : [step.text],
          ),
        ),
      ),
    );
    expect(lines.filter((line) => !/\p{L}/u.test(line))).toEqual([]);
  });

  test('picks at least two tools that are specific to the trade, for at least twenty-five trades', () => {
    const rich = TRADES.filter((trade) => new Set(ownPicks(trade).map(({ tool }) => tool.id)).size > 1);
    expect(rich.length).toBeGreaterThanOrEqual(25);
  });

  test('begins with the needs and tools of the trade', () => {
    for (const trade of TRADES) {
      const { picks } = reportOf({ businessType: trade.business_type, trade: asked(trade.name) });
      const isOfTrade = picks.map(({ need }) => need in trade.tools);
      expect([trade.id, isOfTrade]).toEqual([trade.id, isOfTrade.toSorted((a, b) => Number(b) - Number(a))]);
    }
  });

  test('differs between a nail salon, a tutor and a dog groomer, which have the same business type', () => {
    const [nails, tutor, plain] = ['nail salon', 'tutor', undefined].map((text) => {
      const trade = text === undefined ? undefined : asked(text);
      return reportOf({ businessType: 'service', trade }).picks.map(
        ({ tool, why }) => `${tool.id} ${why[0]}`,
      );
    });
    expect(nails?.[0]).toMatch(/^square-appointments .*chair/);
    expect(tutor?.[0]).toMatch(/^google-meet .*student/);
    expect(new Set([nails, tutor, plain].map((picks) => picks?.join()))).toHaveLength(3);
  });

  test('offers a tool that is free for one person only to a business of one person', () => {
    const booking = (trade: string, teamSize: number) => {
      const businessType = tradeOf(trade)?.trade.business_type ?? 'service';
      const pick = pickFor('scheduling_booking', {
        businessType,
        trade: asked(trade),
        teamSize,
        country: 'NZ',
      });
      return [pick?.tool.id, ...(pick?.alternatives ?? []).map(({ id }) => id)];
    };
    expect(booking('plumber', 1)[0]).toBe('servicem8');
    expect(booking('plumber', 2)).not.toContain('servicem8');
    expect(booking('dog groomer', 1)).toContain('zoho-bookings');
    expect(booking('dog groomer', 2)).not.toContain('zoho-bookings');
  });

  test('gives a photographer a photo editor, and no trade a tool whose free list is too small for its stock', () => {
    const editor = pickFor('photo_video_audio', { trade: asked('wedding photographer') });
    expect([editor?.tool.id, editor?.alternatives.map(({ id }) => id)]).toEqual(['darktable', ['photopea']]);
    const stock = (teamSize: number) =>
      pickFor('inventory', { businessType: 'trades', trade: asked('hvac'), teamSize })?.tool.id;
    expect([1, 4, 18].map((teamSize) => stock(teamSize) === 'sortly')).toEqual([true, false, false]);
  });

  test('accepts the owner’s own words, and says if it used the nearest trade or knows none', () => {
    const of = (text: string) => reportOf({ businessType: 'service', trade: asked(text) });
    expect(of('Nail bar').trade).toEqual({ asked: 'Nail bar', matched: 'Nail salon', how: 'named' });
    expect(of('Nail bar').caveats[0]).not.toContain('trade');
    expect(of('hairdreser')).toMatchObject({
      trade: { matched: 'Hairdresser', how: 'nearest' },
      caveats: expect.arrayContaining([
        expect.stringMatching(/“hairdreser” is not .* closest one: hairdresser/),
      ]),
    });
    expect(of('ventriloquist')).toMatchObject({
      trade: { matched: null, how: 'none' },
      caveats: expect.arrayContaining([expect.stringContaining('do not know the trade “ventriloquist”')]),
    });
    expect(of('ventriloquist').picks).toEqual(reportOf({ businessType: 'service' }).picks);
  });

  test('names the usual business type of the trade if another type was requested', () => {
    const { caveats } = reportOf({ businessType: 'trades', trade: asked('food truck') });
    expect(caveats[0]).toMatch(/list this trade under shops/);
  });

  test('respects the country and the team size, as a report without a trade does', () => {
    const salon = { businessType: 'service', trade: asked('hairdresser') } as const;
    expect(pickFor('scheduling_booking', { ...salon, country: 'AU', teamSize: 6 })?.tool.id).not.toBe(
      'square-appointments',
    );
    for (const country of OPEN)
      for (const { tool } of reportOf({ ...salon, country }).picks) {
        const regions = directory.find(tool.id)?.regions ?? null;
        expect([
          country,
          tool.id,
          regions?.includes('EU') || regions?.includes(country) || regions === null,
        ]).toEqual([country, tool.id, true]);
      }
  });
});

describe('the tool for a trade’s own work', () => {
  const CORE = 'trade_software';
  const { reportOf: of } = asking({ teamSize: 3, country: 'GB' });

  test('has a need of its own, with a name and what to do instead, if no general need covers the work', () => {
    const own = TRADES.filter(({ tools }) => CORE in tools);
    expect(own.length).toBeGreaterThanOrEqual(20);
    for (const { id, need_names, ways_out } of own)
      expect([id, need_names?.[CORE], ways_out?.[CORE]]).toEqual([
        id,
        expect.stringMatching(/^[A-Z]/),
        expect.stringMatching(/^(?:Look for|Begin with) .*\.$/),
      ]);
  });

  test('comes first, and the report does not say that all needs are met if no such tool is free', () => {
    for (const trade of TRADES.filter(({ tools }) => CORE in tools)) {
      const { picks, unmet, summary } = of({ businessType: trade.business_type, trade: asked(trade.name) });
      const name = trade.need_names?.[CORE] ?? '';
      if (picks.some(({ need }) => need === CORE)) {
        expect([trade.id, picks[0]?.need_name]).toEqual([trade.id, name]);
        continue;
      }
      expect([trade.id, unmet[0]]).toMatchObject([
        trade.id,
        { need_name: name, way_out: trade.ways_out?.[CORE] },
      ]);
      expect(summary.sentence).toContain(name);
    }
  });

  test('is not picked for an unknown trade, and the report says so', () => {
    expect(of({ trade: asked('ventriloquist') }).summary.sentence).toContain('We do not know this trade');
    expect(of({}).summary.sentence).not.toContain('this trade');
  });

  test('differs for a food bank, an animal rescue, a museum and a club', () => {
    const names = ['food bank', 'animal rescue', 'museum', 'football club'].map((text) => {
      const { picks, unmet } = of({ businessType: 'nonprofit', trade: asked(text) });
      return [...unmet, ...picks].map(({ need_name }) => need_name).join();
    });
    expect(new Set(names)).toHaveLength(4);
  });
});
