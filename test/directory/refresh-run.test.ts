import { describe, expect, test } from 'vitest';
import { UnknownIds } from '../../tools/directory/refresh-run.ts';
import { html, quote, refreshFolder, today } from './refresh-folder.ts';
import { page, status } from './vendors.ts';

const { read, run, write } = refreshFolder();

describe('a run of directory:refresh', () => {
  test('identifies itself honestly, with a contact if there is one', async () => {
    const { vendors } = await run({ 'vendor.test/pricing': page(html) }, { contact: 'owner@example.org' });
    expect([...new Set(vendors.visits.map(({ agent }) => agent))]).toEqual([
      'SmallBusinessDirectory/1.0 (re-reads the pages that a tool directory quotes; owner@example.org)',
    ]);
  });

  test('pauses between two pages of the same host', async () => {
    write('kimai', { source_url: 'https://vendor.test/kimai' });
    const rests: number[] = [];
    const rest = async (ms: number) => void rests.push(ms);
    await run(
      { 'vendor.test/pricing': page(html), 'vendor.test/kimai': page(html) },
      { ids: [], pauseMs: { anyHost: 0, sameHost: 60_000 }, rest },
    );
    // The pause is nearly a minute, because the first page also took time.
    expect(rests).toEqual([0, expect.closeTo(60_000, -4)]);
  });

  test('continues where it stopped, without repeating requests from the same day', async () => {
    write('kimai', { source_url: 'https://vendor.test/kimai' });
    const pages = { 'vendor.test/pricing': page(html), 'vendor.test/kimai': status(503) };
    const first = await run(pages, { ids: [] });
    expect([first.rows.map(({ verdict }) => verdict.kind), first.doneBefore]).toEqual([
      ['unknown', 'found'],
      0,
    ]);
    const second = await run({ 'vendor.test/kimai': page(html) }, { ids: [] });
    expect([second.rows.map(({ id }) => id), second.doneBefore]).toEqual([['kimai'], 1]);
    expect((await run({}, { ids: [] })).rows).toEqual([]);
  });

  test('reads the latest version of a file in a public repository', async () => {
    const { vendors } = await run(
      {
        'raw.githubusercontent.com/kimai/kimai/HEAD/README.md': page(`# Kimai\n${quote}`, {
          'content-type': 'text/plain',
        }),
      },
      { ids: ['kimai'] },
    );
    expect(vendors.visits.map(({ path }) => path)).toEqual(['/robots.txt', '/kimai/kimai/HEAD/README.md']);
    expect(read('kimai').check).toMatchObject({
      source_url: 'https://github.com/kimai/kimai/blob/HEAD/README.md',
      method: 'vendor_repository',
      checked_on: today,
      source_dated: today,
    });
  });

  test('prints sentences to quote for a lead, and never makes the lead a listing', async () => {
    const lead = page(
      '<p>Start your free trial now, it is great.</p><p>Free for teams of up to 3 people.</p><p>The Starter plan is free.</p>',
    );
    const { leads, rows } = await run({ 'vendor.test/lead': lead }, { ids: [], allLeads: true });
    expect(leads).toEqual([
      {
        id: 'new-tool',
        sentences: ['Free for teams of up to 3 people.', 'The Starter plan is free.'],
        note: '',
      },
    ]);
    expect(rows).toEqual([]);
  });

  test('reads listings on shelves first', async () => {
    const { rows } = await run({ 'vendor.test/pricing': page(html) }, { ids: [] });
    expect(rows.map(({ id }) => id)).toEqual(['kimai', 'clockify']);
  });

  test('reads only listings that changed since a given day, and dates its own changes', async () => {
    const pages = { 'vendor.test/pricing': page(html) };
    const since = (changedSince: string) => run(pages, { ids: [], changedSince });
    expect((await since('2026-11-22')).rows).toEqual([]);
    await run(pages);
    expect([read('clockify').changed_on, read('kimai').changed_on]).toEqual([today, '2026-11-21']);
    write('kimai', {});
    expect((await since('2026-11-21')).rows.map(({ id }) => id)).toEqual(['kimai']);
  });

  test('changes only the days of the check if it finds the same words in the same place', async () => {
    write('clockify', { source_url: 'https://vendor.test/pricing', method: 'live_page' });
    await run({ 'vendor.test/pricing': page(html) });
    expect(read('clockify')).toMatchObject({ changed_on: '2026-11-21', check: { checked_on: today } });
  });

  test('refuses names that it does not know', async () => {
    await expect(run({}, { ids: ['clockify', 'clokify'] })).rejects.toThrow(
      new UnknownIds('no listing or lead named clokify'),
    );
  });
});
