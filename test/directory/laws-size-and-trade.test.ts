import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES, type BusinessType } from '../../src/domain/stack-report-types.ts';
import { type Asked, asking } from './asking.ts';

const { caveatsFor, missFor, pickFor, reportOf } = asking({ businessType: 'retail', teamSize: 3 });

describe('a report for a country with special rules', () => {
  test.each(['KZ', 'UZ', 'RU'])(
    'in %s puts no personal data of clients or staff into a program abroad',
    (country) => {
      for (const [need, businessType] of [
        ['crm', 'service'],
        ['email_marketing', 'retail'],
        ['payroll_hr', 'trades'],
      ] as const)
        expect(missFor(need, { businessType, country, teamSize: 6 })?.way_out).toContain(
          'stored in the country',
        );
    },
  );

  test.each(['SN', 'CI', 'CM', 'BA', 'KH'])('in %s says that books have a prescribed form', (country) => {
    for (const businessType of ['service', 'nonprofit'] as const)
      expect(pickFor('accounting', { businessType, country })).toBeUndefined();
  });

  test('suggests no host abroad for gifts if donors may not be able to pay there', () => {
    for (const country of ['RS', 'KE', 'GT', 'TW', 'GH', 'ZA'])
      expect(pickFor('donor_fundraising', { businessType: 'nonprofit', country })).toBeUndefined();
  });

  test('suggests no sign-up sheets by email where members use messengers', () => {
    for (const country of ['GH', 'UG', 'PK', 'JM'])
      expect(missFor('volunteer_membership', { businessType: 'nonprofit', country })?.way_out).toContain(
        'messenger',
      );
    expect(pickFor('volunteer_membership', { businessType: 'nonprofit', country: 'US' })?.tool.id).toBe(
      'signup-com',
    );
  });
});

describe('a report for a certain size and trade', () => {
  test('suggests team chat to fewer than six people only on request', () => {
    const two = { businessType: 'creator', teamSize: 2, country: 'SE' } as const;
    expect(reportOf(two).picks.map(({ need }) => need)).not.toContain('team_chat');
    expect(pickFor('team_chat', two)?.tool.id).toBe('slack');
    expect(reportOf({ ...two, teamSize: 5 }).picks.map(({ need }) => need)).not.toContain('team_chat');
    expect(reportOf({ ...two, teamSize: 6 }).picks.map(({ need }) => need)).toContain('team_chat');
  });

  test('lets an agency of seven share files, and tells one of twelve about the paid Workspace', () => {
    const agency = { businessType: 'agency', country: 'NZ' } as const;
    expect(pickFor('file_storage', { ...agency, teamSize: 7 })?.tool.id).toBe('google-drive');
    const files = pickFor('file_storage', { ...agency, teamSize: 12 });
    expect(files?.why[0]).toMatch(/clients’ files want a paid Workspace/);
  });

  test('gives a consultancy of six a site with several pages, and one or two people a single page', () => {
    const site = (teamSize: number) =>
      pickFor('website_builder', { businessType: 'consultant', country: 'NZ', teamSize })?.tool.id;
    expect([site(1), site(2), site(6)]).toEqual(['carrd', 'carrd', 'wix-free']);
  });

  test('gives four chairs a booking tool without a hidden limit of appointments', () => {
    const booking = (teamSize: number) =>
      pickFor('scheduling_booking', { businessType: 'service', country: 'NZ', teamSize })?.tool.id;
    expect([booking(3), booking(4)]).toEqual(['setmore', 'google-calendar-booking-page']);
  });

  test('picks no private accounts for the receipts of a crew of fourteen, but one account for a charity’s treasurer', () => {
    const crew = (teamSize: number) =>
      pickFor('expenses_receipts', { businessType: 'trades', country: 'US', teamSize })?.tool.id;
    expect([crew(9), crew(14)]).toEqual(['expensify-free', undefined]);
    expect(pickFor('accounting', { businessType: 'nonprofit', country: 'NZ', teamSize: 25 })?.tool.id).toBe(
      'manager-io-desktop',
    );
  });

  test('does not send nine people to a page that was rejected for eight', () => {
    const miss = missFor('scheduling_booking', { businessType: 'service', country: 'NZ', teamSize: 9 });
    expect(miss?.way_out).not.toContain('Google');
  });

  test('tells a charity about verification and the domain before its first account', () => {
    const { getting_started, picks } = reportOf({ businessType: 'nonprofit', country: 'IE', teamSize: 25 });
    expect(getting_started.map(({ text }) => text).join(' ')).toMatch(/verified.*domain/);
    expect(JSON.stringify(picks)).not.toContain('No limit of people.","Google');
    expect(picks.find(({ need }) => need === 'documents_office')?.why.join(' ')).not.toContain('No limit');
  });

  test('says "a shop" instead of "an online shop" to an online shop', () => {
    const miss = missFor('inventory', { businessType: 'online_store', country: 'TW' });
    expect(miss?.reason).not.toContain('online shop');
    expect(miss?.reason).toMatch(/\ba shop\b/);
  });
});

