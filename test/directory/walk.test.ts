import { describe, expect, test } from 'vitest';
import { proofOf } from '../../src/directory/listing.ts';
import { inRegions } from '../../src/domain/regions.ts';
import { categories, directory, shelves } from '../support/directory.ts';
import { day, picked } from './walked.ts';

type Picked = (typeof picked)[number];

/** The distinct 'need: tool' pairs with a fault. */
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

/** Requirements of a pick that no other pick of its report meets. */
const requiresOf = (one: Picked) => {
  const entry = shelfEntry(one);
  const hasShop = one.report.picks.some(({ need }) => need === 'online_store');
  const brought = hasShop ? ['online_shop', 'open_site'] : [];
  return [
    ...one.file.requires,
    ...(entry !== undefined && 'id' in entry ? (entry.requires ?? []) : []),
  ].filter((what) => !brought.includes(what));
};

describe('no pick in any report', () => {
  test('needs a server, a phone line, a programmer or a site, except for an agency that asked for it and has no other tool', () => {
    const forAgency = ({ request, pick }: Picked) =>
      request.businessType === 'agency' && request.needs.includes(pick.need);
    expect(faulty((one) => requiresOf(one).length > 0 && !forAgency(one))).toEqual([]);
  });

  test('has only thin evidence', () => {
    expect(faulty(({ file }) => proofOf(file, file.editor, day) === 'thin')).toEqual([]);
  });

  test('is for a need that its listing does not cover', () => {
    expect(faulty(({ file, pick }) => !file.categories.includes(pick.need))).toEqual([]);
  });

  test('has too few seats, unless the number is unknown and the report says so', () => {
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
      return team > 1 && !isKnown && !pick.caveats.includes('The number of users is not stated.');
    };
    expect(faulty(isShort)).toEqual([]);
  });

  test('is barred from the requested country, or serves only some countries without saying so if no country was requested', () => {
    const isOut = ({ request, file }: Picked) =>
      request.country !== null && file.regions !== null && !inRegions(request.country, file.regions);
    expect(faulty(isOut)).toEqual([]);
    const isSilent = ({ request, pick, file, report: { picks } }: Picked) =>
      request.country === null &&
      file.regions !== null &&
      picks
        .filter(({ tool }) => tool.id === pick.tool.id)
        .every(({ caveats }) => !caveats.join('\n').includes('Only in '));
    expect(faulty(isSilent)).toEqual([]);
  });

  test('has a price if only free tools were requested, except a fee on sales for taking money', () => {
    const isDear = ({ request, report, file }: Picked) =>
      request.freeOnly &&
      file.cost !== null &&
      !(
        file.cost.on === 'sales' &&
        report.picks.some(({ need, tool }) => tool.id === file.id && shelves.needs[need]?.takes_money)
      );
    expect(faulty(isDear)).toEqual([]);
  });

  test('is used for a second need if it is free for only one need', () => {
    const isTwice = ({ report, pick, file }: Picked) =>
      file.editor.one_need_only && report.picks.filter(({ tool }) => tool.id === pick.tool.id).length > 1;
    expect(faulty(isTwice)).toEqual([]);
  });

  test('is its own alternative, or shows an alternative twice', () => {
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

  test('has a caveat that says that it does not meet the need', () => {
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

/** Words that name the need; plain words say too little to search for. */
const tooPlain = new Set('and free taking business point team base design customer page'.split(' '));

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

/** Finds a clause that names the need and also says "paid", "no" or "not". */
const denies = (need: string, caveat: string) =>
  caveat
    .split(/[.;:](?=\s|$)/)
    .some(
      (clause) =>
        denial.test(clause) &&
        wordsOf(need).some((word) => new RegExp(`\\b${word}(?:s|es)?\\b`, 'i').test(clause)),
    );

/** Caveats that mention the need together with a "no" although the tool meets it. */
const ACCEPTABLE: Readonly<Record<string, string>> = {};
