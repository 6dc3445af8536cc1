import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';
import { CategoriesFileSchema } from './categories.ts';
import { readServed, servedFolder } from './data.ts';
import { buildDirectory } from './directory.ts';
import { type ListingFile, ListingFileSchema } from './listing.ts';
import { loadDirectory } from './load.ts';

const directory = loadDirectory();

const served = readServed(servedFolder());
const vocabulary = CategoriesFileSchema.parse(JSON.parse(served.categories.text));
const clockify = ListingFileSchema.parse(
  JSON.parse(served.listings.find(({ file }) => file === 'listings/clockify.json')?.text ?? ''),
);

/** The caveats that a listing checked on 2026-11-21 shows besides those of its file. */
const caveatsOf = (
  check: Partial<ListingFile['check']>,
  proves: ListingFile['editor']['proves'] = 'limit',
) => {
  const dated = { method: 'stored_copy', checked_on: '2026-11-21', status: 'found', ...check } as const;
  const file: ListingFile = {
    ...clockify,
    caveats: [],
    check: { ...clockify.check, ...dated },
    editor: { ...clockify.editor, proves },
  };
  return buildDirectory([file], vocabulary).find('clockify')?.caveats;
};

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

  test('warns in each listing of words about a plan whose age is unknown or over 18 months', () => {
    expect(caveatsOf({ source_dated: null })).toEqual([
      'The age of the quoted text is not known: open its source and compare before you sign up.',
    ]);
    expect(caveatsOf({ source_dated: '2025-05-20' })).toEqual([
      'The quoted text is of 2025-05-20, and plans may have changed since: open its source first.',
    ]);
    expect(caveatsOf({ source_dated: '2025-05-21' })).toEqual([]);
    expect(caveatsOf({ source_dated: null }, 'licence')).toEqual([]);
    expect(caveatsOf({ source_dated: null, method: 'live_page' })).toEqual([]);
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
