import { describe, expect, test } from 'vitest';
import { tradeOf, worthPayingFor } from '../../src/trades/trades.ts';
import { asking } from './asking.ts';

const { reportOf, pickFor, missFor, caveatsFor } = asking();
const asked = (text: string) => ({ asked: text, match: tradeOf(text) });

describe('a pick is not one that its own caveat rules out', () => {
  test('a salon of five outside North America is sent to a salon program, not to a page of one calendar', () => {
    for (const country of ['FR', 'GB', 'SE', 'JP']) {
      const salon = { businessType: 'service', trade: asked('hair salon'), country, teamSize: 5 } as const;
      expect(pickFor('scheduling_booking', salon)).toBeUndefined();
      expect(missFor('scheduling_booking', salon)?.way_out).toMatch(/salon program.*each chair/);
      expect(pickFor('scheduling_booking', { ...salon, teamSize: 3 })?.tool.id).toBe('setmore');
    }
  });

  test('five accountants do not keep books in a program for one person at a time', () => {
    const practice = {
      businessType: 'consultant',
      trade: asked('accounting practice'),
      country: 'AU',
    } as const;
    expect(pickFor('accounting', { ...practice, teamSize: 5 })).toBeUndefined();
    expect(missFor('accounting', { ...practice, teamSize: 5 })?.way_out).toContain('clients');
    expect(pickFor('accounting', { ...practice, teamSize: 1 })?.tool.id).toBe('manager-io-desktop');
  });

  test('rooms by the night are not booked by the hour, even if booking is asked for by name', () => {
    const house = {
      businessType: 'service',
      trade: asked('bed and breakfast'),
      country: 'GR',
      teamSize: 2,
      needs: ['scheduling_booking'],
    } as const;
    expect(pickFor('scheduling_booking', house)).toBeUndefined();
    expect(missFor('scheduling_booking', house)?.way_out).toMatch(/nights.*QloApps/);
    expect(missFor('scheduling_booking', house)?.also_well_known).toBeUndefined();
  });

  test('a funeral director and a choir get no booking page and no sales records', () => {
    for (const [text, businessType] of [
      ['funeral director', 'service'],
      ['choir', 'nonprofit'],
    ] as const) {
      const { picks } = reportOf({ businessType, trade: asked(text), country: 'GB', teamSize: 4 });
      const needs = picks.map(({ need }) => need);
      expect(needs).not.toContain('scheduling_booking');
      expect(needs).not.toContain('crm');
    }
  });

  test('the letters of a practice are distinguished from its health records', () => {
    const pick = pickFor('documents_office', {
      businessType: 'service',
      trade: asked('physiotherapist'),
      country: 'CH',
      teamSize: 2,
    });
    expect(pick?.why[0]).toMatch(/health records belong in a practice program/);
  });
});

describe('a sum of later prices', () => {
  test('does not begin with a tool to pay for if the buyer wants only free tools', () => {
    const { sentence } = reportOf({ businessType: 'service', teamSize: 5, freeOnly: true }).summary
      .after_free;
    expect(sentence).toMatch(/^Nothing /);
  });

  test('has no plan for one person as the plan of a team', () => {
    const later = (teamSize: number) =>
      reportOf({ businessType: 'service', country: 'GB', teamSize }).summary.after_free.not_checked;
    expect(later(1)).not.toContain('Bitwarden');
    expect(later(4)).toContain('Bitwarden');
  });
});

test.each([
  ['FR', 'service', 'Carte Bancaire'],
  ['ES', 'service', 'Bizum'],
  ['PT', 'retail', 'ATCUD'],
  ['AT', 'retail', 'RKSV'],
  ['CH', 'service', 'TWINT'],
  ['JP', 'online_store', '特定商取引法'],
  ['GR', 'service', 'myDATA'],
  ['AE', 'agency', 'VAT is 5 %'],
  ['DE', 'nonprofit', 'Zuwendungsbestätigung'],
] as const)('a report for %s tells a %s of %s', (country, businessType, word) => {
  const { summary, caveats } = reportOf({ businessType, country, teamSize: 3 });
  expect([summary.trap?.text, ...caveats].join(' ')).toContain(word);
});

test.each([
  ['hair salon', 'service', 'FR', 'Planity'],
  ['tattoo studio', 'service', 'SE', 'Bokadirekt'],
  ['restaurant', 'retail', 'PT', 'Vendus'],
  ['corner shop', 'retail', 'AT', 'helloCash'],
  ['accounting practice', 'consultant', 'AU', 'Karbon'],
  ['landscaping', 'trades', 'US', 'LMN'],
  ['physiotherapist', 'service', 'CH', 'OneDoc'],
  ['choir', 'nonprofit', 'DE', 'Konzertmeister'],
] as const)('a %s (%s) in %s hears of %s', (text, businessType, country, name) => {
  const trade = asked(text);
  const paid = worthPayingFor(trade.match?.trade ?? null, businessType);
  const report = reportOf({ businessType, trade, country, teamSize: 5, paid });
  expect(report.worth_paying_for.map((tool) => tool.name)).toContain(name);
});

test('a shop in Japan reads about the shop programs of the country', () => {
  const pick = pickFor('online_store', { businessType: 'online_store', country: 'JP', teamSize: 1 });
  expect(pick?.also_well_known).toMatchObject([
    { name: 'BASE', home: true },
    { name: 'STORES', home: true },
  ]);
});

test('no caveat for Spain contradicts the pick of an invoicing tool', () => {
  const locksmith = {
    businessType: 'trades',
    trade: asked('locksmith'),
    country: 'ES',
    teamSize: 2,
  } as const;
  expect(caveatsFor('invoicing', locksmith)).not.toMatch(/quotes alone/);
});
