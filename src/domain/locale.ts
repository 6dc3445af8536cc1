import { type Day, longDayText, monthFirstText } from './calendar.ts';
import { currencySign } from './currency.ts';
import { type Minor, minorText } from './money.ts';

// How English letters write dates and money in the country of a currency. Without a currency, or for a country that is
// not listed, they use a form that is clear everywhere: '4 November 2026' and '1,250.00'.

const MONTH_FIRST = new Set(['USD', 'CAD', 'PHP']);
const LAKHS = new Set(['INR', 'PKR', 'BDT', 'NPR']);
const OWN_SIGNS: Readonly<Record<string, string>> = { ZAR: 'R' };

/** Whether letters in the country of a currency use North American style. */
export const isMonthFirst = (currency: string | null): boolean =>
  currency !== null && MONTH_FIRST.has(currency);

/** 'November 4, 2026' with USD, '4 November 2026' with GBP. */
export const localDay = (day: Day, currency: string | null): string =>
  isMonthFirst(currency) ? monthFirstText(day) : longDayText(day);

/** '$1,250.00', '₹1,18,000.00', "CHF 1'250.00"; '1,250.00' without a currency. */
export const localMoney = (amount: Minor, currency: string | null, digits: number): string =>
  localAmount(minorText(amount, digits), currency);

/** A number as text, such as '-1250.00', in the format of `localMoney`. */
export function localAmount(text: string, currency: string | null): string {
  const [, minus, whole = '', fraction] = /^(-?)([0-9]+)(.*)$/.exec(text) ?? [];
  const sign = currency === null ? '' : (OWN_SIGNS[currency] ?? currencySign(currency));
  // The positions between the groups of digits.
  const groups =
    currency !== null && LAKHS.has(currency) ? /\B(?=(?:[0-9]{2})*[0-9]{3}$)/g : /\B(?=(?:[0-9]{3})+$)/g;
  const grouped = whole.replace(groups, currency === 'CHF' ? "'" : ',');
  return `${minus}${sign}${grouped}${fraction}`;
}
