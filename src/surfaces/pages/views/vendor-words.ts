import { METHOD_WORDS } from '../../../domain/directory-words.ts';
import { displayQuote } from '../../../domain/quote-text.ts';
import type { CheckMethod, Proof, ToolCheck } from '../../../domain/stack-report-types.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { Block, Span } from '../content.ts';
import { dayWords, hostOf, languageName, monthWords, outside } from './listing-words.ts';

/** Words of a vendor and where they were read, as the API answers them. */
export type VendorWords = {
  readonly text: string;
  readonly language: string;
  readonly translation: string | null;
  readonly source_url: string;
  readonly checked_on: string;
  readonly method: CheckMethod;
  readonly transcribed_by: ToolCheck['transcribed_by'];
  readonly source_dated: string | null;
  readonly proof: Proof;
};

/** 'Vendor text of August 2026', 'age unknown': how old the words are, which is not when we read them. */
export function ageWords({
  method,
  checked_on,
  source_dated,
  transcribed_by,
}: Pick<VendorWords, 'method' | 'checked_on' | 'source_dated' | 'transcribed_by'>): string {
  const day = method === 'live_page' ? checked_on : (source_dated ?? transcribed_by?.read_on ?? null);
  return day === null ? 'Vendor text, age unknown' : `Vendor text of ${monthWords(day)}`;
}

/** A vendor's words as a quotation: how old they are, how well they prove it, where and how they were read. */
export function vendorQuotation(words: VendorWords): Block {
  const { text, language, translation, source_url, checked_on, method, transcribed_by, proof } = words;
  const foreign = language === 'en' ? '' : ` The words are in ${languageName(language)}.`;
  const ours = translation === null ? '' : ` Our translation: “${cleanLine(translation)}”`;
  const by: readonly Span[] =
    transcribed_by === null
      ? []
      : [' (', outside(transcribed_by.url, transcribed_by.name), `, ${dayWords(transcribed_by.read_on)})`];
  return {
    // The marks keep a quote that begins like a list or a heading from becoming one in Markdown.
    quotation: `“${cleanLine(displayQuote(text))}”`,
    language,
    source: [
      `${ageWords(words)}; proof: ${proof}. Read on ${dayWords(checked_on)} at `,
      outside(source_url, hostOf(source_url)),
      `, ${METHOD_WORDS[method]}`,
      ...by,
      `.${foreign}${ours}`,
    ],
  };
}
