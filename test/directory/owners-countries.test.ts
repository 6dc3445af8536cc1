import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../../src/domain/stack-report-types.ts';
import { shelves } from '../support/directory.ts';
import { asking } from './asking.ts';

const { reportOf, toolFor } = asking({ businessType: 'trades' });

describe('a country', () => {
  test.each(['GH', 'AM', 'AZ', 'GE', 'BY', 'UA', 'UZ', 'KG', 'MN', 'PK', 'ZW', 'CI', 'BJ', 'CV', 'TN', 'FJ'])(
    'with state invoicing (%s) gets the program of the state for invoices',
    (country) => {
      const ask = { businessType: 'consultant', teamSize: 9, country } as const;
      expect(toolFor('invoicing', ask)).toBe('unmet');
    },
  );

  test.each(['PH', 'NP', 'IL', 'VE', 'HN', 'NI', 'AO', 'BI', 'CG', 'MW', 'SL'])(
    'with approved invoice programs (%s) gets only those',
    (country) => {
      const { unmet } = reportOf({ businessType: 'service', teamSize: 3, country });
      expect(unmet.find(({ need }) => need === 'invoicing')?.way_out).toContain('approved');
    },
  );

  const CLEARED =
    'MX BR CL CO PE EC AR UY CR PA GT DO SV PY BO IT PL RO HU RS TR GR AL ME BE HR EG SA JO TN KE RW TZ UG GH ZM MW ET ID VN KZ UZ PH TW KR CN'.split(
      ' ',
    );

  test('that clears invoices gets no tool for them, not even for an agency with a server', () => {
    for (const country of CLEARED)
      for (const businessType of BUSINESS_TYPES) {
        const ask = {
          businessType,
          needs: ['invoicing', 'quotes_estimates', 'backup'],
          country,
          teamSize: 6,
        };
        const { picks, unmet } = reportOf({ ...ask, freeOnly: true });
        const miss = unmet.find(({ need }) => need === 'invoicing');
        expect([country, miss?.way_out]).toEqual([country, expect.stringMatching(/tax office|Peppol/)]);
        const quotes = picks.find(({ need }) => need === 'quotes_estimates');
        if (quotes !== undefined) expect(quotes.caveats.join(' '), country).toContain('for quotes only: ');
      }
  });

  test.each([
    ['CL', 'Sistema de facturación gratuito'],
    ['PL', 'Aplikacja Podatnika KSeF'],
    ['KE', 'eTIMS'],
    ['MX', 'SAT'],
    ['IT', 'Fatture e Corrispettivi'],
    ['BR', 'NFS-e'],
    ['PT', 'Portal das Finanças'],
    ['TR', 'e-Arşiv'],
    ['GR', 'timologio'],
    ['RO', 'e-Factura'],
    ['HU', 'Online Számlázó'],
    ['PE', 'SEE-SOL'],
  ])('with a free program of its tax office (%s) reads its name: %s', (country, program) => {
    const { unmet } = reportOf({ businessType: 'agency', country });
    expect(unmet.find(({ need }) => need === 'invoicing')?.way_out).toContain(program);
  });

  test('reads only about its own law at a pick', () => {
    const words = (country: string | null) =>
      JSON.stringify(reportOf({ businessType: 'agency', country }).picks);
    expect(words('ES')).toContain('Veri*factu');
    expect(words('MY')).toContain('MyInvois');
    expect(words('DE')).toContain('XRechnung');
    expect(words(null)).toContain('Where invoices pass through the state');
    for (const country of ['NZ', 'US', 'ZA'])
      expect(words(country)).not.toMatch(/Italy|Mexico|Poland|France|Germany|Veri\*factu|Europe/);
  });

  test.each(['RU', 'AM', 'UZ', 'MN', 'ZW', 'FJ'])(
    'with registered tills (%s) gets one that the state knows',
    (country) => {
      expect(toolFor('point_of_sale', { businessType: 'retail', country })).toBe('unmet');
    },
  );

  test('without Google’s programme for charities gets the ordinary account for them', () => {
    const away = { businessType: 'nonprofit', teamSize: 2, country: 'JM' } as const;
    expect([toolFor('documents_office', away), toolFor('video_meetings', away)]).toEqual([
      'google-drive',
      'google-meet',
    ]);
    expect(toolFor('documents_office', { ...away, country: 'DK' })).toBe('google-workspace-nonprofits');
    expect(toolFor('documents_office', { ...away, country: null })).toBe('google-workspace-nonprofits');
  });

  test('behind a firewall gets only online tools with an office inside', () => {
    for (const businessType of BUSINESS_TYPES) {
      const needs = Object.keys(shelves.needs);
      const { picks } = reportOf({ businessType, needs, country: 'CN' });
      const online = picks.filter(({ tool }) => tool.hosting.includes('saas')).map(({ tool }) => tool.vendor);
      expect([...new Set(online)].toSorted()).toEqual(['Canva Pty Ltd', 'Zoho Corporation']);
    }
  });

  test.each(['CU', 'IR', 'KP', 'SY', 'TM'])(
    'under embargo or with a closed network (%s) gets only software for its own computers',
    (country) => {
      const needs = Object.keys(shelves.needs);
      const { picks } = reportOf({ businessType: 'agency', needs, country });
      expect(picks.length).toBeGreaterThan(5);
      expect(picks.filter(({ tool }) => tool.hosting.includes('saas'))).toEqual([]);
    },
  );

  test.each([
    ['TR', 'discord'],
    ['MM', 'meta-business-suite'],
  ])('that no longer admits one vendor (%s, %s) gets the next one or a way out', (country, closed) => {
    for (const businessType of BUSINESS_TYPES) {
      const needs = ['community_membership', 'social_media'];
      const { picks, unmet } = reportOf({ businessType, needs, country });
      const ids = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
      expect(ids).not.toContain(closed);
      for (const { need, way_out } of unmet.filter((miss) => needs.includes(miss.need)))
        expect(way_out, need).not.toBeNull();
    }
  });

  test('is not assumed if none is given: no report mentions firewalls or embargoes', () => {
    expect(JSON.stringify(reportOf({ businessType: 'agency' }))).not.toMatch(/Cuba|Iran|is not for/);
  });
});

