import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { DirectoryError } from '../../src/directory/directory-error.ts';
import { loadDirectory } from '../../src/directory/load.ts';
import { checkFolder } from '../../tools/directory/check.ts';

const real = fileURLToPath(new URL('../../src/directory/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'directory-'));
const today = new Date().toISOString().slice(0, 10);
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  for (const part of [
    'listings',
    'not-checked.json',
    'categories.json',
    'shelves.json',
    'leads.json',
    'left-out.json',
  ])
    cpSync(join(real, part), join(folder, part), { recursive: true, force: true });
  // The listings appear regardless of the latest check of their sources.
  for (const id of ['clockify', 'harvest', 'kimai'])
    edit(id, ({ check, editor }) => {
      Object.assign(check, { status: 'found' });
      Object.assign(editor, { failure: null });
    });
});

type Editable = { check: { quote: string; source_url?: string }; editor: { failure: unknown } };
const path = (id: string) => join(folder, `listings/${id}.json`);
const edit = (id: string, change: (listing: Editable) => void) => {
  const listing = JSON.parse(readFileSync(path(id), 'utf8'));
  change(listing);
  writeFileSync(path(id), JSON.stringify(listing));
};
const check = (acceptQuotes = false) => checkFolder(folder, today, acceptQuotes);
/** Expects exactly these faults. */
const expectFaults = (...faults: string[]) => {
  const lines = [faults.length === 1 ? '1 fault:' : `${faults.length} faults:`, ...faults];
  expect(check()).toEqual({ lines, status: 1 });
};

