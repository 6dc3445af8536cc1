import { expect, test } from 'vitest';
import type { ListingFile } from '../../src/directory/listing.ts';
import { claimFaults } from '../../tools/directory/claims.ts';
import { listingFiles, shelves } from '../support/directory.ts';

const withListing = (id: string, change: (listing: ListingFile) => ListingFile) =>
  claimFaults(
    listingFiles.map((listing) => (listing.id === id ? change(listing) : listing)),
    shelves,
  ).map(({ file, field, detail }) => `${file} ${field}: ${detail}`);

test('none of our sentences has a figure or a promise without a source in its listing', () => {
  expect(claimFaults(listingFiles, shelves)).toEqual([]);
});

test.each([
  ['A transfer costs nothing, a card 2.7%.', '“2.7”'],
  ['Free for seven people.', '“7”'],
])('the claim "%s" is reported if no source supports it', (sentence, claim) => {
  const faults = withListing('square-invoices', (listing) => ({ ...listing, caveats: [sentence] }));
  expect(faults).toEqual([expect.stringContaining(claim)]);
  expect(faults[0]).toMatch(/^listings\/square-invoices\.json \/caveats\/0: no source of the listing says /);
});

test('a promise of "unlimited" is reported if the vendor does not make it', () => {
  const faults = withListing('mailchimp-free', (listing) => ({
    ...listing,
    free_limits: 'Unlimited contacts',
  }));
  expect(faults).toEqual([expect.stringContaining('“Unlimited”')]);
});

test('a bank transfer with Square has the vendor’s fee, and no caveat says that it costs nothing', () => {
  const square = listingFiles.find(({ id }) => id === 'square-invoices');
  expect(square?.caveats[0]).toContain('a bank transfer 1%, at least $1');
  expect(square?.caveats.join(' ')).not.toMatch(/nothing/);
});

test('a figure is accepted only while another source proves it', () => {
  const faults = withListing('payhip', (listing) => ({
    ...listing,
    editor: { ...listing.editor, also_read: [] },
  }));
  expect(faults.length).toBeGreaterThan(1);
  expect(faults.every((line) => line.includes('“5”'))).toBe(true);
});
