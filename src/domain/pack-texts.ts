import { moneyText } from './currency.ts';
import { microsText } from './money.ts';
import type { Tiers } from './pack-request.ts';
import type { Quote } from './quote.ts';
import { listed } from './text.ts';

const MOST_RATES_NAMED = 4;

/**
 * 'at 20%' where every line of every option bears it, 'at 20% on the lines that bear it' where one bears none, 'at 20%
 * or 5%, depending on the line', 'at the rates shown'; null where no line has a rate.
 */
export function taxRatesText([, , { quote }]: Tiers): string | null {
  // The dearest option has every line. "And" would say that a line bears both, as federal and local taxes are borne.
  const taxed = quote.groups.filter(({ taxPercent }) => taxPercent !== 0n);
  const rates = taxed.map(({ taxPercent }) => `${microsText(taxPercent)}%`);
  if (rates.length === 0) return null;
  if (rates.length > MOST_RATES_NAMED) return 'at the rates shown';
  const text = `at ${listed(rates, 'or')}`;
  if (taxed.length < quote.groups.length) return `${text} on the lines that bear it`;
  return rates.length === 1 ? text : `${text}, depending on the line`;
}

/** 'a discount of 5%', 'a discount of $50.00'; null where there is none. */
export function discountText({ request, discount }: Quote): string | null {
  const { discountPercent, discountAmount, currency } = request;
  if (discountAmount !== undefined)
    return discount === 0n ? null : `a discount of ${moneyText(discount, currency)}`;
  return discountPercent === 0n ? null : `a discount of ${microsText(discountPercent)}%`;
}

/** What a pack asks for, and when. */
export type Payment = 'nothing' | 'on_completion' | 'deposit' | 'all_in_advance';

export function paymentOf(tiers: Tiers): Payment {
  if (tiers.every(({ quote }) => quote.total === 0n)) return 'nothing';
  if (tiers.every(({ quote }) => quote.deposit === 0n)) return 'on_completion';
  return tiers.every(({ quote }) => quote.balance === 0n) ? 'all_in_advance' : 'deposit';
}
