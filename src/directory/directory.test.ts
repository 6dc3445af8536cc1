import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';
import { loadDirectory } from './load.ts';

const directory = loadDirectory();

describe('the directory', () => {
  test('has its listings sorted by id, frozen through and through', () => {
    const ids = directory.listings.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(() => Object.assign(directory.listings[0]?.check ?? {}, { quote: 'x' })).toThrow(TypeError);
  });

  test("shows nothing of the editor's own notes", () => {
    expect(Object.keys(directory.find('clockify') ?? {})).toEqual([
      'id',
      'name',
      'vendor',
      'homepage',
      'categories',
      'pricing',
      'hosting',
      'free_limits',
      'team_size_max',
      'good_for',
      'regions',
      'licence',
      'caveats',
      'check',
    ]);
  });

  test('counts and lists each category, its main tools first', () => {
    const { count } = directory.categories.find(({ slug }) => slug === 'time_tracking') ?? {};
    const listings = directory.byCategory('time_tracking');
    expect(listings).toHaveLength(count ?? 0);
    const main = listings.map(({ categories }) => categories[0] === 'time_tracking');
    expect(main.lastIndexOf(true)).toBeLessThan(main.indexOf(false));
    expect(directory.byCategory('no_such_category')).toEqual([]);
  });

  test.each([
    ['email_marketing', 'email_marketing'],
    ['Email-Marketing', 'email_marketing'],
    [' email marketing ', 'email_marketing'],
    ['pos', 'point_of_sale'],
    ['live_chat', 'customer_support'],
    ['HELPDESK', 'customer_support'],
    ['e-sign', 'e_signature'],
    ['bookkeeping', 'accounting'],
    ['hosting', 'website_builder'],
    ['web hosting', 'website_builder'],
  ])('%s means %s', (text, slug) => {
    expect(directory.category(text)).toEqual({ slug });
  });

  test('a newsletter is email marketing, but publishing for a creator', () => {
    expect(directory.category('newsletter', 'service')).toEqual({ slug: 'email_marketing' });
    expect(directory.category('newsletter', 'creator')).toEqual({ slug: 'newsletter_publishing' });
  });

  test('an unknown category is null, with the nearest name as a hint', () => {
    expect(directory.category('invocing')).toBeNull();
    expect(directory.nearestCategory('invocing')).toBe('invoicing');
    expect(directory.nearestCategory('book-keeping')).toBe('accounting');
    expect(directory.nearestCategory('qqqqqqqqqqqq')).toBeNull();
    expect(directory.category('__proto__')).toBeNull();
  });

  test('an unknown id is null', () => {
    expect(directory.find('no-such-tool')).toBeNull();
    expect(directory.find('__proto__')).toBeNull();
  });

  test('knows the needs of all eight business types', () => {
    for (const type of BUSINESS_TYPES)
      expect(directory.needsOf(type).always.length).toBeGreaterThanOrEqual(8);
    expect(directory.needsOf('nonprofit').always.slice(0, 2)).toEqual([
      'donor_fundraising',
      'volunteer_membership',
    ]);
    expect(directory.needsOf('retail').forTeams).toEqual(['payroll_hr']);
  });
});
