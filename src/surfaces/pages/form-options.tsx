import { CURRENCY_CODES } from '../../domain/currency.ts';
import { COUNTRY_CODES } from '../../domain/regions.ts';
import { once } from '../http/document.ts';
import { COMMON_CURRENCIES } from './money-of-regions.ts';

/** Options by their codes, made once: there are hundreds. The script adds the names of those in `more`. */
const optionsOf = (
  named: readonly string[],
  type: 'currency' | 'region',
  more: readonly string[],
): string => {
  const names = new Intl.DisplayNames('en', { type });
  const word = (code: string): string =>
    type === 'currency' ? `${code} ${names.of(code)}` : `${names.of(code)}`;
  return String(
    <>
      {named.map((code) => (
        <option value={code}>{word(code)}</option>
      ))}
      {more.map((code) => (
        <option>{code}</option>
      ))}
    </>,
  );
};

/** Currencies, the common ones first. */
export const currencyOptions = once(() =>
  optionsOf(
    COMMON_CURRENCIES,
    'currency',
    CURRENCY_CODES.filter((code) => !COMMON_CURRENCIES.includes(code)),
  ),
);

/** Countries by their names. */
export const countryOptions = once(() => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const byName = (one: string, other: string): number =>
    String(names.of(one)).localeCompare(String(names.of(other)), 'en');
  return optionsOf(COUNTRY_CODES.toSorted(byName), 'region', []);
});

/** The options with one of them chosen; a code that is none of them chooses nothing. */
export const chosenIn = (options: string, code: string): string =>
  /^[A-Z]{2,3}$/.test(code)
    ? options
        .replace(`<option value="${code}">`, `<option value="${code}" selected="">`)
        .replace(`<option>${code}<`, `<option selected="">${code}<`)
    : options;
