import { addDays, type Day, dayText, halfYearStart, LAST_DAY, parseDay } from './calendar.ts';
import { type Micros, micros, microsText } from './money.ts';

/** Where a law grants interest on late business debts. `EU` is the minimum of the directive for every member state. */
export const JURISDICTIONS = ['GB', 'EU'] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

/** The reference rate of a half-year, in percent. */
export type ReferenceRate = {
  /** The first day of the half-year. */
  readonly from: Day;
  /** The last day of the half-year. */
  readonly until: Day;
  /** The day whose rate is the reference. */
  readonly setOn: Day;
  readonly percent: Micros;
  /** The text that was read, and when the rate was set. */
  readonly source: string;
  /** The first day after the half-year, for a rate that is used beyond it. */
  readonly outdatedFrom?: Day;
};

// Bank Rate of the last day before the half-year: SI 2002/1675, article 4.
const GB_RATES: readonly (readonly [from: string, percent: string, source: string])[] = [
  ['2023-01-01', '3.50', 'payontime.co.uk, table of reference rates'],
  ['2023-07-01', '5.00', 'payontime.co.uk, table of reference rates'],
  ['2024-01-01', '5.25', 'payontime.co.uk, table of reference rates'],
  ['2024-07-01', '5.25', 'Bank of England: Bank Rate 5.25% from 3 August 2023 to 31 July 2024'],
  ['2025-01-01', '4.75', 'Bank of England: Bank Rate 4.75% from 7 November 2024'],
  ['2025-07-01', '4.25', 'Bank of England: Bank Rate 4.25% from 8 May 2025 to 6 August 2025'],
  ['2026-01-01', '3.75', 'Bank of England: Bank Rate 3.75% from December 2025, by reports of its summaries'],
  ['2026-07-01', '3.75', 'Bank of England: Bank Rate held at 3.75% in June 2026, by reports of its summary'],
];

// The ECB's main refinancing rate of the first day of the half-year: Directive 2011/7/EU, article 2(7).
const EU_RATES: readonly (readonly [from: string, percent: string, source: string])[] = [
  ['2024-01-01', '4.50', 'enterprise.gov.ie, late payment interest rates'],
  ['2024-07-01', '4.25', 'enterprise.gov.ie, late payment interest rates'],
  ['2025-01-01', '3.15', 'European Central Bank: 3.15% from 18 December 2024'],
  ['2025-07-01', '2.15', 'European Central Bank: 2.15% from 11 June 2025'],
  ['2026-01-01', '2.15', 'Bank of Slovenia, auctions: allotted at 2.15% from 22 December 2025'],
  [
    '2026-07-01',
    '2.40',
    "European Central Bank: 2.40% from 17 June 2026, by copies of its data service's rows",
  ],
];

const HALF_YEAR_DAYS = 190;

/** The day of the reference, in days before the half-year. */
const SET_BEFORE: Readonly<Record<Jurisdiction, number>> = { GB: 1, EU: 0 };

const rateOf = ({ jurisdiction, from, percent }: OperatorRate, source: string): ReferenceRate => ({
  from,
  until: addDays(halfYearStart(addDays(from, HALF_YEAR_DAYS)), -1),
  setOn: addDays(from, -SET_BEFORE[jurisdiction]),
  percent,
  source,
});

const tableOf = (jurisdiction: Jurisdiction, rows: typeof GB_RATES): readonly ReferenceRate[] =>
  rows.map(([from, percent, source]) =>
    rateOf({ jurisdiction, from: parseDay(from) as Day, percent: micros(percent) as Micros }, source),
  );

const RELEASED = { GB: tableOf('GB', GB_RATES), EU: tableOf('EU', EU_RATES) };

let operatorRates: readonly OperatorRate[] = [];
/** The rates in use. The operator's rates come first, because they replace the rates of the release. */
let held: Readonly<Record<Jurisdiction, readonly ReferenceRate[]>> = RELEASED;

const lastOf = (jurisdiction: Jurisdiction): ReferenceRate =>
  held[jurisdiction].reduce((last, rate) => (rate.from > last.from ? rate : last));

/**
 * The reference rate of a day's half-year. After the last half-year in the table, it is the last rate, which may be out
 * of date; before the first, null.
 */
export function rateFor(jurisdiction: Jurisdiction, day: Day): ReferenceRate | null {
  const start = halfYearStart(day);
  const rate = held[jurisdiction].find(({ from }) => from === start);
  if (rate !== undefined) return rate;
  const last = lastOf(jurisdiction);
  return day > last.until ? { ...last, until: LAST_DAY, outdatedFrom: addDays(last.until, 1) } : null;
}

/** A reference rate that the operator has set, for the half-year that begins on `from`. */
export type OperatorRate = {
  readonly jurisdiction: Jurisdiction;
  readonly from: Day;
  readonly percent: Micros;
};

const MOST_PERCENT = 100_000_000n;

/** The rates among these texts. */
export const readOperatorRates = (texts: readonly string[]): readonly OperatorRate[] =>
  texts.map(readOperatorRate).filter((rate) => typeof rate !== 'string');

/** The rate in a text such as `GB 2027-01-01 3.75`, or what is wrong with it. */
export function readOperatorRate(text: string): OperatorRate | string {
  const [code, day = '', percent = '', ...more] = text.trim().split(/\s+/);
  const jurisdiction = JURISDICTIONS.find((known) => known === code);
  const from = parseDay(day);
  const rate = micros(percent);
  if (jurisdiction === undefined || from === null || rate === null || more.length > 0)
    return `must be ${JURISDICTIONS.join(' or ')}, the first day of a half-year and the rate in percent, such as GB 2027-01-01 3.75`;
  if (halfYearStart(from) !== from) return 'must begin on 1 January or 1 July';
  if (rate < 0n || rate > MOST_PERCENT) return 'must have a rate from 0 to 100';
  return { jurisdiction, from, percent: rate };
}

/** Adds the rates of an operator to the tables of this release, replacing the operator's earlier ones. */
export function holdRates(rates: readonly OperatorRate[]): void {
  operatorRates = rates;
  // Of two rates for one half-year, the last one counts.
  const own = (wanted: Jurisdiction) =>
    rates
      .filter(({ jurisdiction }) => jurisdiction === wanted)
      .map((rate) => rateOf(rate, 'REFERENCE_RATES, as set by the operator'))
      .reverse();
  held = { GB: [...own('GB'), ...RELEASED.GB], EU: [...own('EU'), ...RELEASED.EU] };
}

/** The operator's rates, as texts that `readOperatorRates` reads. */
export const operatorRateTexts = (): readonly string[] =>
  operatorRates.map(
    ({ jurisdiction, from, percent }) => `${jurisdiction} ${dayText(from)} ${microsText(percent)}`,
  );

/** The last day for which every table has a rate. */
export const ratesHeldUntil = (): Day =>
  Math.min(...JURISDICTIONS.map((jurisdiction) => lastOf(jurisdiction).until)) as Day;

// Both central banks set their last rate of a half-year about two weeks before its end.
const NOTICE_DAYS = 14;

/** Whether the tables end so soon that an operator should look up the next rates. */
export const areRatesEnding = (today: Day): boolean => today > ratesHeldUntil() - NOTICE_DAYS;
