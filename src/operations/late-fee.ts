import { z } from 'zod';
import { operation } from '../catalog/operation.ts';
import { ACCRUALS, RATE_TYPES } from '../domain/late-fee.ts';
import { JURISDICTIONS } from '../domain/statutory-rates.ts';
import {
  amount,
  amountOrNull,
  nullableText,
  oneOf,
  orNull,
  sentences,
  text,
  texts,
  whole,
} from './answer-fields.ts';
import { lateFeeReckoning } from './late-fee-reckoning.ts';

const usedRate = z.object({
  half_year: nullableText(7, 'Half-year, such as 2026-H2; null if reference_rate was sent.'),
  percent: amount('The reference rate.'),
  set_on: nullableText(10, 'Date on which the rate was set; null if reference_rate was sent.'),
  days: whole('Days of interest at this rate.'),
  source: text(200, 'Source of the rate.'),
});

/** Statutory interest on the wire. */
const statutoryAnswer = z.object({
  jurisdiction: oneOf(
    JURISDICTIONS,
    'GB, or EU: the minimum of the directive, which national law may exceed.',
  ),
  law: text(120, 'The law.'),
  rule: text(400, 'What the law grants.'),
  margin_percent: amount('Percentage points a year on top of the reference rate.'),
  reference_rates: z.array(usedRate).max(40).describe('The reference rates used, in chronological order.'),
  annual_percent: amountOrNull('Annual rate; null if several were used or none is known.'),
  interest: amountOrNull('Interest up to paid_date, rounded once; null if a rate is unknown.'),
  compensation: amount('Fixed compensation on top of the interest.'),
  total_due: amountOrNull('Amount, interest and compensation, without late_fee.'),
  formula: nullableText(2000, 'How the interest was calculated.'),
  outdated_from: text(10, 'First day for which the last known rate is assumed, if any.').optional(),
  unavailable: nullableText(300, 'Why interest and total_due are null; otherwise null.'),
  rests_on: texts(5, 400, 'Legal basis of the figures.'),
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
  currency: nullableText(3, 'ISO 4217 code; null if none was given.'),
  due_date: dayField('Due date.'),
  paid_date: dayField('Date up to which the fee is calculated, whether or not it was paid that day.'),
  as_of_source: oneOf(['paid_date', 'today_utc'], 'Whether paid_date was sent or is today.'),
  status: oneOf(['overdue', 'within_grace', 'not_overdue'], 'State of the invoice on paid_date.'),
  days_late: whole('Calendar days from due_date to paid_date, never negative.'),
  grace_days: whole('Days without a fee.'),
  chargeable_days: whole('Days late less grace days, never negative.'),
  rate: amount('The rate used.'),
  rate_type: oneOf(RATE_TYPES, 'Meaning of the rate.'),
  late_fee: amount('The fee, rounded once, half away from zero.'),
  total_due: amount('Amount plus late fee.'),
  daily_accrual: amount('Fee per day at this rate, to six decimal places, before limits; 0 for a flat fee.'),
  nominal_annual_percent: amountOrNull('Nominal rate per year; null for a flat fee.'),
  annual_equivalent_percent: amountOrNull('Effective rate per 365 days; null for a flat fee.'),
  formula: text(2000, 'How late_fee was calculated.'),
  unrounded_fee: text(40, 'Fee before rounding and limits, with six decimal places.'),
  min_fee: amountOrNull('Minimum fee, if given.'),
  max_fee: amountOrNull('Maximum fee, if given.'),
  fee_limit: orNull(z.enum(['min_fee', 'max_fee']), 'Which limit determined late_fee; null if neither did.'),
  accrual: oneOf(ACCRUALS, 'How the fee accrues. Omitted if it accrues per day.').optional(),
  amount_paid: amount('Total of the part payments.').optional(),
  amount_open: amount('Amount less amount_paid.').optional(),
  invoices: z
    .array(
      z.object({
        number: nullableText(60, 'Invoice number, if given in more_invoices.'),
        amount: amount('Its amount.'),
        amount_paid: amount('Amount paid.'),
        due_date: dayField('Its due date.'),
        days_late: whole('Its days late.'),
        late_fee: amount('Its fee.'),
        total_due: amount('Its unpaid amount plus fee.'),
      }),
    )
    .max(21)
    .optional()
    .describe('Every invoice in the order sent, if more_invoices was sent.'),
  statutory: statutoryAnswer
    .optional()
    .describe('With jurisdiction: statutory interest between businesses, to claim instead of the fee.'),
  warnings: sentences('Anything unusual about this input.'),
  caveats: sentences('What to know before using the fee.'),
});

export default operation({
  name: 'late_fee',
  operationId: 'getLateFee',
  title: 'Late fee calculator',
  summary: 'Late fee on an overdue invoice',
  description:
    'Free. Late fee on an overdue invoice: days late, fee, total due and the formula. Simple interest (monthly, annual or daily percent) or a flat fee, after grace days; with jurisdiction also statutory interest. Needs amount and due_date; calculated up to paid_date, by default today (UTC).',
  route: { method: 'GET', path: '/v1/late-fee' },
  page: {
    path: '/late-invoice',
    heading: 'Late invoice',
    summary: 'What an overdue invoice costs: days late, late fee, total due and the formula behind it. Free.',
    lead: 'Enter the amount and the due date to see what is owed today, with the formula. From there it is one step to a reminder letter.',
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
