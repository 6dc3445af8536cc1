import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CategoriesFileSchema } from '../../src/directory/categories.ts';
import { readServed } from '../../src/directory/data.ts';
import { buildDirectory, type Directory } from '../../src/directory/directory.ts';
import { type ListingFile, ListingFileSchema } from '../../src/directory/listing.ts';
import { picksTable } from '../../src/directory/picks.ts';
import { stackReport } from '../../src/domain/stack-report.ts';
import { BUSINESS_TYPES, type StackRequest } from '../../src/domain/stack-report-types.ts';

const served = readServed(fileURLToPath(new URL('../../src/directory', import.meta.url)));
const files = served.listings.map(({ text }) => ListingFileSchema.parse(JSON.parse(text)));
const categories = CategoriesFileSchema.parse(JSON.parse(served.categories.text));
const directory = buildDirectory(files, categories);
const day = '2026-11-21';

const requests: StackRequest[] = BUSINESS_TYPES.flatMap((businessType) =>
  [1, 5, 25].flatMap((teamSize) =>
    [false, true].map((freeOnly) => ({ businessType, needs: [], teamSize, freeOnly, generatedOn: day })),
  ),
);
const named = requests.map((request) => [JSON.stringify(request), request] as const);

const reportOf = (request: StackRequest, from: Directory = directory) => {
  const result = stackReport(request, from);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};

const fileOf = (id: string): ListingFile => {
  const file = files.find((listing) => listing.id === id);
  if (file === undefined) throw new Error(id);
  return file;
};

describe.each(named)('%s', (_, request) => {
  const report = reportOf(request);
  const own = directory.needsOf(request.businessType).always;

  test('has a pick for at least four fifths of the default needs, and a reason for each of the others', () => {
    const picked = report.picks.filter(({ need }) => own.includes(need)).length;
    expect(picked / own.length).toBeGreaterThanOrEqual(0.8);
    const answered = [...report.picks.map(({ need }) => need), ...report.unmet.map(({ need }) => need)];
    expect(answered.toSorted()).toEqual([...new Set(answered)].toSorted());
    expect(answered).toEqual(expect.arrayContaining([...own]));
    for (const { reason } of report.unmet) expect(reason).not.toBe('');
  });

  test('picks nothing that breaks its own limits', () => {
    for (const { need, tool, alternatives, vendor_quote } of report.picks) {
      const { categories: its, editor, check, free_limits } = fileOf(tool.id);
      expect(its).toContain(need);
      expect(editor.weak).toBeNull();
      expect(vendor_quote.text).toBe(check.quote);
      for (const { id } of [{ id: tool.id }, ...alternatives]) {
        const { team_size_max, editor, pricing } = fileOf(id);
        expect(team_size_max ?? 10_000).toBeGreaterThanOrEqual(request.teamSize ?? 1);
        if (request.businessType !== 'agency') expect(editor.developer_only).toBe(false);
        if (request.freeOnly && pricing === 'freemium') expect(editor.usable_for_good).toBe(true);
      }
      if (request.freeOnly && tool.pricing === 'freemium') expect(free_limits).not.toBeNull();
      expect(alternatives.length).toBeLessThanOrEqual(2);
      expect(alternatives.map(({ id }) => id)).not.toContain(tool.id);
    }
  });

  test('says nothing twice in the caveats of a pick, and warns of ageing words at most once', () => {
    for (const { caveats } of report.picks) {
      expect(caveats).toEqual([...new Set(caveats)]);
      expect(
        caveats.filter((caveat) => /^The (?:age of the )?quoted text is/.test(caveat)).length,
      ).toBeLessThan(2);
      expect(caveats.length).toBeLessThanOrEqual(12);
    }
  });

  test('names no vendor for more than half of the needs without a warning', () => {
    const vendors = report.picks.map(({ tool }) => tool.vendor);
    const most = Math.max(...vendors.map((vendor) => vendors.filter((other) => other === vendor).length));
    const warned = report.caveats.some((caveat) => caveat.startsWith('Lock-in'));
    expect(warned).toBe(most * 2 > report.picks.length);
  });

  test('gives the same bytes when it is asked twice', () => {
    expect(JSON.stringify(reportOf(request))).toBe(JSON.stringify(report));
    const rebuilt = buildDirectory([...files].reverse(), categories);
    expect(JSON.stringify(reportOf(request, rebuilt))).toBe(JSON.stringify(report));
  });

  test('without a picked listing, another is promoted or the need is listed as unmet', () => {
    for (const { need, tool } of report.picks) {
      const without = buildDirectory(
        files.filter(({ id }) => id !== tool.id),
        categories,
      );
      const next = reportOf(request, without);
      const promoted = next.picks.find((pick) => pick.need === need);
      expect(promoted?.tool.id).not.toBe(tool.id);
      if (promoted === undefined) expect(next.unmet.map((miss) => miss.need)).toContain(need);
    }
  });
});

