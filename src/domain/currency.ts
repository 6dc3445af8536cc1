import { type Micros, microsText } from './money.ts';
import type { Fault } from './result.ts';

// ISO 4217, only active money: no funds (CLF, UYI, USN...), metals, test codes or withdrawn codes (BGN, HRK...). They
// do not come from Intl: its minor digits follow CLDR and change between Node versions (COP, HUF, IDR).
const TWO_DIGITS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
  CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
  JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
  NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
  SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`;
const NO_DIGITS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const THREE_DIGITS = 'BHD IQD JOD KWD LYD OMR TND';

/** Gives each of several codes the same value. */
const each = <Of>(codes: string, value: Of): [string, Of][] =>
  codes
    .trim()
    .split(/\s+/)
    .map((code) => [code, value]);

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...each(NO_DIGITS, 0),
  ...each(TWO_DIGITS, 2),
  ...each(THREE_DIGITS, 3),
]);

// Signs as English readers write them. A shared sign carries its country, so that '$' is one currency and '¥' another.
// Currencies that are not listed are written with their code.
const SIGNS: Readonly<Record<string, string>> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  CNY: 'CN¥',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$',
  ILS: '₪',
  INR: '₹',
  JPY: '¥',
  KRW: '₩',
  MXN: 'MX$',
  NZD: 'NZ$',
  PHP: '₱',
  TWD: 'NT$',
  USD: '$',
  VND: '₫',
  XCD: 'EC$',
};

/** Every accepted code, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...DIGITS.keys()].sort();

/** Minor digits of an upper-case ISO 4217 code; null when the code is not accepted. */
export function currencyDigits(code: string): number | null {
  return DIGITS.get(code) ?? null;
}

/** Minor digits of money in an accepted currency; two without a currency. */
export const digitsOf = (currency: string | null): number =>
  (currency === null ? undefined : DIGITS.get(currency)) ?? 2;

/** The text before an amount: '$', or the code and a space. */
export const currencySign = (code: string): string => SIGNS[code] ?? `${code} `;

const LOCAL_TAXES: ReadonlyMap<string, string> = new Map([
  ...each(
    'AED BHD CHF CZK DKK EUR GBP GHS HUF KES NGN NOK OMR PHP PLN RON RSD SAR SEK THB TRY UAH UGX ZAR',
    'VAT',
  ),
  ...each('AUD INR NZD SGD', 'GST'),
  ...each('USD', 'sales tax'),
]);

/** The name of the sales tax in the country of a currency: 'VAT', 'GST', 'sales tax'; 'tax' if names differ. */
export const taxNameOf = (currency: string): string => LOCAL_TAXES.get(currency) ?? 'tax';

/** The fault of a sum with more decimal places than its currency allows; `currency` is null if none was given. */
export function tooPrecise(pointer: string, value: Micros, currency: string | null, digits: number): Fault {
  const most = digits === 0 ? 'no decimal places' : `at most ${digits} decimal places`;
  const finer =
    '; only currencies with three decimal places, such as KWD, allow more, and you must send the code as currency';
  return {
    pointer,
    code: 'too_precise',
    detail: `is ${microsText(value)}; money in ${currency ?? 'this calculation'} has ${most}`,
    hint: `round it to ${most}${currency === null ? finer : ''}`,
  };
}
