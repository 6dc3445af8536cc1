import { type Micros, microsText, SCALE } from './money.ts';
import { firstNotes, type Notes, type Sentences } from './notes.ts';
import type { Quote } from './quote.ts';

/** What is unusual about this quote, and what to know before it is sent. */
export function quoteNotes(quote: Quote): Notes {
  const { total, balance } = quote;
  const isWholeDeposit = total !== 0n && balance === 0n;
  return firstNotes(
    [...figureWarnings(quote), taxlessInclusion(quote), isWholeDeposit ? WHOLE_DEPOSIT : null],
    [
      depositCaveat([quote]),
      taxCaveat(quote),
      'This is arithmetic based on your figures, not tax or legal advice.',
    ],
  );
}

export const WHOLE_DEPOSIT = 'The deposit equals the total, so no balance is left to pay.';

/** Warnings about the input figures, the most likely mistake first. */
export function figureWarnings(quote: Quote): Sentences {
  const { lines, total } = quote;
  const lost = lines.filter(({ unitPrice, lineTotal }) => unitPrice !== 0n && lineTotal === 0n).length;
  return [
    slips(slipsOf(quote)),
    total === 0n
      ? 'The total is 0. If you did not expect that, check the prices, the credits and the discount.'
      : largeDiscount(quote),
    lost > 0
      ? `Lines that have a price round to a total of zero (${lost} here): check their quantities and unit prices.`
      : null,
  ];
}

type Named = { readonly name: string; readonly percent: Micros };

/** A percentage below one is more often a fraction: 0.08 for 8%. */
const isSlip = ({ percent }: Named): boolean => percent > 0n && percent < SCALE;

export function slipsOf({ request, groups }: Quote): Named[] {
  return [
    ...groups.map(({ taxPercent }) => ({ name: 'tax', percent: taxPercent })),
    { name: 'discount', percent: request.discountPercent },
    { name: 'deposit', percent: request.depositPercent },
  ].filter(isSlip);
}

const MOST_SLIPS = 4;

/** 'Check these small percentages: tax 0.08% (for 8%, send 8), deposit 0.5% (…).' Null if no percentage is that small. */
export function slips(named: readonly Named[]): string | null {
  const found = named.filter(isSlip).slice(0, MOST_SLIPS);
  const each = found.map(({ name, percent }) => {
    const meant = microsText((percent * 100n) as Micros);
    return `${name} ${microsText(percent)}% (for ${meant}%, send ${meant})`;
  });
  return each.length === 0 ? null : `Check these small percentages: ${each.join(', ')}.`;
}

function largeDiscount({ request, subtotal, discount }: Quote): string | null {
  if (discount * 2n <= subtotal) return null;
  return request.discountAmount === undefined
    ? `The discount of ${microsText(request.discountPercent)}% takes off more than half of the subtotal: check that you mean a percentage.`
    : 'The discount takes off more than half of the subtotal: check that you mean an amount of money.';
}

export function taxlessInclusion(quote: Quote): string | null {
  if (quote.request.pricesIncludeTax !== true || isTaxed(quote)) return null;
  return 'The prices are marked as including tax, but no line has a tax rate, so no tax was calculated.';
}

const isTaxed = ({ groups }: Quote): boolean =>
  groups.some(({ taxPercent, secondPercent }) => taxPercent !== 0n || secondPercent !== null);

/** What to check about the tax, in one sentence; null if there is nothing. For a pack, any option gives the same. */
export function taxCaveat(quote: Quote): string | null {
  const { request, groups } = quote;
  if (!isTaxed(quote))
    return request.pricesIncludeTax
      ? null
      : 'No tax is included. If you have to charge tax, send the rate. In many places, prices for consumers must include it.';
  const what = request.pricesIncludeTax ? 'Tax is calculated from the prices' : 'Tax is calculated';
  return groups.length === 1 && request.secondTax === undefined
    ? `${what} once, at one rate, on the sum after the discount: check that the rate applies to every line.`
    : `${what} once for each rate, on the sum of its lines after their share of the discount: check the rate of each line.`;
}

/** California's limit for home improvement: a tenth or 1,000 dollars, whichever is less. */
const LARGEST_DEPOSIT_IN_CENTS = 100_000n;

const isLargeDeposit = ({ request, deposit, total }: Quote): boolean =>
  request.currency === 'USD' && (deposit * 10n > total || deposit > LARGEST_DEPOSIT_IN_CENTS);

/** One sentence on legal limits if one of the deposits in US dollars is large; null otherwise. */
export const depositCaveat = (quotes: readonly Quote[]): string | null =>
  quotes.some(isLargeDeposit)
    ? 'Some places limit deposits. In California, for example, the limit for home improvement is 10% or 1,000 dollars, whichever is less. Check before you ask for this deposit.'
    : null;
