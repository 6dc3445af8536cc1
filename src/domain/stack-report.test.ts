import { describe, expect, test } from 'vitest';
import { directoryOf, need, place, reportOf, request, tool } from '../../test/directory/tools.ts';
import { aa, bb } from '../../test/directory/two-tools.ts';
import { type StackRequest, stackReport } from './stack-report.ts';

describe('the report', () => {
  test('a need without a tool is listed with the reason and the way out, not dropped', () => {
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
        reason:
          'No checked tool serves it: too few free seats: CC (1 person); SS needs a server of your own.',
        way_out: 'Keep a sheet.',
        also_well_known: known,
      },
    ]);
    expect(report.summary.sentence).toBe(
      'For service businesses: 1 free tool meets 1 of 2 needs without a subscription; for the other one, see the way out below.',
    );
  });

  test('no pick at all is no report', () => {
    expect(stackReport(request, directoryOf(need('invoicing', [])))).toEqual({
      ok: false,
      reason: 'No checked listing qualifies for any of the 1 needs.',
    });
  });

  test('a team of more than one gets the needs that come with a team, and a need asked for twice comes once', () => {
    const directory = directoryOf(need('invoicing', [aa]), need('crm', [bb]));
    const needs = (over: Partial<StackRequest>) => reportOf(directory, over).picks.map((pick) => pick.need);
    expect(needs({ teamSize: 1 })).toEqual(['invoicing']);
    expect(needs({ teamSize: null })).toEqual(['invoicing']);
    expect(needs({ teamSize: 2 })).toEqual(['invoicing', 'crm']);
    expect(needs({ teamSize: 2, needs: ['crm', 'invoicing'] })).toEqual(['invoicing', 'crm']);
  });

  test('the steps are numbered, belong to their picks, and go in the order of what builds on what', () => {
    const shared = { account: 'Zed account' };
    const directory = directoryOf(
      need('invoicing', [place(tool('aa'), {}, shared)], { after: ['crm'] }),
      need('crm', [bb], { setup_minutes: 45 }),
      need('forms', [place(tool('cc'), {}, shared)]),
      need('chat', [place(tool('dd'), {}, { account: 'none' })]),
    );
    const report = reportOf(directory, { teamSize: 2 });
    expect(report.getting_started).toEqual([
      { step: 1, text: 'Install BB to do the crm (about 45 minutes).', needs: ['crm'] },
      {
        step: 2,
        text: 'Open a Zed account and set up AA to do the invoicing (about 20 minutes).',
        needs: ['invoicing'],
      },
      {
        step: 3,
        text: 'With your Zed account, set up CC to do the forms (about 20 minutes).',
        needs: ['forms'],
      },
      { step: 4, text: 'Open DD to do the chat (about 20 minutes).', needs: ['chat'] },
      {
        step: 5,
        text: 'Once everything works, export your data from each tool and keep a copy outside it.',
        needs: [],
      },
    ]);
    expect(report.summary).toMatchObject({
      subscription_total: 'USD 0 a month',
      accounts: ['Zed account'],
      setup_minutes_estimate: 105,
      first: 'Install BB to do the crm (about 45 minutes).',
      table: [
        { need: 'Invoicing', tool: 'AA', free_until: '10 invoices a month' },
        { need: 'CRM', tool: 'BB', free_until: 'No limit: open source (MIT)' },
        { need: 'Forms', tool: 'CC' },
        { need: 'Chat', tool: 'DD' },
      ],
    });
    expect(report.picks[0]?.works_with).toEqual(['Forms: the same Zed account']);
  });

  test('an account of another firm through which the money comes is named before it is needed, once', () => {
    const paid = { paid_into: 'Stripe account' };
    const report = reportOf(
      directoryOf(need('shop', [place(tool('aa'), {}, paid)]), need('gifts', [place(tool('bb'), {}, paid)])),
      { teamSize: 2 },
    );
    expect(report.getting_started.slice(0, 2).map(({ text }) => text)).toEqual([
      'Have your own Stripe account first. Sign up with AA to do the shop (about 20 minutes).',
      'Sign up with BB to do the gifts (about 20 minutes).',
    ]);
    expect(report.summary.accounts).toEqual(['AA', 'Stripe account', 'BB']);
  });

  test('money that comes through another pick needs no account besides, and that pick is set up first', () => {
    const shop = place(tool('aa'), {}, { paid_into: 'PayPal or Stripe account' });
    const stripe = place(tool('stripe', { name: 'Stripe' }));
    const report = reportOf(
      directoryOf(need('shop', [shop]), need('payments', [stripe], { after: ['shop'] })),
      { teamSize: 2 },
    );
    expect(report.getting_started.slice(0, 2).map(({ text }) => text)).toEqual([
      'Sign up with Stripe to do the payments (about 20 minutes).',
      'Sign up with AA to do the shop (about 20 minutes).',
    ]);
    expect(report.summary.accounts).toEqual(['Stripe', 'AA']);
  });

  test('begins with the way out of an unmet need only where all picks build on it', () => {
    const report = reportOf(
      directoryOf(
        need('chat', [aa], { after: ['shop'] }),
        need('shop', [], { way_out: 'Sell on a market place.' }),
        need('forms', [], { way_out: 'Ask on paper.' }),
      ),
      { teamSize: 2 },
    );
    expect(report.getting_started.map(({ text }) => text)).toEqual([
      'Shop: no tool is picked. Sell on a market place.',
      'Sign up with AA to do the chat (about 20 minutes).',
      'Once everything works, export your data from each tool and keep a copy outside it.',
    ]);
    expect(report.summary.first).toBe('Shop: no tool is picked. Sell on a market place.');
  });

  test('begins with what can be set up before it, what it is paid through included', () => {
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
    expect(report.getting_started.map(({ text }) => text.split(' (', 1)[0])).toEqual([
      'Sign up with AA to do the forms',
      'Invoices: no tool is picked. Write them by hand.',
      'Sign up with Stripe to do the payments',
      'Sign up with BB to do the shop',
      'Sign up with CC to do the counter',
      'Once everything works, export your data from each tool and keep a copy outside it.',
    ]);
  });

  test('says how far its picks reach, with a country and without', () => {
    const barred = place(tool('cc', { categories: ['crm'] }), { not_regions: ['IN', 'EU'] });
    const directory = directoryOf(need('invoicing', [aa]), need('crm', [barred]));
    const caveats = (country: string | null) =>
      reportOf(directory, { teamSize: 2, country }).caveats.slice(0, 2);
    expect(caveats(null)).toEqual([
      'Without a country each pick serves most of them; better ones for some are named beside it.',
      'Most countries, but not all, have or allow CC: name your country to be sure.',
    ]);
    expect(caveats('US')).toEqual([
      'Chosen for the US. Prices are as the vendors state them, without tax.',
      'Not every vendor says which countries it serves: a sign-up that asks for yours shows it at once.',
    ]);
    expect(caveats('AU')[0]).toBe(
      'Chosen for Australia. Prices are as the vendors state them, without tax. Those in dollars are US prices: yours may differ.',
    );
  });

  test('warns when one vendor takes more than half, under whatever name it signs', () => {
    const warning = (second: string) =>
      reportOf(
        directoryOf(
          need('invoicing', [place(tool('aa', { vendor: 'Block, Inc. (Square)' }))]),
          need('crm', [place(tool('bb', { vendor: second }))]),
        ),
        { teamSize: 2 },
      ).caveats[0];
    expect(warning('Block')).toBe(
      'Lock-in: 2 of 2 picks come from Block, Inc. (Square). If its terms change, much of your stack changes with them.',
    );
    expect(warning('Another')).not.toContain('Lock-in');
  });

  test('explains each grade and method that it shows, and no other', () => {
    const copy = place(tool('cc', {}, { method: 'stored_copy', source_dated: null }));
    const { legend } = reportOf(directoryOf(need('invoicing', [copy])));
    expect([Object.keys(legend.proof), Object.keys(legend.method)]).toEqual([['fair'], ['stored_copy']]);
  });

  test('says what free only means', () => {
    expect(reportOf(directoryOf(need('invoicing', [aa])), { freeOnly: true }).caveats).toContain(
      'Free only: no subscription. A fee on each sale is among the picks only where a tool takes money for you.',
    );
  });
});
