import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES, type BusinessType } from '../../src/domain/stack-report-types.ts';
import { tradeOf } from '../../src/trades/trades.ts';
import { listingFiles, shelves } from '../support/directory.ts';
import { asking, OPEN } from './asking.ts';

const { ask, reportOf, pickFor, missFor, toolFor, caveatsFor, namesBeside } = asking();
const asked = (text: string) => ({ asked: text, match: tradeOf(text) });

test('CiviCRM requires web hosting but no WordPress site', () => {
  const file = listingFiles.find(({ id }) => id === 'civicrm');
  expect(file?.requires).toEqual(['web_hosting']);
  expect(file?.caveats[0]).toMatch(/standalone.*WordPress.*Drupal.*Joomla.*Backdrop/i);
  const words = Object.values(shelves.needs).flatMap(({ shelf }) =>
    shelf.flatMap((entry) =>
      'id' in entry && entry.id === 'civicrm' ? [`${entry.reason} ${entry.minus}`] : [],
    ),
  );
  expect(words).toHaveLength(2);
  for (const text of words) expect(text).not.toMatch(/needs a site/i);
  expect(missFor('volunteer_membership', { businessType: 'nonprofit', country: 'UG' })?.reason).not.toContain(
    'CiviCRM needs a WordPress site',
  );
});

test('the first step uses a tool in every country', () => {
  const idle: string[] = [];
  for (const country of OPEN)
    for (const businessType of BUSINESS_TYPES) {
      const result = ask({ businessType, country, teamSize: 4 });
      // If the state provides tools for nearly all needs, access to its invoicing comes first.
      if (!result.ok || result.report.picks.length < 2) continue;
      const { getting_started, summary } = result.report;
      const [first] = getting_started;
      if (first?.needs.length === 0 || summary.first !== first?.text) idle.push(`${country} ${businessType}`);
    }
  expect(idle).toEqual([]);
});

test('the fee of Gumroad is the one in its quote', () => {
  const file = listingFiles.find(({ id }) => id === 'gumroad');
  expect(file?.cost?.text).toMatch(/10% and \$0\.50/);
  expect(file?.editor.also_read.map(({ words }) => words).join(' ')).toContain('10% + $0.50');
  expect(pickFor('online_store', { businessType: 'creator', country: 'KR' })?.cost).toContain('10%');
});

test('a report for an agency says first who should use Canva and who should use Figma', () => {
  for (const teamSize of [2, 5, 9, 15]) {
    const pick = pickFor('design_graphics', { businessType: 'agency', teamSize });
    expect(pick?.tool.id).toBe('canva-free');
    expect(pick?.why[0]).toMatch(/posts.*screens.*Figma/);
    expect(pick?.alternatives[0]?.id).toBe('figma-starter');
  }
});

describe('the law of a country at a pick', () => {
  test.each([
    ['invoicing', 'trades', 'NO', 'EHF'],
    ['invoicing', 'consultant', 'SE', 'Public customers'],
    ['invoicing', 'agency', 'NL', 'Public customers'],
    ['accounting', 'consultant', 'DE', 'ELSTER'],
    ['accounting', 'consultant', 'DE', 'GoBD'],
    ['accounting', 'service', 'GB', 'Making Tax Digital'],
    ['accounting', 'retail', 'SE', 'Not known to file'],
    ['online_store', 'online_store', 'HR', 'fiscalised'],
    ['payments', 'online_store', 'HR', 'fiscalised'],
    ['payments', 'consultant', 'HR', 'fiscalised'],
    ['online_store', 'online_store', 'SI', 'at each sale'],
  ] as const)('%s for %s in %s: %s', (need, businessType, country, word) => {
    expect(caveatsFor(need, { businessType, country, teamSize: 1 })).toContain(word);
    expect(caveatsFor(need, { businessType, country: 'US', teamSize: 1 })).not.toContain(word);
  });

  test('names the program for tax returns in Estonia, and German bookkeeping programs in Germany', () => {
    for (const teamSize of [1, 3]) {
      const books = missFor('accounting', { businessType: 'retail', country: 'EE', teamSize });
      expect(books?.way_out).toMatch(/e-arveldaja.*yearly report/);
    }
    expect(namesBeside('accounting', { businessType: 'consultant', country: 'DE', teamSize: 1 })).toEqual([
      'Lexware Office',
      'sevdesk',
    ]);
  });
});

