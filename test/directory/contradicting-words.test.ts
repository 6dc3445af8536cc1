import { expect, test } from 'vitest';
import { buildDirectory } from '../../src/directory/directory.ts';
import type { ListingFile } from '../../src/directory/listing.ts';
import { contradictions } from '../../tools/directory/contradictions.ts';
import { categories, directory, listingFiles, notChecked, shelves } from '../support/directory.ts';

type Change = (listing: ListingFile) => ListingFile;
const changed = (id: string, change: Change) =>
  listingFiles.map((listing) => (listing.id === id ? change(listing) : listing));

/** Returns the faults that are found if one listing contains a different text, without the reports. */
const faultsWith = (id: string, change: Change) =>
  contradictions(changed(id, change), null).map(({ file, field, detail }) => `${file} ${field}: ${detail}`);

/** Returns the faults of the picks in whole reports if one listing contains a different text. */
const picksWith = (id: string, change: Change) => {
  const listings = changed(id, change);
  return contradictions(listings, buildDirectory(listings, categories, shelves, notChecked)).map(
    ({ field, detail }) => `${field}: ${detail}`,
  );
};

const read =
  (words: string): Change =>
  (listing) => ({
    ...listing,
    editor: { ...listing.editor, also_read: [{ words, source_url: 'https://example.com' }] },
  });

test('the committed data has no contradictions', () => {
  expect(contradictions(listingFiles, directory)).toEqual([]);
});

test('a quoted page with another price for the plan is reported', () => {
  expect(faultsWith('square-appointments', read('Plus $29 per month, per location. Unlimited'))).toEqual([
    'listings/square-appointments.json /editor/also_read/0: names 29 for Square Plus, and /then does not',
  ]);
});

test('a quoted page with the later price of the plan or the price of another plan is accepted', () => {
  expect(faultsWith('square-appointments', read('Plus $49/mo. per location; Premium $149/mo.'))).toEqual([]);
  expect(faultsWith('zoho-crm-free', read('Standard US$14/user/month; US$20/user/month monthly'))).toEqual(
    [],
  );
});

test('two tools from one vendor have the same price if it is from the same page', () => {
  const faults = faultsWith('square-invoices', ({ then, ...listing }) => ({
    ...listing,
    then: then && { ...then, amount: '29', text: 'Square Plus: $29 a month for each location' },
  }));
  expect(faults).toEqual([
    expect.stringMatching(/^listings\/square-invoices\.json \/editor\/also_read\/\d: |\/then\/amount: /),
  ]);
});

test('a price in the currency of a country that the tool does not serve is reported', () => {
  expect(faultsWith('servicem8', (listing) => ({ ...listing, regions: ['AU', 'NZ'] }))).toEqual([
    'listings/servicem8.json /then/currency: USD, and the tool is not listed for US',
  ]);
});

test.each([
  ['free_limits', { free_limits: '3 people and 30 jobs a month' }, '/free_limits: is for 3'],
  ['a caveat', { caveats: ['The free plan is only for two people.'] }, '/caveats/0: is for 2'],
])('%s that allows fewer people than the listing is reported', (_, change, found) => {
  expect(faultsWith('clockify', (listing) => ({ ...listing, ...change }))).toEqual([
    `listings/clockify.json ${found}, and /team_size_max is 5`,
  ]);
});

test('a quote that allows fewer people than the listing is reported, but an older quote that allows more is not', () => {
  expect(faultsWith('clockify', read('Free: 1 provider; €0'))).toEqual([
    'listings/clockify.json /editor/also_read/0: is for 1, and /team_size_max is 5',
  ]);
  expect(faultsWith('clockify', read('Free for up to 25 users'))).toEqual([]);
});

test('a pick that contradicts a caveat of another pick is reported', () => {
  const faults = picksWith('wave-starter', (listing) => ({
    ...listing,
    caveats: ['Google Drive does not take its statements.'],
  }));
  expect(faults).toEqual([expect.stringMatching(/wave-starter: is picked beside google-drive for /)]);
});

test('a pick for a team or country that its own caveat excludes is reported', () => {
  const forOne = picksWith('google-drive', (listing) => ({
    ...listing,
    caveats: ['Each further person costs a fee outside the United States and Canada.'],
  }));
  expect(forOne).toEqual([
    expect.stringMatching(/google-drive: is picked for \w+, team of \d+ in [A-Z]{2}, against/),
  ]);
});
