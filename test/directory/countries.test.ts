import { describe, expect, test } from 'vitest';
import { BUSINESS_TYPES } from '../../src/domain/directory-labels.ts';
import { areWide, COUNTRY_CODES, inRegions } from '../../src/domain/regions.ts';
import type { StackReport } from '../../src/report/report.ts';
import { listingFiles, shelves } from '../support/directory.ts';
import { type Asked, asking, OPEN } from './asking.ts';

// Rules that hold in every country or for every business type. What single countries are advised is in advice.txt.

const { ask, caveatsFor, pickFor, reportOf } = asking();
const ALL_NEEDS = Object.keys(shelves.needs);

/** The ids of the picks of a report and of their alternatives. */
const named = ({ picks }: StackReport): string[] =>
  picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));

describe('the law of a country', () => {
  test('on certified cash registers is shown with the card reader in every country that has such a law', () => {
    const certified = shelves.needs.point_of_sale?.law.bars.flatMap(({ regions }) => regions) ?? [];
    const silent = new Set<string>();
    let readers = 0;
    for (const country of COUNTRY_CODES.filter((code) => inRegions(code, certified)))
      for (const businessType of ['service', 'trades', 'retail'] as const) {
        const pick = pickFor('payments', { businessType, country, teamSize: 3 });
        if (!/sumup|square/.test(pick?.tool.id ?? '')) continue;
        readers += 1;
        const words = pick?.caveats.join(' ') ?? '';
        if (!/certified|electronic document|NFC-e|boleta/.test(words) && pick?.need !== 'point_of_sale')
          if (!(country === 'FR' && businessType === 'retail')) silent.add(`${country} ${businessType}`);
      }
    expect(readers).toBeGreaterThan(30);
    expect([...silent]).toEqual([]);
  });

  test('that requires the clearance of invoices excludes invoicing tools, even for an agency with a server', () => {
    const CLEARED =
      'MX BR CL CO PE EC AR UY CR PA GT DO SV PY BO IT PL RO HU RS TR GR AL ME BE HR EG SA JO TN KE RW TZ UG GH ZM MW ET ID VN KZ UZ PH TW KR CN';
    for (const country of CLEARED.split(' '))
      for (const businessType of BUSINESS_TYPES) {
        const needs = ['invoicing', 'quotes_estimates', 'backup'];
        const { picks, unmet } = reportOf({ businessType, needs, country, teamSize: 6, freeOnly: true });
        const miss = unmet.find(({ need }) => need === 'invoicing');
        expect([country, miss?.way_out]).toEqual([country, expect.stringMatching(/tax office|Peppol/)]);
        const quotes = picks.find(({ need }) => need === 'quotes_estimates');
        if (quotes !== undefined) expect(quotes.caveats.join(' '), country).toContain('for quotes only: ');
      }
  });

  test('that forbids or licenses collections excludes tip pages for donated money', () => {
    for (const country of 'FI DK IS AE SA QA KW BH OM EG JO DZ MA TR CN'.split(' ')) {
      const report = reportOf({ businessType: 'creator', country, needs: ['donor_fundraising'] });
      const pages = named(report).filter((id) => /ko-fi|coffee|donorbox|collective/.test(id));
      expect([country, ...pages]).toEqual([country]);
    }
  });

  test('is not shown to owners elsewhere, and no reason mentions it', () => {
    for (const businessType of BUSINESS_TYPES) {
      const picks = (country: string) =>
        JSON.stringify(reportOf({ businessType, country, needs: ['invoicing'] }).picks);
      expect(picks('US')).not.toMatch(/Outside the United States|fee that differs by country/);
      for (const country of ['NZ', 'US', 'ZA'])
        expect(picks(country)).not.toMatch(/Italy|Mexico|Poland|France|Germany|Veri\*factu|Europe/);
      for (const country of ['JP', 'CZ', 'ID', 'GR', 'CL'])
        expect(JSON.stringify(reportOf({ businessType, country }).unmet)).not.toContain('The law of');
    }
  });

  test('and its additions keep every report within 20 kB', () => {
    const tooLong = BUSINESS_TYPES.flatMap((businessType) =>
      OPEN.flatMap((country) =>
        [1, 4, 12].flatMap((teamSize) => {
          const report = reportOf({ businessType, country, teamSize, freeOnly: true });
          const bytes = Buffer.byteLength(JSON.stringify(report));
          return bytes > 20_000 ? [`${businessType} of ${teamSize} in ${country}: ${bytes}`] : [];
        }),
      ),
    );
    expect(tooLong).toEqual([]);
  }, 300_000);
});

