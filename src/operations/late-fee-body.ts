import type { z } from 'zod';
import { dayText } from '../domain/calendar.ts';
import { type Micros, microsNumber, microsText, minorNumber } from '../domain/money.ts';
import type { lateFeeAnswer } from './late-fee-answer.ts';
import type { FeeWithStatutory } from './late-fee-fields.ts';
import { statutoryBody } from './statutory-body.ts';

/** Encodes a late fee for the wire. */
export function lateFeeBody({ fee, statutory }: FeeWithStatutory): z.input<typeof lateFeeAnswer> {
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
