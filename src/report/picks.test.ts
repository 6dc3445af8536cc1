import { describe, expect, test } from 'vitest';
import { aa, bb, directoryOf, need, place, reportOf, tool } from '../../test/directory/tools.ts';
import { inOrder } from '../../test/support/facts.ts';
import type { StackRequest } from './shelf.ts';

describe('a pick', () => {
  test('quotes the vendor in one line, with source, day, method and grade', () => {
    const quoted = place(tool('aa', {}, { quote: 'It is **free**\n  for [ever](x).' }));
    expect(reportOf(directoryOf(need('invoicing', [quoted]))).picks[0]?.vendor_quote).toEqual({
      text: 'It is free for ever.',
      source_url: 'https://aa.example/pricing',
      checked_on: '2026-11-21',
      method: 'vendor_repository',
      source_dated: '2026-08-01',
      proof: 'strong',
    });
  });

  test('gives the free limit for this need, the price after it and the unavoidable cost', () => {
    const full = place(
      tool('aa', {
        limits_by_need: { invoicing: '5 clients' },
        then: {
          text: 'USD 9 a month from the sixth client',
          source_url: 'https://aa.example/pricing',
          plan: null,
          amount: '9',
          currency: 'USD',
          per: 'account',
          period: 'month',
          source_dated: null,
        },
        cost: { text: '1 % of each sale', on: 'sales' },
      }),
    );
    const [pick] = reportOf(directoryOf(need('invoicing', [full]))).picks;
    expect([pick?.free_until, pick?.then, pick?.cost]).toEqual([
      '5 clients',
      'USD 9 a month from the sixth client',
      '1 % of each sale',
    ]);
    const [open] = reportOf(directoryOf(need('invoicing', [bb]))).picks;
    expect([open?.free_until, open?.then, open?.cost]).toEqual([
      'Open source, free to use (MIT)',
      null,
      undefined,
    ]);
  });

  test('says how many seats are free, or that this is unknown', () => {
    const said = (seats: number | 'unlimited' | null, teamSize: number | null, who: 'owner' | 'staff') => {
      const [pick] = reportOf(directoryOf(need('invoicing', [{ ...aa, seats }], { seats: who })), {
        teamSize,
      }).picks;
      return [...(pick?.why.slice(1) ?? []), ...(pick?.caveats.slice(1) ?? [])];
    };
    expect(said(10, 4, 'staff')).toEqual([expect.stringMatching(inOrder('10', '4'))]);
    const [unlimited, unknown] = [said('unlimited', 4, 'staff'), said(null, 4, 'staff')];
    expect([unlimited.length, unknown.length]).toEqual([1, 1]);
    expect(unlimited).not.toEqual(unknown);
    expect(said(null, 4, 'owner')).toEqual([]);
    expect(said(1, 4, 'owner')).toEqual([expect.stringContaining('1')]);
    expect(said(3, null, 'staff')).toEqual([expect.stringContaining('3')]);
    expect(said(3, null, 'owner')).toEqual([]);
    expect(said(null, null, 'staff')).toEqual(unknown);
    expect(said(null, null, 'owner')).toEqual([]);
    expect(said(3, 1, 'staff')).toEqual([]);
  });

  test('names other well-known tools only in the countries where owners know them', () => {
    const known = (over: object) => ({
      name: 'Known',
      homepage: 'https://known.example',
      why_not_picked: 'No vendor words.',
      ...over,
    });
    const names = (over: Partial<StackRequest>) =>
      reportOf(
        directoryOf(
          need('invoicing', [aa], {
            also_well_known: [known({ name: 'A', for: ['agency'] }), known({ name: 'B', regions: ['EU'] })],
          }),
        ),
        over,
      ).picks[0]?.also_well_known?.map(({ name }) => name);
    expect(names({})).toBeUndefined();
    expect(names({ businessType: 'agency', country: 'DE' })).toEqual(['B', 'A']);
    expect(names({ country: 'US' })).toBeUndefined();
  });

  test('has the next two suitable tools as alternatives, each with an advantage and a disadvantage', () => {
    const server = place(tool('ss', { requires: ['server'] }));
    const plugin = place(tool('pp', { requires: ['wordpress'] }));
    const us = place(tool('uu', { regions: ['US', 'CA'], caveats: [] }));
    const alternatives = (over: Partial<StackRequest> = {}) =>
      reportOf(directoryOf(need('invoicing', [aa, server, plugin, bb, us])), over).picks[0]?.alternatives.map(
        ({ id, plus, minus }) => [id, plus, minus],
      );
    expect(alternatives()).toEqual([['bb', 'BB is the clearest.', 'Shows the branding of the vendor.']]);
    expect(alternatives({ country: 'CA' })?.[1]).toEqual(['uu', 'UU is the clearest.', expect.any(String)]);
    expect(alternatives({ country: 'GB' })).toEqual([
      ['bb', 'BB is the clearest.', 'Shows the branding of the vendor.'],
    ]);
    expect(alternatives({ country: 'GB', businessType: 'agency' })?.[1]).toEqual([
      'ss',
      'SS is the clearest.',
      expect.stringContaining('server'),
    ]);
  });
});