describe('a report that saves one program', () => {
  test('keeps the clients of up to three people in their booking tool', () => {
    for (const teamSize of [1, 3]) {
      expect(pickFor('crm', { country: 'SK', teamSize })?.tool.id).toBe('setmore');
    }
    expect(pickFor('crm', { country: 'SK', teamSize: 6 })?.tool.id).toBe('hubspot-crm');
    expect(pickFor('crm', { businessType: 'trades', country: 'SK', teamSize: 1 })?.tool.id).toBe(
      'hubspot-crm',
    );
  });

  test('does so with Square, whose customer directory is free', () => {
    for (const [country, teamSize] of [
      ['US', 2],
      ['IE', 1],
    ] as const)
      expect(pickFor('crm', { country, teamSize })?.tool.id).toBe('square-appointments');
    const file = listingFiles.find(({ id }) => id === 'square-appointments');
    expect(file?.editor.also_read.map(({ words }) => words).join(' ')).toContain('free Customer Directory');
  });

  test('uses Square for a team’s bookings if its quote names no fee for a second person', () => {
    const booking = (country: string, teamSize: number, businessType: BusinessType = 'service') =>
      pickFor('scheduling_booking', { businessType, country, teamSize })?.tool.id;
    for (const country of ['GB', 'AU', 'IE', 'JP'])
      expect([1, 2, 5].map((teamSize) => booking(country, teamSize))).toEqual([
        'square-appointments',
        'setmore',
        'google-calendar-booking-page',
      ]);
    for (const country of ['US', 'CA']) {
      for (const businessType of ['service', 'retail'] as const)
        expect(booking(country, 15, businessType)).toBe('square-appointments');
      // A booking page does not dispatch crews to jobs.
      expect([2, 15].map((teamSize) => booking(country, teamSize, 'trades'))).toEqual([
        'square-appointments',
        undefined,
      ]);
    }
  });

  test('never sends a team outside the United States and Canada to Square for bookings', () => {
    const sent: string[] = [];
    for (const country of ['GB', 'IE', 'FR', 'ES', 'AU', 'JP'])
      for (const businessType of BUSINESS_TYPES)
        for (const teamSize of [2, 9, 10_000]) {
          const pick = pickFor('scheduling_booking', { businessType, country, teamSize });
          const ids = [pick?.tool, ...(pick?.alternatives ?? [])].map((tool) => tool?.id);
          if (ids.includes('square-appointments')) sent.push(`${country} ${businessType} ${teamSize}`);
        }
    expect(sent).toEqual([]);
    expect(
      pickFor('scheduling_booking', { businessType: 'trades', country: 'AU', teamSize: 1 })?.tool.id,
    ).toBe('square-appointments');
  });

  test('has the same price after Square’s free plan everywhere, and quotes no older one', () => {
    const square = listingFiles.filter(({ vendor }) => vendor.includes('Square'));
    expect(square).toHaveLength(4);
    for (const { then, check, editor } of square) {
      expect(then?.text).toBe('Square Plus: $49 a month for each location (US price, September 2026)');
      expect([then?.amount, then?.per, then?.source_dated]).toEqual(['49', 'location', '2026-09-20']);
      expect([check.quote, ...editor.also_read.map(({ words }) => words)].join(' ')).not.toMatch(/\$29/);
    }
  });

  test('says that Google storage has up to 15 GB, with the condition', () => {
    const file = listingFiles.find(({ id }) => id === 'google-drive');
    expect(file?.check.quote).toContain('up to 15 GB');
    expect(file?.caveats.join(' ')).toMatch(/5 GB until you link a phone number/);
    const said = [
      ...listingFiles.flatMap(({ free_limits, limits_by_need, caveats }) => [
        free_limits ?? '',
        ...Object.values(limits_by_need),
        ...caveats,
      ]),
      ...Object.values(shelves.needs).flatMap(({ shelf }) => shelf.map(({ reason }) => reason)),
    ].filter((text) => text.includes('15 GB'));
    expect(said.length).toBeGreaterThan(2);
    for (const text of said) expect(text).toMatch(/up to 15 GB/i);
  });

  test('lists no vendor without a free plan', () => {
    expect(listingFiles.map(({ id }) => id)).not.toContain('wild-apricot-free');
  });

  test('leaves the books of a firm above fourteen people to its accountant, even for an agency with a server', () => {
    const ask = { businessType: 'agency', needs: ['accounting'] } as const;
    expect(pickFor('accounting', { ...ask, teamSize: 20 })).toBeUndefined();
    expect(missFor('accounting', { ...ask, teamSize: 20 })?.way_out).toContain('accountant');
  });

  test('uses no till to count parts on vans, and no single phone number for a crew', () => {
    for (const country of ['US', 'DE'])
      expect(
        [2, 4].map(
          (teamSize) => pickFor('inventory', { businessType: 'trades', country, teamSize })?.tool.id,
        ),
      ).toEqual(['sortly', undefined]);
    const phone = (teamSize: number) =>
      pickFor('phone_voip', { businessType: 'trades', country: 'US', teamSize })?.tool.id;
    expect([phone(1), phone(3), phone(4), phone(12)]).toEqual([
      'google-voice',
      'google-voice',
      undefined,
      undefined,
    ]);
  });
});

