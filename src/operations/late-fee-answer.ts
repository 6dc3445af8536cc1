import { z } from 'zod';
import { dayText } from '../domain/calendar.ts';
import { RATE_TYPES, type RateType } from '../domain/late-fee-terms.ts';
import { type Micros, microsNumber, microsText, minorNumber } from '../domain/money.ts';
import { amount, amountOrNull, sentences } from './answer-fields.ts';
import type { FeeAndLaw } from './late-fee-fields.ts';
import { statutoryAnswer, statutoryBody } from './statutory-answer.ts';

const dayField = (describe: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .max(10)
    .describe(describe);

/** The late fee on the wire. */
export const lateFeeAnswer = z.object({
  amount: amount('Invoice amount.'),
  currency: z.string().max(3).nullable().describe('ISO 4217 code, or null when none was given.'),
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
  formula: z.string().max(300).describe('How late_fee was reached, with these numbers.'),
  unrounded_fee: z
    .string()
    .max(40)
    .describe('The fee before its one rounding, min_fee and max_fee, as text, to six decimals.'),
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

/** Encodes a late fee for the wire. */
export function lateFeeBody({ fee, statutory }: FeeAndLaw): z.input<typeof lateFeeAnswer> {
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