describe('a country without most vendors', () => {
  test.each(['LB', 'IQ', 'KW', 'YE', 'LY', 'QA', 'SA', 'DZ'])(
    'such as %s gets no Israeli vendor, because dealing with one is or may be forbidden',
    (country) => {
      for (const businessType of BUSINESS_TYPES) {
        const report = reportOf({ businessType, country, needs: ['website_builder', 'payroll_hr'] });
        expect(named(report).filter((id) => /wix|connecteam|monday/.test(id))).toEqual([]);
      }
    },
  );

  test('because of a firewall gets only online tools from vendors with an office inside it', () => {
    for (const businessType of BUSINESS_TYPES) {
      const { picks } = reportOf({ businessType, needs: ALL_NEEDS, country: 'CN' });
      const online = picks.filter(({ tool }) => tool.hosting.includes('saas')).map(({ tool }) => tool.vendor);
      expect([...new Set(online)].toSorted()).toEqual(['Canva Pty Ltd', 'Zoho Corporation']);
    }
  });

  test.each(['CU', 'IR', 'KP', 'SY', 'TM'])(
    "because of an embargo or a closed network (%s) gets only software for the owner's own computers",
    (country) => {
      const { picks } = reportOf({ businessType: 'agency', needs: ALL_NEEDS, country });
      expect(picks.length).toBeGreaterThan(5);
      expect(picks.filter(({ tool }) => tool.hosting.includes('saas'))).toEqual([]);
    },
  );

  test.each([
    ['TR', 'discord'],
    ['MM', 'meta-business-suite'],
  ])('such as %s, which %s no longer serves, gets the next tool or what to do instead', (country, closed) => {
    for (const businessType of BUSINESS_TYPES) {
      const needs = ['community_membership', 'social_media'];
      const report = reportOf({ businessType, needs, country });
      expect(named(report)).not.toContain(closed);
      for (const { need, way_out } of report.unmet.filter((miss) => needs.includes(miss.need)))
        expect(way_out, need).not.toBeNull();
    }
  });
});

describe('a report without a country', () => {
  test('picks no tool that is for only a few countries, and mentions no embargo', () => {
    const few = new Set(listingFiles.filter(({ regions }) => !areWide(regions)).map(({ id }) => id));
    for (const businessType of BUSINESS_TYPES)
      for (const teamSize of [null, 1, 3, 8, 15, 25]) {
        const report = reportOf({ businessType, needs: ALL_NEEDS, teamSize });
        expect(named(report).filter((id) => few.has(id))).toEqual([]);
        expect(JSON.stringify(report)).not.toMatch(/Cuba|Iran|is not for/);
      }
  });
});

