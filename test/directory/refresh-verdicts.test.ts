import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ListingFileSchema } from '../../src/directory/listing.ts';
import { loadDirectory } from '../../src/directory/load.ts';
import { html, quote, refreshFolder, today } from './refresh-folder.ts';
import { type openVendors, page, redirect, status } from './vendors.ts';

const { data, file, read, run } = refreshFolder();

describe('a source that still has the quote', () => {
  test('is recorded as read live on that day, despite markup and typographic characters', async () => {
    const before = ListingFileSchema.parse(read('clockify'));
    const { verdict } = await run({ 'vendor.test/pricing': page(html) });
    expect(verdict).toEqual({ kind: 'found', sourceUrl: 'https://vendor.test/pricing' });
    expect(read('clockify')).toEqual({
      ...before,
      changed_on: '2026-12-01',
      check: { ...before.check, checked_on: '2026-12-01', method: 'live_page' },
      editor: { ...before.editor, refreshed_on: '2026-12-01' },
    });
  });

  test.each([
    ['gzip', page(gzipSync(html), { 'content-encoding': 'gzip' })],
    [
      'windows-1252 sent as utf-8',
      page(Buffer.from(quote.replace('–', '\x96').replace('’', '\x92'), 'latin1')),
    ],
    [
      'utf-8 sent as latin-1',
      page(html.replace('&pound;', '£'), { 'content-type': 'text/html; charset=iso-8859-1' }),
    ],
    ['an unknown character set', page(html, { 'content-type': 'text/html; charset=klingon' })],
    ['plain Markdown', page(`- **${quote}**`, { 'content-type': 'text/plain' })],
  ])('is found in %s', async (_, vendorPage) => {
    expect((await run({ 'vendor.test/pricing': vendorPage })).verdict?.kind).toBe('found');
  });

  test('and has moved permanently within the vendor’s sites gets its new address', async () => {
    await run({
      'vendor.test/pricing': redirect('https://help.vendor.test/plans', 308),
      'help.vendor.test/plans': page(html),
    });
    expect(read('clockify').check.source_url).toBe('https://help.vendor.test/plans');
  });

  test('and has moved temporarily keeps its old address', async () => {
    await run({
      'vendor.test/pricing': redirect('/plans', 302),
      'vendor.test/plans': page(html),
    });
    expect(read('clockify').check).toMatchObject({
      source_url: 'https://vendor.test/pricing',
      method: 'live_page',
    });
  });

  test('restores a listing that had failed', async () => {
    await run({ 'vendor.test/pricing': status(404) });
    expect(loadDirectory(data.folder, today).find('clockify')).toBeNull();
    await run({ 'vendor.test/pricing': page(html) });
    expect(loadDirectory(data.folder, today).find('clockify')?.check?.status).toBe('found');
    expect(read('clockify').editor.failure).toBeNull();
  });
});