describe('the table an editor reads', () => {
  const mainPurpose = (businessType: StackRequest['businessType'], need: string) =>
    reportOf({ businessType, needs: [], teamSize: 5, freeOnly: false, generatedOn: day }).picks.find(
      (pick) => pick.need === need,
    )?.tool.categories[0];

  test('gives a shop a till and a charity fundraising, made for just that', () => {
    expect(mainPurpose('retail', 'point_of_sale')).toBe('point_of_sale');
    expect(mainPurpose('nonprofit', 'donor_fundraising')).toBe('donor_fundraising');
  });

  test('sells in every country where a tool does, and names Mollie to shops in Europe', () => {
    const request = { businessType: 'online_store', needs: [], teamSize: 1, freeOnly: false } as const;
    const { picks } = reportOf({ ...request, generatedOn: day });
    const payments = picks.find(({ need }) => need === 'payments');
    expect(payments?.tool.regions).toBeNull();
    expect(payments?.caveats.join(' ')).toContain('In the United Kingdom and Europe, look at Mollie as well');
  });

  test('a suite is named with the address of its listing', () => {
    const request = { businessType: 'trades', needs: [], teamSize: 1, freeOnly: false } as const;
    const hint = reportOf({ ...request, generatedOn: day }).caveats.find((line) =>
      line.startsWith('One suite'),
    );
    const id = hint?.match(/read its listing, \/v1\/tools\/([a-z0-9-]+), before you decide\.$/)?.[1] ?? '';
    expect(hint).toContain(`tools: ${directory.find(id)?.name} covers`);
  });

  test('names every need of every business type, met or not', () => {
    const table = picksTable(directory, 'online_store', day);
    expect(table).toContain('online_store, team of 5, free only\n  online_store              ');
    expect(table.match(/^ {2}social_media /gm)).toHaveLength(6);
  });
});

describe('a report for every need there is', () => {
  const all = directory.categories.map(({ slug }) => slug);
  const strings = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
  };

  test.each(BUSINESS_TYPES)('%s: answers each once, in lines of at most 500 characters', (businessType) => {
    const report = reportOf({ businessType, needs: all, teamSize: null, freeOnly: false, generatedOn: day });
    const needs = [...report.picks, ...report.unmet].map(({ need }) => need);
    expect(needs.toSorted()).toEqual(all.toSorted());
    expect(Math.max(...strings(report).map(({ length }) => length))).toBeLessThanOrEqual(500);
    expect(report.getting_started.length).toBeLessThanOrEqual(20);
  });
});

describe('all the data', () => {
  test('withdrawn everywhere is no report, not an error', () => {
    const none = buildDirectory([], categories);
    for (const request of requests) expect(stackReport(request, none).ok).toBe(false);
  });

  test('caveats are sentences for a buyer, without hints of the workshop', () => {
    for (const { id, caveats, free_limits } of files)
      for (const text of [...caveats, free_limits ?? ''])
        expect([id, text]).not.toEqual([
          id,
          expect.stringMatching(/\(check|\bcheck (?:the |it|this)|evidence|stored page/i),
        ]);
  });

  test('the left-out list gives a reason for each', () => {
    const leftOut = JSON.parse(
      readFileSync(new URL('../../src/directory/left-out.json', import.meta.url), 'utf8'),
    );
    expect(leftOut).toEqual([
      {
        id: 'carrd-basic',
        reason:
          'Same product, same vendor page and same quote as carrd, which now stands in both categories.',
      },
    ]);
  });

  test('ten thousand listings answer in under 20 ms at the median', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => {
      const file = files[index % files.length];
      if (file === undefined) throw new Error('no files');
      return { ...file, id: `${file.id}-${index}` };
    });
    const large = buildDirectory(many, categories);
    const times = requests.map((request) => {
      const start = performance.now();
      stackReport(request, large);
      return performance.now() - start;
    });
    const median = times.toSorted((a, b) => a - b)[times.length / 2] ?? Number.NaN;
    expect(median).toBeLessThan(20);
  });
});
