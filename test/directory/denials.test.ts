import { expect, test } from 'vitest';
import { BUSINESS_TYPES, type BusinessType } from '../../src/domain/directory-labels.ts';
import { COUNTRY_CODES, inRegions } from '../../src/domain/regions.ts';
import type { StackPick } from '../../src/report/picks.ts';
import { listingFiles, shelves } from '../support/directory.ts';
import { asking } from './asking.ts';

const { ask } = asking({ needs: ['analytics', 'inventory', 'photo_video_audio'] });
const files = new Map(listingFiles.map((file) => [file.id, file]));

/** Every place in the data that names a country, by its path. */
function namings(value: unknown, country: string, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value.includes(country)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === country ? [`${path}/${key}`] : []),
    ...namings(inner, country, `${path}/${key}`),
  ]);
}

const RULES = { shelves, regions: listingFiles.map(({ id, regions }) => ({ id, regions })) };

/** One country from each group that the same rules name: its result holds for the group. */
const COUNTRIES = [
  ...new Map(COUNTRY_CODES.map((code) => [namings(RULES, code).join(), code])).values(),
].sort();

type Asker = { readonly businessType: BusinessType; readonly country: string; readonly teamSize: number };

/** Returns what contradicts a pick: its listing's countries or team size, its own caveats or another pick. */
function denials(pick: StackPick, picks: readonly StackPick[], { businessType, country, teamSize }: Asker) {
  const file = files.get(pick.tool.id);
  const need = shelves.needs[pick.need];
  if (file === undefined || need === undefined) return ['no listing'];
  const { regions, team_size_max: most, editor } = file;
  const why = pick.why.join(' ');
  const isForStaff = (need.seats_for[businessType] ?? need.seats) === 'staff';
  const isShared = /those who maintain it|One company account/.test(why);
  const ceilings = need.shelf.flatMap((entry) =>
    'id' in entry && entry.id === file.id ? [entry.max_team ?? Number.POSITIVE_INFINITY] : [],
  );
  const said = pick.caveats.join(' ');
  const refusing = pick.caveats.filter((text) => /\b(?:does not|do not|cannot|not with)\b/.test(text));
  const others = picks.filter(({ tool }) => tool.id !== file.id).map(({ tool }) => tool.name);
  const refused = others.filter((name) => refusing.some((text) => text.includes(name)));
  return [
    ...(regions !== null && !inRegions(country, regions) ? ['country'] : []),
    ...(most !== null && teamSize > most && !editor.own_accounts && (isForStaff || !isShared)
      ? ['seats']
      : []),
    ...(ceilings.length > 0 && ceilings.every((ceiling) => ceiling < teamSize) ? ['team'] : []),
    ...(/no free plan|only a trial/i.test(said) ? ['its own caveat'] : []),
    ...(/\b(?:one person|one user|single user)\b[^.]*\bonly\b|\bonly (?:one|1) (?:person|user)/i.test(said) &&
    teamSize > 1 &&
    (isForStaff || !isShared)
      ? ['one person']
      : []),
    ...(/second person may cost/.test(said) && teamSize > 1 && !['US', 'CA'].includes(country)
      ? ['a second person']
      : []),
    ...(refused.length > 0 && !/^For (?:your|the sites of your)/.test(why) ? refused : []),
  ];
}

test.each(BUSINESS_TYPES)(
  'no pick for the business type %s contradicts its own caveat, another pick, the country or the team size',
  (businessType) => {
    const denied = new Map<string, string>();
    for (const country of COUNTRIES)
      for (const teamSize of [1, 2, 5, 9, 18, 200]) {
        const asker = { businessType, country, teamSize };
        const result = ask(asker);
        const picks = result.ok ? result.report.picks : [];
        for (const pick of picks)
          for (const reason of denials(pick, picks, asker))
            denied.set(`${pick.need} ${pick.tool.id}: ${reason}`, `${country} ${teamSize}`);
      }
    expect([...denied]).toEqual([]);
  },
  300_000,
);