describe('a report for any country', () => {
  test('uses a tool in its first step', () => {
    const idle: string[] = [];
    for (const country of OPEN)
      for (const businessType of BUSINESS_TYPES) {
        const result = ask({ businessType, country, teamSize: 4 });
        // If the state provides tools for nearly all needs, access to its invoicing comes first.
        if (!result.ok || result.report.picks.length < 2) continue;
        const { getting_started, summary } = result.report;
        const [first] = getting_started;
        // In some countries, the ways to write and pay come before the tool.
        if (first?.needs.length === 0 || !summary.first.endsWith(first?.text ?? ''))
          idle.push(`${country} ${businessType}`);
      }
    expect(idle).toEqual([]);
  });

  test('does not mention a counter as a way to be paid to a business that has no counter', () => {
    const wrong = OPEN.flatMap((country) =>
      (['online_store', 'creator', 'consultant', 'agency', 'nonprofit'] as const).flatMap((businessType) => {
        const result = ask({ businessType, country, needs: ['payments'] });
        const miss = result.ok ? result.report.unmet.find(({ need }) => need === 'payments') : undefined;
        return /counter|terminal/.test(miss?.way_out ?? '') ? [`${country} ${businessType}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
    for (const { way_out, ways_out } of Object.values(shelves.needs))
      expect([way_out, ...Object.values(ways_out)].join(' ')).not.toMatch(/Etsy|eBay|PayPal|Stripe|Square/);
  });

  test('does not send teams outside the United States and Canada to Square for bookings', () => {
    const sent: string[] = [];
    for (const country of ['GB', 'IE', 'FR', 'ES', 'AU', 'JP'])
      for (const businessType of BUSINESS_TYPES)
        for (const teamSize of [2, 9, 10_000]) {
          const pick = pickFor('scheduling_booking', { businessType, country, teamSize });
          const ids = [pick?.tool, ...(pick?.alternatives ?? [])].map((tool) => tool?.id);
          if (ids.includes('square-appointments')) sent.push(`${country} ${businessType} ${teamSize}`);
        }
    expect(sent).toEqual([]);
  });

  test('puts the right article before the country, and shows US rates only to owners in the US', () => {
    const caveats = (country: string) => reportOf({ businessType: 'trades', country }).caveats.join(' ');
    expect(caveats('PH')).toContain(' the Philippines.');
    expect(caveats('SE')).toMatch(/ (?<!the )Sweden\./);
    const store = (country: string) => caveatsFor('online_store', { businessType: 'trades', country });
    for (const country of ['AU', 'GB', 'CA', 'FR'])
      expect(store(country)).not.toMatch(/US rate|3\.3%|In the United States/);
  });
});

describe('the account that receives the money', () => {
  test('is named once, and opened before the shop that needs it', () => {
    const asked: Asked = { businessType: 'online_store', teamSize: 9, country: 'SE' };
    const { summary, getting_started } = reportOf(asked);
    expect(summary.accounts.filter((account) => account.includes('Stripe'))).toEqual(['Stripe']);
    const steps = getting_started.map(({ text }) => text);
    const stripe = steps.findIndex((text) => text.includes('with Stripe'));
    const shop = steps.findIndex((text) => text.includes('Payhip'));
    expect(stripe).toBeLessThan(shop);
    expect(steps[shop]).toMatch(/^Sign up with Payhip/);
  });

  test('must be opened first if no picked tool provides one', () => {
    const { summary, getting_started } = reportOf({
      businessType: 'creator',
      needs: ['payments'],
      country: 'PH',
    });
    expect(summary.accounts).toContain('PayPal account');
    expect(getting_started.some(({ text }) => text.includes('First get your own PayPal account'))).toBe(true);
  });

  test('is shown with the rate of the caller’s country, if a source states it', () => {
    const costIn = (country: string) => pickFor('payments', { businessType: 'retail', country })?.cost;
    expect(costIn('GB')).toContain('1.75%');
    expect(costIn('AU')).toContain('1.6%');
    expect(costIn('CA')).not.toMatch(/\d/);
  });

  test('is shown with its share of sales, unless the share is for an optional part', () => {
    const optional = ['givebutter', 'paypal-invoicing', 'pixieset', 'square-invoices', 'substack'];
    const shares = listingFiles.filter(({ caveats }) =>
      /\b(?:takes?|keeps?|is taken)\b[^.]*\d ?%/.test(caveats.join(' ')),
    );
    const silent = shares.filter(({ id, cost }) => cost === null && !optional.includes(id));
    expect(silent.map(({ id }) => id)).toEqual([]);
  });
});

describe('a step', () => {
  test('joins the purposes of a tool without repeated verbs or a needless "and"', () => {
    const purposes = new Map<string, string[]>();
    for (const { purpose, shelf } of Object.values(shelves.needs))
      for (const id of new Set(shelf.flatMap((entry) => ('id' in entry ? [entry.id] : []))))
        purposes.set(id, [...(purposes.get(id) ?? []), purpose.split(' ')[0] ?? '']);
    const forOneNeed = new Set(listingFiles.filter(({ editor }) => editor.one_need_only).map(({ id }) => id));
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

  test('names only the tasks that the tool can do: a video tool edits no photos', () => {
    for (const businessType of BUSINESS_TYPES)
      for (const { text } of reportOf({ businessType, needs: ['photo_video_audio'] }).getting_started)
        if (/Clipchamp|Shotcut/.test(text)) {
          expect(text).toMatch(/to (?:[^(]* and )?edit videos/);
          expect(text).not.toMatch(/photos|sound/);
        }
  });
});
