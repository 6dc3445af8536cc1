import { decimalsOf, divRound, type Micros, type Minor, microsText, SCALE } from './money.ts';
import { priceFromCost, type Quote, type QuoteItem, type QuoteRequest, quote } from './quote.ts';
import type { Fault, Result } from './result.ts';

/** The options from the cheapest up. */
export const TIERS = ['good', 'better', 'best'] as const;
export type TierName = (typeof TIERS)[number];

/** The option that is recommended. */
export type Recommended = TierName | 'none';

/** What a recurring price is for. */
export const PERIODS = ['visit', 'week', 'month', 'quarter', 'year'] as const;

export type PackItem = QuoteItem & {
  /** The lowest option with this line. Higher options also have it. */
  readonly tier?: TierName | undefined;
  /** The options with this line, instead of `tier`. Without `tier` and `tiers`, every option has the line. */
  readonly tiers?: readonly TierName[] | undefined;
  /** false: the price is the same in every option, such as the price of a permit. */
  readonly markup?: boolean | undefined;
};

/** Details that a client wants before choosing. Each is in the caller's own words. */
export type PackDetails = {
  readonly clientName?: string | undefined;
  readonly job?: string | undefined;
  readonly quoteNumber?: string | undefined;
  readonly start?: string | undefined;
  readonly paymentStages?: readonly string[] | undefined;
  readonly exclusions?: readonly string[] | undefined;
  readonly warranty?: string | undefined;
  /** Further terms, each in a sentence of the caller's. */
  readonly extraTerms?: readonly string[] | undefined;
  /** The period of recurring prices. */
  readonly pricePer?: (typeof PERIODS)[number] | undefined;
};

/** What the better and best options could add. */
export type Ideas = { readonly better: readonly string[]; readonly best: readonly string[] };

export type PackRequest = Omit<QuoteRequest, 'items'> & {
  readonly items: readonly PackItem[];
  readonly businessName: string | null;
  /** 25 percent, the default, counts as 0 if lines or additions distinguish the options: see `markupsOf`. */
  readonly betterMarkup: Micros;
  /** null means twice the better markup, at most 1000 percent. */
  readonly bestMarkup: Micros | null;
  /** Marked-up prices are rounded to a multiple of this amount. */
  readonly roundUnitTo?: Micros | undefined;
  readonly labels?: { readonly [Tier in TierName]?: string | undefined };
  /** What the better and best options add, in the caller's words. */
  readonly adds?: { readonly [Tier in 'better' | 'best']?: readonly string[] | undefined } | undefined;
  /** The recommended option; `better` by default. */
  readonly recommended?: Recommended | undefined;
  readonly details?: PackDetails | undefined;
  /** Ideas for the caller's trade; by default, those for any trade. */
  readonly ideas?: Ideas | undefined;
  /** Whether the caller's trade works on homes, where laws limit deposits; undefined if no trade is known. */
  readonly isAtHome?: boolean | undefined;
};

/** An option with its prices. */
export type PricedOption = {
  readonly tier: TierName;
  readonly label: string;
  readonly markupPercent: Micros;
  /** The position in the request of each line of the option. */
  readonly positions: readonly number[];
  readonly quote: Quote;
  readonly differenceFromGood: Minor;
  /** null for good. `percent`, of the previous total, has two decimal places; null if that is meaningless. */
  readonly stepFromPrevious: { readonly amount: Minor; readonly percent: Micros | null } | null;
};

/** One value for each option, beginning with the cheapest. */
export type EachTier<Of> = readonly [good: Of, better: Of, best: Of];

/**
 * The options of a pack: good at the given prices, better and best with each positive unit price marked up, each
 * calculated as a quote on the option's own lines. Faults: best_below_better, same_name, tier_and_tiers, no_good_line,
 * no_line, too_precise (a rounding step below the hundredth), and the faults of the three quotes.
 */
