import { type Decode, field as fieldBy, invalid, type ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, type PartialInput, reckoning } from '../catalog/operation.ts';
import { dayText } from '../domain/calendar.ts';
import { type LateFee, lateFee, lateFeeTermsFaults } from '../domain/late-fee.ts';
import { type LateFeeTerms, RATE_TYPES, type RateType } from '../domain/late-fee-terms.ts';
import { type Micros, type Minor, micros, microsNumber, microsText, minorNumber } from '../domain/money.ts';
import type { Fault, Result } from '../domain/result.ts';
import {
  currencyFaults,
  halfYearName,
  type StatutoryInterest,
  type StatutoryRequest,
  statutoryInterest,
  type UsedRate,
} from '../domain/statutory.ts';
import { JURISDICTIONS, type Jurisdiction } from '../domain/statutory-rates.ts';

/** The input fields that the free late fee and the paid notice share. */
export const lateFeeFields = {
  amount: field.decimal({ describe: 'Invoice amount.', min: '0.01', max: '1000000000', example: 1250 }),
  due_date: field.day({ describe: 'Day the invoice was due, YYYY-MM-DD.', example: '2026-09-01' }),
  paid_date: field.day({
    title: 'Worked out to',
    describe: 'Day the fee is worked out to, YYYY-MM-DD, paid or not. Default: today (UTC).',
    default: null,
  }),
  rate: field.decimal({
    describe: 'Percent per month, year or day, or the fee itself when rate_type is flat. Default 1.5.',
    min: '0',
    max: '1000000000',
    example: 1.5,
    default: null,
  }),
  rate_type: field.choice(RATE_TYPES, {
    describe: 'What rate means: simple interest per month of 30 days, year of 365 or day, or one flat fee.',
    default: 'monthly_percent',
  }),
  grace_days: field.integer({
    describe: 'Days after the due date that cost nothing.',
    min: 0,
    max: 365,
    default: 0,
  }),
  currency: field.currency({ describe: 'ISO 4217 code. Default: two decimals, no symbol.', default: null }),
  min_fee: field.decimal({
    describe: 'The least charged once a fee has begun.',
    min: '0',
    max: '1000000000',
    default: undefined,
  }),
  max_fee: field.decimal({
    describe: 'The most ever charged.',
    min: '0',
    max: '1000000000',
    default: undefined,
  }),
  jurisdiction: jurisdictionField(),
  reference_rate: field.decimal({
    describe: 'For jurisdiction, in percent, instead of the rate held here.',
    min: '0',
    max: '100',
    default: undefined,
  }),
};

/** A jurisdiction in any letter case; undefined when absent. */
function jurisdictionField() {
  const decode: Decode<Jurisdiction> = (raw) => {
    const code = field.upperCase(raw);
    const found = JURISDICTIONS.find((one) => one === code);
    if (found !== undefined) return { value: found };
    return invalid(
      'invalid_choice',
      `must be one of ${JURISDICTIONS.join(', ')}`,
      code === 'UK' ? 'did you mean GB?' : 'GB is the United Kingdom, EU the floor of every member state',
    );
  };
  return fieldBy(
    decode,
    { type: 'string', enum: [...JURISDICTIONS] },
    {
      describe:
        'Adds statutory interest between businesses, to claim instead of the fee: GB with GBP, EU with EUR.',
      default: undefined,
    },
  );
}

const DEFAULT_RATE = micros('1.5') as Micros;
// Above these, the fee of a bounded amount would exceed the exact range of a JSON number, or the unit is mistaken.
const MAX_RATE: Record<RateType, Micros> = {
  monthly_percent: micros('1000') as Micros,
  annual_percent: micros('1000') as Micros,
  daily_percent: micros('10') as Micros,
  flat: micros('1000000000') as Micros,
};

/** Other names that callers send for these fields, with a hint. */
export const lateFeeMeant: Readonly<Record<string, string>> = {
  as_of: 'did you mean paid_date? It is the day the fee is worked out to',
  as_of_date: 'did you mean paid_date? It is the day the fee is worked out to',
  date: 'did you mean due_date, or paid_date for the day the fee is worked out to?',
  minimum_fee: 'did you mean min_fee?',
  maximum_fee: 'did you mean max_fee?',
  cap: 'did you mean max_fee?',
  country: 'did you mean jurisdiction? It is GB or EU',
  statutory: 'did you mean jurisdiction? It is GB or EU',
  bank_rate: 'did you mean reference_rate? It needs jurisdiction',
  base_rate: 'did you mean reference_rate? It needs jurisdiction',
};

type Fields = ValuesOf<typeof lateFeeFields>;

export function termsOf(input: Omit<Fields, 'reference_rate'>, { today }: Context): LateFeeTerms {
  return {
    amount: input.amount,
    currency: input.currency,
    dueDate: input.due_date,
    paidDate: input.paid_date ?? today,
    asOfSource: input.paid_date === null ? 'today_utc' : 'paid_date',
    today,
    rate: input.rate ?? DEFAULT_RATE,
    rateDefaulted: input.rate === null,
    rateType: input.rate_type,
    graceDays: input.grace_days,
    minFee: input.min_fee ?? null,
    maxFee: input.max_fee ?? null,
    isLawShown: input.jurisdiction !== undefined,
  };
}

/** A fee, and the statutory interest where a jurisdiction is given. */
type FeeWithStatutory = { readonly fee: LateFee; readonly statutory: StatutoryInterest | null };

