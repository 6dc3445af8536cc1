import { describe, expect, test } from 'vitest';
import { directoryOf, need, picksOf, place, reportOf, tool } from '../../test/directory/tools.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';

const [aa, bb, cc, dd] = ['aa', 'bb', 'cc', 'dd'].map((id) => place(tool(id)));
if (!aa || !bb || !cc || !dd) throw new Error('four places');
const both = (id: string) => place(tool(id, { categories: ['invoicing', 'crm'] }));

describe('the pick of a need', () => {
  test('is the first tool on the shelf, regardless of its name and the age of its proof', () => {
    const old = place(tool('zz', {}, { method: 'stored_copy', source_dated: null }));
    expect(picksOf([need('invoicing', [old, aa])])).toEqual(['invoicing: zz']);
  });

  test('suits the business type', () => {
    const shelf = [{ ...aa, for: ['agency'] as const }, { ...bb, not_for: ['service'] as const }, cc];
    expect(picksOf([need('invoicing', shelf)])).toEqual(['invoicing: cc']);
    expect(picksOf([need('invoicing', shelf)], { businessType: 'agency' })).toEqual(['invoicing: aa']);
    expect(picksOf([need('invoicing', shelf)], { businessType: 'retail' })).toEqual(['invoicing: bb']);
  });

  test('is never a tool whose vendor only mentions that it is free, even if the mention is recent', () => {
    const mention = place(tool('zz'), {}, { proves: 'mention' });
    const report = reportOf(directoryOf(need('invoicing', [mention, aa])));
    expect(report.picks[0]?.tool.id).toBe('aa');
    expect(report.picks[0]?.also_well_known).toEqual([
      {
        name: 'ZZ',
        homepage: 'https://zz.example',
        why_not_picked: expect.stringContaining('did not check'),
      },
    ]);
  });

  test('has a seat for everybody if all of the staff need one', () => {
    const shelf = [place(tool('aa', { team_size_max: 4 })), place(tool('bb'), { seats: null })];
    const staff = need('invoicing', shelf, { seats: 'staff' });
    expect(picksOf([staff], { teamSize: 4 })).toEqual(['invoicing: aa']);
    expect(picksOf([staff], { teamSize: 5 })).toEqual(['invoicing: bb']);
    expect(picksOf([need('invoicing', shelf)], { teamSize: 5 })).toEqual(['invoicing: aa']);
    const byType = need('invoicing', shelf, { seats_for: { agency: 'staff' } });
    expect(picksOf([byType], { teamSize: 5 })).toEqual(['invoicing: aa']);
    expect(picksOf([byType], { teamSize: 5, businessType: 'agency' })).toEqual(['invoicing: bb']);
  });

  test('is for teams up to the size on the shelf, and a larger team is told why', () => {
    const small = place(tool('aa'), { max_team: 3 });
    expect(picksOf([need('invoicing', [small, bb])], { teamSize: 3 })).toEqual(['invoicing: aa']);
    expect(picksOf([need('invoicing', [small, bb])], { teamSize: null })).toEqual(['invoicing: aa']);
    expect(picksOf([need('invoicing', [small, bb])], { teamSize: 4 })).toEqual(['invoicing: bb']);
    const without = directoryOf(need('crm', [dd]), need('invoicing', [small]));
    expect(reportOf(without, { teamSize: 4 }).unmet[0]?.reason).toMatch(inOrder('AA', '3'));
  });

  test('costs nothing with free_only, except a fee on each sale for a tool that takes payments', () => {
    const fee = place(tool('aa', { cost: { text: '5 % of each sale', on: 'sales' } }));
    const host = place(tool('bb', { cost: { text: 'web hosting', on: 'use' } }));
    const shelf = [host, fee, cc];
    expect(picksOf([need('invoicing', shelf)])).toEqual(['invoicing: bb']);
    expect(picksOf([need('invoicing', shelf)], { freeOnly: true })).toEqual(['invoicing: cc']);
    expect(picksOf([need('invoicing', shelf, { takes_money: true })], { freeOnly: true })).toEqual([
      'invoicing: aa',
    ]);
  });

  test('has no prerequisites, unless an agency asks for the need by name and no other tool fits', () => {
    const server = place(tool('aa', { requires: ['server'] }));
    const others = [need('crm', [dd])];
    const ask = (shelf: (typeof aa)[], businessType: 'agency' | 'trades', asked: boolean) =>
      reportOf(directoryOf(...others, need('invoicing', shelf)), {
        businessType,
        teamSize: 2,
        needs: asked ? ['invoicing'] : [],
      }).picks.map((pick) => pick.tool.id);
    expect(ask([server], 'agency', true)).toEqual(['dd', 'aa']);
    expect(ask([server, bb], 'agency', true)).toEqual(['dd', 'bb']);
    expect(ask([server], 'agency', false)).toEqual(['dd']);
    expect(ask([server], 'trades', true)).toEqual(['dd']);
  });
});

