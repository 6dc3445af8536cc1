import { z } from 'zod';
import { decimal, decimalOr, integerOr } from '../catalog/number-fields.ts';
import type { Context, Partly } from '../catalog/operation.ts';
import { choiceOr, currencyOr, day, dayOr } from '../catalog/word-fields.ts';
import { type Day, dayText } from '../domain/calendar.ts';
import { type LateFee, type LateFeeTerms, lateFee, RATE_TYPES, type RateType } from '../domain/late-fee.ts';
import { type Micros, micros, microsNumber, microsText, minorNumber } from '../domain/money.ts';
import type { Fault, Result } from '../domain/result.ts';

/** The input fields that the free late fee and the paid notice share. */
export const lateFeeFields = {
  amount: decimal({
    describe: 'Invoice amount, from 0.01 to 1000000000, in the currency of the invoice.',
    min: '0.01',
    max: '1000000000',
    example: 1250,
  }),
  due_date: day({ describe: 'Day the invoice was due, YYYY-MM-DD.', example: '2026-09-01' }),
  paid_date: dayOr({ describe: 'Day the fee is worked out to, YYYY-MM-DD. Default: today in UTC.' }, null),
  rate: decimalOr(
    {
      describe: 'Percent per month, year or day, or the fee itself when rate_type is flat. Default 1.5.',
      min: '0',
      max: '1000000000',
      example: 1.5,
    },
    null,
  ),
  rate_type: choiceOr(
    RATE_TYPES,
    {
      describe:
        'What rate means: simple interest per month of 30 days, year of 365 days or day, or one flat fee.',
    },
    'monthly_percent',
  ),
  grace_days: integerOr({ describe: 'Days after the due date that cost nothing.', min: 0, max: 365 }, 0),
  currency: currencyOr(
    { describe: 'ISO 4217 code; sets the decimals and the symbol. Default: two decimals, no symbol.' },
    null,
  ),
};

const DEFAULT_RATE = micros('1.5') as Micros;
// Above these the fee of a bounded amount would leave the exact range of a JSON number, or mean a slip of units.
const MAX_RATE: Record<RateType, string> = {
  monthly_percent: '1000',
  annual_percent: '1000',
  daily_percent: '10',
  flat: '1000000000',
};

type Fields = {
  amount: Micros;
  due_date: Day;
  paid_date: Day | null;
  rate: Micros | null;
  rate_type: RateType;
  grace_days: number;
  currency: string | null;
};

function termsOf(input: Fields, { today }: Context): LateFeeTerms {
  return {
    amount: input.amount,
    currency: input.currency,
    dueDate: input.due_date,
    paidDate: input.paid_date ?? today,
    asOfSource: input.paid_date === null ? 'today_utc' : 'paid_date',
    rate: input.rate ?? DEFAULT_RATE,
    rateDefaulted: input.rate === null,
    rateType: input.rate_type,
    graceDays: input.grace_days,
  };
}

/** The fee of a valid input. */
export const feeOf = (input: Fields, context: Context): Result<LateFee> => lateFee(termsOf(input, context));

/** Faults between the fee's fields; a faulty field is left out of what is compared. */
export function lateFeeFaults(input: Partly<Fields>, context: Context): readonly Fault[] {
  const faults: Fault[] = [];
  const { rate, rate_type: rateType } = input;
  if (rate && rateType) {
    const max = micros(MAX_RATE[rateType]) as Micros;
    if (rate > max)
      faults.push({
        pointer: '/rate',
        code: 'out_of_range',
        detail: `must be at most ${microsText(max)} when rate_type is ${rateType}`,
      });
  }
  if (input.amount !== undefined && input.currency !== undefined) {
    const { amount, currency } = input;
    const fee = feeOf(
      {
        amount,
        currency,
        due_date: input.due_date ?? context.today,
        paid_date: input.paid_date ?? input.due_date ?? null,
        rate: faults.length > 0 ? null : (rate ?? null),
        rate_type: rateType ?? 'monthly_percent',
        grace_days: input.grace_days ?? 0,
      },
      context,
    );
    if (!fee.ok) faults.push(...fee.faults);
  }
  return faults;
}

const amountOf = (describe: string) => z.number().describe(describe);
const dayField = (describe: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .max(10)
    .describe(describe);
export const sentences = (describe: string) => z.array(z.string().max(600)).max(20).describe(describe);

/** The late fee on the wire. */
export const lateFeeAnswer = z.object({
  amount: amountOf('Invoice amount.'),
  currency: z.string().max(3).nullable().describe('ISO 4217 code, or null when none was given.'),
  due_date: dayField('Due date.'),
  paid_date: dayField('Day the fee is worked out to.'),
  as_of_source: z.enum(['paid_date', 'today_utc']).describe('Where paid_date came from.'),
  status: z
    .enum(['overdue', 'within_grace', 'not_overdue'])
    .describe('Where the invoice stands on paid_date.'),
  days_late: z.int().describe('Calendar days from due_date to paid_date, never negative.'),
  grace_days: z.int().describe('Days that cost nothing.'),
  chargeable_days: z.int().describe('Days late less grace days, never negative.'),
  rate: amountOf('The rate used.'),
  rate_type: z.enum(RATE_TYPES as [RateType, ...RateType[]]).describe('What the rate means.'),
  late_fee: amountOf('The fee, rounded once, half away from zero.'),
  total_due: amountOf('Amount plus late fee.'),
  daily_accrual: amountOf('What each further day adds, unrounded to six decimals; 0 for a flat fee.'),
  nominal_annual_percent: z
    .number()
    .nullable()
    .describe('The rate per year as usually quoted; null for a flat fee.'),
  annual_equivalent_percent: z
    .number()
    .nullable()
    .describe('The rate per 365 days as really charged; null for a flat fee.'),
  formula: z.string().max(300).describe('How late_fee was reached, with these numbers.'),
  warnings: sentences('What looks unusual about this input.'),
  caveats: sentences('What to know before using the fee.'),
});

/** Encodes a late fee for the wire. */
export function lateFeeBody(fee: LateFee): z.input<typeof lateFeeAnswer> {
  const { terms, digits } = fee;
  const percent = (value: Micros | null) => (value === null ? null : microsNumber(value));
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
    nominal_annual_percent: percent(fee.nominalAnnualPercent),
    annual_equivalent_percent: percent(fee.annualEquivalentPercent),
    formula: fee.formula,
    warnings: [...fee.warnings],
    caveats: [...fee.caveats],
  };
}