test('well-known names of the reader’s country come first', () => {
  const known = (need: string, country: string | null) => {
    const { picks, unmet } = reportOf({ needs: [need], country });
    return [...picks, ...unmet]
      .find((entry) => entry.need === need)
      ?.also_well_known?.map(({ name }) => name);
  };
  expect(known('payments', 'MX')).toEqual(['Clip', 'Mercado Pago']);
  expect(known('payments', 'IN')).toEqual(['Instamojo']);
  expect(known('payments', null)).toEqual(['PayPal']);
  expect(known('payments', 'ZA')).toEqual(['Yoco', 'Paystack']);
  expect(known('payments', 'SG')).toEqual(['HitPay', 'PayPal']);
  expect(known('payments', 'KR')).toEqual(['Toss Payments']);
  expect(known('online_store', 'CL')).toEqual(['Tiendanube', 'Shopify']);
  expect(known('business_plans_learning', 'DE')).toEqual(['Gründerplattform']);
  expect(reportOf({ businessType: 'service', teamSize: 2, country: 'US' }).picks.at(-1)).not.toHaveProperty(
    'also_well_known',
  );
});

test.each(['PK', 'BD', 'TR', 'NG'])('no name appears that is unavailable in %s', (country) => {
  const { picks, unmet } = reportOf({ needs: ['payments', 'donor_fundraising'], country });
  const known = [...picks, ...unmet].flatMap(({ also_well_known }) => also_well_known ?? []);
  expect(known.map(({ name }) => name).filter((name) => name.startsWith('PayPal'))).toEqual([]);
});
