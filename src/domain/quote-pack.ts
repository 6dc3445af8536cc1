import { currencyDigits } from './currency.ts';
import { decimalsOf, divRound, type Micros, type Minor, microsText, powerOfTen, SCALE } from './money.ts';
import { coverNote } from './pack-cover-note.ts';
import { packCaveats, packWarnings } from './pack-notes.ts';
import { packTerms } from './pack-terms.ts';
import { tierWording } from './pack-tiers.ts';
import { type Quote, type QuoteRequest, quote, WHOLE_PERCENT } from './quote.ts';
import type { Fault, Result } from './result.ts';
import { cleanLine } from './text.ts';

export type PackRequest = QuoteRequest & {
  readonly businessName: string | null;
  readonly betterMarkup: Micros;
  /** null means twice the better markup, at most 1000 percent. */
  readonly bestMarkup: Micros | null;
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
  readonly quote: Quote;
  readonly differenceFromGood: Minor;
  /** null for good. `percent`, of the total before, has two decimals; null when that says nothing. */
  readonly stepFromPrevious: { readonly amount: Minor; readonly percent: Micros | null } | null;
};

export type QuotePack = {
  readonly tiers: [PackTier, PackTier, PackTier];
  readonly recommended: 'better';
  readonly terms: { readonly title: string; readonly text: string }[];
  readonly coverNote: { readonly subject: string; readonly body: string };
  readonly warnings: string[];
  readonly caveats: string[];
};

const LARGEST_MARKUP = (1000n * SCALE) as Micros;

/**
 * Three priced options from one set of lines: good at the given prices, better and best with each positive unit
 * price marked up, all by the quote's own formula. Faults: best_below_better, and those of the three quotes.
 */
export function quotePack(request: PackRequest): Result<QuotePack> {
  const markups = markupsOf(request);
  const quotes = [quote(request), ...markups.map((markup) => quote(markedUp(request, markup)))];
  const faults = [...ladderFaults(request), ...tierFaults(quotes)];
  const [good, better, best] = quotes.flatMap((each) => (each.ok ? [each.value] : []));
  if (faults.length > 0 || !good || !better || !best) return { ok: false, faults };

  const tiers = tiersOf([good, better, best], markups);
  const business = request.businessName === null ? null : cleanLine(request.businessName) || null;
  return {
    ok: true,
    value: {
      tiers,
      recommended: 'better',
      terms: packTerms(tiers),
      coverNote: coverNote(tiers, business),
      warnings: packWarnings(tiers, request),
      caveats: packCaveats(good),
    },
  };
}

function markupsOf({ betterMarkup, bestMarkup }: PackRequest): [Micros, Micros] {
  const twice = (betterMarkup * 2n) as Micros;
  return [betterMarkup, bestMarkup ?? (twice > LARGEST_MARKUP ? LARGEST_MARKUP : twice)];
}

function ladderFaults({ betterMarkup, bestMarkup }: PackRequest): Fault[] {
  if (bestMarkup === null || bestMarkup >= betterMarkup) return [];
  return [
    {
      pointer: '/best_markup_percent',
      code: 'best_below_better',
      detail: `is ${microsText(bestMarkup)}, less than the better markup of ${microsText(betterMarkup)}`,
      hint: `give at least ${microsText(betterMarkup)}, or leave it out for twice the better markup`,
    },
  ];
}

function tiersOf(
  quotes: readonly [Quote, Quote, Quote],
  [better, best]: [Micros, Micros],
): QuotePack['tiers'] {
  const tier = (name: TierName, markupPercent: Micros, priced: Quote, previous: Quote | null): PackTier => ({
    tier: name,
    ...tierWording(name),
    markupPercent,
    quote: priced,
    differenceFromGood: (priced.total - quotes[0].total) as Minor,
    stepFromPrevious: previous === null ? null : stepOf(previous.total, priced.total),
  });
  return [
    tier('good', 0n as Micros, quotes[0], null),
    tier('better', better, quotes[1], quotes[0]),
    tier('best', best, quotes[2], quotes[1]),
  ];
}

const HUNDREDTH_PERCENT = 10_000n;
// A base that credits leave near zero makes any step a percentage without meaning.
const LARGEST_STEP_PERCENT = 100_000n * SCALE;

function stepOf(previous: Minor, total: Minor): { amount: Minor; percent: Micros | null } {
  const amount = (total - previous) as Minor;
  if (previous === 0n) return { amount, percent: null };
  const percent = (divRound(amount * 10_000n, previous) * HUNDREDTH_PERCENT) as Micros;
  return { amount, percent: percent > LARGEST_STEP_PERCENT ? null : percent };
}

/** The three quotes tend to break the same limits: each is reported once, in the words of the cheapest option. */
function tierFaults(quotes: readonly Result<Quote>[]): Fault[] {
  const found = new Map<string, Fault>();
  quotes.forEach((tier, index) => {
    for (const fault of tier.ok ? [] : tier.faults) {
      const key = `${fault.pointer} ${fault.code}`;
      if (!found.has(key))
        found.set(key, index === 0 ? fault : { ...fault, hint: 'lower the markups or the unit prices' });
    }
  });
  return [...found.values()];
}

function markedUp(request: PackRequest, markup: Micros): QuoteRequest {
  const items = request.items.map((item) => ({
    ...item,
    unitPrice: markedUpPrice(item.unitPrice, markup, request),
  }));
  return { ...request, items };
}

const EXACT_IN_JSON = 10n ** 15n;

/**
 * A credit stays as it is. A price keeps its own decimals where it has more than the currency (0.0088 + 25% is
 * 0.011), less those that would pass the 15 significant digits of an exact JSON number.
 */
function markedUpPrice(price: Micros, markup: Micros, { currency }: PackRequest): Micros {
  if (price <= 0n) return price;
  let decimals = Math.max(currencyDigits(currency) ?? 0, decimalsOf(price));
  const raised = price * (WHOLE_PERCENT + markup);
  const rounded = () => divRound(raised, WHOLE_PERCENT * powerOfTen(6 - decimals));
  while (decimals > 0 && rounded() >= EXACT_IN_JSON) decimals -= 1;
  return (rounded() * powerOfTen(6 - decimals)) as Micros;
}
