import { regionName } from './regions.ts';
import type { ShelfTool } from './stack-report-types.ts';
import { listed } from './text.ts';

/** The firms that serve a country, those of the country itself only where not all of the others do. */
function servingIn({ processors }: ShelfTool, country: string): readonly string[] {
  const serving = processors.filter(({ not_in }) => !not_in.includes(country));
  const isKnown = processors.every((firm) => firm.at_home || serving.includes(firm));
  return serving.filter(({ at_home }) => !at_home || !isKnown).map(({ name }) => name);
}

/** The firms that a tool names everywhere. */
const mainFirms = ({ processors }: ShelfTool): readonly string[] =>
  processors.filter(({ at_home }) => !at_home).map(({ name }) => name);

/** A tool with the payment firm that serves the country: one of a 'PayPal or Stripe account'. */
export function paidIn(place: ShelfTool, country: string | null): ShelfTool {
  if (country === null || place.notes.paid_into === null) return place;
  const serving = servingIn(place, country);
  if (serving.length === 0 || mainFirms(place).every((name) => serving.includes(name))) return place;
  return { ...place, notes: { ...place.notes, paid_into: `${serving.join(' or ')} account` } };
}

/** What to know of the firms through which a tool takes money. */
export function moneyCaveats(place: ShelfTool, country: string | null): string[] {
  const names = mainFirms(place);
  if (names.length === 0) return [];
  if (country === null) return [`It takes money through ${names.join(' or ')}, which not every country has.`];
  const serving = servingIn(place, country);
  const missing = names.filter((name) => !serving.includes(name));
  if (missing.length === 0) return [];
  const where = regionName(country);
  // A firm may serve sellers in a country without accepting payments from buyers there.
  const unserved = `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} not to be counted on there.`;
  return serving.length === 0
    ? [`It takes no money for you in ${where}: ${unserved}`]
    : [`In ${where} the money comes through ${serving.join(' or ')}: ${unserved}`];
}

const hasRatesOf = (country: string | null): boolean => country === null || country === 'US';

/** The text of a cost without the rates of other countries. */
export const localCost = (text: string, country: string | null): string =>
  hasRatesOf(country) ? text : text.replace(/ \(US rate: [^)]*\)/, '');

/** Sentences that apply only outside the United States, or only inside. */
const ABROAD = /^Outside the United States|differs by country/;
const AT_HOME = /^In the United States /;

/** Sentences without those that speak of the United States alone, or there of the rest of the world. */
export const localWords = (lines: readonly string[], country: string | null): readonly string[] =>
  country === null ? lines : lines.filter((line) => !(country === 'US' ? ABROAD : AT_HOME).test(line));
