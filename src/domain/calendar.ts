/** A calendar day as days since 1970-01-01, without a time of day or zone. */
export type Day = number & { readonly __unit: 'day' };

const MS_PER_DAY = 86_400_000;
const FIRST_DAY = 0 as Day;

/** 9999-12-31, the end of this calendar. */
export const LAST_DAY = 2_932_896 as Day;

const ISO_DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const within = (day: number): Day => Math.min(Math.max(day, FIRST_DAY), LAST_DAY) as Day;

/** Reads YYYY-MM-DD, an existing day from 1970-01-01 to 9999-12-31; anything else is null. */
export function parseDay(text: string): Day | null {
  if (!ISO_DAY.test(text)) return null;
  const [year, month, date] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  if (year < 1970) return null;
  const day = (Date.UTC(year, month - 1, date) / MS_PER_DAY) as Day;
  // Date.UTC turns 30 February into a day in March, so only a real day prints itself again.
  return day <= LAST_DAY && dayText(day) === text ? day : null;
}

/** '2026-09-01' */
export function dayText(day: Day): string {
  const { year, month, date } = civil(day);
  return `${year}-${month < 10 ? '0' : ''}${month}-${date < 10 ? '0' : ''}${date}`;
}

// The Gregorian calendar repeats every 400 years. Counted from 1 March, the leap day is the last day of its year.
const DAYS_OF_400_YEARS = 146_097;
const DAYS_TO_1970 = 719_468;

/** Plain arithmetic, because a Date takes six times as long. */
function civil(day: Day): { year: number; month: number; date: number } {
  const since = day + DAYS_TO_1970;
  const era = Math.trunc(since / DAYS_OF_400_YEARS);
  const ofEra = since - era * DAYS_OF_400_YEARS;
  const leapDays = Math.trunc(ofEra / 1_460) - Math.trunc(ofEra / 36_524) + Math.trunc(ofEra / 146_096);
  const yearOfEra = Math.trunc((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100));
  const fromMarch = Math.trunc((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    date: ofYear - Math.trunc((153 * fromMarch + 2) / 5) + 1,
  };
}

/** '1 September 2026', which is clear in every country. */
export function longDayText(day: Day): string {
  const { year, month, date } = civil(day);
  return `${date} ${MONTHS[month - 1]} ${year}`;
}

/** 'September 1, 2026', as letters in North America write it. */
export function monthFirstText(day: Day): string {
  const { year, month, date } = civil(day);
  return `${MONTHS[month - 1]} ${date}, ${year}`;
}

/** The day `days` later, within 1970-01-01 and 9999-12-31. */
export function addDays(day: Day, days: number): Day {
  return within(day + days);
}

/** The same date `months` later, or the last day of that month if it has no such date. */
function addMonths(day: Day, months: number): Day {
  const { year, month, date } = civil(day);
  const first = Date.UTC(year, month - 1 + months, 1) / MS_PER_DAY;
  const length = Date.UTC(year, month + months, 1) / MS_PER_DAY - first;
  return within(first + Math.min(date, length) - 1);
}

/** How many months have begun by a day. The first begins on the day after `start`. */
export function monthsBegun(start: Day, day: Day): number {
  if (day <= start) return 0;
  const [from, to] = [civil(start), civil(day)];
  const months = (to.year - from.year) * 12 + to.month - from.month;
  return addMonths(start, months) < day ? months + 1 : months;
}

/** The UTC day of an instant, within 1970-01-01 and 9999-12-31. */
export function utcDay(epochMs: number): Day {
  return within(Math.floor(epochMs / MS_PER_DAY));
}

// 1970-01-01 was a Thursday.
const daysIntoWeekend = (day: Day): number => Math.max(0, ((day + 3) % 7) - 4);

/** The day itself, or the Monday after a weekend. Public holidays are unknown here. */
export function workdayFrom(day: Day): Day {
  const into = daysIntoWeekend(day);
  return into === 0 ? day : addDays(day, 3 - into);
}

/** The day itself, or the Friday before a weekend. */
export function workdayUpTo(day: Day): Day {
  return addDays(day, -daysIntoWeekend(day));
}

/** The first day of a day's half-year: 1 January or 1 July. */
export function halfYearStart(day: Day): Day {
  const { year, month } = civil(day);
  return (Date.UTC(year, month <= 6 ? 0 : 6, 1) / MS_PER_DAY) as Day;
}
