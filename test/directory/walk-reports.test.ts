import { describe, expect, test } from 'vitest';
import { buildDirectory } from '../../src/directory/directory.ts';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { inRegions } from '../../src/domain/regions.ts';
import { stackReport } from '../../src/report/report.ts';
import { categories, directory, listingFiles as files, shelves } from '../support/directory.ts';
import { day, reportOf, reports, requests } from './walked.ts';

describe('every report', () => {
  test('answers each need once, either with a pick or with a reason and the stored advice, if there is any', () => {
    for (const { request, report } of reports) {
      const own = directory.needsOf(request.businessType);
      const wanted = new Set([
        ...own.needs.filter(
          (slug) => request.teamSize === null || request.teamSize >= (shelves.needs[slug]?.from_team ?? 1),
        ),
        ...((request.teamSize ?? 1) > 1
          ? own.needs_for_teams.filter(
              (slug) => Number(request.teamSize) >= (shelves.needs[slug]?.from_team ?? 1),
            )
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

  test('does not repeat a caveat within a pick, and has no text over 500 characters', () => {
    const strings = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
    };
    for (const { report } of reports) {
      for (const { caveats } of report.picks) expect(caveats).toEqual([...new Set(caveats)]);
      expect(Math.max(...strings(report).map(({ length }) => length))).toBeLessThanOrEqual(500);
    }
  });

  test('numbers its steps, and puts each pick into one of them', () => {
    for (const { report } of reports) {
      const steps = report.getting_started;
      expect(steps.map(({ step }) => step)).toEqual(steps.map((_, index) => index + 1));
      expect(steps.flatMap(({ needs }) => needs).toSorted()).toEqual(
        report.picks.map(({ need }) => need).toSorted(),
      );
    }
  });

  test('warns if one vendor has more than half of the picks', () => {
    for (const { report } of reports) {
      const vendors = report.picks.map(({ tool }) => tool.vendor);
      const most = Math.max(...vendors.map((vendor) => vendors.filter((other) => other === vendor).length));
      if (most > 1 && most * 2 > vendors.length)
        expect(report.caveats.some((caveat) => caveat.startsWith('Lock-in'))).toBe(true);
    }
  });

  test('is the same, byte for byte, if it is requested twice or the files are in another order', () => {
    const rebuilt = buildDirectory(files.toReversed(), categories, shelves);
    for (const { request, report } of reports.filter((_, index) => index % 7 === 0)) {
      const text = JSON.stringify(report);
      expect(JSON.stringify(reportOf(request))).toBe(text);
      expect(JSON.stringify(reportOf(request, rebuilt))).toBe(text);
    }
  });
});

describe('the directory behind a report', () => {
  test('produces no report, and no error, if every listing is withdrawn', () => {
    const none = buildDirectory([], categories, shelves);
    for (const request of requests) expect(stackReport(request, none).ok).toBe(false);
  });

  test('offers the next listing of a shelf if a pick is removed, or leaves the need unmet', () => {
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

  test('has caveats that are sentences for buyers, without internal notes', () => {
    for (const { id, caveats, free_limits } of files)
      for (const text of [...caveats, free_limits ?? ''])
        expect([id, text]).not.toEqual([
          id,
          expect.stringMatching(/\(check|\bcheck (?:the |it|this)|evidence|stored page/i),
        ]);
  });
});
