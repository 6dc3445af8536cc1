import { addDays, type Day, dayText, halfYearStart, longDayText } from './calendar.ts';
import type { LateFeeFigures } from './late-fee-terms.ts';
import {
  divRound,
  exceedsLargestMoney,
  type Micros,
  type Minor,
  microsText,
  minorText,
  powerOfTen,
  SCALE,
} from './money.ts';
import type { Fault, Result } from './result.ts';
import { type Jurisdiction, type ReferenceRate, referenceRate } from './statutory-rates.ts';

/** A reference rate with the days of interest that it is used for; `source` null when the caller gave it. */
export type UsedRate = {
  readonly percent: Micros;
  readonly days: number;
  readonly held: ReferenceRate | null;
};

/** Interest by law on a late debt between businesses: instead of an agreed fee, never on top of it. */
export type StatutoryInterest = {
  readonly jurisdiction: Jurisdiction;
  readonly law: string;
  /** The law as a letter names it in a sentence. */
  readonly title: string;
  readonly rule: string;
  /** 'Bank Rate' */
  readonly rateName: string;
  readonly usedRates: readonly UsedRate[];
  /** null where it is not known, or where several half-years have different rates. */
  readonly annualPercent: Micros | null;
  readonly formula: string | null;
  readonly interest: Minor | null;
  /** The fixed sum beside the interest; 0 while nothing is overdue. */
  readonly compensation: Minor;
  readonly totalDue: Minor | null;
  /** Why there is no figure; null when there is one. */
  readonly unavailable: string | null;
  readonly restsOn: readonly string[];
};

/** What the laws add to the reference rate, in percent. */
export const MARGIN = 8n * SCALE;
const DAYS_A_YEAR = 365n;

type Law = {
  readonly currency: string;
  readonly name: string;
  readonly title: string;
  readonly rule: string;
  readonly rateName: string;
  readonly compensation: (amount: Micros) => bigint;
  readonly restsOn: readonly string[];
};

const LAWS: Readonly<Record<Jurisdiction, Law>> = {
  GB: {
    currency: 'GBP',
    name: 'Late Payment of Commercial Debts (Interest) Act 1998',
    title: 'the Late Payment of Commercial Debts (Interest) Act 1998',
    rule: 'Simple interest at 8% a year above Bank Rate, by the day from the day after the due date, and a fixed sum once a debt: £40 below £1,000, £70 below £10,000, £100 from £10,000.',
    rateName: 'Bank Rate',
    compensation: (amount) => (amount < 1_000n * SCALE ? 40n : amount < 10_000n * SCALE ? 70n : 100n),
    restsOn: [
      'One reference rate for the whole debt: Bank Rate of 31 December for interest that starts from January to June, of 30 June for interest that starts from July to December (SI 2002/1675, article 4).',
      'A contract between the two that gives a substantial remedy for late payment takes the place of this interest.',
    ],
  },
  EU: {
    currency: 'EUR',
    name: 'Directive 2011/7/EU, the floor of every member state',
    title: 'Directive 2011/7/EU on late payment and the national law that implements it',
    rule: 'At least: simple interest at 8% a year above the rate of the European Central Bank for its main refinancing operations, by the day from the day after the due date, and 40 euros once a debt.',
    rateName: 'the main refinancing rate of the European Central Bank',
    compensation: () => 40n,
    restsOn: [
      'Each half-year at its own reference rate, that of its first day (article 2(7)), and 365 days a year.',
      'This is a floor: national law may give more or count otherwise, as Germany does with 9% above its own base rate.',
    ],
  },
};

const SHARED_BASIS = [
  'Only for debts between businesses, or owed to one by a public authority; never for consumers.',
  'Claim either this or the late fee that was agreed, never both. Grace days of your own terms do not count here.',
];

export type StatutoryRequest = {
  readonly jurisdiction: Jurisdiction;
  /** In percent, for every half-year; null: the tables'. */
  readonly referenceRate: Micros | null;
};

/**
 * What the law gives on this debt to the day that the fee is worked out to, rounded once. Faults: required and
 * invalid_currency (the law's sums are in its own currency); total_too_large.
 */
