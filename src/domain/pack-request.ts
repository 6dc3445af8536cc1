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

type TierWording = Pick<PackTier, 'label' | 'summary' | 'includes' | 'adds' | 'addsSource'>;

/** The options from the plainest up; each includes the one before. */
export const TIERS: readonly TierName[] = ['good', 'better', 'best'];

export const DEFAULT_LABELS: Readonly<Record<TierName, string>> = {
  good: 'Essential',
  better: 'Enhanced',
  best: 'Premium',
};

const BASE = 'All work and items listed for this option';

/**
 * What a dearer option may add in any trade, whatever is sold: attention, never materials, for the lines are the same.
 * No brands, years or warranties: the sender has promised none.
 */
const SUGGESTED: Readonly<Record<'better' | 'best', readonly string[]>> = {
  better: ['Priority when dates are agreed', 'A follow-up check after completion'],
  best: [
    'One named contact from acceptance to completion',
    'One return visit or round of changes after completion',
  ],
};

/** Label, summary and inclusions of every option; `includes` is every step up to it. Fresh lists on each call. */
export function tierWordings(request: PackRequest): Record<TierName, TierWording> {
  const label = (tier: TierName) => request.labels?.[tier] ?? DEFAULT_LABELS[tier];
  const better = addsOf('better', request);
  const best = addsOf('best', request);
  return {
    good: {
      label: label('good'),
      summary: 'The listed work at the base price.',
      includes: [BASE],
      adds: [BASE],
      addsSource: 'lines',
    },
    better: {
      label: label('better'),
      summary: `Everything in ${label('good')}, and what this option adds.`,
      includes: eachOnce([BASE, ...better.adds]),
      ...better,
    },
    best: {
      label: label('best'),
      summary: `Everything in ${label('better')}, and what this option adds.`,
      includes: eachOnce([BASE, ...better.adds, ...best.adds]),
      ...best,
    },
  };
}

/** The lines that start at this option, and the caller's inclusions; the suggestions only where there is neither. */
function addsOf(
  tier: 'better' | 'best',
  { items, adds }: PackRequest,
): Pick<TierWording, 'adds' | 'addsSource'> {
  const lines = eachOnce(items.filter((item) => item.tier === tier).map(({ description }) => description));
  const given = adds?.[tier];
  if (given !== undefined) return { adds: eachOnce([...lines, ...given]), addsSource: 'given' };
  if (lines.length > 0) return { adds: lines, addsSource: 'lines' };
  return { adds: [...SUGGESTED[tier]], addsSource: 'suggested' };
}

/** The texts without those that say the same again; capitals make no difference. */
const eachOnce = (texts: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const text of texts) if (!first.has(text.toLowerCase())) first.set(text.toLowerCase(), text);
  return [...first.values()];
};
