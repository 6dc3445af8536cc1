import { describe, expect, test } from 'vitest';
import { COUNTRY_CODES, inRegions } from '../../src/domain/regions.ts';
import { BUSINESS_TYPES, type BusinessType } from '../../src/domain/stack-report-types.ts';
import { shelves } from '../support/directory.ts';
import { asking } from './asking.ts';

const { caveatsFor, missFor, pickFor, reportOf } = asking({ businessType: 'retail', teamSize: 3 });

const AT_A_COUNTER = ['service', 'trades', 'retail'] as const;

describe('a card reader', () => {
  test('is not picked in Greece, where the law connects it to the certified till', () => {
    for (const businessType of AT_A_COUNTER) {
      const { picks, unmet } = reportOf({ businessType, country: 'GR' });
      const named = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
      expect(named.filter((id) => /sumup|square|mollie/.test(id))).toEqual([]);
      const miss = unmet.find(({ need }) => need === 'payments');
      expect(miss?.reason).toMatch(/\brules\b.*\bGreece\b/);
      expect(miss?.way_out).toMatch(/connect.*AADE/);
    }
    // Remote payments need no terminal.
    expect(pickFor('payments', { businessType: 'consultant', country: 'GR' })?.tool.id).toBe('stripe');
  });

  test('comes with a note about the certified till in every country that requires one', () => {
    const certified = shelves.needs.point_of_sale?.law.bars.flatMap(({ regions }) => regions) ?? [];
    const silent = new Set<string>();
    let readers = 0;
    for (const country of COUNTRY_CODES.filter((code) => inRegions(code, certified)))
      for (const businessType of AT_A_COUNTER) {
        const pick = pickFor('payments', { businessType, country });
        if (!/sumup|square/.test(pick?.tool.id ?? '')) continue;
        readers += 1;
        const words = pick?.caveats.join(' ') ?? '';
        if (!/certified|electronic document|NFC-e|boleta/.test(words) && pick?.need !== 'point_of_sale')
          if (!(country === 'FR' && businessType === 'retail')) silent.add(`${country} ${businessType}`);
      }
    expect(readers).toBeGreaterThan(30);
    expect([...silent]).toEqual([]);
    expect(caveatsFor('point_of_sale', { country: 'FR' })).toContain('certificate');
  });

  test.each([
    ['IT', 'Fatture e Corrispettivi'],
    ['AT', 'RKSV'],
    ['DE', 'TSE'],
    ['SE', 'count as cash'],
    ['PT', 'the slip of the reader is none'],
    ['PL', 'whether the reader must be connected'],
    ['BR', 'NFC-e'],
    ['CL', 'boleta'],
  ])('in %s gets a note about %s, and no other country does', (country, word) => {
    expect(caveatsFor('payments', { businessType: 'trades', country })).toContain(word);
    for (const other of ['US', 'NL', 'CH', 'FI'])
      expect(caveatsFor('payments', { businessType: 'trades', country: other })).not.toContain(word);
  });

  test('of a bank is never said to work with a certified till without changes', () => {
    for (const country of ['TR', 'GR', 'KZ', 'IT', 'RS']) {
      const miss = missFor('point_of_sale', { country });
      expect(miss?.way_out).not.toContain('works beside it');
      expect(miss?.way_out).toMatch(/connected|coupled|linked/);
    }
  });
});

describe('a till', () => {
  test.each([
    ['TH', 'Revenue Department'],
    ['CA', 'Québec'],
    ['BE', 'GKS'],
    ['DK', 'salgsregistreringssystem'],
    ['TN', 'certified by the state'],
    ['PK', 'ask your accountant'],
    ['ES', 'TicketBAI'],
  ])('in %s comes with the law of some trades: %s', (country, word) => {
    expect(caveatsFor('point_of_sale', { country })).toContain(word);
  });
});

describe('the hours of staff', () => {
  test.each([
    ['GR', 'ERGANI II'],
    ['ES', 'hours are recorded by law'],
    ['IT', 'Libro Unico'],
    ['CL', 'Dirección del Trabajo'],
    ['BR', 'REP'],
    ['NO', 'list of the people at work'],
    ['PL', 'ask your accountant in which form'],
  ])('in %s: %s', (country, word) => {
    for (const businessType of AT_A_COUNTER)
      expect(caveatsFor('payroll_hr', { businessType, country, teamSize: 6 })).toContain(word);
    expect(caveatsFor('payroll_hr', { country: 'NZ', teamSize: 6 })).not.toContain(word);
  });

  test('come with the recording duty, but not for a business that counts hours by project', () => {
    expect(caveatsFor('time_tracking', { businessType: 'trades', country: 'GR' })).toContain('ERGANI');
    expect(caveatsFor('time_tracking', { businessType: 'consultant', country: 'GR' })).not.toContain(
      'ERGANI',
    );
  });
});

describe('an invoice', () => {
  test.each([
    ['CH', 'QR-bill'],
    ['MA', 'step by step'],
    ['OM', 'step by step'],
    ['SI', '2028'],
    ['EE', 'e-invoice'],
    ['JP', 'qualified invoice'],
    ['ES', 'TicketBAI'],
    ['BD', 'Mushak'],
  ])('in %s: %s', (country, word) => {
    expect(caveatsFor('invoicing', { businessType: 'consultant', country })).toContain(word);
    expect(caveatsFor('invoicing', { businessType: 'consultant', country: 'NZ' })).not.toContain(word);
  });

  test('in Moldova uses the form of the state', () => {
    expect(missFor('invoicing', { businessType: 'agency', country: 'MD' })?.way_out).toContain('tax office');
  });
});