describe('directory:check', () => {
  test('accepts the committed data', () => {
    const { lines, status } = checkFolder(real, today, false);
    expect([lines.length, lines[0], status]).toEqual([
      1,
      expect.stringMatching(/^\d+ listings and \d+ leads are in order\.$/),
      0,
    ]);
  });

  test('fails on a duplicate id', () => {
    writeFileSync(path('zz-copy'), readFileSync(path('clockify')));
    try {
      expectFaults(
        'listings/zz-copy.json /id: clockify is already in listings/clockify.json',
        'listings/zz-copy.json /id: clockify belongs in listings/clockify.json',
      );
    } finally {
      rmSync(path('zz-copy'));
    }
  });

  test('fails on an unknown category', () => {
    edit('clockify', (listing) => Object.assign(listing, { categories: ['time_tracking', 'clocks'] }));
    expectFaults('listings/clockify.json /categories/1: unknown category clocks');
  });

  test('fails on a quote that differs by one character', () => {
    edit('clockify', ({ check }) => Object.assign(check, { quote: `${check.quote} ` }));
    expectFaults("listings/clockify.json /check/quote: differs from the vendor's words as they were read");
  });

  test('accepts a replaced quote when the editor says so', () => {
    edit('clockify', ({ check }) => Object.assign(check, { quote: 'Free for up to five active users.' }));
    expect(check(true).status).toBe(0);
    expect(check().status).toBe(0);
  });

  test('fails on a future date', () => {
    edit('clockify', ({ check }) => Object.assign(check, { checked_on: '9999-12-30' }));
    expectFaults('listings/clockify.json /check/checked_on: 9999-12-30 is in the future');
  });

  test('fails on a missing source, and on one that is not https', () => {
    edit('clockify', ({ check }) => delete check.source_url);
    edit('harvest', ({ check }) => Object.assign(check, { source_url: 'http://www.getharvest.com/pricing' }));
    const { lines, status } = check();
    expect([lines.length, status]).toEqual([3, 1]);
    expect(lines.at(1)).toMatch(/^listings\/clockify\.json \/check\/source_url: /);
    expect(lines.at(2)).toBe('listings/harvest.json /check/source_url: must be an https address');
  });

  test('fails on a caveat that is too long or has three sentences', () => {
    edit('clockify', (listing) => Object.assign(listing, { caveats: ['One. Two. Three.', 'x'.repeat(241)] }));
    expectFaults(
      'listings/clockify.json /caveats/0: a caveat has at most 2 sentences',
      'listings/clockify.json /caveats/1: a caveat has at most 240 characters',
    );
  });

  test('fails on a quote outside 20 to 220 characters, and on open source without a license', () => {
    edit('clockify', ({ check }) => Object.assign(check, { quote: 'It is free.' }));
    edit('kimai', (listing) => Object.assign(listing, { licence: null }));
    expectFaults(
      'listings/clockify.json /check/quote: a quote has 20 to 220 characters',
      'listings/kimai.json /licence: an open-source listing names its licence',
    );
  });

  test('fails on a shelf entry that is not a listing, is not in that category, or is wider than its listing', () => {
    const path = join(folder, 'shelves.json');
    const shelves = JSON.parse(readFileSync(path, 'utf8'));
    edit('clockify', (listing) => Object.assign(listing, { regions: ['US', 'EU'] }));
    shelves.needs.time_tracking.shelf = [
      { id: 'clokify', reason: 'It counts.' },
      { id: 'jitsi-meet', reason: 'It counts.' },
      { id: 'clockify', reason: 'It counts.', regions: ['DE', 'GB'] },
      { same_as: 'clocks', reason: 'It counts.' },
    ];
    shelves.needs.time_tracking.after = ['clocks'];
    writeFileSync(path, JSON.stringify(shelves));
    expectFaults(
      'shelves.json /needs/time_tracking/shelf/0: clokify is not a listing',
      'shelves.json /needs/time_tracking/shelf/1: jitsi-meet is not listed under time_tracking',
      'shelves.json /needs/time_tracking/shelf/2: clockify is not listed for GB',
      'shelves.json /needs/time_tracking/shelf/3: unknown need clocks',
      'shelves.json /needs/time_tracking/after: unknown need clocks',
    );
  });

  test('fails on a missing list of countries', () => {
    const path = join(folder, 'shelves.json');
    const shelves = JSON.parse(readFileSync(path, 'utf8'));
    shelves.country_lists.far = ['NZ'];
    shelves.needs.time_tracking.shelf = [
      { id: 'clockify', reason: 'It counts.', not_regions: ['far'] },
      { id: 'kimai', reason: 'It counts.', not_regions: ['near'] },
    ];
    writeFileSync(path, JSON.stringify(shelves));
    expect(check().lines[0]).toBe('1 fault:');
    expect(check().lines[1]).toMatch(/^shelves\.json \/needs\/time_tracking\/shelf\/1/);
  });

  test('fails on a closed country for a vendor without a listing', () => {
    const path = join(folder, 'shelves.json');
    const shelves = JSON.parse(readFileSync(path, 'utf8'));
    shelves.closed_to = [
      { regions: ['CN'], vendors: ['Gogle LLC'] },
      { regions: ['CU'], but: ['Zoo'] },
    ];
    writeFileSync(path, JSON.stringify(shelves));
    expectFaults(
      'shelves.json /closed_to/0: no listing is from the vendor Gogle LLC',
      'shelves.json /closed_to/1: no listing is from the vendor Zoo',
    );
  });

  test('fails on a need that refers to another need, which itself refers to a third for the same business type', () => {
    const path = join(folder, 'shelves.json');
    const shelves = JSON.parse(readFileSync(path, 'utf8'));
    const { shelf } = shelves.needs.time_tracking;
    const index = shelf.length;
    const tie = (types: string[]) => {
      // Payments belong to the point of sale only for retail, and to the shop for online stores and creators.
      shelves.needs.time_tracking.shelf = [
        ...shelf,
        { same_as: 'payments', reason: 'It counts.', for: types },
      ];
      writeFileSync(path, JSON.stringify(shelves));
      return check().lines.slice(1);
    };
    expect(tie(['trades', 'retail'])).toEqual([
      `shelves.json /needs/time_tracking/shelf/${index}: payments itself uses the tool of another need`,
    ]);
    expect(check().status).toBe(1);
    tie(['trades', 'service']);
    expect(check().status).toBe(0);
  });

  test('fails on a shelf with neither a possible pick nor what to do instead, and on a category without a shelf', () => {
    const path = join(folder, 'shelves.json');
    const shelves = JSON.parse(readFileSync(path, 'utf8'));
    shelves.needs.time_tracking.shelf = [{ id: 'clockify', reason: 'It counts.' }];
    shelves.needs.time_tracking.way_out = null;
    edit('clockify', ({ editor }) => Object.assign(editor, { proves: 'mention' }));
    writeFileSync(path, JSON.stringify(shelves));
    expectFaults(
      'shelves.json /needs/time_tracking/way_out: no tool of the shelf can be a pick: say what to do',
    );
    delete shelves.needs.time_tracking;
    for (const need of Object.values(shelves.needs) as { after: string[]; shelf: { same_as?: string }[] }[]) {
      need.after = need.after.filter((slug) => slug !== 'time_tracking');
      need.shelf = need.shelf.filter(({ same_as }) => same_as !== 'time_tracking');
    }
    writeFileSync(path, JSON.stringify(shelves));
    expectFaults('shelves.json /needs: time_tracking has no shelf');
  });

  test('fails on a tool without a free plan that is on a shelf or has limits of free use', () => {
    edit('clockify', (listing) => Object.assign(listing, { pricing: 'paid' }));
    expectFaults(
      'listings/clockify.json /pricing: a tool without a free plan has no limits of free use',
      'listings/clockify.json /editor/proves: the quote of a tool without a free plan shows its price',
    );
    edit('clockify', (listing) => {
      Object.assign(listing, { free_limits: null, team_size_max: null });
      Object.assign(listing.editor, { proves: 'price' });
    });
    const { lines } = check();
    expect(lines).toContainEqual(
      expect.stringMatching(/^shelves\.json \/needs\/time_tracking\/shelf\/0: clockify has no free plan$/),
    );
  });

  test('fails on a price that is incomplete or not a decimal', () => {
    const then = { text: 'Basic: $5 a month', source_url: 'https://clockify.me/pricing' };
    edit('clockify', (listing) => Object.assign(listing, { then: { ...then, amount: '5' } }));
    expectFaults('listings/clockify.json /then/amount: amount, currency, per and period are given together');
    const parts = { currency: 'USD', per: 'user', period: 'month' };
    edit('clockify', (listing) => Object.assign(listing, { then: { ...then, amount: '5.5', ...parts } }));
    expectFaults("listings/clockify.json /then/amount: must be an amount such as '49' or '12.50'");
  });

  test('fails on an unchecked tool that is a listing or has an unknown category', () => {
    const tool = {
      ...{ id: 'clockify', name: 'Clockify', vendor: 'CAKE.com', homepage: 'https://clockify.me' },
      ...{ categories: ['clocks'], good_for: ['agency'], changed_on: '2026-11-24' },
    };
    writeFileSync(join(folder, 'not-checked.json'), JSON.stringify([tool]));
    expectFaults(
      'not-checked.json /clockify: is a listing',
      'not-checked.json /clockify: unknown category clocks',
    );
  });

  test('fails on a foreign quote without a translation, and on a transcription without a transcriber', () => {
    edit('clockify', ({ check }) => Object.assign(check, { language: 'de', quote_translation: null }));
    edit('harvest', ({ check }) => Object.assign(check, { method: 'transcription', transcribed_by: null }));
    expectFaults(
      'listings/clockify.json /check/quote_translation: a quote in another language has a translation',
      'listings/harvest.json /check/transcribed_by: a transcription says who wrote the words down, and no other method does',
    );
  });

  test('fails on a region that is not an ISO code, such as UK instead of GB', () => {
    edit('clockify', (listing) => Object.assign(listing, { regions: ['UK'] }));
    expect(check().lines[1]).toMatch(/^listings\/clockify\.json \/regions\/0: /);
  });

  test('fails on a file that is not JSON, and also names every other fault', () => {
    writeFileSync(path('clockify'), '{');
    writeFileSync(join(folder, 'leads.json'), '[{}]');
    const { lines, status } = check();
    expect(status).toBe(1);
    expect(lines).toContain('listings/clockify.json /: is not JSON');
    expect(lines.some((line) => line.startsWith('leads.json /0/id: '))).toBe(true);
  });
});

describe('loadDirectory()', () => {
  test('refuses wrong data at once, with every fault in the message', () => {
    edit('clockify', (listing) => Object.assign(listing, { categories: ['clocks'] }));
    edit('harvest', (listing) => Object.assign(listing, { caveats: ['One. Two. Three.'] }));
    const load = () => loadDirectory(folder, today);
    expect(load).toThrow(DirectoryError);
    expect(load).toThrow('listings/clockify.json /categories/0: unknown category clocks');
    expect(load).toThrow('listings/harvest.json /caveats/0: a caveat has at most 2 sentences');
  });

  test('leaves a failed listing out of every answer', () => {
    const before = loadDirectory(folder, today).listings.length;
    edit('clockify', (listing) => {
      Object.assign(listing.check, { status: 'failed' });
      Object.assign(listing.editor, {
        failure: { reason: 'The quote is not on the page.', nearest_text: null },
      });
    });
    const directory = loadDirectory(folder, today);
    expect(directory.find('clockify')).toBeNull();
    expect(directory.listings).toHaveLength(before - 1);
    expect(directory.byCategory('time_tracking').map(({ id }) => id)).not.toContain('clockify');
    expect(directory.shelf('time_tracking').map(({ id }) => id)).not.toContain('clockify');
  });
});
