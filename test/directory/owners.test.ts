import { describe, expect, test } from 'vitest';
import { areWide } from '../../src/domain/regions.ts';
import { BUSINESS_TYPES } from '../../src/domain/stack-report-types.ts';
import { listingFiles as files, shelves } from '../support/directory.ts';
import { type Asked, asking } from './asking.ts';

const { reportOf, toolFor } = asking({ businessType: 'trades' });

describe('books', () => {
  test.each([
    ['trades', 8, 'AU'],
    ['service', 2, 'NZ'],
    ['retail', 1, 'SG'],
    ['online_store', 3, 'ZA'],
    ['consultant', 8, null],
    ['nonprofit', 9, 'DK'],
  ] as const)(
    '%s of %s in %s: not in a program with a ceiling of revenue',
    (businessType, teamSize, country) => {
      expect(toolFor('accounting', { businessType, teamSize, country })).toBe('manager-io-desktop');
    },
  );

  test('of one person are not in a tool with an unknown ceiling, which is only mentioned', () => {
    for (const businessType of ['service', 'consultant', 'creator'] as const) {
      const { picks } = reportOf({ businessType, needs: ['accounting'], teamSize: 1, country: 'AU' });
      const pick = picks.find(({ need }) => need === 'accounting');
      expect(pick?.tool.id).toBe('manager-io-desktop');
      expect(pick?.alternatives.map(({ id }) => id)).toContain('zoho-books-free');
    }
  });

  test.each(['FR', 'MX', 'PH', 'ES', 'IT', 'MA', 'NL'])(
    'in %s belong in the program for the tax return: none is picked, and the way out says so',
    (country) => {
      for (const businessType of ['service', 'retail', 'online_store', 'consultant'] as const) {
        const { unmet } = reportOf({ businessType, teamSize: 4, country });
        expect(unmet.find(({ need }) => need === 'accounting')?.way_out).toContain('accountant');
      }
    },
  );

  test('of a firm above fourteen people are left to its accountant', () => {
    for (const country of [null, 'US', 'AU'])
      expect(toolFor('accounting', { businessType: 'retail', teamSize: 15, country })).toBe('unmet');
  });

  test('in the US and Canada are always in Wave', () => {
    expect(toolFor('accounting', { businessType: 'retail', teamSize: 9, country: 'CA' })).toBe(
      'wave-starter',
    );
  });
});

describe('visitors', () => {
  test.each(['service', 'trades', 'retail', 'consultant', 'nonprofit'] as const)(
    'of the free site of %s are counted by its builder, because no other counter is allowed',
    (businessType) => {
      expect(toolFor('analytics', { businessType, country: 'ZA' })).toBe('unmet');
    },
  );

  test('of a shop are counted if a tool is picked for the shop', () => {
    const ask = { businessType: 'retail', needs: ['online_store', 'analytics'], teamSize: 18 } as const;
    const pick = reportOf({ ...ask, country: 'FI' }).picks.find(({ need }) => need === 'analytics');
    expect(pick?.tool.id).toBe('google-analytics');
    expect(pick?.caveats).not.toContain('Needs an online shop first.');
    expect(toolFor('analytics', { businessType: 'online_store', country: 'SE' })).toBe('google-analytics');
    expect(toolFor('analytics', { businessType: 'online_store', country: 'PK' })).toBe('unmet');
  });

  test('of clients’ sites are counted for an agency', () => {
    expect(toolFor('analytics', { businessType: 'agency', country: 'BR' })).toBe('google-analytics');
  });
});

describe('a report without a country', () => {
  test('picks no tool for only a few countries', () => {
    const few = new Set(files.filter(({ regions }) => !areWide(regions)).map(({ id }) => id));
    for (const businessType of BUSINESS_TYPES)
      for (const teamSize of [null, 1, 3, 8, 15, 25]) {
        const { picks } = reportOf({ businessType, needs: Object.keys(shelves.needs), teamSize });
        const named = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
        expect(named.filter((id) => few.has(id))).toEqual([]);
      }
  });

  test('gives eight people with bookings a page that serves everywhere', () => {
    const ask = { businessType: 'service', teamSize: 8 } as const;
    expect(toolFor('scheduling_booking', ask)).toBe('google-calendar-booking-page');
    expect([toolFor('invoicing', ask), toolFor('accounting', ask)]).toEqual([
      'zoho-invoice-free',
      'manager-io-desktop',
    ]);
  });
});

