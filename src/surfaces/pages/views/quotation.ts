import { METHOD_WORDS } from '../../../domain/directory-labels.ts';
import { cleanLine } from '../../../domain/text.ts';
import { displayQuote } from '../../../domain/vendor-quotation.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Span } from '../content.ts';
import { hostOf, languageName, longDay, monthWords, outside } from './listing-format.ts';

type VendorQuote = AnswerOf<'small_business_stack_report'>['picks'][number]['vendor_quote'];
type Transcriber = NonNullable<NonNullable<AnswerOf<'tool'>['check']>['transcribed_by']>;

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

/** A quote from a report, or from a listing, which also knows where a third party wrote it down. */
type VendorWords = Omit<VendorQuote, 'transcribed_by'> & {
  readonly transcribed_by?: VendorQuote['transcribed_by'] | Transcriber;
};

/** A vendor's words as a quotation, with their age, the strength of the proof, their source and how they were read. */
export function vendorQuotation(words: VendorWords): Block {
  const { text, language, translation, source_url, checked_on, method, transcribed_by, proof } = words;
  const foreign = language === undefined ? '' : ` The quotation is in ${languageName(language)}.`;
  const ours = translation === undefined ? '' : ` Our translation: “${cleanLine(translation)}”`;
  const place = outside(source_url, hostOf(source_url));
  const where: readonly Span[] =
    transcribed_by === undefined
      ? [`Read on ${longDay(checked_on)} at `, place, `, ${METHOD_WORDS[method]}`]
      : [
          'From ',
          place,
          ', as ',
          'url' in transcribed_by
            ? outside(transcribed_by.url, transcribed_by.name)
            : cleanLine(transcribed_by.name),
          ` copied it on ${longDay(transcribed_by.read_on)}; we read that copy on ${longDay(checked_on)}`,
        ];
  return {
    // The quotation marks prevent Markdown from reading the quote as a list or a heading.
    quotation: `“${cleanLine(displayQuote(text))}”`,
    language: language ?? 'en',
    source: [`${ageWords(words)}; proof: ${proof}. `, ...where, `.${foreign}${ours}`],
  };
}
