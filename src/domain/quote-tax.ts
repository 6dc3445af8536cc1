import { divRound, type Micros, type Minor, SCALE } from './money.ts';

/** 100 percent, in millionths of a percent. */
export const WHOLE_PERCENT = 100n * SCALE;

/** The lines of one rate: their sum, their share of the discount, and the tax on the rest, rounded once. */
export type TaxGroup = {
  readonly taxPercent: Micros;
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly taxable: Minor;
  readonly tax: Minor;
};

export type TaxTerms = {
  /** The rate of lines that name none. */
  readonly taxPercent: Micros;
  readonly discountPercent: Micros;
  /** null: the percent counts. */
  readonly discountAmount: Minor | null;
  readonly pricesIncludeTax: boolean;
};

type TaxedLine = { readonly taxPercent?: Micros | undefined; readonly lineTotal: Minor };

/** The lines by rate, the highest first, whatever their order. */
export function taxGroups(lines: readonly TaxedLine[], terms: TaxTerms): TaxGroup[] {
  // Most quotes have one rate: a list is faster than a map.
  const rates: { taxPercent: Micros; sum: bigint }[] = [];
  for (const { taxPercent = terms.taxPercent, lineTotal } of lines) {
    const known = rates.find((rate) => rate.taxPercent === taxPercent);
    if (known === undefined) rates.push({ taxPercent, sum: lineTotal });
    else known.sum += lineTotal;
  }
  rates.sort((a, b) => (a.taxPercent > b.taxPercent ? -1 : 1));
  const subtotals = rates.map(({ sum }) => sum as Minor);
  const discounts = discountsOf(subtotals, terms);
  return rates.map(({ taxPercent }, index) => {
    const [subtotal, discount] = [subtotals[index] ?? ZERO, discounts[index] ?? ZERO];
    const rest = (subtotal - discount) as Minor;
    const tax = taxOf(rest, taxPercent, terms.pricesIncludeTax);
    const taxable = (terms.pricesIncludeTax ? rest - tax : rest) as Minor;
    return { taxPercent, subtotal, discount, taxable, tax };
  });
}

const ZERO = 0n as Minor;

const taxOf = (rest: Minor, percent: Micros, isIncluded: boolean): Minor =>
  divRound(rest * percent, isIncluded ? WHOLE_PERCENT + percent : WHOLE_PERCENT) as Minor;

/**
 * The discount of each rate. A percent is taken of each; a sum of money is shared in proportion, and what rounding
 * leaves of it belongs to the largest.
 */
function discountsOf(subtotals: readonly Minor[], { discountPercent, discountAmount }: TaxTerms): Minor[] {
  if (discountAmount === null)
    return subtotals.map((subtotal) => divRound(subtotal * discountPercent, WHOLE_PERCENT) as Minor);
  const whole = subtotals.reduce<bigint>((sum, subtotal) => sum + subtotal, 0n);
  if (whole === 0n) return subtotals.map((_, index) => (index === 0 ? discountAmount : ZERO));
  const shares = subtotals.map((subtotal) => divRound(discountAmount * subtotal, whole));
  const largest = subtotals.findIndex((each) => subtotals.every((other) => other <= each));
  const left = discountAmount - shares.reduce((sum, share) => sum + share, 0n);
  return shares.map((share, index) => (index === largest ? share + left : share) as Minor);
}
