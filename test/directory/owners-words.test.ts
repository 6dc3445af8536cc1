import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../../src/domain/stack-report-types.ts';
import { listingFiles as files, shelves } from '../support/directory.ts';
import { type Asked, asking } from './asking.ts';

const { reportOf, toolFor } = asking({ businessType: 'trades' });

describe('the map', () => {
  test.each(['online_store', 'creator'] as const)(
    'has no place for %s, because nobody comes in person',
    (businessType) => {
      const { unmet } = reportOf({ businessType, needs: ['seo_local'], country: 'SE' });
      const miss = unmet.find(({ need }) => need === 'seo_local');
      expect(miss?.way_out).toContain('Google Business Profile');
      expect(miss?.way_out).toContain('Merchant Center');
    },
  );

  test('has a place for a workshop', () => {
    expect(toolFor('seo_local', { businessType: 'trades', country: 'SE' })).toBe('google-business-profile');
  });
});

test('a step joins the purposes of a tool without repeated verbs or a needless "and"', () => {
  const purposes = new Map<string, string[]>();
  for (const { purpose, shelf } of Object.values(shelves.needs))
    for (const id of new Set(shelf.flatMap((entry) => ('id' in entry ? [entry.id] : []))))
      purposes.set(id, [...(purposes.get(id) ?? []), purpose.split(' ')[0] ?? '']);
  const forOneNeed = new Set(files.filter(({ editor }) => editor.one_need_only).map(({ id }) => id));
  const twice = [...purposes].filter(
    ([id, verbs]) => !forOneNeed.has(id) && new Set(verbs).size !== verbs.length,
  );
  expect(twice).toEqual([]);
  const shared = Object.values(shelves.needs).filter(({ shelf }) =>
    shelf.some(
      (entry) => 'id' in entry && !forOneNeed.has(entry.id) && (purposes.get(entry.id)?.length ?? 0) > 2,
    ),
  );
  expect(shared.map(({ purpose }) => purpose).filter((purpose) => purpose.includes(' and '))).toEqual([]);
});

test('a country name has its article in a sentence', () => {
  const caveats = (country: string) => reportOf({ country }).caveats.join(' ');
  expect(caveats('PH')).toContain(' the Philippines.');
  expect(caveats('AE')).toContain(' the United Arab Emirates.');
  expect(caveats('NL')).toContain(' the Netherlands.');
  expect(caveats('SE')).toMatch(/ (?<!the )Sweden\./);
  expect(caveats('HK')).toMatch(/ (?<!the )Hong Kong\./);
});

