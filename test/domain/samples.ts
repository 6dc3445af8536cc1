import { type Day, parseDay } from '../../src/domain/calendar.ts';
import type { LateFeeTerms } from '../../src/domain/late-fee.ts';
import { type Micros, micros } from '../../src/domain/money.ts';
import type { PackRequest } from '../../src/domain/pack-options.ts';
import type { QuoteItem, QuoteRequest } from '../../src/domain/quote.ts';
import type { Fault, Result } from '../../src/domain/result.ts';

/** A decimal that must be valid. */
export function dec(text: string | number): Micros {
  const value = micros(String(text));
  if (value === null) throw new Error(`not a decimal: ${text}`);
  return value;
}

/** A day that must exist. */
export function day(text: string): Day {
  const value = parseDay(text);
  if (value === null) throw new Error(`not a day: ${text}`);
  return value;
}

export function valued<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`faults: ${JSON.stringify(result.faults)}`);
  return result.value;
}

export function faultsOf<T>(result: Result<T>): readonly Fault[] {
  if (result.ok) throw new Error('expected faults');
  return result.faults;
}

/** 'pointer code' of each fault. */
export const faultCodes = <T>(result: Result<T>): string[] =>
  faultsOf(result).map(({ pointer, code }) => `${pointer} ${code}`);

/** 1250 due 2026-11-04, calculated up to 2026-11-21, which is today, at 1.5% per month. */
export const lateFeeTerms = ({
  amount = dec('1250'),
  dueDate = day('2026-11-04'),
  ...changes
}: Partial<LateFeeTerms> = {}): LateFeeTerms => ({
  amount,
  currency: null,
  dueDate,
  debts: [{ amount, dueDate }],
  payments: [],
  accrual: 'simple',
  paidDate: day('2026-11-21'),
  asOfSource: 'paid_date',
  today: day('2026-11-21'),
  rate: dec('1.5'),
  rateDefaulted: false,
  rateType: 'monthly_percent',
  graceDays: 0,
  minFee: null,
  maxFee: null,
  isLawShown: false,
  ...changes,
});

/** Items from [quantity, unit price] pairs. */
export const items = (...pairs: readonly (readonly [string | number, string | number])[]): QuoteItem[] =>
  pairs.map(([quantity, unitPrice], index) => ({
    description: `Item ${index + 1}`,
    quantity: dec(quantity),
    unitPrice: dec(unitPrice),
  }));

export const quoteRequest = (changes: Partial<QuoteRequest> = {}): QuoteRequest => ({
  items: items([2, 10]),
  currency: 'USD',
  discountPercent: dec(0),
  taxPercent: dec(0),
  depositPercent: dec(0),
  validDays: 30,
  issuedOn: day('2026-11-21'),
  ...changes,
});

export const packRequest = (changes: Partial<PackRequest> = {}): PackRequest => ({
  ...quoteRequest(),
  businessName: null,
  betterMarkup: dec(25),
  bestMarkup: null,
  ...changes,
});
