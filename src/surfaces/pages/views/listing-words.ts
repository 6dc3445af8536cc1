import { longDayText, parseDay } from '../../../domain/calendar.ts';
import { BUSINESS_WORDS, listed, people, REGION_WORDS } from '../../../domain/directory-words.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { Span } from '../content.ts';

export const TOOLS_PATH = '/tools';
export const HOW_CHECKED_PATH = '/tools/how-checked';
export const listingPath = (id: string): string => `${TOOLS_PATH}/${encodeURIComponent(id)}`;
export const categoryPath = (slug: string): string =>
  `${TOOLS_PATH}/category/${encodeURIComponent(hyphened(slug))}`;

/** A slug as addresses and anchors write it: `e-signature`. */
export const hyphened = (slug: string): string => slug.replaceAll('_', '-');

export type Pricing = 'free' | 'freemium' | 'open_source';
export type Method = 'vendor_repository' | 'vendor_page' | 'stored_copy' | 'live_page';

/** Ways of being free: a word for lists, and what the directory means by it. */
export const PRICING: Readonly<Record<Pricing, { readonly short: string; readonly meaning: string }>> = {
  free: { short: 'free', meaning: 'Free, without any subscription' },
  freemium: { short: 'free plan', meaning: 'Free plan of a paid product' },
  open_source: {
    short: 'open source',
    meaning: 'Open source: the edition that you run yourself has an open-source licence',
  },
};

/** Where words were read; reads after "read on 21 November 2026". */
export const METHODS: Readonly<Record<Method, string>> = {
  vendor_repository: 'in the vendor’s public repository',
  vendor_page: 'on a page of the vendor’s that states its own date',
  stored_copy: 'in a stored copy of the vendor’s page',
  live_page: 'on the vendor’s page itself',
};

const HOSTING: Readonly<Record<string, string>> = {
  saas: 'online at the vendor',
  self_hosted: 'on your own server',
  desktop: 'on your computer',
  mobile: 'on a phone or tablet',
};

const inWords = (words: Readonly<Record<string, string>>, slugs: readonly string[]): string =>
  listed(slugs.map((slug) => words[slug] ?? cleanLine(slug.replaceAll('_', ' '))));

export const hostingText = (hosting: readonly string[]): string => inWords(HOSTING, hosting);
export const businessText = (types: readonly string[]): string => inWords(BUSINESS_WORDS, types);
export const regionText = (regions: readonly string[]): string => inWords(REGION_WORDS, regions);

export const peopleText = people;
export const listingsText = (count: number): string => (count === 1 ? '1 listing' : `${count} listings`);
export const upperFirst = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** '21 November 2026' of '2026-11-21'; anything else as it is. */
export function dayWords(day: string): string {
  const parsed = parseDay(day);
  return parsed === null ? cleanLine(day) : longDayText(parsed);
}

/** The name of a language in English: 'German' of 'de'. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames('en-GB', { type: 'language' }).of(code) ?? code;

// At the start of a line Markdown reads these as a heading, a list, a rule or a fence.
const BLOCK_MARK = /^(?:[#+\-=~]|\d+[.)](?:\s|$))/;

/** One line that Markdown cannot take for the start of a block. */
export function entry(text: string): string {
  const line = cleanLine(text);
  return BLOCK_MARK.test(line) ? `Note: ${line}` : line;
}

/** A link out; only https is ever linked, and a bracket cannot end a Markdown link early. */
export function outside(address: string, label: string): Span {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'https:') return entry(address);
  return { link: cleanLine(label), href: url.href.replaceAll('(', '%28').replaceAll(')', '%29') };
}

/** 'example.org/plans' of 'https://www.example.org/plans/' */
export const shortAddress = (address: string): string =>
  address.replace(/^https:\/\/(?:www\.)?/, '').replace(/\/$/, '');

/** 'github.com' of a long address; the address itself when it is none. */
export const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname : address;
