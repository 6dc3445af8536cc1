import { describe, expect, test } from 'vitest';
import { categories, directory, listingFiles, shelves } from '../../test/support/directory.ts';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';
import { buildDirectory, type ShelfPlace } from './directory.ts';
import type { ListingFile } from './listing.ts';
import type { ShelfTool } from './needs.ts';

const clockify = listingFiles.find(({ id }) => id === 'clockify') as ListingFile;

const built = (check: Partial<ListingFile['check']>, proves: ListingFile['editor']['proves'] = 'limit') =>
  buildDirectory(
    [
      {
        ...clockify,
        check: {
          ...clockify.check,
          method: 'stored_copy',
          checked_on: '2026-11-21',
          status: 'found',
          ...check,
        },
        editor: { ...clockify.editor, proves },
      },
    ],
    categories,
    shelves,
  );

describe('the directory', () => {
  test('has its listings sorted by id and deeply frozen', () => {
    const ids = directory.listings.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(() => Object.assign(directory.listings[0]?.check ?? {}, { quote: 'x' })).toThrow(TypeError);
  });

  test("does not include the editor's own notes", () => {
    expect(Object.keys(directory.find('clockify') ?? {})).toEqual([
      ...'id name vendor homepage categories pricing hosting requires free_limits'.split(' '),
      ...'limits_by_need then leave cost team_size_max good_for regions licence caveats'.split(' '),
      ...'changed_on check proof seats_unlimited'.split(' '),
    ]);
  });

  test('grades each listing as of the day of the latest check', () => {
    const proof = (...of: Parameters<typeof built>) => built(...of).find('clockify')?.proof;
    expect(proof({ source_dated: null })).toBe('fair');
    expect(proof({ source_dated: '2025-05-20' })).toBe('fair');
    expect(proof({ source_dated: '2025-05-21' })).toBe('strong');
    expect(proof({ source_dated: null, method: 'live_page' })).toBe('strong');
    expect(proof({ source_dated: '2026-11-21' }, 'mention')).toBe('thin');
  });

  test('counts and lists the listings of each category, with those on its shelf first and in shelf order', () => {
    for (const { slug, count } of directory.categories) {
      const listings = directory.byCategory(slug).map(({ id }) => id);
      const shelf = [...new Set(directory.shelf(slug).map(({ id }) => id))];
      expect(listings).toHaveLength(count);
      expect(listings.slice(0, shelf.length)).toEqual(shelf);
      expect(listings.slice(shelf.length)).toEqual(listings.slice(shelf.length).toSorted());
    }
    expect(directory.byCategory('no_such_category')).toEqual([]);
  });

  test('shows a shelf entry only once if it occurs twice with the same text for the same businesses', () => {
    const audience = (place: ShelfTool | ShelfPlace) =>
      BUSINESS_TYPES.filter((type) => (place.for?.includes(type) ?? true) && !place.not_for?.includes(type));
    let once = 0;
    for (const { slug } of directory.categories) {
      const places = directory.need(slug).shelf.filter((entry) => 'tool' in entry);
      const shown = directory.shelf(slug);
      once += places.length - shown.length;
      for (const type of BUSINESS_TYPES) {
        const ids = places.filter((place) => audience(place).includes(type)).map(({ tool }) => tool.id);
        const told = shown.filter((place) => audience(place).includes(type)).map(({ id }) => id);
        expect([slug, type, [...new Set(told)]]).toEqual([slug, type, [...new Set(ids)]]);
      }
      for (const [index, { for: _for, not_for: _not, ...place }] of shown.entries()) {
        const { for: _also, not_for: _nor, ...next } = shown[index + 1] ?? { id: '' };
        expect(next).not.toEqual(place);
      }
    }
    expect(once).toBeGreaterThan(0);
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
  ])('reads %s as %s', (text, slug) => {
    expect(directory.category(text)).toEqual({ slug });
  });

  test('reads a newsletter as email marketing, or as publishing if the business is a creator', () => {
    expect(directory.category('newsletter', 'service')).toEqual({ slug: 'email_marketing' });
    expect(directory.category('newsletter', 'creator')).toEqual({ slug: 'newsletter_publishing' });
  });

  test('does not find a category for an unknown word, and names the nearest one if there is one', () => {
    expect(directory.category('invocing')).toBeNull();
    expect(directory.nearestCategory('invocing')).toBe('invoicing');
    expect(directory.nearestCategory('book-keeping')).toBe('accounting');
    expect(directory.nearestCategory('qqqqqqqqqqqq')).toBeNull();
    expect(directory.category('__proto__')).toBeNull();
  });

  test('finds a tool without a free plan by its ID, but puts it in no list and on no shelf', () => {
    const paid: ListingFile = { ...clockify, pricing: 'paid', free_limits: null, team_size_max: null };
    const of = buildDirectory([paid], categories, shelves);
    expect(of.find('clockify')).toMatchObject({ pricing: 'paid', check: clockify.check });
    expect([of.listings, of.byCategory('time_tracking'), of.shelf('time_tracking')]).toEqual([[], [], []]);
    expect(of.known.map(({ id }) => id)).toEqual(['clockify']);
  });

  test('finds a tool that was not checked, without a quote or a proof', () => {
    const { id, name, vendor, homepage, good_for, changed_on } = clockify;
    const tool = { id, name, vendor, homepage, categories: ['time_tracking'], good_for, changed_on };
    const of = buildDirectory([], categories, shelves, [{ ...tool, regions: null, caveats: [] }]);
    expect(of.find('clockify')).toMatchObject({ pricing: 'not_checked', check: null, proof: null });
    expect(of.byCategory('time_tracking')).toEqual([]);
  });

  test('returns null for an unknown ID', () => {
    expect(directory.find('no-such-tool')).toBeNull();
    expect(directory.find('__proto__')).toBeNull();
  });

  test('knows the needs of all eight business types', () => {
    for (const type of BUSINESS_TYPES) expect(directory.needsOf(type).needs.length).toBeGreaterThanOrEqual(8);
    expect(directory.needsOf('nonprofit').needs[0]).toBe('donor_fundraising');
    expect(directory.needsOf('retail').needs_for_teams).toEqual(['payroll_hr']);
  });
});
