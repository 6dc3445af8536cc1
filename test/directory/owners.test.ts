import { describe, expect, test } from 'vitest';
import { stackReport } from '../../src/domain/stack-report.ts';
import type { StackReport, StackRequest } from '../../src/domain/stack-report-types.ts';
import { directory } from '../support/directory.ts';

const reportOf = (over: Partial<StackRequest>): StackReport => {
  const request: StackRequest = {
    businessType: 'trades',
    needs: [],
    teamSize: null,
    freeOnly: false,
    country: null,
    generatedOn: directory.lastChecked,
    ...over,
  };
  const result = stackReport(request, directory);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};
const pickFor = (need: string, over: Partial<StackRequest>): string =>
  reportOf({ needs: [need], ...over }).picks.find((pick) => pick.need === need)?.tool.id ?? 'unmet';

describe('books', () => {
  test.each([
    ['trades', 8, 'AU'],
    ['service', 4, 'FR'],
    ['retail', 25, 'MX'],
    ['consultant', 8, null],
  ] as const)(
    '%s of %s in %s: not in a program with a ceiling of revenue',
    (businessType, teamSize, country) => {
      expect(pickFor('accounting', { businessType, teamSize, country })).toBe('gnucash');
    },
  );

  test('up to three people, in the browser', () => {
    expect(pickFor('accounting', { businessType: 'service', teamSize: 3, country: 'FR' })).toBe(
      'zoho-books-free',
    );
  });
});

describe('stock', () => {
  test.each(['US', 'GB', 'CA', 'AU', 'FR', 'JP'])(
    'in %s stays where it is sold when only free ones are asked for: the fee is paid there already',
    (country) => {
      const ask = { teamSize: 8, freeOnly: true, country };
      expect(pickFor('inventory', { businessType: 'online_store', ...ask })).toBe('square-online-free');
      expect(pickFor('inventory', { businessType: 'retail', ...ask })).toBe(
        pickFor('point_of_sale', { businessType: 'retail', ...ask }),
      );
    },
  );
});

describe('tills', () => {
  test.each(['DE', 'FR', 'AT', 'IT'])('in %s have to be certified: Loyverse is none', (country) => {
    const report = reportOf({ businessType: 'retail', country });
    const ids = report.picks.find(({ need }) => need === 'point_of_sale');
    expect(ids?.tool.id).not.toBe('loyverse');
    expect(ids?.alternatives.map(({ id }) => id) ?? []).not.toContain('loyverse');
  });

  test('in Mexico need no certificate', () => {
    expect(pickFor('point_of_sale', { businessType: 'retail', country: 'MX' })).toBe('loyverse');
  });
});

describe('one program where one does it', () => {
  test('books and invoices of up to three people stand in one', () => {
    const ask = { businessType: 'consultant', teamSize: 1, country: 'GB' } as const;
    expect([pickFor('accounting', ask), pickFor('invoicing', ask)]).toEqual([
      'zoho-books-free',
      'zoho-books-free',
    ]);
    expect(pickFor('invoicing', { ...ask, teamSize: 4 })).toBe('zoho-invoice-free');
  });

  test('the parts of a plumber stand in the item list of his till, where it has one', () => {
    expect(pickFor('inventory', { businessType: 'trades', country: 'US' })).toBe('square-pos-free');
    expect(pickFor('inventory', { businessType: 'trades', country: 'DE' })).toBe('sortly');
  });

  test('a charity meets and books with what its account holds', () => {
    const ask = { businessType: 'nonprofit', country: 'US' } as const;
    expect(pickFor('video_meetings', ask)).toBe('google-workspace-nonprofits');
    expect(pickFor('video_meetings', { ...ask, freeOnly: true })).toBe('google-meet');
    expect(pickFor('scheduling_booking', ask)).toBe('google-calendar-booking-page');
  });
});

describe('agencies and larger teams', () => {
  test.each([
    ['social_media', 'agency', 5, 'meta-business-suite'],
    ['e_signature', 'consultant', 3, 'documenso'],
    ['e_signature', 'consultant', 4, 'opensign'],
    ['design_graphics', 'agency', 5, 'figma-starter'],
    ['design_graphics', 'agency', 6, 'canva-free'],
  ] as const)('%s for %s of %i: %s', (need, businessType, teamSize, id) => {
    expect(pickFor(need, { businessType, teamSize })).toBe(id);
  });
});

test('well-known names are those of the asker’s country first', () => {
  const known = (need: string, country: string | null) => {
    const { picks, unmet } = reportOf({ needs: [need], country });
    return [...picks, ...unmet]
      .find((entry) => entry.need === need)
      ?.also_well_known?.map(({ name }) => name);
  };
  expect(known('payments', 'MX')).toEqual(['Clip', 'Mercado Pago']);
  expect(known('payments', 'IN')).toEqual(['Instamojo', 'PayPal']);
  expect(known('payments', null)).toEqual(['PayPal']);
  expect(known('business_plans_learning', 'DE')).toEqual(['Gründerplattform']);
  expect(reportOf({ businessType: 'service', teamSize: 2, country: 'US' }).picks.at(-1)).not.toHaveProperty(
    'also_well_known',
  );
});
