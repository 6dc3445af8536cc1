import { z } from 'zod';
import { RATE_TYPES, type RateType } from '../domain/late-fee-terms.ts';
import { amount, amountOrNull, nullableText, sentences, text } from './answer-fields.ts';
import { statutoryAnswer } from './statutory-answer.ts';

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
  as_of_source: z.enum(['paid_date', 'today_utc']).describe('Where paid_date came from.'),
  status: z
    .enum(['overdue', 'within_grace', 'not_overdue'])
    .describe('Where the invoice stands on paid_date.'),
  days_late: z.int().describe('Calendar days from due_date to paid_date, never negative.'),
  grace_days: z.int().describe('Days that cost nothing.'),
  chargeable_days: z.int().describe('Days late less grace days, never negative.'),
  rate: amount('The rate used.'),
  rate_type: z.enum(RATE_TYPES as [RateType, ...RateType[]]).describe('What the rate means.'),
  late_fee: amount('The fee, rounded once, half away from zero.'),
  total_due: amount('Amount plus late fee.'),
  daily_accrual: amount(
    'What a day adds at this rate, unrounded to six decimals, before min_fee and max_fee; 0 for a flat fee.',
  ),
  nominal_annual_percent: amountOrNull('The rate per year as usually quoted; null for a flat fee.'),
  annual_equivalent_percent: amountOrNull('The rate per 365 days as really charged; null for a flat fee.'),
  formula: text(300, 'How late_fee was reached, with these numbers.'),
  unrounded_fee: text(40, 'The fee before its one rounding, min_fee and max_fee, as text, to six decimals.'),
  min_fee: amountOrNull('The least that is charged once a fee has begun, if given.'),
  max_fee: amountOrNull('The most that is ever charged, if given.'),
  fee_limit: z
    .enum(['min_fee', 'max_fee'])
    .nullable()
    .describe('Which of the two decided late_fee; null when neither did.'),
  statutory: statutoryAnswer
    .optional()
    .describe('With jurisdiction: interest by law between businesses, instead of the fee.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before using the fee.'),
});
