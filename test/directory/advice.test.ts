import { expect, test } from 'vitest';
import type { BusinessType } from '../../src/domain/directory-labels.ts';
import { tradeOf, worthPayingFor } from '../../src/trades/trades.ts';
import { asking } from './asking.ts';

// What owners in particular countries, trades and team sizes are advised, in advice.txt. Each case was once answered
// wrongly, or has a law of its own. After a change of the directory, run `npx vitest run test/directory/advice.test.ts
// -u` and read the diff. Rules that hold for every country are in countries.test.ts.

const { reportOf } = asking();

/** A need, who asks for it, team sizes, countries ('-' for none), and a trade. */
type Case = readonly [need: string, businesses: string, teamSizes: string, countries: string, trade?: string];

const CASES: readonly Case[] = [
  ['payments', 'trades', '3', 'IT AT DE SE PT PL BR CL US NL CH NO DK ES MX'],
  ['payments', 'service retail', '3', 'GR FR GH KE KR IE NZ SG AE NG CR'],
  ['payments', 'consultant online_store', '3', 'GR HR NO SE NG ZA IN -'],
  ['payments', 'creator', '-', 'PH ZA IL'],
  ['point_of_sale', 'retail', '3', 'FR TH CA BE DK TN PK ES TR GR KZ IT RS NZ MX DE AT RU PH IL GH'],
  ['payroll_hr', 'retail trades', '6', 'GR ES IT CL BR NO PL NZ GB IE KZ RU'],
  ['payroll_hr', 'agency consultant', '3', 'ES'],
  ['time_tracking', 'trades consultant', '3', 'GR'],
  ['time_tracking', 'agency consultant', '5 6 18', '-'],
  ['invoicing', 'consultant', '3', 'CH MA OM SI EE JP ES BD NZ US FR CZ GH - SE'],
  ['invoicing', 'agency service', '3', 'MD HU EG IL NL CL PL KE MX IT BR PT TR GR RO PE DE MY PH NP VE'],
  ['invoicing', 'trades', '2 6', 'NO ES AU', 'locksmith'],
  ['invoicing', 'service', '1 15', 'US IE'],
  ['quotes_estimates', 'agency', '3', 'BE HU HR PL GH KE'],
  ['accounting', 'service nonprofit', '3', 'SN CI CM BA KH MX'],
  ['accounting', 'consultant', '1 8', 'GB DE NO AU EE - US'],
  ['accounting', 'retail', '1 4 9 15', 'DK EE SE SG CA FR AU'],
  ['accounting', 'consultant', '1 4 5', 'AU US', 'accounting practice'],
  ['accounting', 'consultant', '4', 'US', 'law office'],
  ['accounting', 'agency nonprofit', '20', 'NZ US DK'],
  ['donor_fundraising', 'nonprofit', '3', 'AE SA FI DK CZ FR MY PH SG US NZ RS KE GT TW GH ZA TZ'],
  ['donor_fundraising', 'creator', '3', 'AE FI SE MA TR CN'],
  ['community_membership', 'creator', '3 15', 'FI DK IS SE KE BR KR'],
  ['online_store', 'online_store', '3', 'TW EC KR CZ SE NZ AR CL TR ZA IN JP BR HR SI PK -'],
  ['online_store', 'creator', '2', 'HK KR ZW IN CO NG TR AR EG ID BR KE ZA'],
  ['online_store', 'retail consultant trades', '3', 'NG US AU'],
  ['inventory', 'online_store retail', '3 8', 'TW KR US GB DE PH'],
  ['inventory', 'service trades', '2 4', 'US DE'],
  ['analytics', 'service online_store agency', '3', 'ZA SE PK BR TR'],
  ['crm', 'agency consultant', '1 2 3 6 19', 'NZ'],
  ['crm', 'service trades', '1 3 6', 'SK US KZ'],
  ['email_marketing', 'retail', '6', 'KZ UZ RU'],
  ['volunteer_membership', 'nonprofit', '3', 'GH UG PK JM US'],
  ['team_chat', 'creator agency', '2 12', 'SE TH'],
  ['team_chat', 'nonprofit', '8', 'IT TH'],
  ['file_storage', 'agency consultant nonprofit', '1 2 7 12 15', 'NZ'],
  ['file_storage', 'consultant', '4', 'US', 'law office'],
  ['documents_office', 'consultant', '1 2', 'DE US - CH'],
  ['documents_office', 'nonprofit', '5 25', 'IE JM DK -'],
  ['documents_office', 'service', '2', 'CH', 'physiotherapist'],
  ['video_meetings', 'nonprofit', '2', 'US JM'],
  ['website_builder', 'consultant', '1 2 6', 'NZ AE'],
  ['website_builder', 'nonprofit creator', '3', 'IE JM PH'],
  ['link_in_bio', 'creator', '2', 'PH'],
  ['scheduling_booking', 'service', '1 3 4 8 9 15', 'NZ US IE AU -'],
  ['scheduling_booking', 'trades creator', '1 2 15', 'US AU'],
  ['scheduling_booking', 'service', '3 5', 'FR JP', 'hair salon'],
  ['scheduling_booking', 'service', '2', 'GR', 'bed and breakfast'],
  ['scheduling_booking', 'service', '6', 'CR', 'physiotherapist'],
  ['forms_surveys', 'service', '6', 'CR', 'massage therapist'],
  ['scheduling_booking', 'service', '6', 'CR', 'tutor'],
  ['expenses_receipts', 'trades', '9 14', 'US'],
  ['design_graphics', 'agency', '2 9 12 19', 'NZ'],
  ['passwords_security', 'agency', '12', 'NZ'],
  ['social_media', 'service agency', '5', 'UG MM NZ'],
  ['customer_support', 'online_store', '2 8', 'SE CZ TW PT GB'],
  ['customer_support', 'retail', '3', 'MX MY IT'],
  ['seo_local', 'online_store creator trades', '3', 'SE'],
  ['photo_video_audio', 'retail online_store', '3', 'SE'],
  ['e_signature', 'consultant', '3 4', 'NZ'],
  ['phone_voip', 'trades', '1 3 4 12', 'US'],
  ['business_plans_learning', 'service', '3', 'DE'],
];

