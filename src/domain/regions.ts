/** ISO 3166-1 alpha-2, every code that is assigned to a country or territory. */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

export const COUNTRY_CODES: readonly string[] = CODES.split(' ');

/** All regions: the countries, and the European Union as one. */
export const REGIONS: readonly string[] = [...COUNTRY_CODES, 'EU'];

const EU_MEMBERS: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Whether one of the regions is the country or contains it. */
export const inRegions = (country: string, regions: readonly string[]): boolean =>
  regions.includes(country) || (EU_MEMBERS.has(country) && regions.includes('EU'));

const MANY_COUNTRIES = 40;

const countCountries = (regions: readonly string[]): number =>
  regions.length + (regions.includes('EU') ? EU_MEMBERS.size - 1 : 0);

/** Whether a tool with these regions probably serves a caller in an unknown country. */
export const areWide = (regions: readonly string[] | null): boolean =>
  regions === null || countCountries(regions) >= MANY_COUNTRIES;

// Created at the first use, because this takes twelve milliseconds.
let names: Intl.DisplayNames | undefined;
const SHORT: Readonly<Record<string, string>> = { US: 'the US', GB: 'the UK', EU: 'the EU' };
const WITH_ARTICLE =
  /^(?:United|Netherlands|Philippines|Bahamas|Gambia|Maldives|Vatican)|\b(?:Republic|Islands|Territor(?:y|ies))\b/;

/** The name of a region in a sentence: 'the US', 'the Philippines', 'Canada'. */
export function regionName(region: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'region', style: 'short' });
  const name = SHORT[region] ?? names.of(region) ?? region;
  return WITH_ARTICLE.test(name) ? `the ${name}` : name;
}
