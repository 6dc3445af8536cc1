import { addDays, type Day, dayText, halfYearStart, longDayText } from './calendar.ts';
import { type Debt, debtsOf, type LateFee, openTimes, sumOf } from './late-fee.ts';
import {
  divRound,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorOf,
  minorText,
  powerOfTen,
  SCALE,
} from './money.ts';
import type { Fault, Result } from './result.ts';
import { type Jurisdiction, type ReferenceRate, rateFor } from './statutory-rates.ts';

/** A law on late payment between businesses. Its interest replaces an agreed fee and is never added to it. */
type Law = {
  readonly jurisdiction: Jurisdiction;
  readonly currency: string;
  readonly name: string;
  /** The law as a letter names it in a sentence. */
  readonly title: string;
  readonly rule: string;
  /** The name of the reference rate, on its own and in a sentence of a letter. */
  readonly rateName: string;
  readonly ratePhrase: string;
  readonly compensation: (amount: Micros) => bigint;
  readonly restsOn: readonly string[];
};

/** A reference rate with the days of interest that it is used for; `held` is null if the caller gave it. */
export type UsedRate = {
  readonly percent: Micros;
  readonly days: number;
  readonly held: ReferenceRate | null;
};

/** What a law grants on the debts of a fee. Interest, total and formula are null if a rate is unknown. */
export type StatutoryInterest = {
  readonly law: Law;
  readonly usedRates: readonly UsedRate[];
  /** The yearly rate; null if it is unknown, or if several half-years have different rates. */
  readonly annualPercent: Micros | null;
  readonly formula: string | null;
  readonly interest: Minor | null;
  /** The fixed sum in addition to the interest; 0 while nothing is overdue. */
  readonly compensation: Minor;
  readonly totalDue: Minor | null;
  /** The figures of each debt, in the order of the fee's debts; empty if there are none. */
  readonly debts: readonly DebtByLaw[];
  /** The first day of the half-year without a rate if an earlier rate is used; otherwise null. */
  readonly outdatedFrom: Day | null;
  /** Why there is no figure; null if there is one. */
  readonly unavailable: string | null;
};

/** Interest and compensation on one debt, and the periods that the interest covers. */
type DebtByLaw = {
  readonly amount: Micros;
  readonly times: readonly RatedTime[];
  readonly interest: Minor;
  readonly compensation: Minor;
};

/** What the laws add to the reference rate, in percent. */
export const MARGIN = (8n * SCALE) as Micros;
const DAYS_A_YEAR = 365n;

const SHARED_BASIS = [
  'Only for debts between businesses, or debts of a public authority to a business; never for consumers.',
  'Claim either this or the agreed late fee, never both. Grace days in your own terms do not apply here.',
];

const LAWS: Readonly<Record<Jurisdiction, Law>> = {
  GB: {
    jurisdiction: 'GB',
    currency: 'GBP',
    name: 'Late Payment of Commercial Debts (Interest) Act 1998',
    title: 'the Late Payment of Commercial Debts (Interest) Act 1998',
    rule: 'Simple interest at 8% a year above Bank Rate for each day after the due date, and one fixed sum for each debt: £40 below £1,000, £70 below £10,000, £100 from £10,000.',
    rateName: 'Bank Rate',
    ratePhrase: "the Bank of England's Bank Rate",
    compensation: (amount) => (amount < 1_000n * SCALE ? 40n : amount < 10_000n * SCALE ? 70n : 100n),
    restsOn: [
      ...SHARED_BASIS,
      'One reference rate applies to the whole debt: Bank Rate on 31 December for interest that starts from January to June, and on 30 June for interest that starts from July to December (SI 2002/1675, article 4).',
      'If your contract has a substantial remedy for late payment, it replaces this interest.',
    ],
  },
  EU: {
    jurisdiction: 'EU',
    currency: 'EUR',
    name: 'Directive 2011/7/EU, the minimum in every member state',
    title: 'Directive 2011/7/EU on late payment and the national law that implements it',
    rule: 'At least simple interest at 8% a year above the European Central Bank’s main refinancing rate, for each day after the due date, and 40 euros for each debt.',
    rateName: 'the main refinancing rate of the European Central Bank',
    ratePhrase: 'the main refinancing rate of the European Central Bank',
    compensation: () => 40n,
    restsOn: [
      ...SHARED_BASIS,
      'Each half-year has its own reference rate, the rate on its first day (article 2(7)). A year has 365 days.',
      'This is a minimum: national law may grant more or calculate differently, as Germany does with 9% above its own base rate.',
    ],
  },
};

