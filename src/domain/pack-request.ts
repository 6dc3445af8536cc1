import type { Micros, Minor } from './money.ts';
import type { Quote, QuoteItem, QuoteRequest } from './quote.ts';

export type PackItem = QuoteItem & {
  /** The option that the line begins with; the dearer ones have it too. Every option when left out. */
  readonly tier?: 'better' | 'best' | undefined;
  /** false: the price stays as it is in every option, such as that of a permit. */
  readonly markup?: false | undefined;
};

export type PackRequest = Omit<QuoteRequest, 'items'> & {
  readonly items: readonly PackItem[];
  readonly businessName: string | null;
  readonly betterMarkup: Micros;
  /** null means twice the better markup, at most 1000 percent. */
  readonly bestMarkup: Micros | null;
  /** Marked-up prices are rounded to a multiple of it. */
  readonly roundUnitTo?: Micros | undefined;
  /** The caller's own texts instead of the suggested ones. */
  readonly labels?: { readonly [Tier in TierName]?: string | undefined };
  readonly adds?: { readonly [Tier in 'better' | 'best']?: readonly string[] | undefined };
};

export type TierName = 'good' | 'better' | 'best';

export type PackTier = {
  readonly tier: TierName;
  readonly label: string;
  readonly markupPercent: Micros;
  readonly summary: string;
  /** Everything in this option: what the option before has, then what this one adds. */
  readonly includes: string[];
  readonly adds: string[];
  /** Where the words of what it adds come from: our suggestions, the caller's words, or lines of its own. */
  readonly addsSource: 'suggested' | 'given' | 'lines';
  /** Where each line of the option stands in the request. */
  readonly positions: readonly number[];
  readonly quote: Quote;
  readonly differenceFromGood: Minor;
  /** null for good. `percent`, of the total before, has two decimals; null when that says nothing. */
  readonly stepFromPrevious: { readonly amount: Minor; readonly percent: Micros | null } | null;
};

/** Good, better and best. */
export type Tiers = readonly [PackTier, PackTier, PackTier];
