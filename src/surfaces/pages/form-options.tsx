import { CURRENCY_CODES } from '../../domain/currency.ts';
import { COUNTRY_CODES } from '../../domain/regions.ts';
import { once } from '../http/documents.ts';
import { htmlOf } from './markup.ts';
import { COMMON_CURRENCIES } from './money-of-regions.ts';

/** Options by their codes, made once: there are hundreds. The script adds the names of those in `more`. */
const optionsOf = (named: readonly (readonly [string, string])[], more: readonly string[]): string =>
  htmlOf(
    <>
      {named.map(([code, words]) => (
        <option value={code}>{words}</option>
      ))}
      {more.map((code) => (
        <option>{code}</option>
      ))}
    </>,
  );

/** Currencies, the common ones first. */
export const currencyOptions = once(() => {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  const common = COMMON_CURRENCIES.map((code) => [code, `${code} ${names.of(code)}`] as const);
  return optionsOf(
    common,
    CURRENCY_CODES.filter((code) => !COMMON_CURRENCIES.includes(code)),
  );
});

/** Countries by their names. */
export const countryOptions = once(() => {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const named = COUNTRY_CODES.map((code) => [code, String(names.of(code))] as const);
  return optionsOf(
    named.toSorted(([, one], [, other]) => one.localeCompare(other, 'en')),
    [],
  );
});

/** The options with one of them chosen; a code that is none of them chooses nothing. */
export const chosenIn = (options: string, code: string): string =>
  /^[A-Z]{2,3}$/.test(code)
    ? options
        .replace(`<option value="${code}">`, `<option value="${code}" selected>`)
        .replace(`<option>${code}<`, `<option selected>${code}<`)
    : options;
