import { type Decoded, field as fieldBy, invalid, later, type ValuesOf } from '../catalog/field.ts';
import * as field from '../catalog/fields.ts';
import { type Context, type PartialInput, reckoning } from '../catalog/operation.ts';
import { type Day, dayText } from '../domain/calendar.ts';
import {
  ACCRUALS,
  type Charge,
  type LateFee,
  type LateFeeTerms,
  lateFee,
  lateFeeTermsFaults,
  type Payment,
  RATE_TYPES,
  type RateType,
  sumOf,
} from '../domain/late-fee.ts';
import { lateFeeNotes } from '../domain/late-fee-notes.ts';
import {
  type Micros,
  type Minor,
  micros,
  microsNumber,
  microsText,
  minorNumber,
  minorOf,
} from '../domain/money.ts';
import type { Notes } from '../domain/notes.ts';
import type { Fault, Result } from '../domain/result.ts';
import {
  currencyFaults,
  halfYearName,
  MARGIN,
  outdatedRate,
  type StatutoryInterest,
  type StatutoryRequest,
  statutoryInterest,
} from '../domain/statutory.ts';
import { JURISDICTIONS, type Jurisdiction } from '../domain/statutory-rates.ts';
import { LATE_FEE_ALIASES } from './aliases.ts';

const MOST_ROWS = 20;

const MOST = '1000000000';
const sum = (describe: string, min: string) =>
  field.decimal({ describe, min, max: MOST, default: undefined });
const partAmount = field.decimal({ describe: 'Amount.', min: '0.01', max: MOST });
const number = (describe: string) => field.text({ describe, maxCodePoints: 60, default: undefined });

/** The input fields that the free late fee and the paid notice share. */
export const lateFeeFields = {
  amount: field.decimal({ describe: 'Invoice amount.', min: '0.01', max: MOST, example: 1250 }),
  due_date: field.day({ describe: 'Date the invoice was due, YYYY-MM-DD.', example: '2026-09-01' }),
  paid_date: field.day({
    title: 'Calculated up to',
    describe:
      'Date up to which the fee is calculated, YYYY-MM-DD, whether or not it was paid that day. Default: today (UTC).',
    default: null,
  }),
  rate: field.decimal({
    describe: 'Percent per month, year or day, or the fee itself if rate_type is flat. Default: 1.5.',
    min: '0',
    max: MOST,
    example: 1.5,
    default: null,
  }),
  rate_type: field.choice(RATE_TYPES, {
    describe:
      'Meaning of rate: simple interest per month of 30 days, per year of 365 days or per day, or one flat fee.',
    default: 'monthly_percent',
  }),
  grace_days: field.integer({
    describe: 'Days after the due date without a fee.',
    min: 0,
    max: 365,
    default: 0,
  }),
  currency: field.currency({
    describe: 'ISO 4217 code. Default: two decimal places, no symbol.',
    default: null,
  }),
  min_fee: sum('Minimum fee, once any fee is due.', '0'),
  max_fee: sum('Maximum fee.', '0'),
  accrual: later(
    field.choice(ACCRUALS, {
      describe:
        'simple: for each day; month_begun: in full for each month or part of a month; compound: compound interest, if agreed.',
      default: 'simple',
    }),
  ),
  amount_paid: sum('Part already paid, on time or on an unknown day.', '0.01'),
  payments: field.rows(
    {
      amount: partAmount,
      date: field.day({ describe: 'Date received.' }),
      invoice: number('Number of the invoice that it pays.'),
    },
    {
      describe:
        'Part payments with dates, instead of amount_paid. Without an invoice number, they pay the oldest invoice.',
      example: '250 on 2026-09-20; 100 on 2026-10-03 for INV-8',
      max: MOST_ROWS,
      read: (row) => partsOf(/^(?<amount>\S+) on (?<date>\S+)(?: for (?<invoice>.+))?$/, row),
    },
  ),
  more_invoices: field.rows(
    {
      amount: partAmount,
      due_date: field.day({ describe: 'Due.' }),
      number: number('Number.'),
      date: field.day({ describe: 'Issued.', default: undefined }),
    },
    {
      describe:
        'Further invoices: amount, due date, number and date. Limits and flat fees apply to each invoice.',
      example: '500 due 2026-09-15 as INV-8 of 2026-08-15; 90 due 2026-10-01',
      max: MOST_ROWS,
      read: (row) =>
        partsOf(
          /^(?<amount>\S+) due (?<due_date>\S+)(?: as (?<number>.+?))?(?: of (?<date>\d{4}-\d\d-\d\d))?$/,
          row,
        ),
    },
  ),
  jurisdiction: fieldBy(
    decodeJurisdiction,
    { type: 'string', enum: [...JURISDICTIONS] },
    {
      describe:
        'Adds statutory interest between businesses, as an alternative to the fee: GB with GBP, EU with EUR.',
      default: undefined,
    },
  ),
  reference_rate: field.decimal({
    describe: 'Reference rate for jurisdiction in percent, instead of ours.',
    min: '0',
    max: '100',
    default: undefined,
  }),
};

