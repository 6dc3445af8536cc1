import { currencyDigits } from './currency.ts';
import { decimalsOf, divRound, type Micros, type Minor, microsText, powerOfTen, SCALE } from './money.ts';
import { packNotes } from './pack-notes.ts';
import {
  DEFAULT_LABELS,
  type PackItem,
  type PackRequest,
  type PackTier,
  TIERS,
  type TierName,
  type Tiers,
  tierWordings,
} from './pack-request.ts';
import { coverNote, packTerms } from './pack-texts.ts';
import { type Quote, quote, WHOLE_PERCENT } from './quote.ts';
import type { Fault, Result } from './result.ts';
import { cleanLine } from './text.ts';

export type QuotePack = {
  readonly tiers: Tiers;
  readonly recommended: 'better';
  readonly terms: { readonly title: string; readonly text: string }[];
  readonly coverNote: { readonly subject: string; readonly body: string };
  readonly warnings: string[];
  readonly caveats: string[];
};

const LARGEST_MARKUP = (1000n * SCALE) as Micros;

/**
 * Three priced options from one set of lines: good at the given prices, better and best with each positive unit
 * price marked up, all by the quote's own formula on the lines that the option has. Faults: best_below_better,
 * same_name, no_good_line, too_precise (a rounding step below the hundredth), and those of the three quotes.
 */
export function quotePack(request: PackRequest): Result<QuotePack> {
  const [betterMarkup, bestMarkup] = markupsOf(request);
  const options = [
    optionOf('good', 0n as Micros, request),
    optionOf('better', betterMarkup, request),
    optionOf('best', bestMarkup, request),
  ] as const;
  const faults = [
    ...ladderFaults(request),
    ...nameFaults(request),
    ...stepFaults(request),
    ...tierFaults(options),
  ];
  const [good, better, best] = options.flatMap(({ quoted, ...option }) =>
    quoted.ok ? [{ ...option, quote: quoted.value }] : [],
  );
  if (faults.length > 0 || !good || !better || !best) return { ok: false, faults };

  const words = tierWordings(request);
  const tierOf = (option: typeof good, previous: typeof good | null): PackTier => ({
    ...option,
    ...words[option.tier],
    differenceFromGood: (option.quote.total - good.quote.total) as Minor,
    stepFromPrevious: previous && stepOf(previous.quote.total, option.quote.total),
  });
  const tiers: Tiers = [tierOf(good, null), tierOf(better, good), tierOf(best, better)];
  const business = request.businessName === null ? null : cleanLine(request.businessName) || null;
  return {
    ok: true,
    value: {
      tiers,
      recommended: 'better',
      terms: packTerms(tiers),
      coverNote: coverNote(tiers, business),
      ...packNotes(tiers, request),
    },
  };
}

type Option = {
  readonly tier: TierName;
  readonly markupPercent: Micros;
  readonly positions: readonly number[];
  readonly quoted: Result<Quote>;
};

/** The lines that an option has, at its prices, as a quote. */
function optionOf(tier: TierName, markupPercent: Micros, request: PackRequest): Option {
  const reach = TIERS.indexOf(tier);
  const positions = request.items.flatMap((item, position) =>
    TIERS.indexOf(item.tier ?? 'good') <= reach ? [position] : [],
  );
  const items = positions.map((position) => {
    const { tier: _, markup: isMarkedUp, ...item } = request.items[position] as PackItem;
    return isMarkedUp === false
      ? item
      : { ...item, unitPrice: markedUpPrice(item.unitPrice, markupPercent, request) };
  });
  return { tier, markupPercent, positions, quoted: quote({ ...request, items }) };
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
      hint: `give at least ${microsText(betterMarkup)} or leave it out, or send a better_markup_percent of at most ${microsText(bestMarkup)} (when left out it is 25)`,
    },
  ];
}

/** Clients reply with the name of an option, so names must be unique. */
function nameFaults({ labels = {} }: PackRequest): Fault[] {
  const names = TIERS.map((tier) => (labels[tier] ?? DEFAULT_LABELS[tier]).toLowerCase());
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
        hint: `give each option a name of its own; left out, that of ${twin} is ${DEFAULT_LABELS[twin]}`,
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

const HUNDREDTH_PERCENT = 10_000n;
// If credits leave the base near zero, the percentage of a step is meaningless.
const LARGEST_STEP_PERCENT = 100_000n * SCALE;

function stepOf(previous: Minor, total: Minor): { amount: Minor; percent: Micros | null } {
  const amount = (total - previous) as Minor;
  if (previous === 0n) return { amount, percent: null };
  const percent = (divRound(amount * 10_000n, previous) * HUNDREDTH_PERCENT) as Micros;
  return { amount, percent: percent > LARGEST_STEP_PERCENT ? null : percent };
}

/** The three quotes tend to break the same limits: each is reported once, in the words of the cheapest option. */
function tierFaults(options: readonly Option[]): Fault[] {
  if (options[0]?.positions.length === 0) return [NO_GOOD_LINE];
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

const NO_GOOD_LINE: Fault = {
  pointer: '/items',
  code: 'no_good_line',
  detail: 'has no line that the good option begins with',
  hint: 'leave tier out of the lines that every option has',
};

/** Where the line of an option stands in the request. */
const atRequest = (pointer: string, positions: readonly number[]): string =>
  pointer.replace(/^\/items\/(\d+)/, (_, index: string) => `/items/${positions[Number(index)]}`);

const EXACT_IN_JSON = 10n ** 15n;

/**
 * A credit stays as it is, as does a price that is not marked up. A price keeps its own decimals where it has more
 * than the currency (0.0088 + 25% is 0.011), less those that would pass the 15 significant digits of an exact JSON
 * number. It is rounded to a step that was asked for, but never below the price it came from.
 */
function markedUpPrice(price: Micros, markup: Micros, { currency, roundUnitTo: step }: PackRequest): Micros {
  if (price <= 0n || markup === 0n) return price;
  let decimals = Math.max(currencyDigits(currency) ?? 0, decimalsOf(price));
  const raised = price * (WHOLE_PERCENT + markup);
  const rounded = () => divRound(raised, WHOLE_PERCENT * powerOfTen(6 - decimals));
  while (decimals > 0 && rounded() >= EXACT_IN_JSON) decimals -= 1;
  const exact = rounded() * powerOfTen(6 - decimals);
  if (step === undefined) return exact as Micros;
  const stepped = divRound(exact, step) * step;
  return (stepped < price ? price : stepped) as Micros;
}
