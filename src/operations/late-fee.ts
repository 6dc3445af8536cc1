import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { ACCRUALS, type Accrual, RATE_TYPES, type RateType } from '../domain/late-fee-terms.ts';
import { JURISDICTIONS, type Jurisdiction } from '../domain/statutory-rates.ts';
import { amount, amountOrNull, nullableText, oneOf, sentences, text, whole } from './answer-fields.ts';
import { lateFeeReckoning } from './late-fee-reckoning.ts';

const usedRate = z.object({
  half_year: nullableText(7, 'Such as 2026-H2; null when reference_rate was given.'),
  percent: amount('The reference rate.'),
  set_on: nullableText(10, 'Day whose rate it is; null when reference_rate was given.'),
  days: whole('Days of interest at it.'),
  source: text(200, 'Where the rate is from.'),
});

/** Statutory interest on the wire. */
const statutoryAnswer = z.object({
  jurisdiction: oneOf(
    JURISDICTIONS as [Jurisdiction, ...Jurisdiction[]],
    'GB, or EU: the floor of the directive, which national law may exceed.',
  ),
  law: text(120, 'The law.'),
  rule: text(400, 'What it gives.'),
  margin_percent: amount('Percent a year above the reference rate.'),
  reference_rates: z.array(usedRate).max(40).describe('The reference rates used, in order of time.'),
  annual_percent: amountOrNull('The yearly rate; null when several were used, or none is held.'),
  interest: amountOrNull('Interest to paid_date, rounded once; null when a rate is not held.'),
  compensation: amount('The fixed sum beside the interest.'),
  total_due: amountOrNull('Amount, interest and fixed sum; never with late_fee on top.'),
  formula: nullableText(2000, 'How interest was reached.'),
  outdated_from: text(10, 'The day from which the last rate held was carried on, if so.').optional(),
  unavailable: nullableText(300, 'Why there is no figure; null when there is one.'),
  rests_on: z.array(z.string().max(400)).max(5).describe('What the figures rest on.'),
});

const dayField = (describe: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .max(10)
    .describe(describe);

/** The late fee on the wire. */
export const lateFeeAnswer = z.object({
  amount: amount('Invoice amount.'),
  currency: nullableText(3, 'ISO 4217 code, or null when none was given.'),
  due_date: dayField('Due date.'),
  paid_date: dayField('Day the fee is worked out to; nothing is said to be paid.'),
  as_of_source: oneOf(['paid_date', 'today_utc'], 'Where paid_date came from.'),
  status: oneOf(['overdue', 'within_grace', 'not_overdue'], 'Where the invoice stands on paid_date.'),
  days_late: whole('Calendar days from due_date to paid_date, never negative.'),
  grace_days: whole('Days that cost nothing.'),
  chargeable_days: whole('Days late less grace days, never negative.'),
  rate: amount('The rate used.'),
  rate_type: oneOf(RATE_TYPES as [RateType, ...RateType[]], 'What the rate means.'),
  late_fee: amount('The fee, rounded once, half away from zero.'),
  total_due: amount('Amount plus late fee.'),
  daily_accrual: amount(
    'What a day adds at this rate, unrounded to six decimals, before min_fee and max_fee; 0 for a flat fee.',
  ),
  nominal_annual_percent: amountOrNull('The rate per year as usually quoted; null for a flat fee.'),
  annual_equivalent_percent: amountOrNull('The rate per 365 days as really charged; null for a flat fee.'),
  formula: text(2000, 'How late_fee was reached, with these numbers.'),
  unrounded_fee: text(40, 'The fee before its one rounding, min_fee and max_fee, as text, to six decimals.'),
  min_fee: amountOrNull('The least that is charged once a fee has begun, if given.'),
  max_fee: amountOrNull('The most that is ever charged, if given.'),
  fee_limit: z
    .enum(['min_fee', 'max_fee'])
    .nullable()
    .describe('Which of the two decided late_fee; null when neither did.'),
  accrual: oneOf(ACCRUALS as [Accrual, ...Accrual[]], 'How the fee adds up, unless by the day.').optional(),
  amount_paid: amount('What was paid in part.').optional(),
  amount_open: amount('Amount less amount_paid.').optional(),
  invoices: z
    .array(
      z.object({
        number: nullableText(60, 'Its number, if given in more_invoices.'),
        amount: amount('Its amount.'),
        amount_paid: amount('What was paid of it.'),
        due_date: dayField('Its due date.'),
        days_late: whole('Its days late.'),
        late_fee: amount('Its fee.'),
        total_due: amount('Its open amount plus fee.'),
      }),
    )
    .max(21)
    .optional()
    .describe('Each invoice, the first one first, where more_invoices are given.'),
  statutory: statutoryAnswer
    .optional()
    .describe('With jurisdiction: interest by law between businesses, instead of the fee.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before using the fee.'),
});

export default operation({
  name: 'late_fee',
  operationId: 'getLateFee',
  title: 'Late fee calculator',
  summary: 'Late fee on an overdue invoice',
  description:
    'Free. Late fee on an overdue invoice: days late, fee, total due and the formula. Simple interest (monthly, annual or daily percent) or a flat fee, after grace days; with jurisdiction also statutory interest. Needs amount and due_date; worked out to paid_date, else to today (UTC).',
  route: { method: 'GET', path: '/v1/late-fee' },
  page: {
    path: '/late-invoice',
    heading: 'Late invoice',
    summary: 'What an overdue invoice costs: days late, late fee, total due and the formula behind it. Free.',
    lead: 'Write the amount and the due date to see what is owed today, with the formula. The reminder letter is one step further.',
  },
  price: null,
  ...lateFeeReckoning,
  output: lateFeeAnswer,
  example: {
    amount: 1250,
    due_date: '2026-11-04',
    paid_date: '2026-11-21',
    rate: 1.5,
    rate_type: 'monthly_percent',
  },
});