test('a pick meets the requirements of other picks: a visitor counter goes into the shop, whichever need is named first', () => {
  const counter = place(tool('cc', { categories: ['analytics'] }), { requires: ['open_site'] });
  const analytics = need('analytics', [counter]);
  const shop = place(tool('aa', { categories: ['online_store'] }), {}, { open_site: true });
  expect(picksOf([analytics, need('online_store', [shop])])).toEqual(['analytics: cc', 'online_store: aa']);
  const closed = { ...shop, notes: { ...shop.notes, open_site: false } };
  expect(picksOf([analytics, need('online_store', [closed])])).toEqual(['online_store: aa']);
  const without = reportOf(directoryOf(analytics, need('invoicing', [bb])), { needs: ['invoicing'] });
  expect(without.unmet.map(({ reason }) => reason)).toEqual([expect.stringMatching(/\bCC\b.*\bsite\b/)]);
});

describe('the pick for a country', () => {
  const home = place(tool('aa', { regions: ['US', 'EU'] }));
  const shelf = [home, { ...bb, not_regions: ['IN'] }, cc];

  test('is a tool for every country if no country is given, next to a better tool for some countries', () => {
    const [pick] = reportOf(directoryOf(need('invoicing', shelf))).picks;
    expect(pick?.tool.id).toBe('bb');
    expect(pick?.at_home).toEqual([{ id: 'aa', name: 'AA', regions: ['US', 'EU'] }]);
    expect(pick?.alternatives.map(({ id }) => id)).toEqual(['cc']);
    expect(pick?.caveats).toContain('Not for India.');
  });

  test('may be a tool for forty countries or more if no country is given', () => {
    const wide = place(
      tool('aa', { regions: ['EU', ...'AE AU BR CA CH GB HK JP MX MY NO NZ US'.split(' ')] }),
    );
    const [pick] = reportOf(directoryOf(need('invoicing', [wide, bb]))).picks;
    expect(pick?.tool.id).toBe('aa');
    expect(pick?.caveats).toContain('Only in some countries.');
    const narrow = place(
      tool('aa', { regions: ['EU', ...'AE AU BR CA CH GB HK JP MX MY NO NZ'.split(' ')] }),
    );
    expect(picksOf([need('invoicing', [narrow, bb])])).toEqual(['invoicing: bb']);
  });

  test('is the first tool that serves the given country, and the others are excluded', () => {
    for (const [country, id] of [
      ['US', 'aa'],
      ['DE', 'aa'],
      ['GB', 'bb'],
      ['IN', 'cc'],
    ] as const)
      expect([country, picksOf([need('invoicing', shelf)], { country })]).toEqual([
        country,
        [`invoicing: ${id}`],
      ]);
    expect(reportOf(directoryOf(need('invoicing', shelf)), { country: 'US' }).picks[0]).not.toHaveProperty(
      'at_home',
    );
  });

  test('is never a tool for only some countries if no country is given, even if no tool serves all of them', () => {
    const report = reportOf(directoryOf(need('crm', [dd]), need('invoicing', [home])), {
      needs: ['invoicing'],
    });
    expect(report.picks.map(({ tool: { id } }) => id)).toEqual(['dd']);
    expect(report.unmet).toMatchObject([
      { need: 'invoicing', at_home: [{ id: 'aa', name: 'AA', regions: ['US', 'EU'] }] },
    ]);
  });

  test('is not a tool for only some countries if no country is given, even if that tool meets two needs', () => {
    const some = place(tool('ww', { regions: ['US', 'CA'], categories: ['invoicing', 'crm'] }));
    expect(picksOf([need('invoicing', [some, bb]), need('crm', [some, dd])])).toEqual([
      'invoicing: bb',
      'crm: dd',
    ]);
  });

  test('is never a tool for a single country if no country is given, and such a tool is named only to businesses there', () => {
    const single = place(tool('aa', { regions: ['US'] }));
    const report = reportOf(directoryOf(need('crm', [dd]), need('invoicing', [single])), {
      needs: ['invoicing'],
    });
    expect(report.unmet).toMatchObject([
      {
        need: 'invoicing',
        reason: expect.stringMatching(inOrder('AA', 'US')),
        at_home: [{ id: 'aa', name: 'AA', regions: ['US'] }],
      },
    ]);
    expect(picksOf([need('invoicing', [single])], { country: 'US' })).toEqual(['invoicing: aa']);
  });

  test('may be a tool whose vendor names no countries, and the report says so once', () => {
    const { picks, caveats } = reportOf(directoryOf(need('invoicing', [cc])), { country: 'IN' });
    expect(picks[0]?.caveats).toEqual(['Shows the branding of the vendor.']);
    expect(caveats.filter((text) => /\bcountries\b/.test(text))).toHaveLength(1);
  });

  test("is an approved tool if the country restricts the need by law, even if another tool runs on the business's own server", () => {
    const law = {
      bars: [{ regions: ['CL', 'EU'] }],
      way_out: 'Use the program of the state.',
      ways_out: { CL: 'Use the system of the SII.' },
      notes: [{ regions: ['ES', 'MY'], text: 'Ask about the new rule.', not_for: ['nonprofit' as const] }],
      unplaced: 'Some states write invoices.',
    };
    const server = place(tool('ss', { requires: ['server'] }));
    const approved = { ...cc, approved_in: ['FR'] };
    const invoicing = need('invoicing', [bb, approved, server], { law, way_out: 'A template.' });
    const report = (over: object) =>
      reportOf(directoryOf(need('crm', [dd]), invoicing), { needs: ['invoicing'], ...over });
    const way = (country: string) => report({ businessType: 'agency', country }).unmet[0]?.way_out;
    expect([way('CL'), way('DE')]).toEqual(['Use the system of the SII.', 'Use the program of the state.']);
    expect(factsIn(report({ country: 'CL' }).unmet[0]?.reason)).toEqual(['Chile']);
    const picked = (country: string | null) => report({ country }).picks[1];
    expect([picked('FR')?.tool.id, picked('MY')?.tool.id, picked(null)?.tool.id]).toEqual(['cc', 'bb', 'bb']);
    expect(picked('MY')?.caveats).toContain('Ask about the new rule.');
    expect(picked('US')?.caveats.join(' ')).not.toMatch(/rule|states/);
    expect(picked(null)?.caveats).toContain('Some states write invoices.');
  });
});