/** The fee of a valid input. */
export function feeOf(input: Fields, context: Context): Result<FeeWithStatutory> {
  const fee = lateFee(termsOf(input, context));
  if (!fee.ok) return fee;
  const law = lawOf(input);
  if (law === null) return { ok: true, value: { fee: fee.value, statutory: null } };
  const statutory = statutoryInterest(fee.value, law);
  return statutory.ok ? { ok: true, value: { fee: fee.value, statutory: statutory.value } } : statutory;
}

/** The law under which interest is asked for; null without one. */
export const lawOf = ({
  jurisdiction,
  reference_rate: given,
}: PartialInput<Fields>): StatutoryRequest | null =>
  jurisdiction === undefined ? null : { jurisdiction, referenceRate: given ?? null };

/** Faults between the fee's fields; a faulty field is left out of what is compared. */
export function lateFeeFaults(input: PartialInput<Fields>, context: Context): readonly Fault[] {
  const faults: Fault[] = [];
  const { rate, rate_type: rateType } = input;
  if (rate && rateType) {
    const max = MAX_RATE[rateType];
    if (rate > max)
      faults.push({
        pointer: '/rate',
        code: 'out_of_range',
        detail: `must be at most ${microsText(max)} when rate_type is ${rateType}`,
      });
  }
  if (input.amount !== undefined && input.currency !== undefined) {
    const { amount, currency, min_fee, max_fee, jurisdiction } = input;
    const terms = termsOf(
      {
        amount,
        currency,
        min_fee,
        max_fee,
        jurisdiction,
        due_date: input.due_date ?? context.today,
        paid_date: input.paid_date ?? input.due_date ?? null,
        rate: faults.length > 0 ? null : (rate ?? null),
        rate_type: rateType ?? 'monthly_percent',
        grace_days: input.grace_days ?? 0,
      },
      context,
    );
    faults.push(...lateFeeTermsFaults(terms));
  }
  return [...faults, ...statutoryFaults(input)];
}

/** Faults of the fields for statutory interest. */
function statutoryFaults({ jurisdiction, currency, reference_rate: given }: PartialInput<Fields>): Fault[] {
  if (jurisdiction === undefined)
    return given === undefined
      ? []
      : [
          {
            pointer: '/jurisdiction',
            code: 'required',
            detail: 'is required with reference_rate',
            hint: 'send GB or EU; for a late fee of your own send rate instead of reference_rate',
          },
        ];
  return currency === undefined ? [] : currencyFaults(currency, jurisdiction);
}

/** Encodes a late fee for the wire. */
export function lateFeeBody({ fee, statutory }: FeeWithStatutory) {
  const { terms, digits } = fee;
  const numberOr = (value: Micros | null) => (value === null ? null : microsNumber(value));
  return {
    amount: minorNumber(fee.amount, digits),
    currency: terms.currency,
    due_date: dayText(terms.dueDate),
    paid_date: dayText(terms.paidDate),
    as_of_source: terms.asOfSource,
    status: fee.status,
    days_late: fee.daysLate,
    grace_days: terms.graceDays,
    chargeable_days: fee.chargeableDays,
    rate: microsNumber(terms.rate),
    rate_type: terms.rateType,
    late_fee: minorNumber(fee.fee, digits),
    total_due: minorNumber(fee.totalDue, digits),
    daily_accrual: microsNumber(fee.dailyAccrual),
    nominal_annual_percent: numberOr(fee.nominalAnnualPercent),
    annual_equivalent_percent: numberOr(fee.annualEquivalentPercent),
    formula: fee.formula,
    unrounded_fee: microsText(fee.unroundedFee),
    min_fee: numberOr(terms.minFee),
    max_fee: numberOr(terms.maxFee),
    fee_limit: fee.limit,
    ...(statutory !== null && { statutory: statutoryBody(statutory, digits) }),
    warnings: [...fee.warnings],
    caveats: [...fee.caveats],
  };
}

const MARGIN_PERCENT = 8;

/** Encodes statutory interest for the wire; its currency has so many minor digits. */
function statutoryBody({ usedRates, ...statutory }: StatutoryInterest, digits: number) {
  const money = (value: Minor | null) => (value === null ? null : minorNumber(value, digits));
  const percent = (value: Micros | null) => (value === null ? null : microsNumber(value));
  return {
    jurisdiction: statutory.jurisdiction,
    law: statutory.law,
    rule: statutory.rule,
    margin_percent: MARGIN_PERCENT,
    reference_rates: usedRates.map(usedRateBody),
    annual_percent: percent(statutory.annualPercent),
    interest: money(statutory.interest),
    compensation: minorNumber(statutory.compensation, digits),
    total_due: money(statutory.totalDue),
    formula: statutory.formula,
    unavailable: statutory.unavailable,
    rests_on: [...statutory.restsOn],
  };
}

const usedRateBody = ({ percent, days, held }: UsedRate) => ({
  half_year: held && halfYearName(held),
  percent: microsNumber(percent),
  set_on: held && dayText(held.setOn),
  days,
  source: held?.source ?? 'reference_rate, as given',
});

/** A late fee from input to answer, for the service and for the page. */
export const lateFeeReckoning = reckoning({
  input: lateFeeFields,
  meant: lateFeeMeant,
  tolerates: ['tone', 'client_name', 'business_name', 'invoice_number', 'payment_details', 'pay_within_days'],
  check: lateFeeFaults,
  run: (input, context) => {
    const fee = feeOf(input, context);
    return fee.ok
      ? { kind: 'answer', body: lateFeeBody(fee.value) }
      : { kind: 'invalid', faults: fee.faults };
  },
});
