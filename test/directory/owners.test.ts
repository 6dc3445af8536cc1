import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CategoriesFileSchema } from '../../src/directory/categories.ts';
import { readServed } from '../../src/directory/data.ts';
import { buildDirectory } from '../../src/directory/directory.ts';
import { ListingFileSchema } from '../../src/directory/listing.ts';
import { ShelvesFileSchema } from '../../src/directory/shelves.ts';
import { stackReport } from '../../src/domain/stack-report.ts';
import type { StackReport, StackRequest } from '../../src/domain/stack-report-types.ts';

const served = readServed(fileURLToPath(new URL('../../src/directory', import.meta.url)));
const directory = buildDirectory(
  served.listings.map(({ text }) => ListingFileSchema.parse(JSON.parse(text))),
  CategoriesFileSchema.parse(JSON.parse(served.categories.text)),
  ShelvesFileSchema.parse(JSON.parse(served.shelves.text)),
);

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