describe('a report with one program for several needs', () => {
  test('keeps the books and invoices of one person in one program', () => {
    const ask = { businessType: 'consultant', teamSize: 1, country: 'GB' } as const;
    expect([toolFor('accounting', ask), toolFor('invoicing', ask)]).toEqual([
      'zoho-books-free',
      'zoho-books-free',
    ]);
    expect(toolFor('invoicing', { ...ask, teamSize: 4 })).toBe('zoho-invoice-free');
    const inUs = { businessType: 'service', teamSize: 1, country: 'US' } as const;
    expect([toolFor('accounting', inUs), toolFor('invoicing', inUs)]).toEqual([
      'wave-starter',
      'wave-starter',
    ]);
  });

  test('keeps invoices in Square, without a yearly cap, for an owner who books and takes cards there', () => {
    const service = { businessType: 'service', teamSize: 15, country: 'IE' } as const;
    expect(toolFor('invoicing', service)).toBe('square-invoices');
    const trades = { businessType: 'trades', teamSize: 6, country: 'AU' } as const;
    expect([toolFor('quotes_estimates', trades), toolFor('invoicing', trades)]).toEqual([
      'square-invoices',
      'square-invoices',
    ]);
  });

  test('uses a one-page site without adverts for a consultant and for a creator’s links', () => {
    expect(toolFor('website_builder', { businessType: 'consultant', teamSize: 2, country: 'AE' })).toBe(
      'carrd',
    );
    const creator = { businessType: 'creator', teamSize: 2, country: 'PH' } as const;
    expect([toolFor('website_builder', creator), toolFor('link_in_bio', creator)]).toEqual([
      'carrd',
      'carrd',
    ]);
  });

  test('lets a charity open one Google account for all Google tools', () => {
    const { summary } = reportOf({ businessType: 'nonprofit', needs: ['scheduling_booking'], teamSize: 30 });
    expect(summary.accounts.filter((account) => account.includes('Google'))).toEqual(['Google account']);
  });

  test('keeps a salon’s products in the item list of its till, if it has one', () => {
    expect(toolFor('inventory', { businessType: 'service', country: 'US' })).toBe('square-pos-free');
    expect(toolFor('inventory', { businessType: 'service', country: 'DE' })).toBe('sortly');
  });

  test('uses a charity’s account for meetings and bookings', () => {
    const ask = { businessType: 'nonprofit', country: 'US' } as const;
    expect(toolFor('video_meetings', ask)).toBe('google-workspace-nonprofits');
    expect(toolFor('video_meetings', { ...ask, freeOnly: true })).toBe('google-meet');
    expect(toolFor('scheduling_booking', ask)).toBe('google-calendar-booking-page');
  });
});

describe('agencies and larger teams', () => {
  test.each([
    ['social_media', 'agency', 5, 'meta-business-suite'],
    ['e_signature', 'consultant', 3, 'documenso'],
    ['e_signature', 'consultant', 4, 'opensign'],
    ['design_graphics', 'agency', 5, 'canva-free'],
    ['design_graphics', 'agency', 10, 'canva-free'],
    ['time_tracking', 'agency', 5, 'clockify'],
    ['time_tracking', 'agency', 6, 'timecamp-free'],
    ['time_tracking', 'consultant', 18, 'timecamp-free'],
  ] as const)('%s for %s of %i: %s', (need, businessType, teamSize, id) => {
    expect(toolFor(need, { businessType, teamSize })).toBe(id);
  });
});

describe('seats', () => {
  const whyOf = (need: string, over: Asked) =>
    reportOf({ needs: [need], ...over })
      .picks.find((pick) => pick.need === need)
      ?.why.join(' ') ?? '';

  test('are not called enough for three or more people if one account has too few', () => {
    for (const teamSize of [3, 10, 11, 25]) {
      const why = whyOf('crm', { teamSize });
      expect(why).toMatch(new RegExp(`\\bnot\\b.* ${teamSize} `));
      expect(why).not.toMatch(/\bone account\b/);
    }
  });

  test('are called one account for each person, not "no limit of people", if each person opens one', () => {
    for (const [need, businessType] of [
      ['documents_office', 'consultant'],
      ['passwords_security', 'service'],
      ['expenses_receipts', 'trades'],
      ['scheduling_booking', 'consultant'],
    ] as const)
      expect(whyOf(need, { businessType, teamSize: 9 })).toMatch(/\b[Ee]ach person\b/);
    const unlimited = whyOf('team_chat', { businessType: 'agency', teamSize: 12 });
    expect(unlimited).toMatch(/\b[Nn]o limit\b/);
    expect(unlimited).not.toMatch(/\b[Ee]ach person\b/);
  });

  test.each([
    [1, 'hubspot-crm'],
    [2, 'hubspot-crm'],
    [6, 'hubspot-crm'],
    [19, 'hubspot-crm'],
  ])('client records of an agency of %i are in %s, not in a suite whose plans changed', (teamSize, id) => {
    for (const businessType of ['agency', 'consultant'] as const)
      expect(toolFor('crm', { businessType, teamSize })).toBe(id);
  });
});

describe('ways out', () => {
  const wayOut = (need: string, over: Asked) =>
    reportOf({ needs: [need], ...over }).unmet.find((miss) => miss.need === need)?.way_out ?? '';

  test('fit the business and never mention a counter to a business without one', () => {
    for (const businessType of ['online_store', 'creator', 'consultant', 'agency', 'nonprofit'] as const)
      expect(wayOut('payments', { businessType, country: 'NG' })).not.toMatch(/counter|terminal/);
    expect(wayOut('payments', { businessType: 'retail', country: 'NG' })).toContain('counter');
    expect(wayOut('online_store', { businessType: 'retail', country: 'NG' })).toContain('in the shop');
    expect(wayOut('online_store', { businessType: 'consultant', country: 'NG' })).toContain('invoice');
    expect(wayOut('accounting', { businessType: 'nonprofit', country: 'MX' })).toContain('auditor');
  });

  test('name no vendor that is barred from some countries', () => {
    for (const { way_out, ways_out } of Object.values(shelves.needs))
      expect([way_out, ...Object.values(ways_out)].join(' ')).not.toMatch(/Etsy|eBay|PayPal|Stripe|Square/);
  });
});