/** The named parts of a row; null if it has another form. */
function partsOf(form: RegExp, row: string): Readonly<Record<string, unknown>> | null {
  const parts = form.exec(row)?.groups;
  if (parts === undefined) return null;
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** A jurisdiction in any letter case. */
function decodeJurisdiction(raw: unknown): Decoded<Jurisdiction> {
  const code = field.upperCase(raw);
  const found = JURISDICTIONS.find((one) => one === code);
  if (found !== undefined) return { value: found };
  return invalid(
    'invalid_choice',
    `must be one of ${JURISDICTIONS.join(', ')}`,
    code === 'UK'
      ? 'did you mean GB?'
      : 'GB is the United Kingdom, and EU is the minimum in every member state; elsewhere leave it out, and in a letter send claim agreed, reserve or none',
  );
}

const DEFAULT_RATE = micros('1.5') as Micros;
// Above these rates, the fee of a bounded amount would exceed the exact range of a JSON number, or the unit is
// mistaken.
const MAX_RATE: Record<RateType, Micros> = {
  monthly_percent: micros('1000') as Micros,
  annual_percent: micros('1000') as Micros,
  daily_percent: micros('10') as Micros,
  flat: micros(MOST) as Micros,
};

type Fields = ValuesOf<typeof lateFeeFields>;

/** The input of a fee. If it is checked for faults, invalid fields are missing. */
type Input = PartialInput<Fields & { readonly invoice_number: string | null }>;

/** The input fields that have a value in every fee. */
type Needed = 'amount' | 'due_date' | 'paid_date' | 'rate' | 'rate_type' | 'grace_days' | 'currency';

export function termsOf(input: Input & Pick<Fields, Needed>, { today }: Context): LateFeeTerms {
  const debts = [
    { amount: input.amount, dueDate: input.due_date },
    ...(input.more_invoices ?? []).map(({ amount, due_date: dueDate }) => ({ amount, dueDate })),
  ];
  return {
    amount: sumOf(debts),
    currency: input.currency,
    dueDate: Math.min(...debts.map(({ dueDate }) => dueDate)) as Day,
    debts,
    payments: paymentsOf(input),
    accrual: input.accrual ?? 'simple',
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

/** Part payments. One without a day counts as paid on time. */
function paymentsOf(input: Input): readonly Payment[] {
  const { amount_paid, payments = [] } = input;
  if (amount_paid !== undefined) return [{ amount: amount_paid, day: null }];
  return payments.map(({ amount, date, invoice }) => {
    const debt = invoice === undefined ? -1 : numbersOf(input).indexOf(sameNumber(invoice));
    return { amount, day: date, ...(debt >= 0 && { debt }) };
  });
}

/** The numbers of all invoices, in the order of the debts, in one notation. */
const numbersOf = ({ invoice_number: first, more_invoices: more = [] }: Input) =>
  [first, ...more.map(({ number }) => number)].map((number) => sameNumber(number ?? ''));

const sameNumber = (number: string): string =>
  number
    .replace(/^(?:invoice\s+)?#?/i, '')
    .trim()
    .toLowerCase();

/** A fee, and the statutory interest if a jurisdiction is given. */
type FeeWithStatutory = { readonly fee: LateFee; readonly statutory: StatutoryInterest | null };

/** The fee of a valid input. */
export function feeOf(input: Fields, context: Context): Result<FeeWithStatutory> {
  const fee = lateFee(termsOf(input, context));
  if (!fee.ok) return fee;
  const law = lawOf(input);
  const statutory = law && statutoryInterest(fee.value, law, fee.value.terms.paidDate);
  if (statutory?.ok === false) return statutory;
  return { ok: true, value: { fee: fee.value, statutory: statutory?.value ?? null } };
}

/** Adds the late final payment as one more part payment. The fee is then calculated up to its day. */
export function paidLate<Input extends Fields>(input: Input, date: Day): Input {
  const { amount, more_invoices: more = [], payments = [] } = input;
  const rest = (amount + sumOf(more) - sumOf(payments)) as Micros;
  const last = { amount: rest, date, invoice: undefined };
  return { ...input, paid_date: date, payments: [...payments, last] };
}

/** The law under which interest is requested; null without one. */
export const lawOf = ({
  jurisdiction,
  reference_rate: given,
}: PartialInput<Fields>): StatutoryRequest | null =>
  jurisdiction === undefined ? null : { jurisdiction, referenceRate: given ?? null };

/** Faults that concern several fields of the fee; an invalid field is not compared. */
export function lateFeeFaults(input: Input, context: Context): readonly Fault[] {
  const faults: Fault[] = [];
  const { amount, currency, rate, rate_type: rateType } = input;
  if (rate && rateType && rate > MAX_RATE[rateType])
    faults.push({
      pointer: '/rate',
      code: 'out_of_range',
      detail: `must be at most ${microsText(MAX_RATE[rateType])} when rate_type is ${rateType}`,
    });
  if (amount !== undefined && currency !== undefined) {
    const neutral = {
      due_date: input.due_date ?? context.today,
      paid_date: input.paid_date ?? input.due_date ?? null,
      rate: faults.length > 0 ? null : (rate ?? null),
      rate_type: rateType ?? 'monthly_percent',
      grace_days: input.grace_days ?? 0,
    };
    faults.push(...lateFeeTermsFaults(termsOf({ ...input, ...neutral, amount, currency }, context)));
  }
  return [...faults, ...paymentFaults(input, context), ...statutoryFaults(input)];
}

function paymentFaults(input: Input, { today }: Context): readonly Fault[] {
  const { amount, amount_paid: sum, payments = [], more_invoices: more = [], paid_date: paidDate } = input;
  const faults: Fault[] = [];
  if (sum !== undefined && payments.length > 0)
    faults.push({
      pointer: '/amount_paid',
      code: 'not_together',
      detail: 'cannot be sent together with payments',
      hint: 'send payments if you know the days, otherwise amount_paid',
    });
  const asOf = paidDate ?? today;
  for (const [index, { date }] of payments.entries())
    if (date > asOf)
      faults.push({
        pointer: `/payments/${index}/date`,
        code: 'out_of_range',
        detail: `is ${dayText(date)}, but the fee is calculated up to ${dayText(asOf)}`,
      });
  const numbers = numbersOf(input);
  for (const [index, { invoice }] of payments.entries())
    if (invoice !== undefined && !numbers.includes(sameNumber(invoice)))
      faults.push({
        pointer: `/payments/${index}/invoice`,
        code: 'invalid_choice',
        detail: 'does not match any invoice in this request',
        hint: 'send a number given in more_invoices (in a letter also invoice_number), or leave it out',
      });
  if (amount === undefined) return faults;
  const owed = (amount + sumOf(more)) as Micros;
  const paid = sumOf(paymentsOf(input));
  if (paid > owed || (paid === owed && sum !== undefined))
    faults.push({
      pointer: sum === undefined ? '/payments' : '/amount_paid',
      code: 'out_of_range',
      detail: `adds up to ${microsText(paid)}, which leaves nothing of ${microsText(owed)}`,
      hint: 'send only part payments; if everything was paid, but late, send payments with their dates',
    });
  return faults;
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
            hint: 'send GB or EU; for your own late fee send rate instead of reference_rate',
          },
        ];
  return currency === undefined ? [] : currencyFaults(currency, jurisdiction);
}

const numberOr = (value: Micros | null): number | null => (value === null ? null : microsNumber(value));

/** Encodes a late fee for the wire. `numbers` are the numbers of all invoices as given. */
export function lateFeeBody(
  { fee, statutory }: FeeWithStatutory,
  numbers: readonly (string | null | undefined)[],
  { warnings, caveats }: Notes,
) {
  const { terms, digits } = fee;
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
    ...(terms.accrual !== 'simple' && { accrual: terms.accrual }),
    ...(fee.paid > 0n && {
      amount_paid: minorNumber(fee.paid, digits),
      amount_open: minorNumber((fee.amount - fee.paid) as Minor, digits),
    }),
    ...(fee.charges.length > 1 && {
      invoices: fee.charges.map((charge, index) => chargeBody(fee, charge, numbers[index] ?? null)),
    }),
    ...(statutory !== null && { statutory: statutoryBody(statutory, digits) }),
    warnings,
    caveats,
  };
}

function chargeBody({ terms, digits }: LateFee, { debt, fee }: Charge, number: string | null) {
  const money = (value: bigint) => minorNumber(minorOf(value as Micros, digits), digits);
  const paid = sumOf(debt.payments);
  return {
    number,
    amount: money(debt.amount),
    amount_paid: money(paid),
    due_date: dayText(debt.dueDate),
    days_late: Math.max(0, terms.paidDate - debt.dueDate),
    late_fee: minorNumber(fee, digits),
    total_due: minorNumber((minorOf((debt.amount - paid) as Micros, digits) + fee) as Minor, digits),
  };
}

/** Encodes statutory interest for the wire, in a currency with `digits` minor digits. */
function statutoryBody({ law, usedRates, ...statutory }: StatutoryInterest, digits: number) {
  const money = (value: Minor | null) => (value === null ? null : minorNumber(value, digits));
  return {
    jurisdiction: law.jurisdiction,
    law: law.name,
    rule: law.rule,
    margin_percent: microsNumber(MARGIN),
    reference_rates: usedRates.map(({ percent, days, held }) => ({
      half_year: held && halfYearName(held),
      percent: microsNumber(percent),
      set_on: held && dayText(held.setOn),
      days,
      source: held?.source ?? 'reference_rate, as sent',
    })),
    annual_percent: numberOr(statutory.annualPercent),
    interest: money(statutory.interest),
    compensation: minorNumber(statutory.compensation, digits),
    total_due: money(statutory.totalDue),
    formula: statutory.formula,
    unavailable: statutory.unavailable,
    ...(statutory.outdatedFrom !== null && { outdated_from: dayText(statutory.outdatedFrom) }),
    rests_on: law.restsOn,
  };
}

/** Fields of the paid letter, so that the free calculator accepts the same request. */
const LETTER_FIELDS =
  'tone claim client_is_consumer client_name business_name invoice_number invoice_date purchase_order earlier_reminders next_step suspend_what contact signer payment_details pay_within_days'.split(
    ' ',
  );

/** A late fee from input to answer, for the service and for the page. */
export const lateFeeReckoning = reckoning({
  input: lateFeeFields,
  meant: LATE_FEE_ALIASES,
  tolerates: LETTER_FIELDS,
  check: lateFeeFaults,
  run: (input, context) => {
    const result = feeOf(input, context);
    if (!result.ok) return { kind: 'invalid', faults: result.faults };
    const { fee, statutory } = result.value;
    const { warnings, caveats } = lateFeeNotes(fee);
    const outdated = statutory === null ? null : outdatedRate(statutory);
    const notes = { warnings: outdated === null ? warnings : [outdated, ...warnings], caveats };
    const others = (input.more_invoices ?? []).map(({ number }) => number);
    return { kind: 'answer', body: lateFeeBody(result.value, [null, ...others], notes) };
  },
});