export function pricedOptions(request: PackRequest): Result<EachTier<PricedOption>> {
  const [betterMarkup, bestMarkup] = markupsOf(request);
  const options = [
    optionOf('good', 0n as Micros, request),
    optionOf('better', betterMarkup, request),
    optionOf('best', bestMarkup, request),
  ] as const;
  const faults = [
    ...markupFaults(request),
    ...nameFaults(request),
    ...stepFaults(request),
    ...tierFaults(options, request),
  ];
  const [good, better, best] = options.flatMap(({ quoted, ...option }) =>
    quoted.ok ? [{ ...option, quote: quoted.value }] : [],
  );
  if (faults.length > 0 || !good || !better || !best) return { ok: false, faults };
  const pricedOf = (option: typeof good, previous: typeof good | null): PricedOption => ({
    ...option,
    differenceFromGood: (option.quote.total - good.quote.total) as Minor,
    stepFromPrevious: previous && stepOf(previous.quote.total, option.quote.total),
  });
  return { ok: true, value: [pricedOf(good, null), pricedOf(better, good), pricedOf(best, better)] };
}

/** An option whose quote may have faults. */
type Option = Pick<PricedOption, 'tier' | 'label' | 'markupPercent' | 'positions'> & {
  readonly quoted: Result<Quote>;
};

function optionOf(tier: TierName, markupPercent: Micros, request: PackRequest): Option {
  const positions = request.items.flatMap((item, position) => (isIn(item, tier) ? [position] : []));
  const items = positions.map((position) => {
    const { tier: _, tiers: __, markup: isMarkedUp, ...item } = request.items[position] as PackItem;
    return isMarkedUp === false
      ? item
      : { ...item, unitPrice: markedUpPrice(item.unitPrice, markupPercent, request) };
  });
  const label = labelOf(tier, request);
  return { tier, label, markupPercent, positions, quoted: quote({ ...request, items }) };
}

/** Whether an option has a line. */
export const isIn = ({ tier, tiers }: PackItem, option: TierName): boolean =>
  tiers?.includes(option) ?? TIERS.indexOf(tier ?? 'good') <= TIERS.indexOf(option);

const DEFAULT_MARKUP = (25n * SCALE) as Micros;
const LARGEST_MARKUP = (1000n * SCALE) as Micros;

/**
 * The markups of better and best. A caller who names tiers or additions has priced them. In that
 * case, a better markup of 25 percent counts as 0 unless a best markup is given. The digest of a request counts a
 * missing markup as 25, so an answer cannot distinguish the two.
 */
export function markupsOf(request: PackRequest): readonly [better: Micros, best: Micros] {
  const { betterMarkup, bestMarkup } = request;
  const isDefault = betterMarkup === DEFAULT_MARKUP && bestMarkup === null;
  const better = isDefault && hasOwnOptions(request) ? (0n as Micros) : betterMarkup;
  const twice = (better * 2n) as Micros;
  return [better, bestMarkup ?? (twice > LARGEST_MARKUP ? LARGEST_MARKUP : twice)];
}

const hasOwnOptions = ({ items, adds }: PackRequest): boolean =>
  items.some(({ tier, tiers }) => tier ?? tiers) || (adds?.better ?? adds?.best) !== undefined;

function markupFaults({ betterMarkup, bestMarkup }: PackRequest): Fault[] {
  if (bestMarkup === null || bestMarkup >= betterMarkup) return [];
  return [
    {
      pointer: '/best_markup_percent',
      code: 'best_below_better',
      detail: `is ${microsText(bestMarkup)}, less than the better markup of ${microsText(betterMarkup)}`,
      hint: `give at least ${microsText(betterMarkup)} or leave it out, or send a better_markup_percent of at most ${microsText(bestMarkup)} (25 if omitted)`,
    },
  ];
}

const DEFAULT_LABELS: Readonly<Record<TierName, string>> = {
  good: 'Essential',
  better: 'Enhanced',
  best: 'Premium',
};

const labelOf = (tier: TierName, { labels = {} }: PackRequest): string =>
  labels[tier] ?? DEFAULT_LABELS[tier];

