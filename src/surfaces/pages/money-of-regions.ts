/** The currency of a region, ISO 3166 to ISO 4217; null where this list does not know. */
export function currencyOfRegion(region: string): string | null {
  for (const line of MONEY) {
    const [currency = '', regions = ''] = line.split(':');
    if (regions.split(' ').includes(region)) return currency;
  }
  return null;
}

const MONEY = [
  'EUR:AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA ME XK',
  'USD:US PR GU VI AS EC SV PA',
  'GBP:GB IM JE GG',
  'AUD:AU',
  'NZD:NZ',
  'CAD:CA',
  'CHF:CH LI',
  'SEK:SE',
  'NOK:NO',
  'DKK:DK',
  'ISK:IS',
  'PLN:PL',
  'CZK:CZ',
  'HUF:HU',
  'RON:RO',
  'RSD:RS',
  'UAH:UA',
  'TRY:TR',
  'ILS:IL',
  'AED:AE',
  'SAR:SA',
  'EGP:EG',
  'MAD:MA',
  'KES:KE',
  'NGN:NG',
  'GHS:GH',
  'ZAR:ZA',
  'INR:IN',
  'PKR:PK',
  'BDT:BD',
  'LKR:LK',
  'NPR:NP',
  'SGD:SG',
  'MYR:MY',
  'THB:TH',
  'VND:VN',
  'IDR:ID',
  'PHP:PH',
  'JPY:JP',
  'KRW:KR',
  'CNY:CN',
  'HKD:HK',
  'TWD:TW',
  'MXN:MX',
  'BRL:BR',
  'ARS:AR',
  'CLP:CL',
  'COP:CO',
  'PEN:PE',
  'UYU:UY',
];

/** The most used currencies, which lists begin with; the others follow by their codes. */
export const COMMON_CURRENCIES: readonly string[] =
  'USD EUR GBP CAD AUD NZD INR ZAR SGD CHF SEK NOK DKK PLN JPY MXN BRL AED'.split(' ');
