import { CURRENCY_CODES } from '../../domain/currency.ts';
import { COUNTRY_CODES } from '../../domain/regions.ts';
import { COMMON_CURRENCIES } from './money-of-regions.ts';

const namesOf = (type: 'currency' | 'region'): ((code: string) => string) => {
  let names: Intl.DisplayNames | undefined;
  return (code) => {
    names ??= new Intl.DisplayNames('en', { type });
    return String(names.of(code));
  };
};
const currencyName = namesOf('currency');
const countryName = namesOf('region');

const OTHER_CURRENCIES = CURRENCY_CODES.filter((code) => !COMMON_CURRENCIES.includes(code));

/** Currencies, the common ones first. The other names are left to the script: there are more than a hundred. */
export const CurrencyOptions = ({ chosen, areAllNamed }: { chosen: string; areAllNamed: boolean }) => (
  <>
    {COMMON_CURRENCIES.map((code) => (
      <option value={code} selected={code === chosen}>
        {`${code} ${currencyName(code)}`}
      </option>
    ))}
    {OTHER_CURRENCIES.map((code) => (
      <option value={code} selected={code === chosen}>
        {areAllNamed ? `${code} ${currencyName(code)}` : code}
      </option>
    ))}
  </>
);

let countries: readonly (readonly [code: string, name: string])[] | undefined;

/** Countries by their names. */
export function CountryOptions({ chosen }: { chosen: string }) {
  countries ??= COUNTRY_CODES.map((code) => [code, countryName(code)] as const).toSorted(
    ([, one], [, other]) => one.localeCompare(other, 'en'),
  );
  return (
    <>
      {countries.map(([code, name]) => (
        <option value={code} selected={code === chosen}>
          {name}
        </option>
      ))}
    </>
  );
}
