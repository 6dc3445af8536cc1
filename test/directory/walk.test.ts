import { describe, expect, test } from 'vitest';
import { buildDirectory, type Directory } from '../../src/directory/directory.ts';
import type { ListingFile } from '../../src/directory/listing.ts';
import { inRegions } from '../../src/domain/regions.ts';
import { stackReport } from '../../src/domain/stack-report.ts';
import type { StackReport, StackRequest } from '../../src/domain/stack-report-document.ts';
import { proofOf } from '../../src/domain/stack-report-proof.ts';
import { BUSINESS_TYPES } from '../../src/domain/stack-report-types.ts';
import { picksTable } from '../../tools/directory/picks.ts';
import { categories, directory, listingFiles as files, shelves } from '../support/directory.ts';

const all = categories.categories.map(({ slug }) => slug);
/** The reports are of the day of the last look, whatever day a refresh left behind. */
const day = directory.lastChecked;

const requests: StackRequest[] = BUSINESS_TYPES.flatMap((businessType) =>
  [null, 1, 4, 12, 25].flatMap((teamSize) =>
    [false, true].flatMap((freeOnly) =>
      [null, 'US', 'GB', 'DE', 'IN'].flatMap((country) =>
        [[], all].map((needs) => ({ businessType, needs, teamSize, freeOnly, country, generatedOn: day })),
      ),
    ),
  ),
);

const reportOf = (request: StackRequest, from: Directory = directory): StackReport => {
  const result = stackReport(request, from);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};
const reports = requests.map((request) => ({ request, report: reportOf(request) }));

const fileOf = (id: string): ListingFile => {
  const file = files.find((listing) => listing.id === id);
  if (file === undefined) throw new Error(id);
  return file;
};

/** Every pick of every report with its listing. */
const picked = reports.flatMap(({ request, report }) =>
  report.picks.map((pick) => ({ request, report, pick, file: fileOf(pick.tool.id) })),
);
type Picked = (typeof picked)[number];
/** The distinct 'need: tool' for which something is not as it should be. */
const faulty = (isFaulty: (one: Picked) => boolean): string[] => [
  ...new Set(picked.filter(isFaulty).map(({ pick }) => `${pick.need}: ${pick.tool.id}`)),
];

const shelfEntry = ({ pick, request }: Picked) =>
  shelves.needs[pick.need]?.shelf.find(
    (entry) =>
      'id' in entry &&
      entry.id === pick.tool.id &&
      (entry.for?.includes(request.businessType) ?? true) &&
      !entry.not_for?.includes(request.businessType),
  );
/** What a pick asks for first and no other pick of its report is. */
const requiresOf = (one: Picked) => {
  const entry = shelfEntry(one);
  const hasShop = one.report.picks.some(({ need }) => need === 'online_store');
  const brought = hasShop ? ['online_shop', 'open_site'] : [];
  return [
    ...one.file.requires,
    ...(entry !== undefined && 'id' in entry ? (entry.requires ?? []) : []),
  ].filter((what) => !brought.includes(what));
};