export function statutoryInterest(figures: LateFeeFigures, ask: StatutoryRequest): Result<StatutoryInterest> {
  const law = LAWS[ask.jurisdiction];
  const faults = currencyFaults(figures.terms.currency, ask.jurisdiction);
  if (faults.length > 0) return { ok: false, faults };
  const { terms, digits, amount, daysLate } = figures;
  const usedRates = ratesUsed(figures, ask);
  const compensation = (daysLate === 0 ? 0n : law.compensation(terms.amount) * powerOfTen(digits)) as Minor;
  const common = {
    jurisdiction: ask.jurisdiction,
    law: law.name,
    rule: law.rule,
    rateName: law.rateName,
    title: law.title,
    compensation,
    restsOn: [...SHARED_BASIS, ...law.restsOn],
  };
  if ('missing' in usedRates) {
    const unavailable = notHeld(law.rateName, usedRates.missing);
    const none = { usedRates: [], annualPercent: null, formula: null, interest: null, totalDue: null };
    return { ok: true, value: { ...common, ...none, unavailable } };
  }
  const interest = interestOf(figures, usedRates);
  const totalDue = (amount + interest + compensation) as Minor;
  if (exceedsLargestMoney(totalDue, digits)) return { ok: false, faults: [TOO_LARGE] };
  const [only, ...others] = usedRates;
  return {
    ok: true,
    value: {
      ...common,
      usedRates,
      annualPercent: only !== undefined && others.length === 0 ? ((MARGIN + only.percent) as Micros) : null,
      formula: formulaOf(figures, usedRates, interest),
      interest,
      totalDue,
      unavailable: null,
    },
  };
}

const TOO_LARGE: Fault = {
  pointer: '/amount',
  code: 'total_too_large',
  detail: 'grows with statutory interest to a total above 999,999,999,999.99',
  hint: 'check due_date and reference_rate',
};

/** What is wrong with the currency of a debt under this law. */
export function currencyFaults(currency: string | null, jurisdiction: Jurisdiction): Fault[] {
  const { currency: own } = LAWS[jurisdiction];
  if (currency === own) return [];
  const hint = `send currency=${own} if the invoice is in ${own}; otherwise leave jurisdiction out`;
  return [
    currency === null
      ? {
          pointer: '/currency',
          code: 'required',
          detail: `is required with jurisdiction ${jurisdiction}`,
          hint,
        }
      : {
          pointer: '/currency',
          code: 'invalid_currency',
          detail: `must be ${own} with jurisdiction ${jurisdiction}, whose sums are in ${own}`,
          hint,
        },
  ];
}

const notHeld = (rateName: string, halfYear: Day): string =>
  `There is no figure: the reference rate of the half-year from ${longDayText(halfYear)} is not held here. Send reference_rate with ${rateName} that applies to it.`;

/** The rates of all days with interest, or the first half-year whose rate is not held. */
function ratesUsed(
  { terms, daysLate }: LateFeeFigures,
  { jurisdiction, referenceRate: given }: StatutoryRequest,
): readonly UsedRate[] | { missing: Day } {
  if (given !== null) return [{ percent: given, days: daysLate, held: null }];
  const used: UsedRate[] = [];
  let from = addDays(terms.dueDate, 1);
  let left = daysLate;
  do {
    const rate = referenceRate(jurisdiction, from);
    if (rate === null) return { missing: halfYearStart(from) };
    // In the UK, the half-year in which interest starts sets the rate for the whole period.
    const days = jurisdiction === 'GB' ? left : Math.min(left, rate.until - from + 1);
    used.push({ percent: rate.percent, days, held: rate });
    from = addDays(from, days);
    left -= days;
  } while (left > 0);
  return used;
}

function interestOf({ terms, digits }: LateFeeFigures, rates: readonly UsedRate[]): Minor {
  const percentDays = rates.reduce((sum, { percent, days }) => sum + (MARGIN + percent) * BigInt(days), 0n);
  const interest = terms.amount * percentDays * powerOfTen(digits);
  return divRound(interest, SCALE * SCALE * 100n * DAYS_A_YEAR) as Minor;
}

/** '1250.00 x (8% + 3.75%) x 17 / 365 = 6.84' */
function formulaOf(
  { amount, digits }: LateFeeFigures,
  rates: readonly UsedRate[],
  interest: Minor,
): string | null {
  const parts = rates.map(({ percent, days }) => `(8% + ${microsText(percent)}%) x ${days}`);
  const [only, ...others] = parts;
  const shown = others.length === 0 ? only : `(${parts.join(' + ')})`;
  return `${minorText(amount, digits)} x ${shown} / 365 = ${minorText(interest, digits)}`;
}

/** '2026-H2' */
export const halfYearName = ({ from }: ReferenceRate): string => {
  const text = dayText(from);
  return `${text.slice(0, 4)}-H${text.slice(5, 7) === '01' ? 1 : 2}`;
};
