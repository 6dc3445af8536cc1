import { BUSINESS_WORDS, HOSTING_WORDS } from '../../../domain/directory-labels.ts';
import { cleanLine, listed } from '../../../domain/text.ts';
import { parseUrl } from '../../../domain/url.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Span } from '../content.ts';
import { longDay } from './format.ts';

export { longDay };

export const TOOLS_PATH = '/tools';
export const HOW_CHECKED_PATH = '/tools/how-checked';
export const listingPath = (id: string): string => `${TOOLS_PATH}/${encodeURIComponent(id)}`;
export const categoryPath = (slug: string): string =>
  `${TOOLS_PATH}/category/${encodeURIComponent(hyphened(slug))}`;

/** The page of a trade, by its id in the table of trades. */
export const tradePath = (id: string): string => `/quote/${encodeURIComponent(hyphened(id))}`;

/** Fields of work, which have no article. */
const FIELDS: ReadonlySet<string> = new Set(['hvac', 'pest_control', 'removals', 'it_support']);
/** Names that keep their capital letter within a sentence. */
const PROPER = /^(?:DJ|IT|Etsy|YouTuber)\b/;

/** "a florist", "an electrician", "pest control" */
export function tradeWords({ id, name }: { readonly id: string; readonly name: string }): string {
  const words = PROPER.test(name) ? name : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
  if (FIELDS.has(id)) return words;
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** A slug as addresses and anchors write it: `e-signature`. */
export const hyphened = (slug: string): string => slug.replaceAll('_', '-');

/** The pricing models: a short label for lists, and the definition that the directory uses. */
export const PRICING: Readonly<
  Record<AnswerOf<'tool'>['pricing'], { readonly short: string; readonly meaning: string }>
> = {
  free: { short: 'free', meaning: 'Free, without any subscription' },
  freemium: { short: 'free plan', meaning: 'Free plan of a paid product' },
  open_source: {
    short: 'open source',
    meaning: 'Open source: the edition that you run yourself has an open-source license',
  },
  paid: { short: 'no free plan', meaning: 'No free plan; a free trial is not one' },
  not_checked: {
    short: 'price not checked',
    meaning: 'We could not read the vendor’s page. We have not checked whether there is a free plan.',
  },
};

const inWords = (words: Readonly<Record<string, string>>, slugs: readonly string[]): string =>
  listed(slugs.map((slug) => words[slug] ?? cleanLine(slug.replaceAll('_', ' '))));

export const hostingText = (hosting: readonly string[]): string => inWords(HOSTING_WORDS, hosting);
export const businessText = (types: readonly string[]): string => inWords(BUSINESS_WORDS, types);

export const listingsText = (count: number): string => (count === 1 ? '1 listing' : `${count} listings`);
export const upperFirst = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** 'November 2026' for '2026-11-21' */
export const monthWords = (day: string): string => longDay(day).replace(/^\d+ /, '');

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

/** The name of a language in English: 'German' for 'de'. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames('en-GB', { type: 'language' }).of(code) ?? code;

// Characters that Markdown reads at the start of a line as a heading, a list, a rule or a fence.
const BLOCK_MARK = /^(?:[#+\-=~]|\d+[.)](?:\s|$))/;

/** One line that Markdown cannot interpret as the start of a block. */
export function entry(text: string): string {
  const line = cleanLine(text);
  return BLOCK_MARK.test(line) ? `Note: ${line}` : line;
}

/** A link to another site. Only https is linked, and a parenthesis cannot end a Markdown link early. */
export function outside(address: string, label: string): Span {
  const url = parseUrl(address);
  if (url?.protocol !== 'https:') return entry(address);
  return { link: cleanLine(label), href: url.href.replaceAll('(', '%28').replaceAll(')', '%29') };
}

/** 'example.org/plans' for 'https://www.example.org/plans/' */
export const shortAddress = (address: string): string =>
  address.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, '');

/** 'github.com' for a long address; the input itself if it is not an address. */
export const hostOf = (address: string): string => parseUrl(address)?.hostname ?? address;