/** Clients reply with the name of an option, so names must be unique. */
function nameFaults(request: PackRequest): Fault[] {
  const { labels = {} } = request;
  const names = TIERS.map((tier) => labelOf(tier, request).toLowerCase());
  return TIERS.flatMap((tier, index) => {
    const other = TIERS[names.indexOf(names[index] ?? '')] as TierName;
    if (other === tier) return [];
    const named = labels[tier] === undefined ? other : tier;
    const twin = named === tier ? other : tier;
    return [
      {
        pointer: `/${named}_name`,
        code: 'same_name',
        detail: `is also the name of the ${twin} option`,
        hint: `give each option its own name; the default name of ${twin} is ${DEFAULT_LABELS[twin]}`,
      },
    ];
  });
}

const LEAST_STEP_DECIMALS = 2;

function stepFaults({ roundUnitTo }: PackRequest): Fault[] {
  if (roundUnitTo === undefined || decimalsOf(roundUnitTo) <= LEAST_STEP_DECIMALS) return [];
  return [
    {
      pointer: '/round_unit_to',
      code: 'too_precise',
      detail: `is ${microsText(roundUnitTo)}, finer than 0.01`,
      hint: 'send a step such as 0.05, 0.5, 1 or 5',
    },
  ];
}

/**
 * The faults of the lines and of the three quotes. The quotes tend to break the same limits, so each fault is reported
 * once, in the words of the cheapest option.
 */
function tierFaults(options: readonly Option[], { items }: PackRequest): Fault[] {
  const doubled = items.flatMap(({ tier, tiers }, index) =>
    tier === undefined || tiers === undefined
      ? []
      : [
          {
            pointer: `/items/${index}/tiers`,
            code: 'tier_and_tiers',
            detail: 'cannot be sent together with tier',
            hint: 'send one of them: tiers for exactly these options, tier for this option and the more expensive ones',
          },
        ],
  );
  const empty = options.filter(({ positions }) => positions.length === 0);
  const missing = empty.map(({ tier }) => ({
    pointer: '/items',
    code: tier === 'good' ? 'no_good_line' : 'no_line',
    detail: `has no line in the ${tier} option`,
    hint: 'leave tier and tiers out of the lines that belong to every option',
  }));
  if (doubled.length + missing.length > 0) return [...doubled, ...missing];
  const found = new Map<string, Fault>();
  for (const { tier, quoted, positions } of options) {
    for (const fault of quoted.ok ? [] : quoted.faults) {
      const pointer = atRequest(fault.pointer, positions);
      const key = `${pointer} ${fault.code}`;
      const isOfMarkup = tier !== 'good' && fault.code === 'total_too_large';
      const hint = isOfMarkup ? { hint: 'lower the markups or the unit prices' } : {};
      if (!found.has(key)) found.set(key, { ...fault, pointer, ...hint });
    }
  }
  return [...found.values()];
}

/** The pointer to a line of an option in the caller's list. */
const atRequest = (pointer: string, positions: readonly number[]): string =>
  pointer.replace(/^\/items\/(\d+)/, (_, index: string) => `/items/${positions[Number(index)]}`);

const HUNDREDTH_PERCENT = 10_000n;
// If credits leave the base near zero, the percentage of a step is meaningless.
const LARGEST_STEP_PERCENT = 100_000n * SCALE;

function stepOf(previous: Minor, total: Minor): { amount: Minor; percent: Micros | null } {
  const amount = (total - previous) as Minor;
  if (previous === 0n) return { amount, percent: null };
  const percent = (divRound(amount * 10_000n, previous) * HUNDREDTH_PERCENT) as Micros;
  return { amount, percent: percent > LARGEST_STEP_PERCENT ? null : percent };
}

/**
 * Credits and prices without a markup do not change. A price that has more decimal places than the currency keeps them
 * (0.0088 + 25% is 0.011). The price is rounded to a requested step, but never below the price it came from.
 */
function markedUpPrice(price: Micros, markup: Micros, { currency, roundUnitTo: step }: PackRequest): Micros {
  if (price <= 0n || markup === 0n) return price;
  const exact = priceFromCost(price, { markupPercent: markup }, currency);
  if (step === undefined) return exact;
  const stepped = divRound(exact, step) * step;
  return (stepped < price ? price : stepped) as Micros;
}