describe('a step', () => {
  const steps = (over: Asked) => reportOf(over).getting_started.map(({ text }) => text);

  test('names only the tasks of the tool: a video tool edits no photos', () => {
    for (const businessType of BUSINESS_TYPES)
      for (const text of steps({ businessType, needs: ['photo_video_audio'] }))
        if (/Clipchamp|Shotcut/.test(text)) {
          expect(text).toMatch(/to (?:[^(]* and )?edit videos/);
          expect(text).not.toMatch(/photos|sound/);
        }
  });

  test.each(['retail', 'online_store'] as const)(
    'of %s edits the photos of its goods first',
    (businessType) => {
      const ask = { businessType, needs: ['photo_video_audio'] };
      expect(toolFor('photo_video_audio', ask)).toBe('photopea');
      expect(toolFor('design_graphics', ask)).toBe('canva-free');
      expect(steps(ask).join(' ')).toMatch(/Photopea to [^(]*edit the photos of your goods/);
    },
  );

  test('of a creator collects tips with the tool for tips', () => {
    expect(steps({ businessType: 'creator' }).join(' ')).toMatch(/Ko-fi[^.]* to take tips and memberships/);
  });
});

describe('the first advice for a trade', () => {
  test.each(['agency', 'consultant'] as const)(
    'lets an office (%s) record its hours without planning shifts',
    (businessType) => {
      for (const teamSize of [3, 19]) {
        const { picks } = reportOf({ businessType, needs: ['payroll_hr'], teamSize, country: 'ES' });
        expect(picks.find(({ need }) => need === 'payroll_hr')?.tool.id).toBe('jibble');
        expect(picks.find(({ need }) => need === 'time_tracking')?.tool.id).not.toBe('jibble');
      }
      expect(toolFor('payroll_hr', { businessType: 'retail', teamSize: 8, country: 'ES' })).toBe(
        'connecteam',
      );
    },
  );

  test('tells an agency about drafts and Affinity, not about menus', () => {
    const { picks } = reportOf({ businessType: 'agency', teamSize: 19, country: 'ES' });
    const design = picks.find(({ need }) => need === 'design_graphics');
    expect(design?.why.join(' ')).not.toMatch(/menus|price lists/);
    expect(design?.also_well_known?.map(({ name }) => name)).toContain('Affinity');
  });

  test('explains private accounts to two people with clients’ papers, and the missing contract to a single consultant', () => {
    const files = (businessType: 'agency' | 'consultant' | 'nonprofit', teamSize: number) =>
      reportOf({ businessType, teamSize, needs: ['file_storage'], freeOnly: true, country: 'ES' }).picks.find(
        ({ need }) => need === 'file_storage',
      )?.caveats ?? [];
    for (const businessType of ['agency', 'consultant', 'nonprofit'] as const) {
      for (const teamSize of [2, 7, 19])
        expect(files(businessType, teamSize).join(' ')).toMatch(/\bprivate accounts?\b/);
      const alone = files(businessType, 1).join(' ');
      expect(/\bcontract\b/.test(alone)).toBe(businessType === 'consultant');
      expect(files(businessType, 7).join(' ')).toContain('elsewhere');
    }
  });

  test('mentions Google’s programme to a charity in the countries of the programme, but only once', () => {
    const named = (country: string, freeOnly: boolean) =>
      reportOf({ businessType: 'nonprofit', teamSize: 5, country, freeOnly, needs: ['documents_office'] })
        .picks.find(({ need }) => need === 'documents_office')
        ?.also_well_known?.map(({ name }) => name) ?? [];
    expect(named('IE', true)).toContain('Google Workspace for Nonprofits');
    expect(named('IE', false)).not.toContain('Google Workspace for Nonprofits');
    expect(named('JM', true)).not.toContain('Google Workspace for Nonprofits');
  });

  test('names the free payroll program of the tax office only in the United Kingdom', () => {
    const words = (country: string) =>
      JSON.stringify(reportOf({ teamSize: 5, country }).picks.find(({ need }) => need === 'payroll_hr'));
    expect(words('GB')).toContain('Basic PAYE Tools');
    expect(words('IE')).not.toContain('PAYE');
  });

  test('answers customers in WhatsApp Business, and offers a chat window only for a site that allows it', () => {
    for (const country of ['MX', 'MY', 'IT']) {
      const { picks, unmet } = reportOf({ businessType: 'retail', needs: ['customer_support'], country });
      const support = [...picks, ...unmet].find(({ need }) => need === 'customer_support');
      expect(support?.also_well_known?.[0]?.name).toBe('WhatsApp Business');
    }
    const shop = (country: string) => toolFor('customer_support', { businessType: 'online_store', country });
    expect([shop('PT'), shop('GB')]).toEqual(['tawk-to', 'unmet']);
  });

  test('mentions Selar to a creator in Kenya, and Google Chat or Slack’s charity plan to a charity', () => {
    const creator = reportOf({ businessType: 'creator', country: 'KE' }).picks;
    for (const slug of ['online_store', 'community_membership'])
      expect(creator.find(({ need }) => need === slug)?.also_well_known?.[0]?.name).toBe('Selar');
    const charity = { businessType: 'nonprofit', teamSize: 8, country: 'IT' } as const;
    expect(toolFor('team_chat', charity)).toBe('google-workspace-nonprofits');
    const free = reportOf({ ...charity, freeOnly: true }).picks.find(({ need }) => need === 'team_chat');
    expect([free?.tool.id, free?.why[0]]).toEqual(['slack', expect.stringContaining('Verified charities')]);
  });

  test('gives a salon a card reader, or a bank terminal with Stripe links', () => {
    for (const country of ['NZ', 'SG', 'MX', 'AE']) {
      const { picks } = reportOf({ businessType: 'service', teamSize: 3, country });
      const pick = picks.find(({ need }) => need === 'payments');
      expect([pick?.tool.id, pick?.why[0]]).toEqual(['stripe', expect.stringContaining('card terminal')]);
    }
    const { unmet } = reportOf({ businessType: 'service', teamSize: 3, country: 'KR' });
    expect(unmet.find(({ need }) => need === 'payments')?.way_out).toContain('card terminal');
    expect(toolFor('payments', { businessType: 'service', country: 'IE' })).toBe('square-pos-free');
  });

  test('gives a salon of up to three a page with a calendar for each, and tells a teacher about a page with classes', () => {
    for (const [teamSize, id] of [
      [1, 'setmore'],
      [3, 'setmore'],
      [4, 'google-calendar-booking-page'],
      [8, 'google-calendar-booking-page'],
    ] as const)
      expect(toolFor('scheduling_booking', { businessType: 'service', teamSize, country: 'NZ' })).toBe(id);
    const { picks } = reportOf({ businessType: 'creator', needs: ['scheduling_booking'], teamSize: 2 });
    const teacher = picks.find(({ need }) => need === 'scheduling_booking');
    expect(teacher?.alternatives.map(({ id }) => id)).toContain('setmore');
  });

  test('names US rates only in the US', () => {
    const words = (country: string) =>
      JSON.stringify(reportOf({ businessType: 'trades', needs: ['online_store'], country }).picks);
    for (const country of ['AU', 'GB', 'CA', 'FR'])
      expect(words(country)).not.toMatch(/US rate|3\.3%|In the United States/);
    expect(words('US')).toContain('US rate: 2.6%');
  });
});