export type StatutoryRequest = {
  readonly jurisdiction: Jurisdiction;
  /** The reference rate for every half-year, in percent; null to use the rates of the tables. */
  readonly referenceRate: Micros | null;
};

/**
 * What the law grants on the debts of a fee up to a day, rounded once for each debt. The currency is that of the law.
 * Fault: total_too_large.
 */
export function statutoryInterest(
  { terms, digits, amount, paid }: LateFee,
  ask: StatutoryRequest,
  asOf: Day,
): Result<StatutoryInterest> {
  const law = LAWS[ask.jurisdiction];
  const all = debtsOf(terms).map((debt) => ({
    amount: debt.amount,
    times: timesOf(debt, asOf, ask),
    compensation: (compensationOf(law, debt, asOf) * powerOfTen(digits)) as Minor,
  }));
  const compensation = all.reduce((sum, debt) => sum + debt.compensation, 0n) as Minor;
  const [missing] = all.flatMap(({ times }) => ('missing' in times ? [times.missing] : []));
  const debts = all.flatMap(({ times, ...debt }): DebtByLaw[] =>
    missing !== undefined || 'missing' in times
      ? []
      : [{ ...debt, times, interest: interestOf(times, digits) }],
  );
  const interest = debts.reduce((sum, debt) => sum + debt.interest, 0n) as Minor;
  const totalDue = (amount - paid + interest + compensation) as Minor;
  if (exceedsLargestMoney((totalDue + paid) as Minor, digits)) return { ok: false, faults: [TOO_LARGE] };
  const usedRates = ratesIn(debts);
  const [used, ...others] = usedRates;
  const outdated = usedRates.find(({ held, days }) => days > 0 && held?.outdatedFrom !== undefined);
  return {
    ok: true,
    value: {
      law,
      usedRates,
      annualPercent: used !== undefined && others.length === 0 ? ((MARGIN + used.percent) as Micros) : null,
      formula: missing === undefined ? formulaOf(debts, interest, digits) : null,
      interest: missing === undefined ? interest : null,
      compensation,
      totalDue: missing === undefined ? totalDue : null,
      debts,
      outdatedFrom: outdated?.held?.outdatedFrom ?? null,
      unavailable:
        missing === undefined
          ? null
          : `There is no figure, because we do not have the reference rate for the half-year from ${longDayText(missing)}. Send reference_rate with ${law.rateName} for that half-year.`,
    },
  };
}

/** The fixed sum for one debt, by its open amount on the due date. */
function compensationOf(law: Law, { amount, dueDate, payments }: Debt, asOf: Day): bigint {
  const inTime = payments.filter(({ day }) => day === null || day <= dueDate);
  const open = amount - sumOf(inTime);
  return asOf <= dueDate || open <= 0n ? 0n : law.compensation(open as Micros);
}

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'would grow to a total above 999,999,999,999.99 with statutory interest',
  hint: 'check due_date and reference_rate',
};

/** What is wrong with the currency of a debt under this law. */
export function currencyFaults(currency: string | null, jurisdiction: Jurisdiction): Fault[] {
  const { currency: own } = LAWS[jurisdiction];
  if (currency === own) return [];
  const isMissing = currency === null;
  return [
    {
      pointer: '/currency',
      code: isMissing ? 'required' : 'invalid_currency',
      detail: isMissing
        ? `is required with jurisdiction ${jurisdiction}`
        : `must be ${own} with jurisdiction ${jurisdiction}, because that law sets amounts in ${own}`,
      hint: `send currency=${own} if the invoice is in ${own}; otherwise leave jurisdiction out`,
    },
  ];
}

/** Days of one debt on which the same sum was open at the same rate. */
type RatedTime = UsedRate & { readonly open: Micros };