describe('a source that no longer has the quote', () => {
  const failed = (reason: string, nearest: string | null = null) => ({ kind: 'failed', reason, nearest });

  test('fails with the nearest words on the page, and its listing leaves the directory', async () => {
    const changed = page('<p>Welcome.</p><p>The free plan’s limit is 3 users, for ever.</p><p>Other.</p>');
    const { verdict } = await run({ 'vendor.test/pricing': changed });
    const nearest = 'The free plan’s limit is 3 users, for ever.';
    expect(verdict).toEqual(failed('the quote is not on the page', nearest));
    expect(read('clockify')).toMatchObject({
      changed_on: today,
      check: { quote, status: 'failed', checked_on: '2026-11-21', method: 'stored_copy' },
      editor: {
        refreshed_on: today,
        failure: { reason: 'the quote is not on the page', nearest_text: nearest },
      },
    });
    const directory = loadDirectory(data.folder, today);
    expect(directory.find('clockify')).toBeNull();
    expect(directory.byCategory('time_tracking').map(({ id }) => id)).toEqual(['kimai']);
  });

  test.each([404, 410])('fails if the page is gone (%i)', async (code) => {
    const { verdict } = await run({ 'vendor.test/pricing': status(code) });
    expect(verdict).toEqual(failed(`the page is gone (${code})`));
  });

  test('fails if it redirects to another site, which is not visited', async () => {
    const { verdict, vendors } = await run({
      'vendor.test/pricing': redirect('https://buyer.example/plans'),
      'buyer.example/plans': page(html),
    });
    expect(verdict).toEqual(failed('it redirects to another site, buyer.example'));
    expect(vendors.visited('buyer.example')).toEqual([]);
  });

  test.each([
    ['a name in the office network', 'https://inside.vendor.test/'],
    ['another port', 'https://vendor.test:8443/'],
    ['plain http', 'http://vendor.test/plans'],
  ])('fails if it redirects to %s', async (_, location) => {
    const { verdict, vendors } = await run({ 'vendor.test/pricing': redirect(location) }, {}, [
      'inside.vendor.test',
    ]);
    expect(verdict).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^it redirects and the address/),
    });
    expect(vendors.visits.filter(({ path }) => path === '/' || path === '/plans')).toEqual([]);
  });

  test.each(['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/latest/meta-data'])(
    'fails if it redirects to %s',
    async (location) => {
      const { verdict } = await run({ 'vendor.test/pricing': redirect(location) });
      expect(verdict?.kind).toBe('failed');
    },
  );

  test('fails if it redirects in a circle', async () => {
    const { verdict } = await run({ 'vendor.test/pricing': redirect('/pricing') });
    expect(verdict).toEqual(failed('it redirects more than 5 times'));
  });
});

describe('a source that cannot be read', () => {
  const slow = () => {};
  const endless: Parameters<typeof openVendors>[0][string] = (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<p>');
  };
  test.each([
    ['never answers', slow, 'no complete answer within 0.4 seconds'],
    ['never ends', endless, 'no complete answer within 0.4 seconds'],
    ['is huge', page('x'.repeat(100_001)), 'the page has more than 100000 bytes'],
    [
      'is huge after decompression',
      page(gzipSync(Buffer.alloc(2_000_000)), { 'content-encoding': 'gzip' }),
      'the page has more than 100000 bytes',
    ],
    [
      'is broken gzip',
      page('no gzip', { 'content-encoding': 'gzip' }),
      'the connection failed (Z_DATA_ERROR)',
    ],
    ['is busy', status(503), 'the vendor answered with status 503'],
    ['rejects robots', status(403), 'the vendor answered with status 403'],
    ['is a picture', page('x', { 'content-type': 'image/png' }), 'the source is not text but image/png'],
  ])('leaves its listing unchanged if it %s', async (_, vendorPage, reason) => {
    const before = readFileSync(file('clockify'), 'utf8');
    const { verdict } = await run({ 'vendor.test/pricing': vendorPage });
    expect(verdict).toMatchObject({ kind: 'unknown', reason });
    expect(readFileSync(file('clockify'), 'utf8')).toBe(before);
  });

  test('leaves its listing unchanged, and is not even requested if robots.txt forbids reading it', async () => {
    const { verdict, vendors } = await run({
      'vendor.test/robots.txt': page('User-agent: *\nDisallow: /pricing', { 'content-type': 'text/plain' }),
      'vendor.test/pricing': page(html),
    });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'robots.txt asks not to read this page' });
    expect(vendors.visits.map(({ path }) => path)).toEqual(['/robots.txt']);
  });

  test('leaves its listing unchanged if robots.txt cannot be read', async () => {
    const pages = { 'vendor.test/robots.txt': status(500), 'vendor.test/pricing': page(html) };
    expect((await run(pages)).verdict?.kind).toBe('unknown');
  });

  test('leaves its listing unchanged if its host name leads into a private network', async () => {
    const { verdict } = await run({}, {}, ['vendor.test']);
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'the address is not on the public internet' });
  });
});