describe('no pick', () => {
  test('needs a server, a line, a programmer or a site first, but for an agency that asked and has no other', () => {
    const forAgency = ({ request, pick }: Picked) =>
      request.businessType === 'agency' && request.needs.includes(pick.need);
    expect(faulty((one) => requiresOf(one).length > 0 && !forAgency(one))).toEqual([]);
  });

  test('rests on thin proof', () => {
    expect(faulty(({ file }) => proofOf(file, file.editor, day) === 'thin')).toEqual([]);
  });

  test('stands for a need that its listing does not cover', () => {
    expect(faulty(({ file, pick }) => !file.categories.includes(pick.need))).toEqual([]);
  });

  test('has too few seats: they are enough, or said to be unknown', () => {
    const isShort = ({ request, pick, file }: Picked) => {
      const need = shelves.needs[pick.need];
      const who = need?.seats_for[request.businessType] ?? need?.seats;
      const team = who === 'staff' ? (request.teamSize ?? 1) : 1;
      const entry = shelfEntry({ request, pick, file } as Picked);
      const cap = Math.min(
        file.team_size_max ?? Number.POSITIVE_INFINITY,
        (entry !== undefined && 'id' in entry ? entry.max_seats : undefined) ?? Number.POSITIVE_INFINITY,
      );
      if (cap < team) return true;
      const isKnown = cap !== Number.POSITIVE_INFINITY || directory.find(file.id)?.seats_unlimited;
      return team > 1 && !isKnown && !pick.caveats.includes('How many may use it free is not said.');
    };
    expect(faulty(isShort)).toEqual([]);
  });

  test('is barred from the country, and one that is for some countries says so where none was given', () => {
    const isOut = ({ request, file }: Picked) =>
      request.country !== null && file.regions !== null && !inRegions(request.country, file.regions);
    expect(faulty(isOut)).toEqual([]);
    const isSilent = ({ request, pick, file }: Picked) =>
      request.country === null &&
      file.regions !== null &&
      !report(pick.caveats).includes('Only in ') &&
      !pick.works_with?.some((words) => words.endsWith('the same tool'));
    const report = (lines: readonly string[]) => lines.join('\n');
    expect(faulty(isSilent)).toEqual([]);
  });

  test('has a price where only free ones were asked for, but a fee on sales where that tool takes money', () => {
    const isDear = ({ request, report, file }: Picked) =>
      request.freeOnly &&
      file.cost !== null &&
      !(
        file.cost.on === 'sales' &&
        report.picks.some(({ need, tool }) => tool.id === file.id && shelves.needs[need]?.takes_money)
      );
    expect(faulty(isDear)).toEqual([]);
  });

  test('is one of two of a tool that is free for one need only', () => {
    const isTwice = ({ report, pick, file }: Picked) =>
      file.editor.one_need_only && report.picks.filter(({ tool }) => tool.id === pick.tool.id).length > 1;
    expect(faulty(isTwice)).toEqual([]);
  });

  test('is its own alternative, and no alternative is shown twice', () => {
    const isDoubled = ({ pick }: Picked) => {
      const ids = [
        pick.tool.id,
        ...pick.alternatives.map(({ id }) => id),
        ...(pick.at_home ?? []).map(({ id }) => id),
      ];
      return new Set(ids).size !== ids.length;
    };
    expect(faulty(isDoubled)).toEqual([]);
  });

  test('says in its own caveats that it does not do the need', () => {
    expect(
      faulty(({ pick, file }) => file.caveats.some((caveat) => denies(pick.need, caveat))).toSorted(),
    ).toEqual(
      Object.keys(ACCEPTABLE)
        .filter((key) => pickedKeys.has(key))
        .toSorted(),
    );
  });
});

const pickedKeys = new Set(picked.map(({ pick }) => `${pick.need}: ${pick.tool.id}`));

/** Words that name the need; the plain ones say too little alone to be looked for. */
const tooPlain = new Set([
  'and',
  'free',
  'taking',
  'business',
  'point',
  'team',
  'base',
  'design',
  'customer',
  'page',
]);
const stem = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');
function wordsOf(need: string): string[] {
  const category = categories.categories.find(({ slug }) => slug === need);
  const text = [need, category?.name ?? '', ...(category?.aliases ?? [])].join(' ').toLowerCase();
  return text
    .split(/[^a-z]+/)
    .map(stem)
    .filter((word) => word.length > 2 && !tooPlain.has(word));
}

const denial = /\b(?:paid|pay for|costs?|not|no|cannot|without|never)\b/i;

/** A clause that both names the need and says paid, no or not. */
const denies = (need: string, caveat: string) =>
  caveat
    .split(/[.;:](?=\s|$)/)
    .some(
      (clause) =>
        denial.test(clause) &&
        wordsOf(need).some((word) => new RegExp(`\\b${word}(?:s|es)?\\b`, 'i').test(clause)),
    );

/** Caveats that name the need beside a no, and do it all the same. */
const ACCEPTABLE: Readonly<Record<string, string>> = {};

test.each([
  ['knowledge_base', 'Time tracking, the wiki and templates are in paid plans.', true],
  ['file_storage', 'Cloud storage costs extra.', true],
  ['knowledge_base', 'Time tracking is paid. The wiki is free.', false],
])('%s: %s', (need, caveat, expected) => {
  expect(denies(need, caveat)).toBe(expected);
});

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
        const isLaw = reason.includes(' fit the rules of ');
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