describe('gifts', () => {
  test.each(['AE', 'SA', 'QA', 'KW', 'BH', 'OM', 'EG', 'JO', 'DZ'])(
    'in %s need a licence of the state, so no form is picked',
    (country) => {
      for (const businessType of ['nonprofit', 'creator'] as const)
        expect(missFor('donor_fundraising', { businessType, country })?.way_out).toContain('licence');
    },
  );

  test('come with a note about a permit where one may be required, and nowhere else', () => {
    for (const country of ['FI', 'DK', 'CZ', 'FR', 'MY', 'PH', 'SG'])
      expect(caveatsFor('donor_fundraising', { businessType: 'nonprofit', country })).toContain('permit');
    expect(caveatsFor('donor_fundraising', { businessType: 'nonprofit', country: 'US' })).toContain('states');
    expect(caveatsFor('donor_fundraising', { businessType: 'nonprofit', country: 'NZ' })).not.toMatch(
      /permit|registration/,
    );
  });
});

describe('donated money', () => {
  test('is not collected by a tip page in countries that forbid or license it', () => {
    const GULF = ['AE', 'SA', 'QA', 'KW', 'BH', 'OM', 'EG', 'JO', 'DZ', 'MA', 'TR', 'CN'];
    for (const country of ['FI', 'DK', 'IS', ...GULF]) {
      const { picks } = reportOf({ businessType: 'creator', country, needs: ['donor_fundraising'] });
      const ids = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
      expect([country, ...ids.filter((id) => /ko-fi|coffee|donorbox|collective/.test(id))]).toEqual([
        country,
      ]);
    }
  });

  test('is mentioned with the tool for members', () => {
    for (const country of ['FI', 'DK', 'IS'])
      expect(caveatsFor('community_membership', { businessType: 'creator', country })).toContain('permit');
    expect(pickFor('community_membership', { businessType: 'creator', country: 'SE' })?.tool.id).toBe(
      'ko-fi',
    );
    expect(missFor('donor_fundraising', { businessType: 'creator', country: 'FI' })?.way_out).toContain(
      'permit',
    );
    expect(pickFor('donor_fundraising', { businessType: 'nonprofit', country: 'FI' })?.tool.id).toBe(
      'donorbox-standard',
    );
  });
});

describe('a sentence about a country is true', () => {
  test('about its invoice system', () => {
    const quotes = (country: string) => caveatsFor('quotes_estimates', { businessType: 'agency', country });
    for (const country of ['BE', 'HU', 'HR', 'PL', 'GH', 'KE'])
      expect(quotes(country)).not.toContain('the tax office’s system');
    expect(quotes('BE')).toContain('Peppol');
    expect(quotes('HU')).toContain('NAV');
    expect(quotes('KE')).toContain('for quotes only');
    const invoices = missFor('invoicing', { businessType: 'agency', country: 'HU' });
    expect(invoices?.way_out).toContain('any program that reports to it');
    expect(invoices?.also_well_known?.map(({ name }) => name)).toContain('Számlázz.hu');
    expect(missFor('invoicing', { businessType: 'service', country: 'EG' })?.way_out).toContain(
      'certificate',
    );
    expect(missFor('invoicing', { businessType: 'service', country: 'IL' })?.way_out).toContain('iCount');
  });

  test('about its marketplaces and phone money', () => {
    const way = (need: string, businessType: BusinessType, country: string) =>
      missFor(need, { businessType, country })?.way_out;
    expect(way('online_store', 'online_store', 'TW')).toMatch(/Shopee.*momo/);
    expect(way('online_store', 'online_store', 'EC')).toContain('Mercado Libre');
    expect(way('online_store', 'online_store', 'KR')).toContain('Coupang');
    for (const country of ['GH', 'KE', 'TZ', 'UG', 'RW', 'ZM']) {
      expect(way('donor_fundraising', 'nonprofit', country)).toContain('mobile money');
      expect(way('payments', 'service', country)).toContain('mobile money');
    }
  });

  test('and is not shown in the United States', () => {
    for (const businessType of BUSINESS_TYPES) {
      const words = JSON.stringify(reportOf({ businessType, country: 'US', needs: ['invoicing'] }).picks);
      expect(words).not.toMatch(/Outside the United States|fee that differs by country/);
    }
  });

  test('about registered bookkeeping in Denmark, except for associations', () => {
    for (const teamSize of [1, 4])
      expect(missFor('accounting', { country: 'DK', teamSize })?.way_out).toContain('registered');
  });
});

test('no reason claims a law: it says that no tool is known to fit the rules', () => {
  for (const country of ['JP', 'CZ', 'ID', 'GR', 'CL'])
    for (const businessType of BUSINESS_TYPES)
      expect(JSON.stringify(reportOf({ businessType, country }).unmet)).not.toContain('The law of');
});

test('a team size up to which we choose a tool reads as our judgement', () => {
  expect(missFor('accounting', { teamSize: 20, country: 'US' })?.reason).toContain(
    'by our judgement for smaller teams: Wave (up to 14 people)',
  );
});

test('additions about the law of a country keep a report within 20 kB', () => {
  const tooLong = (['trades', 'agency', 'nonprofit'] as const).flatMap((businessType) =>
    // Sanctions or state control leave hardly any tool in these countries, so there is no report.
    COUNTRY_CODES.filter((code) => !['CU', 'IR', 'KP', 'SY', 'TM'].includes(code)).flatMap((country) =>
      [4, 12].flatMap((teamSize) => {
        const bytes = Buffer.byteLength(
          JSON.stringify(reportOf({ businessType, country, teamSize, freeOnly: true })),
        );
        return bytes > 20_000 ? [`${businessType} of ${teamSize} in ${country}: ${bytes}`] : [];
      }),
    ),
  );
  expect(tooLong).toEqual([]);
}, 60_000);