/** The trap, the general caveats and the paid tools of a report, which also depend on the country and the trade. */
const REPORTS: readonly (readonly [businessType: string, country: string, trade?: string])[] = [
  ['service', 'FR', 'hair salon'],
  ['service', 'SE', 'tattoo studio'],
  ['retail', 'PT', 'restaurant'],
  ['retail', 'AT', 'corner shop'],
  ['consultant', 'AU', 'accounting practice'],
  ['trades', 'US', 'landscaping'],
  ['trades', 'AU', 'plumber'],
  ['trades', 'US', 'roofer'],
  ['service', 'NL', 'cleaner'],
  ['service', 'CH', 'physiotherapist'],
  ['nonprofit', 'DE', 'choir'],
  ['consultant', 'US', 'lawyer'],
  ['service', 'GB', 'daycare'],
  ['service', 'SG', 'cleaner'],
  ['service', 'MX', 'cleaner'],
  ['service', 'NG', 'cleaner'],
  ['service', 'DK', 'cleaner'],
  ['service', 'ES'],
  ['online_store', 'JP'],
  ['service', 'GR'],
  ['agency', 'AE'],
  ['service', 'HK'],
  ['nonprofit', 'IE'],
];

const words = (list: string): readonly string[] => list.split(' ');
const known = (list: readonly { name: string }[] = []): string[] =>
  list.length === 0 ? [] : [`also known: ${list.map(({ name }) => name).join(', ')}`];
const askedTrade = (text: string | undefined) =>
  text === undefined ? undefined : { asked: text, match: tradeOf(text) };

function advice(need: string, asker: Parameters<typeof reportOf>[0]): string {
  const { picks, unmet } = reportOf({ ...asker, needs: [need] });
  const pick = picks.find((one) => one.need === need);
  if (pick !== undefined)
    return [
      `pick: ${[pick.tool, ...pick.alternatives].map(({ id }) => id).join(', or ')}`,
      ...pick.why.map((line) => `why: ${line}`),
      ...pick.caveats.map((line) => `note: ${line}`),
      ...(pick.cost === null ? [] : [`cost: ${pick.cost}`]),
      ...known(pick.also_well_known),
    ].join('\n');
  const miss = unmet.find((one) => one.need === need);
  return [`none: ${miss?.reason}`, `instead: ${miss?.way_out}`, ...known(miss?.also_well_known)].join('\n');
}

/** The cases. Cases that get the same advice are joined under one heading. */
function advised(): string[] {
  const asked = new Map<string, string[]>();
  for (const [need, businesses, teamSizes, countries, trade] of CASES)
    for (const businessType of words(businesses))
      for (const size of words(teamSizes))
        for (const country of words(countries)) {
          const teamSize = size === '-' ? null : Number(size);
          const facts = { businessType: businessType as BusinessType, teamSize, trade: askedTrade(trade) };
          const told = advice(need, { ...facts, country: country === '-' ? null : country });
          const key = `${need}\n${told}`;
          const name = `${trade ?? businessType} of ${size} in ${country}`;
          asked.set(key, [...(asked.get(key) ?? []), name]);
        }
  return [...asked].map(([key, names]) => {
    const [need, ...told] = key.split('\n');
    return [`=== ${need}`, ...names, '---', ...told].join('\n');
  });
}

const reported = (): string[] =>
  REPORTS.map(([type, country, text]) => {
    const businessType = type as BusinessType;
    const trade = askedTrade(text);
    const paid = worthPayingFor(trade?.match?.trade ?? null, businessType);
    const report = reportOf({ businessType, country, teamSize: 5, trade, paid });
    const { free_is_wrong: wrong, trap } = report.summary;
    return [
      `=== a report for ${text ?? type} in ${country}`,
      ...(wrong === undefined ? [] : [`free is wrong: ${wrong}`]),
      ...(trap === undefined ? [] : [`trap: ${trap.text}`]),
      ...report.caveats.map((line) => `note: ${line}`),
      ...report.does_not_fit.map((line) => `does not fit: ${line}`),
      ...report.worth_paying_for.map(({ id, price }) => `paid: ${id}, ${price}`),
    ].join('\n');
  });

test('owners are advised as recorded in advice.txt', async () => {
  await expect(`${[...advised(), ...reported()].join('\n\n')}\n`).toMatchFileSnapshot('./advice.txt');
});