test.each(['LB', 'IQ', 'KW', 'YE', 'LY', 'QA', 'SA', 'DZ'])(
  'in %s names no firm of Israel, because dealing with them is or may be forbidden',
  (country) => {
    for (const businessType of BUSINESS_TYPES) {
      const { picks } = reportOf({ businessType, country, needs: ['website_builder', 'payroll_hr'] });
      const ids = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
      expect(ids.filter((id) => /wix|connecteam|monday/.test(id))).toEqual([]);
    }
  },
);

test('in Uganda, where Facebook is blocked, posts are planned elsewhere', () => {
  expect(pickFor('social_media', { country: 'UG' })?.tool.id).toBe('buffer-free');
});

describe('the order of choice', () => {
  test('gives three partners one account each for their clients, and two or six people HubSpot', () => {
    for (const businessType of ['consultant', 'agency'] as const)
      for (const [teamSize, id] of [
        [2, 'hubspot-crm'],
        [3, 'zoho-crm-free'],
        [6, 'hubspot-crm'],
      ] as const)
        expect(pickFor('crm', { businessType, teamSize, country: 'NZ' })?.tool.id).toBe(id);
  });

  test('tells an agency of any size about Figma and Affinity', () => {
    const large = pickFor('design_graphics', { businessType: 'agency', teamSize: 12, country: 'NZ' });
    expect(large?.alternatives[0]?.id).toBe('figma-starter');
    expect(large?.also_well_known?.map(({ name }) => name)).toContain('Affinity');
  });

  test('gives a charity WordPress.com for its site, with or without the Google account', () => {
    const site = (over: Asked) => pickFor('website_builder', { businessType: 'nonprofit', ...over })?.tool.id;
    expect([
      site({ country: 'IE' }),
      site({ country: 'JM' }),
      site({ country: 'IE', freeOnly: true }),
    ]).toEqual(['wordpress-com-free', 'wordpress-com-free', 'wordpress-com-free']);
  });

  test('tells a shop about shops of its country and WooCommerce', () => {
    const named = (country: string) =>
      pickFor('online_store', { businessType: 'online_store', country })?.also_well_known?.map(
        ({ name }) => name,
      );
    expect(named('CZ')).toEqual(['Shoptet', 'WooCommerce']);
    expect(named('SE')).toEqual(['WooCommerce', 'Shopify']);
  });
});

describe('the text of a report', () => {
  const shop: { businessType: BusinessType; country: string } = {
    businessType: 'online_store',
    country: 'CZ',
  };

  test('asks whether the shop allows a chat window', () => {
    expect(pickFor('online_store', shop)?.tool.id).toBe('payhip');
    expect(caveatsFor('customer_support', shop)).toContain('try first whether yours takes it');
  });

  test('names the add-ons of a till, and the need for a paid plan if several people share a vault', () => {
    const till = pickFor('point_of_sale', { country: 'NZ' });
    expect(till?.then).toMatch(/\$25 for staff/);
    const vault = pickFor('passwords_security', { businessType: 'agency', country: 'NZ', teamSize: 12 });
    expect(vault?.caveats.join(' ')).toContain('logins that several share need a paid plan');
    expect(vault?.then).toContain('for one person');
  });
});

test('in Norway names the accountant’s program for books, and names a country’s tools only there', () => {
  const books = missFor('accounting', { businessType: 'consultant', country: 'NO' });
  expect(books?.way_out).toContain('accountant');
  expect(books?.also_well_known?.map(({ name }) => name)).toEqual(['Fiken', 'Tripletex']);
  const known = (country: string | null) =>
    pickFor('invoicing', { businessType: 'consultant', country })?.also_well_known?.map(({ name }) => name);
  expect([known('CZ'), known(null)]).toEqual([['Fakturoid'], undefined]);
});
