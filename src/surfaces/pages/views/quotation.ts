import type { AnswerOf } from '../../../operations/answers.ts';
import { monthWords } from './listing-format.ts';

type VendorQuote = AnswerOf<'small_business_stack_report'>['picks'][number]['vendor_quote'];

/** 'Vendor text of August 2026', or 'Vendor text, age unknown': the age of the words, not the day we read them. */
export function ageWords({
  method,
  checked_on,
  source_dated,
  transcribed_by,
}: Pick<VendorQuote, 'method' | 'checked_on'> & {
  readonly source_dated?: string | null | undefined;
  readonly transcribed_by?: { readonly read_on: string } | null | undefined;
}): string {
  const day = method === 'live_page' ? checked_on : (source_dated ?? transcribed_by?.read_on ?? null);
  return day === null ? 'Vendor text, age unknown' : `Vendor text of ${monthWords(day)}`;
}
