import { CURRENCY_CODES } from '../../domain/currency.ts';

/** The currency of a region, ISO 3166 to ISO 4217; null if it is unknown. */
export const currencyOfRegion = (region: string): string | null =>
  SHARED.find(({ regions }) => regions.split(' ').includes(region))?.currency ??
  // A currency code begins with the code of the region that issues it.
  CURRENCY_CODES.find((currency) => currency.startsWith(region)) ??
  null;

const SHARED = [
  {
    currency: 'EUR',
    regions: 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA ME XK',
  },
  { currency: 'USD', regions: 'PR GU VI AS EC SV PA' },
  { currency: 'GBP', regions: 'IM JE GG' },
  { currency: 'CHF', regions: 'LI' },
  { currency: 'VES', regions: 'VE' },
];

// Languages spoken in many regions with different currencies, none of which has most of the speakers.
const OF_MANY = ['en', 'es', 'ar'];

/**
 * The region of a visitor who prefers these languages (BCP 47, most preferred first); null if they do not name one. A
 * language without a region counts as its main country. English after another language is ignored, because browsers add
 * it.
 */
export function regionOf(languages: readonly string[]): string | null {
  const locales = languages.map((language) => new Intl.Locale(language));
  const [first] = locales;
  const named = locales.find(
    // A number identifies a part of the world, as in "es-419".
    ({ language, region }) => region && !/\d/.test(region) && (language !== 'en' || first?.language === 'en'),
  );
  if (named !== undefined) return named.region ?? null;
  return first === undefined || OF_MANY.includes(first.language) ? null : (first.maximize().region ?? null);
}

/** The most used currencies, which come first in lists. The others follow by code. */
export const COMMON_CURRENCIES: readonly string[] =
  'USD EUR GBP CAD AUD NZD INR ZAR SGD CHF SEK NOK DKK PLN JPY MXN BRL AED'.split(' ');