describe('confidential papers of clients', () => {
  test('stay on the computer of a single consultant only where a contract must cover them', () => {
    const office = (country: string | null, teamSize = 1) =>
      pickFor('documents_office', { businessType: 'consultant', country, teamSize });
    for (const country of ['DE', 'SK', 'GB', 'CH', 'NO'])
      expect(office(country)?.tool.id, country).toBe('libreoffice');
    for (const country of ['US', 'NZ', null]) {
      expect(office(country)?.tool.id).toBe('google-drive');
      expect(office(country)?.alternatives.map(({ id }) => id)).toContain('libreoffice');
      expect(office(country)).not.toHaveProperty('at_home');
    }
    expect(office('DE')?.alternatives.map(({ id }) => id)).toContain('google-drive');
    expect(office('DE', 2)?.tool.id).toBe('google-drive');
  });

  test('of fifteen people are in one shared account of the firm, followed by the paid one', () => {
    const pick = pickFor('file_storage', { businessType: 'agency', teamSize: 15 });
    expect(pick?.why[0]).toMatch(/^One account of the firm.*paid Workspace/);
  });

  test('of patients are in no page, form or list of a free account, and only health professions read this', () => {
    const health = (trade: string) =>
      (['scheduling_booking', 'crm', 'forms_surveys'] as const).map((need) =>
        /health/.test(JSON.stringify(pickFor(need, { country: 'CR', teamSize: 6, trade: asked(trade) }))),
      );
    for (const trade of ['physiotherapist', 'massage therapist', 'nutritionist'])
      expect([trade, health(trade)]).toEqual([trade, [true, true, true]]);
    for (const trade of ['tutor', 'nail salon', 'dog groomer'])
      expect([trade, health(trade)]).toEqual([trade, [false, false, false]]);
    expect(caveatsFor('scheduling_booking', { country: 'CR' })).toContain('If you treat people');
  });

  test('of a law firm are in no personal account, and the books explain trust accounts', () => {
    const firm = {
      businessType: 'consultant',
      country: 'US',
      teamSize: 4,
      trade: asked('law office'),
    } as const;
    expect(caveatsFor('accounting', firm)).toMatch(/trust account \(IOLTA/);
    expect(toolFor('documents_office', firm)).toBe('libreoffice');
    expect(missFor('file_storage', firm)).toMatchObject({
      reason: expect.stringMatching(/private accounts.*Google Drive/),
      way_out: expect.stringContaining('contract on the data'),
    });
    expect(caveatsFor('accounting', { ...firm, trade: asked('architect') })).not.toMatch(/trust account/);
  });
});

test('the additions for a country keep the report of every business within 20 kB', () => {
  const types: readonly BusinessType[] = ['service', 'retail', 'online_store', 'creator', 'consultant'];
  const tooLong = types.flatMap((businessType) =>
    OPEN.flatMap((country) =>
      [1, 3, 6].flatMap((teamSize) => {
        const bytes = Buffer.byteLength(
          JSON.stringify(reportOf({ businessType, country, teamSize, freeOnly: true })),
        );
        return bytes > 20_000 ? [`${businessType} of ${teamSize} in ${country}: ${bytes}`] : [];
      }),
    ),
  );
  expect(tooLong).toEqual([]);
}, 60_000);
