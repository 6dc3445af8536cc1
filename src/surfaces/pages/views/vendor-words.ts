import { displayQuote } from '../../../domain/quote-text.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { Block } from '../content.ts';
import { dayWords, hostOf, languageName, METHODS, type Method, outside } from './listing-words.ts';

/** Words of a vendor and where they were read, as the API answers them. */
export type VendorWords = {
  readonly text: string;
  readonly language: string;
  readonly source_url: string;
  readonly checked_on: string;
  readonly method: Method;
  readonly source_dated: string | null;
};

/** A vendor's words as a quotation: where they stand, when and how they were read, how old they are. */
export function vendorQuotation(words: VendorWords): Block {
  const { text, language, source_url, checked_on, method } = words;
  const foreign = language === 'en' ? '' : ` The words are in ${languageName(language)}.`;
  return {
    // The marks keep a quote that begins like a list or a heading from becoming one in Markdown.
    quotation: `“${cleanLine(displayQuote(text))}”`,
    language,
    source: [
      outside(source_url, hostOf(source_url)),
      `, read on ${dayWords(checked_on)} ${METHODS[method]}.${dated(words)}${foreign}`,
    ],
  };
}

// What was read on the vendor's page itself stood there on that day, whatever date the page names.
function dated({ method, source_dated }: VendorWords): string {
  if (source_dated !== null) return ` The source is dated ${dayWords(source_dated)}.`;
  return method === 'live_page' ? '' : ' The date of the source is not known.';
}