describe('a stack that fits together', () => {
  test('picks one tool for two needs if it ranks at most two places below the best tool for each', () => {
    const shelves = (behind: number) => [
      need('invoicing', [...[aa, bb, cc].slice(0, behind), both('xx')]),
      need('crm', [dd, both('xx')]),
    ];
    expect(picksOf(shelves(2))).toEqual(['invoicing: xx', 'crm: xx']);
    expect(picksOf(shelves(3))).toEqual(['invoicing: aa', 'crm: dd']);
  });

  test('does not pick one tool for two needs if that makes one of them more expensive', () => {
    const dear = place(tool('xx', { cost: { text: '2 % of each sale', on: 'sales' } }));
    expect(picksOf([need('invoicing', [aa, dear]), need('crm', [dear])])).toEqual([
      'invoicing: aa',
      'crm: xx',
    ]);
  });

  test('picks a tool once if it is free for only one need', () => {
    const once = place(tool('xx'), {}, { one_need_only: true });
    expect(picksOf([need('invoicing', [once, aa]), need('crm', [once, dd])])).toEqual([
      'invoicing: xx',
      'crm: dd',
    ]);
  });

  test('uses the same tool for a need that belongs to another need, although it takes a fee on sales, which is paid anyway', () => {
    const till = place(
      tool('xx', { categories: ['invoicing', 'crm'], cost: { text: '2 % of each sale', on: 'sales' } }),
    );
    const tied = need('crm', [{ same_as: 'invoicing', reason: 'Clients stand in the invoices.' }, dd]);
    const asked = { freeOnly: true };
    expect(picksOf([need('invoicing', [till], { takes_money: true }), tied], asked)).toEqual([
      'invoicing: xx',
      'crm: xx',
    ]);
  });

  test('uses the same tool for a need that belongs to another need if the listing of that tool covers it', () => {
    const tied = need('crm', [{ same_as: 'invoicing', reason: 'Clients stand in the invoices.' }, dd]);
    expect(picksOf([need('invoicing', [both('xx')]), tied])).toEqual(['invoicing: xx', 'crm: xx']);
    expect(picksOf([need('invoicing', [aa]), tied])).toEqual(['invoicing: aa', 'crm: dd']);
    const [, second] = reportOf(directoryOf(need('invoicing', [both('xx')]), tied), { teamSize: 2 }).picks;
    expect(second?.why[0]).toBe('Clients stand in the invoices.');
  });
});
