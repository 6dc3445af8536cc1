import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import type { ListingFile } from '../../src/directory/listing.ts';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { quoteDigest } from '../../tools/directory/everything.ts';
import { type RefreshOptions, refresh } from '../../tools/directory/refresh-run.ts';
import { openVendors } from './vendors.ts';

const real = fileURLToPath(new URL('../../src/directory', import.meta.url));
export const today = '2026-12-01';
export const quote = 'The free plan’s limit is 5 users – for ever, at £0.';
export const html = `<html><body><h1>Plans</h1><p>The <b>free</b> plan's limit&nbsp;is
  <a href="/x">5 users</a> &ndash; for ever, at &pound;0.</p></body></html>`;

/** The state of the listings before the run, independent of the committed data. */
const LAST_READ = {
  checked_on: '2026-11-21',
  method: 'stored_copy',
  transcribed_by: null,
  source_dated: null,
  status: 'found',
} as const;

const category = (slug: string) => ({ slug, name: slug, aliases: [], aliases_for: {}, note: null });
const vocabulary = ['crm', 'time_tracking'].map(category);
const shelf = {
  seats: 'staff',
  takes_money: false,
  purpose: 'do the work',
  setup_minutes: 20,
  first_hour: ['Try it once.'],
  after: [],
  way_out: 'Keep a sheet.',
  also_well_known: [],
};
const shelves = {
  business_types: Object.fromEntries(
    BUSINESS_TYPES.map((type) => [type, { needs: ['time_tracking'], needs_for_teams: [] }]),
  ),
  needs: {
    crm: { ...shelf, shelf: [{ same_as: 'time_tracking', reason: 'It is one.' }] },
    time_tracking: { ...shelf, shelf: [{ id: 'kimai', reason: 'It counts hours.' }] },
  },
};

/** A separate data folder for each test of the calling file, and a run over it. */
export const refreshFolder = () => {
  /** The data folder of the running test. */
  const data = { folder: '' };
  const opened: { close: () => Promise<unknown> }[] = [];

  const file = (id: string) => join(data.folder, `listings/${id}.json`);
  const read = (id: string): ListingFile => JSON.parse(readFileSync(file(id), 'utf8'));
  const write = (id: string, over: Partial<ListingFile['check']>) => {
    const listing = read(id);
    const check = { ...listing.check, quote, ...LAST_READ, ...over };
    const editor = {
      ...listing.editor,
      quote_sha256: quoteDigest(check.quote),
      refreshed_on: null,
      failure: null,
    };
    writeFileSync(
      file(id),
      JSON.stringify({
        ...listing,
        homepage: 'https://vendor.test',
        categories: ['time_tracking'],
        limits_by_need: {},
        team_size_max: 5,
        changed_on: '2026-11-21',
        check,
        editor,
      }),
    );
  };

  /** Two listings are enough: one whose source the test vendors serve, and one that does not change. */
  beforeEach(() => {
    data.folder = mkdtempSync(join(tmpdir(), 'refresh-'));
    cpSync(join(real, 'left-out.json'), join(data.folder, 'left-out.json'));
    writeFileSync(join(data.folder, 'not-checked.json'), '[]');
    for (const id of ['clockify', 'kimai'])
      cpSync(join(real, `listings/${id}.json`), file(id), { recursive: true });
    writeFileSync(join(data.folder, 'categories.json'), JSON.stringify({ categories: vocabulary }));
    writeFileSync(join(data.folder, 'shelves.json'), JSON.stringify(shelves));
    writeFileSync(
      join(data.folder, 'leads.json'),
      JSON.stringify([
        {
          id: 'new-tool',
          name: 'New Tool',
          vendor: 'Vendor',
          homepage: 'https://vendor.test',
          source_url: 'https://vendor.test/lead',
          categories: ['crm'],
          expected: 'free_plan',
        },
      ]),
    );
    write('clockify', { source_url: 'https://vendor.test/pricing' });
    write('kimai', { source_url: 'https://github.com/kimai/kimai/blob/0123abc/README.md' });
  });

  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
    rmSync(data.folder, { recursive: true });
  });

  const run = async (
    pages: Parameters<typeof openVendors>[0],
    over: Partial<RefreshOptions> = {},
    privateHosts: readonly string[] = [],
  ) => {
    const vendors = await openVendors(pages, privateHosts);
    opened.push(vendors);
    const refreshed = await refresh({
      folder: data.folder,
      ids: ['clockify'],
      allLeads: false,
      changedSince: null,
      today,
      network: vendors.network,
      limits: { deadlineMs: 400, maxBytes: 100_000 },
      pauseMs: { anyHost: 0, sameHost: 0 },
      rest: async () => {},
      contact: null,
      onProgress: () => {},
      ...over,
    });
    return { ...refreshed, vendors, verdict: refreshed.rows[0]?.verdict };
  };

  return { data, file, read, write, run };
};
