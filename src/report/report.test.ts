import { describe, expect, test } from 'vitest';
import { aa, bb, directoryOf, need, place, reportOf, request, tool } from '../../test/directory/tools.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import { stackReport } from './report.ts';
import type { StackRequest } from './shelf.ts';

describe('a software report', () => {
  test('lists a need without a tool, with the reason and what to do instead', () => {
    const small = place(tool('cc', { team_size_max: 1 }));
    const known = [{ name: 'Known', homepage: 'https://known.example', why_not_picked: 'No vendor words.' }];
    const report = reportOf(
      directoryOf(
        need('invoicing', [aa]),
        need('crm', [small, place(tool('ss', { requires: ['server'] }))], {
          seats: 'staff',
          way_out: 'Keep a sheet.',
          also_well_known: known,
        }),
      ),
      { teamSize: 2 },
    );
    expect(report.picks.map(({ need: of }) => of)).toEqual(['invoicing']);
    expect(report.unmet).toEqual([
      {
        need: 'crm',
        need_name: 'CRM',
        reason: expect.stringMatching(inOrder('CC', '1', 'SS', 'server')),
        way_out: 'Keep a sheet.',
        also_well_known: known,
      },
    ]);
    expect(report.summary.sentence).toMatch(inOrder('1', '1', '2', 'CRM'));
  });

  test('is not made if no need has a pick', () => {
    expect(stackReport(request, directoryOf(need('invoicing', [])))).toEqual({
      ok: false,
      reason: expect.stringContaining('1'),
    });
  });

  test('has the needs of a team for two or more people, and each requested need only once', () => {
    const directory = directoryOf(need('invoicing', [aa]), need('crm', [bb]));
    const needs = (over: Partial<StackRequest>) => reportOf(directory, over).picks.map((pick) => pick.need);
    expect(needs({ teamSize: 1 })).toEqual(['invoicing']);
    expect(needs({ teamSize: null })).toEqual(['invoicing']);
    expect(needs({ teamSize: 2 })).toEqual(['invoicing', 'crm']);
    expect(needs({ teamSize: 2, needs: ['crm', 'invoicing'] })).toEqual(['invoicing', 'crm']);
  });

  test('has numbered steps that belong to its picks, in the order of their dependencies', () => {
    const shared = { account: 'Zed account' };
    const directory = directoryOf(
      need('invoicing', [place(tool('aa'), {}, shared)], { after: ['crm'] }),
      need('crm', [bb], { setup_minutes: 45 }),
      need('forms', [place(tool('cc'), {}, shared)]),
      need('chat', [place(tool('dd'), {}, { account: 'none' })]),
    );
    const report = reportOf(directory, { teamSize: 2 });
    expect(report.getting_started).toMatchObject([
      {
        step: 1,
        text: expect.stringMatching(inOrder('BB', 'crm', '45')),
        needs: ['crm'],
        tool: 'bb',
        first_hour: ['Try the crm once.'],
      },
      { step: 2, text: expect.stringMatching(inOrder('Zed account', 'AA', '20')), needs: ['invoicing'] },
      { step: 3, text: expect.stringMatching(inOrder('Zed account', 'CC', '20')), needs: ['forms'] },
      { step: 4, text: expect.stringMatching(inOrder('DD', 'chat', '20')), needs: ['chat'] },
      { step: 5, text: expect.stringContaining('export'), needs: [] },
    ]);
    expect(report.summary).toMatchObject({
      subscription_total: 'USD 0 a month with the free tools',
      accounts: ['Zed account'],
      setup_minutes_estimate: 105,
      first: report.getting_started[0]?.text,
      table: [
        { need: 'Invoicing', tool: 'AA', free_until: '10 invoices a month' },
        { need: 'CRM', tool: 'BB', free_until: 'Open source, free to use (MIT)' },
        { need: 'Forms', tool: 'CC' },
        { need: 'Chat', tool: 'DD' },
      ],
    });
  });

  test('names the account of a payment firm once, before it is needed', () => {
    const paid = { paid_into: 'Stripe account' };
    const report = reportOf(
      directoryOf(need('shop', [place(tool('aa'), {}, paid)]), need('gifts', [place(tool('bb'), {}, paid)])),
      { teamSize: 2 },
    );
    expect(
      report.getting_started
        .slice(0, 2)
        .map(({ text }) => text)
        .map(factsIn),
    ).toEqual([
      ['Stripe', 'AA', '20'],
      ['BB', '20'],
    ]);
    expect(report.summary.accounts).toEqual(['AA', 'Stripe account', 'BB']);
  });

  test('needs no further account if money comes through another pick, which is set up first', () => {
    const shop = place(tool('aa'), {}, { paid_into: 'PayPal or Stripe account' });
    const stripe = place(tool('stripe', { name: 'Stripe' }));
    const report = reportOf(
      directoryOf(need('shop', [shop]), need('payments', [stripe], { after: ['shop'] })),
      { teamSize: 2 },
    );
    expect(
      report.getting_started
        .slice(0, 2)
        .map(({ text }) => text)
        .map(factsIn),
    ).toEqual([
      ['Stripe', '20'],
      ['AA', '20'],
    ]);
    expect(report.summary.accounts).toEqual(['Stripe', 'AA']);
  });

  test('begins with the advice for an unmet need only if all picks depend on that need', () => {
    const report = reportOf(
      directoryOf(
        need('chat', [aa], { after: ['shop'] }),
        need('shop', [], { way_out: 'Sell on a market place.' }),
        need('forms', [], { way_out: 'Ask on paper.' }),
      ),
      { teamSize: 2 },
    );
    const [first, second, last] = report.getting_started.map(({ text }) => text);
    expect(first).toMatch(/^Shop: .*\. Sell on a market place\.$/);
    expect(factsIn(second)).toEqual(['AA', '20']);
    expect(last).toMatch(/\bexport\b/);
    expect(report.summary.first).toBe(first);
  });

  test('begins with the tools that can be set up before the unmet need, including its payment account', () => {
    const shop = place(tool('bb'), {}, { paid_into: 'Stripe account' });
    const stripe = place(tool('stripe', { name: 'Stripe' }));
    const report = reportOf(
      directoryOf(
        need('shop', [shop]),
        need('counter', [place(tool('cc'))], { after: ['shop'] }),
        need('payments', [stripe], { after: ['invoices'] }),
        need('forms', [aa]),
        need('invoices', [], { way_out: 'Write them by hand.' }),
      ),
      { teamSize: 2 },
    );
    expect(report.getting_started.map(({ text }) => text)).toEqual([
      expect.stringMatching(inOrder('AA', 'forms')),
      expect.stringMatching(inOrder('Invoices: ', '. Write them by hand.')),
      expect.stringMatching(inOrder('Stripe', 'payments')),
      expect.stringMatching(inOrder('BB', 'shop')),
      expect.stringMatching(inOrder('CC', 'counter')),
      expect.stringContaining('export'),
    ]);
  });

  test('says which countries its picks cover, whether a country is given or not', () => {
    const barred = place(tool('cc', { categories: ['crm'] }), { not_regions: ['IN', 'EU'] });
    const directory = directoryOf(need('invoicing', [aa]), need('crm', [barred]));
    const caveats = (country: string | null) =>
      reportOf(directory, { teamSize: 2, country }).caveats.slice(0, 2);
    expect(caveats(null).map(factsIn)).toEqual([[], ['CC']]);
    expect(caveats('US').map(factsIn)).toEqual([['US'], []]);
    expect(factsIn(caveats('AU')[0])).toEqual(['Australia', 'US']);
  });

  test('warns if more than half of the picks are from one vendor, under any of its names', () => {
    const warning = (second: string) =>
      reportOf(
        directoryOf(
          need('invoicing', [place(tool('aa', { vendor: 'Block, Inc. (Square)' }))]),
          need('crm', [place(tool('bb', { vendor: second }))]),
        ),
        { teamSize: 2 },
      ).caveats[0];
    expect(factsIn(warning('Block'))).toEqual(['2', '2', 'Block', 'Inc', 'Square']);
    expect(warning('Another')).not.toContain('Block');
  });

  test('explains the grades and methods that it shows, and only those', () => {
    const copy = place(tool('cc', {}, { method: 'stored_copy', source_dated: null }));
    const { legend } = reportOf(directoryOf(need('invoicing', [copy])));
    expect([Object.keys(legend.proof), Object.keys(legend.method)]).toEqual([['fair'], ['stored_copy']]);
  });

  test('explains what counts as free if only free tools were requested', () => {
    const caveats = (freeOnly: boolean) =>
      reportOf(directoryOf(need('invoicing', [aa])), { freeOnly }).caveats;
    expect(caveats(true).filter((text) => !caveats(false).includes(text))).toEqual([
      expect.stringMatching(/\bfree\b.*\bsale\b/i),
    ]);
  });
});
