import type { BusinessType, Candidate, Hosting, Tool, ToolCheck } from './stack-report-types.ts';

/** Who asks, with everything that decides between two tools. */
export type Asker = {
  readonly businessType: BusinessType;
  readonly teamSize: number | null;
  readonly freeOnly: boolean;
  readonly today: string;
};

/**
 * The ranking inside a need, the one place where it is written; docs/directory.md explains it in words.
 * Higher is better, ties go to the id that comes first in the alphabet.
 */
export const POINTS = {
  mainCategory: 20,
  goodForBusinessType: 20,
  textWithin12Months: 15,
  textWithin24Months: 10,
  textOlder: 3,
  textOfUnknownAge: 6,
  licenceText: 12,
  quoteNamesLimit: 8,
  quoteNamesPriceOrLicence: 6,
  roomForOneMore: 6,
  teamAtTheLimit: -6,
  tightLimit: -20,
  someRegionsOnly: -60,
  needsAnotherPlatform: -30,
  needsOwnServer: -60,
  needsOwnServerLargeTeam: -30,
  needsOwnServerAgency: -15,
  developersOnlyForAgency: -20,
} as const;

/** From this many people on, a business is taken to have somebody who can look after a server. */
const TEAM_WITH_SOMEBODY_TECHNICAL = 10;
const AGEING_MONTHS = 18;

/** The ISO day so many months earlier; only for comparing, so the 31st of a short month does no harm. */
export function monthsBefore(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}${day.slice(7)}`;
}

/** The day on which the vendor's text is known to have stood there, or null for a text of unknown age. */
export const textDay = (check: ToolCheck): string | null =>
  check.method === 'live_page' ? check.checked_on : check.source_dated;

/** 'old' or 'unknown' when the words about a plan may no longer hold; a licence does not age like a price. */
export function ageing(
  candidate: Pick<Candidate, 'tool' | 'proves'>,
  today: string,
): 'old' | 'unknown' | null {
  if (candidate.proves === 'licence') return null;
  const day = textDay(candidate.tool.check);
  if (day === null) return 'unknown';
  return day < monthsBefore(today, AGEING_MONTHS) ? 'old' : null;
}

export type Setting = 'hosted' | 'own computer' | 'own server';

const settingOf = (hosting: readonly Hosting[]): Setting => {
  if (hosting.includes('saas')) return 'hosted';
  if (hosting.includes('desktop')) return 'own computer';
  return hosting.includes('self_hosted') ? 'own server' : 'hosted';
};

/** Where the free version runs, by the easiest way to use it. */
export const setting = (candidate: Candidate): Setting => settingOf(candidate.freeOn);

export type Exclusion =
  | 'team'
  | 'not_free_for_good'
  | 'developers_only'
  | 'wrong_kind'
  | 'weak_evidence'
  | 'alternative_only';

const kindMisfits = ({ kind }: Candidate, { businessType, teamSize }: Asker): boolean =>
  kind !== null &&
  (kind.role === 'never' ||
    (kind.only_for !== null && !kind.only_for.includes(businessType)) ||
    (kind.team_max !== null && teamSize !== null && teamSize > kind.team_max));

/** Free of charge for good: no subscription, an open-source licence, or a lasting plan whose limits are known. */
const isFreeForGood = ({ tool, usableForGood }: Candidate): boolean =>
  usableForGood && (tool.pricing !== 'freemium' || tool.free_limits !== null);

/** Why a candidate cannot be offered at all to this asker, or null. */
export function excluded(candidate: Candidate, asker: Asker): Exclusion | null {
  const { tool } = candidate;
  if (kindMisfits(candidate, asker)) return 'wrong_kind';
  if (asker.teamSize !== null && tool.team_size_max !== null && tool.team_size_max < asker.teamSize)
    return 'team';
  if (asker.freeOnly && !isFreeForGood(candidate)) return 'not_free_for_good';
  if (candidate.developerOnly && asker.businessType !== 'agency') return 'developers_only';
  return null;
}

/** Why a candidate that can be offered may still not be the single pick, or null. */
export function notThePick(candidate: Candidate): Exclusion | null {
  if (candidate.weak !== null) return 'weak_evidence';
  return candidate.kind?.role === 'alternative' ? 'alternative_only' : null;
}

/** Days from which on a text counts as young; worked out once for all candidates of a need. */
export type Cutoffs = { readonly young: string; readonly middling: string };

function agePoints(candidate: Candidate, { young, middling }: Cutoffs): number {
  const day = textDay(candidate.tool.check);
  if (day !== null && day >= young) return POINTS.textWithin12Months;
  if (candidate.proves === 'licence') return POINTS.licenceText;
  if (day === null) return POINTS.textOfUnknownAge;
  return day >= middling ? POINTS.textWithin24Months : POINTS.textOlder;
}

function serverPoints({ businessType, teamSize }: Asker): number {
  if (businessType === 'agency') return POINTS.needsOwnServerAgency;
  return teamSize !== null && teamSize >= TEAM_WITH_SOMEBODY_TECHNICAL
    ? POINTS.needsOwnServerLargeTeam
    : POINTS.needsOwnServer;
}

const effortPoints = (candidate: Candidate, asker: Asker): number =>
  (candidate.requires === null ? 0 : POINTS.needsAnotherPlatform) +
  (candidate.developerOnly ? POINTS.developersOnlyForAgency : 0) +
  (setting(candidate) === 'own server' ? serverPoints(asker) : 0);

const proofPoints = ({ proves }: Candidate): number => {
  if (proves === 'mention') return 0;
  return proves === 'limit' ? POINTS.quoteNamesLimit : POINTS.quoteNamesPriceOrLicence;
};

/** A cap that the next hire would break counts against a tool; one person alone has nobody to hire yet. */
function roomPoints({ team_size_max }: Tool, teamSize: number | null): number {
  if (teamSize === null || team_size_max === null) return 0;
  if (team_size_max > teamSize) return POINTS.roomForOneMore;
  return teamSize > 1 ? POINTS.teamAtTheLimit : 0;
}

/** Points of a candidate that can be offered to this asker. */
export function score(candidate: Candidate, asker: Asker, cutoffs: Cutoffs): number {
  const { tool } = candidate;
  return (
    (candidate.isMain ? POINTS.mainCategory : 0) +
    (tool.good_for.includes(asker.businessType) ? POINTS.goodForBusinessType : 0) +
    agePoints(candidate, cutoffs) +
    effortPoints(candidate, asker) +
    proofPoints(candidate) +
    roomPoints(tool, asker.teamSize) +
    (candidate.tightLimit ? POINTS.tightLimit : 0) +
    (tool.regions === null ? 0 : POINTS.someRegionsOnly)
  );
}

export const cutoffsOf = ({ today }: Asker): Cutoffs => ({
  young: monthsBefore(today, 12),
  middling: monthsBefore(today, 24),
});
