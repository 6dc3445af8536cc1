import { describe, expect, test } from 'vitest';
import { buildDirectory, type Directory } from '../../src/directory/directory.ts';
import { inRegions } from '../../src/domain/regions.ts';
import { stackReport } from '../../src/domain/stack-report.ts';
import { BUSINESS_TYPES } from '../../src/domain/stack-report-types.ts';
import { picksTable } from '../../tools/directory/picks.ts';
import { categories, directory, listingFiles as files, shelves } from '../support/directory.ts';
import { day, reportOf, reports, requests } from './walked.ts';

describe('every report', () => {
  test('answers each need once, with a pick or with a reason and, where there is one, a way out', () => {
    for (const { request, report } of reports) {
      const own = directory.needsOf(request.businessType);
      const wanted = new Set([
        ...own.always,
        ...((request.teamSize ?? 1) > 1
          ? own.forTeams.filter((slug) => Number(request.teamSize) >= (shelves.needs[slug]?.from_team ?? 1))
          : []),
        ...request.needs,
      ]);
      const answered = [...report.picks, ...report.unmet].map(({ need }) => need);
      expect(answered.toSorted()).toEqual([...wanted].toSorted());
      for (const { need, reason, way_out } of report.unmet) {
        expect(reason).toMatch(/^[A-Z].*\.$/);
        const asked = shelves.needs[need];
        const local = asked?.ways_out_in.find(
          (way) =>
            inRegions(request.country ?? '', way.regions) &&
            (way.for?.includes(request.businessType) ?? true),
        );
        const plain = local?.text ?? asked?.ways_out[request.businessType] ?? asked?.way_out ?? null;
        const ofLaw = asked?.law.ways_out[request.country as 'DE'] ?? asked?.law.way_out;
        const isLaw = /\brules\b/.test(reason);
        expect(way_out).toBe(isLaw ? (ofLaw ?? plain) : plain);
      }
    }
  });

  test('says nothing twice in a pick, and nothing in more than 500 characters', () => {
    const strings = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
    };
    for (const { report } of reports) {
      for (const { caveats } of report.picks) expect(caveats).toEqual([...new Set(caveats)]);
      expect(Math.max(...strings(report).map(({ length }) => length))).toBeLessThanOrEqual(500);
    }
  });

  test('numbers its steps, and each pick belongs to one', () => {
    for (const { report } of reports) {
      const steps = report.getting_started;
      expect(steps.map(({ step }) => step)).toEqual(steps.map((_, index) => index + 1));
      expect(steps.flatMap(({ needs }) => needs).toSorted()).toEqual(
        report.picks.map(({ need }) => need).toSorted(),
      );
    }
  });

  test('names a vendor of more than half of the picks in a warning', () => {
    for (const { report } of reports) {
      const vendors = report.picks.map(({ tool }) => tool.vendor);
      const most = Math.max(...vendors.map((vendor) => vendors.filter((other) => other === vendor).length));
      if (most > 1 && most * 2 > vendors.length)
        expect(report.caveats.some((caveat) => caveat.startsWith('Lock-in'))).toBe(true);
    }
  });

  test('has at most 16 kB of JSON for a business type alone, and hardly more for any team and country', () => {
    const sizes = reports
      .filter(({ request }) => request.needs.length === 0)
      .map(({ request, report }) => ({
        request: JSON.stringify(request),
        bytes: Buffer.byteLength(JSON.stringify(report)),
        most: request.teamSize === null && request.country === null && !request.freeOnly ? 16_000 : 16_384,
      }));
    expect(sizes.filter(({ bytes, most }) => bytes > most)).toEqual([]);
  });

  test('gives the same bytes when it is asked twice, and when the files come in another order', () => {
    const rebuilt = buildDirectory(files.toReversed(), categories, shelves);
    for (const { request, report } of reports.filter((_, index) => index % 7 === 0)) {
      const text = JSON.stringify(report);
      expect(JSON.stringify(reportOf(request))).toBe(text);
      expect(JSON.stringify(reportOf(request, rebuilt))).toBe(text);
    }
  });
});

describe('the directory behind it', () => {
  test('withdrawn everywhere is no report, not an error', () => {
    const none = buildDirectory([], categories, shelves);
    for (const request of requests) expect(stackReport(request, none).ok).toBe(false);
  });

  test('without a picked listing, the next on the shelf is promoted or the need is unmet', () => {
    for (const businessType of BUSINESS_TYPES) {
      const request = {
        businessType,
        needs: [],
        teamSize: 4,
        freeOnly: false,
        country: null,
        generatedOn: day,
      };
      for (const { need, tool } of reportOf(request).picks) {
        const without = buildDirectory(
          files.filter(({ id }) => id !== tool.id),
          categories,
          shelves,
        );
        const next = reportOf(request, without);
        const promoted = next.picks.find((pick) => pick.need === need);
        expect(promoted?.tool.id).not.toBe(tool.id);
        if (promoted === undefined) expect(next.unmet.map((miss) => miss.need)).toContain(need);
      }
    }
  });

  test('the table an editor reads names every need of a business type, met or not', () => {
    const table = picksTable(directory, 'online_store', day);
    for (const need of directory.needsOf('online_store').always)
      expect(table.match(new RegExp(`^ {2}${need} `, 'gm'))).toHaveLength(6);
  });

  test('caveats are sentences for a buyer, without hints of the workshop', () => {
    for (const { id, caveats, free_limits } of files)
      for (const text of [...caveats, free_limits ?? ''])
        expect([id, text]).not.toEqual([
          id,
          expect.stringMatching(/\(check|\bcheck (?:the |it|this)|evidence|stored page/i),
        ]);
  });

  test('twenty thousand listings answer within 15 times of what two thousand take', {
    timeout: 60_000,
  }, () => {
    /** Every listing and every place on a shelf so many times. */
    const grown = (times: number) => {
      const copies = Array.from({ length: times }, (_, index) => (index === 0 ? '' : `-${index}`));
      const named = <T extends { id: string }>(one: T): T[] =>
        copies.map((copy) => ({ ...one, id: `${one.id}${copy}` }));
      const needs = Object.entries(shelves.needs).map(([slug, need]) => [
        slug,
        {
          ...need,
          shelf: need.shelf.flatMap((entry): (typeof entry)[] => ('id' in entry ? named(entry) : [entry])),
        },
      ]);
      return buildDirectory(files.flatMap(named), categories, {
        ...shelves,
        needs: Object.fromEntries(needs),
      });
    };
    // Processor time of all of them: half of the requests ask for every need, so that a median would be of either kind.
    const cpu = (from: Directory) => {
      const before = process.cpuUsage();
      for (const request of requests.slice(0, 60)) stackReport(request, from);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const times = Math.ceil(2_000 / files.length);
    expect(cpu(grown(10 * times))).toBeLessThan(15 * cpu(grown(times)));
  });
});