/** The periods of one debt with their rates, or the first half-year without a rate. */
function timesOf(
  debt: Debt,
  asOf: Day,
  { jurisdiction, referenceRate: given }: StatutoryRequest,
): readonly RatedTime[] | { missing: Day } {
  const start = addDays(debt.dueDate, 1);
  // In the UK, the half-year in which interest starts sets the rate for the whole period.
  const rateOn = (day: Day) =>
    given === null ? rateFor(jurisdiction, jurisdiction === 'GB' ? start : day) : null;
  const times: RatedTime[] = [];
  for (const { open, from, to } of openTimes(debt, debt.dueDate, Math.max(asOf, debt.dueDate) as Day)) {
    let first = addDays(from, 1);
    while (first <= to) {
      const held = rateOn(first);
      const percent = given ?? held?.percent;
      if (percent === undefined) return { missing: halfYearStart(first) };
      const last = held === null || jurisdiction === 'GB' ? to : (Math.min(to, held.until) as Day);
      times.push({ open, percent, days: last - first + 1, held });
      first = (last + 1) as Day;
    }
  }
  if (times.length > 0) return times;
  // Nothing is late, but the rate that would apply is shown.
  const held = rateOn(start);
  const percent = given ?? held?.percent;
  if (percent === undefined) return { missing: halfYearStart(start) };
  return [{ open: debt.amount, percent, days: 0, held }];
}

/** Each rate once, with the most days that one debt was charged at it. */
function ratesIn(debts: readonly DebtByLaw[]): readonly UsedRate[] {
  const rates = new Map<string, UsedRate>();
  for (const { times } of debts) {
    const daysAt = new Map<string, number>();
    for (const { percent, days, held } of times) {
      const key = `${held?.from} ${held?.until}`;
      const ofDebt = (daysAt.get(key) ?? 0) + days;
      daysAt.set(key, ofDebt);
      rates.set(key, { percent, held, days: Math.max(rates.get(key)?.days ?? 0, ofDebt) });
    }
  }
  return [...rates.values()].sort((one, other) => (one.held?.from ?? 0) - (other.held?.from ?? 0));
}

function interestOf(times: readonly RatedTime[], digits: number): Minor {
  const weighted = times.reduce(
    (sum, { open, percent, days }) => sum + open * (MARGIN + percent) * BigInt(days),
    0n,
  );
  return divRound(weighted * powerOfTen(digits), SCALE * SCALE * 100n * DAYS_A_YEAR) as Minor;
}

/** '1250.00 x (8% + 3.75%) x 17 / 365 = 6.84'; for several debts, the sum of their results. */
function formulaOf(debts: readonly DebtByLaw[], interest: Minor, digits: number): string {
  const total = minorText(interest, digits);
  const [{ times } = { times: [] }, ...others] = debts;
  if (others.length > 0)
    return `${debts.map((debt) => minorText(debt.interest, digits)).join(' + ')} = ${total}`;
  const money = (value: Micros) => minorText(minorOf(value, digits), digits);
  const rated = ({ percent, days }: RatedTime) => `(8% + ${microsText(percent)}%) x ${days}`;
  const [first] = times;
  const isOneSum = times.every(({ open }) => open === first?.open);
  const parts = times.map((time) => (isOneSum ? rated(time) : `${money(time.open)} x ${rated(time)}`));
  const shown = parts.length === 1 ? parts[0] : `(${parts.join(' + ')})`;
  return `${isOneSum && first !== undefined ? `${money(first.open)} x ` : ''}${shown} / 365 = ${total}`;
}

/** The warning about an outdated rate; null if there is none. */
export const outdatedRate = ({ outdatedFrom, law }: StatutoryInterest): string | null =>
  outdatedFrom === null
    ? null
    : `The statutory rate may be out of date: we do not have ${law.rateName} for the half-year from ${longDayText(outdatedFrom)}, so the last known rate was used. Send reference_rate with the rate that applies.`;

/** '2026-H2' */
export const halfYearName = ({ from }: ReferenceRate): string => {
  const text = dayText(from);
  return `${text.slice(0, 4)}-H${text.slice(5, 7) === '01' ? 1 : 2}`;
};
