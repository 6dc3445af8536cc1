import { describe, expect, test } from 'vitest';
import { areWide } from '../../src/domain/regions.ts';
import { stackReport } from '../../src/domain/stack-report.ts';
import type { StackReport, StackRequest } from '../../src/domain/stack-report-document.ts';
import { BUSINESS_TYPES } from '../../src/domain/stack-report-types.ts';
import { directory, listingFiles as files, shelves } from '../support/directory.ts';

const reportOf = (over: Partial<StackRequest>): StackReport => {
  const request: StackRequest = {
    businessType: 'trades',
    needs: [],
    teamSize: null,
    freeOnly: false,
    country: null,
    generatedOn: directory.lastChecked,
    ...over,
  };
  const result = stackReport(request, directory);
  if (!result.ok) throw new Error(result.reason);
  return result.report;
};
const pickFor = (need: string, over: Partial<StackRequest>): string =>
  reportOf({ needs: [need], ...over }).picks.find((pick) => pick.need === need)?.tool.id ?? 'unmet';

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
      expect(pickFor('accounting', { businessType, teamSize, country })).toBe('manager-io-desktop');
    },
  );

  test('of one person as well: what has a ceiling that nobody can look up stands beside it', () => {
    for (const businessType of ['service', 'consultant', 'creator'] as const) {
      const { picks } = reportOf({ businessType, needs: ['accounting'], teamSize: 1, country: 'AU' });
      const pick = picks.find(({ need }) => need === 'accounting');
      expect(pick?.tool.id).toBe('manager-io-desktop');
      expect(pick?.alternatives.map(({ id }) => id)).toContain('zoho-books-free');
    }
  });

  test.each(['FR', 'MX', 'PH', 'ES', 'IT', 'MA', 'NL'])(
    'in %s are kept in what makes the return of the country: none is picked, and the way out says so',
    (country) => {
      for (const businessType of ['service', 'retail', 'online_store', 'consultant'] as const) {
        const { unmet } = reportOf({ businessType, teamSize: 4, country });
        expect(unmet.find(({ need }) => need === 'accounting')?.way_out).toContain('accountant');
      }
    },
  );

  test('of a firm above fourteen are its accountant’s', () => {
    for (const country of [null, 'US', 'AU'])
      expect(pickFor('accounting', { businessType: 'retail', teamSize: 15, country })).toBe('unmet');
  });

  test('at home in the US and Canada they stand in Wave, whoever asks', () => {
    expect(pickFor('accounting', { businessType: 'retail', teamSize: 9, country: 'CA' })).toBe(
      'wave-starter',
    );
  });
});

describe('visitors', () => {
  test.each(['service', 'trades', 'retail', 'consultant', 'nonprofit'] as const)(
    'of the free site of %s are counted by its builder: nothing else is let in there',
    (businessType) => {
      expect(pickFor('analytics', { businessType, country: 'ZA' })).toBe('unmet');
    },
  );

  test('of a shop are counted where a tool is picked for the shop', () => {
    const ask = { businessType: 'retail', needs: ['online_store', 'analytics'], teamSize: 18 } as const;
    const pick = reportOf({ ...ask, country: 'FI' }).picks.find(({ need }) => need === 'analytics');
    expect(pick?.tool.id).toBe('google-analytics');
    expect(pick?.caveats).not.toContain('Needs an online shop first.');
    expect(pickFor('analytics', { businessType: 'online_store', country: 'SE' })).toBe('google-analytics');
    expect(pickFor('analytics', { businessType: 'online_store', country: 'PK' })).toBe('unmet');
  });

  test('of its clients are counted by an agency', () => {
    expect(pickFor('analytics', { businessType: 'agency', country: 'BR' })).toBe('google-analytics');
  });
});

describe('without a country', () => {
  test('no pick is for a few countries only, whoever asks', () => {
    const few = new Set(files.filter(({ regions }) => !areWide(regions)).map(({ id }) => id));
    for (const businessType of BUSINESS_TYPES)
      for (const teamSize of [null, 1, 3, 8, 15, 25]) {
        const { picks } = reportOf({ businessType, needs: Object.keys(shelves.needs), teamSize });
        const named = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
        expect(named.filter((id) => few.has(id))).toEqual([]);
      }
  });

  test('eight who take bookings have a page that serves everywhere', () => {
    const ask = { businessType: 'service', teamSize: 8 } as const;
    expect(pickFor('scheduling_booking', ask)).toBe('google-calendar-booking-page');
    expect([pickFor('invoicing', ask), pickFor('accounting', ask)]).toEqual([
      'zoho-invoice-free',
      'manager-io-desktop',
    ]);
  });
});

describe('the map', () => {
  test.each(['online_store', 'creator'] as const)(
    'has no place for %s: nobody comes in person',
    (businessType) => {
      const { unmet } = reportOf({ businessType, needs: ['seo_local'], country: 'SE' });
      const miss = unmet.find(({ need }) => need === 'seo_local');
      expect(miss?.way_out).toContain('Google Business Profile');
      expect(miss?.way_out).toContain('Merchant Center');
    },
  );

  test('has one for a workshop', () => {
    expect(pickFor('seo_local', { businessType: 'trades', country: 'SE' })).toBe('google-business-profile');
  });
});

describe('a shop that lives of PayPal and Stripe', () => {
  test.each(['KR', 'TW', 'UA', 'EC', 'RS', 'GE', 'KE', 'VN', 'ID', 'PK'])(
    'in %s cannot take the money of those next door',
    (country) => {
      const ask = { businessType: 'online_store', country } as const;
      expect(['unmet', 'ebay-no-store']).toContain(pickFor('online_store', ask));
      expect(pickFor('inventory', ask)).not.toBe('payhip');
    },
  );

  test.each(['NZ', 'SE', 'MX', 'TH', 'PH', 'CH', 'AR', 'CL', 'CO', 'ZA', 'IN', null])(
    'in %s can',
    (country) => {
      expect(pickFor('online_store', { businessType: 'online_store', country })).toBe('payhip');
    },
  );

  test.each(['MM', 'TD', 'ML', 'ET', 'NP', 'LK', 'BO', 'PY'])(
    'in %s, where PayPal sends money and pays out none, has neither shop, tips nor gifts through it',
    (country) => {
      const through = (businessType: 'creator' | 'nonprofit') =>
        reportOf({ businessType, country })
          .picks.map(({ tool }) => tool.id)
          .filter((id) => /^(?:payhip|ko-fi|donorbox|big-cartel|paypal|open-collective)/.test(id));
      expect([...through('creator'), ...through('nonprofit')]).toEqual([]);
    },
  );

  test.each(['ZW', 'ML', 'LR', 'RU', 'NP'])('in %s no bank account is paid by Gumroad either', (country) => {
    expect(pickFor('online_store', { businessType: 'creator', country })).toBe('unmet');
  });

  test('sells the files of a creator to the world all the same', () => {
    expect(pickFor('online_store', { businessType: 'creator', country: 'HK' })).toBe('payhip');
    expect(pickFor('online_store', { businessType: 'creator', country: 'KR' })).toBe('gumroad');
  });
});

/** Their share is of a part that can be left out: tips instead of it, transfers, readers who pay. */
const FREE_WITHOUT_IT = new Set(['givebutter', 'paypal-invoicing', 'square-invoices', 'substack']);

describe('the account that money comes through', () => {
  test('is named once, and opened before the shop that needs it', () => {
    const { summary, getting_started } = reportOf({
      businessType: 'online_store',
      teamSize: 9,
      country: 'SE',
    });
    expect(summary.accounts.filter((account) => account.includes('Stripe'))).toEqual(['Stripe']);
    const steps = getting_started.map(({ text }) => text);
    const stripe = steps.findIndex((text) => text.includes('with Stripe'));
    const shop = steps.findIndex((text) => text.includes('Payhip'));
    expect(stripe).toBeLessThan(shop);
    expect(steps[shop]).toMatch(/^Sign up with Payhip/);
  });

  test('is another’s where none is picked', () => {
    const { summary, getting_started } = reportOf({
      businessType: 'creator',
      needs: ['payments'],
      country: 'PH',
    });
    expect(summary.accounts).toContain('PayPal account');
    expect(getting_started.some(({ text }) => text.startsWith('Have your own PayPal account first'))).toBe(
      true,
    );
  });

  test('costs what it costs: a membership is not taken without its share', () => {
    const { picks } = reportOf({ businessType: 'creator', teamSize: 15, freeOnly: true });
    const pick = picks.find(({ need }) => need === 'community_membership');
    expect([pick?.tool.id, pick?.cost]).toEqual(['ko-fi', '5% of memberships and of what its shop sells']);
    const shares = files.filter(({ caveats }) =>
      /\b(?:takes?|keeps?|is taken)\b[^.]*\d ?%/.test(caveats.join(' ')),
    );
    const silent = shares.filter(({ id, cost }) => cost === null && !FREE_WITHOUT_IT.has(id));
    expect(silent.map(({ id }) => id)).toEqual([]);
  });
});

describe('stock', () => {
  test('of a shop that no tool is picked for is in no program beside it', () => {
    expect(pickFor('inventory', { businessType: 'online_store', teamSize: 3, country: 'KR' })).toBe('unmet');
  });

  test.each(['US', 'GB', 'CA', 'AU', 'FR', 'JP'])(
    'in %s stays where it is sold when only free ones are asked for: the fee is paid there already',
    (country) => {
      const ask = { teamSize: 8, freeOnly: true, country };
      expect(pickFor('inventory', { businessType: 'online_store', ...ask })).toBe('square-online-free');
      expect(pickFor('inventory', { businessType: 'retail', ...ask })).toBe(
        pickFor('point_of_sale', { businessType: 'retail', ...ask }),
      );
    },
  );
});

describe('tills', () => {
  test.each(['DE', 'FR', 'AT', 'IT'])('in %s have to be certified: Loyverse is none', (country) => {
    const report = reportOf({ businessType: 'retail', country });
    const ids = report.picks.find(({ need }) => need === 'point_of_sale');
    expect(ids?.tool.id).not.toBe('loyverse');
    expect(ids?.alternatives.map(({ id }) => id) ?? []).not.toContain('loyverse');
  });

  test.each(['PH', 'MT', 'NP', 'MD', 'TJ', 'IL', 'VE', 'NI', 'GH', 'BJ', 'CD', 'BI', 'MW', 'SL', 'AO', 'CV'])(
    'in %s are those that the tax office has accredited: none is picked, and no stock in one',
    (country) => {
      const { picks, unmet } = reportOf({ businessType: 'retail', country });
      const ids = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
      expect(ids).not.toContain('loyverse');
      expect(unmet.find(({ need }) => need === 'point_of_sale')?.way_out).toContain('certified till');
      expect(unmet.find(({ need }) => need === 'inventory')?.way_out).toContain('sheet');
    },
  );

  test('in Mexico need no certificate', () => {
    expect(pickFor('point_of_sale', { businessType: 'retail', country: 'MX' })).toBe('loyverse');
  });
});

describe('a country', () => {
  test.each(['GH', 'AM', 'AZ', 'GE', 'BY', 'UA', 'UZ', 'KG', 'MN', 'PK', 'ZW', 'CI', 'BJ', 'CV', 'TN', 'FJ'])(
    'in %s invoices pass through the state: its own program writes them',
    (country) => {
      const ask = { businessType: 'consultant', teamSize: 9, country } as const;
      expect(pickFor('invoicing', ask)).toBe('unmet');
    },
  );

  test.each(['PH', 'NP', 'IL', 'VE', 'HN', 'NI', 'AO', 'BI', 'CG', 'MW', 'SL'])(
    'in %s invoices are written with what the tax office has approved',
    (country) => {
      const { unmet } = reportOf({ businessType: 'service', teamSize: 3, country });
      expect(unmet.find(({ need }) => need === 'invoicing')?.way_out).toContain('approved');
    },
  );

  const CLEARED =
    'MX BR CL CO PE EC AR UY CR PA GT DO SV PY BO IT PL RO HU RS TR GR AL ME BE HR EG SA JO TN KE RW TZ UG GH ZM MW ET ID VN KZ UZ PH TW KR CN'.split(
      ' ',
    );

  test('that clears invoices has no tool for them at all, not even for an agency with a server', () => {
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
        if (quotes !== undefined) expect(quotes.caveats.join(' '), country).toContain('For quotes alone: ');
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
  ])('in %s the free program of its tax office is named: %s', (country, program) => {
    const { unmet } = reportOf({ businessType: 'agency', country });
    expect(unmet.find(({ need }) => need === 'invoicing')?.way_out).toContain(program);
  });

  test('hears of its own law beside a pick, and of no other’s', () => {
    const words = (country: string | null) =>
      JSON.stringify(reportOf({ businessType: 'agency', country }).picks);
    expect(words('ES')).toContain('Veri*factu');
    expect(words('MY')).toContain('MyInvois');
    expect(words('DE')).toContain('XRechnung');
    expect(words(null)).toContain('Where invoices pass through the state');
    for (const country of ['NZ', 'US', 'ZA'])
      expect(words(country)).not.toMatch(/Italy|Mexico|Poland|France|Germany|Veri\*factu|Europe/);
  });

  test.each(['RU', 'AM', 'UZ', 'MN', 'ZW', 'FJ'])('in %s a till is one that the state knows', (country) => {
    expect(pickFor('point_of_sale', { businessType: 'retail', country })).toBe('unmet');
  });

  test('where Google has no programme for charities, they have its plain account', () => {
    const away = { businessType: 'nonprofit', teamSize: 2, country: 'JM' } as const;
    expect([pickFor('documents_office', away), pickFor('video_meetings', away)]).toEqual([
      'google-drive',
      'google-meet',
    ]);
    expect(pickFor('documents_office', { ...away, country: 'DK' })).toBe('google-workspace-nonprofits');
    expect(pickFor('documents_office', { ...away, country: null })).toBe('google-workspace-nonprofits');
  });

  test('behind a wall has of what runs online only that which has a house inside', () => {
    for (const businessType of BUSINESS_TYPES) {
      const needs = Object.keys(shelves.needs);
      const { picks } = reportOf({ businessType, needs, country: 'CN' });
      const online = picks.filter(({ tool }) => tool.hosting.includes('saas')).map(({ tool }) => tool.vendor);
      expect([...new Set(online)].toSorted()).toEqual(['Canva Pty Ltd', 'Zoho Corporation']);
    }
  });

  test.each(['CU', 'IR', 'KP', 'SY', 'TM'])(
    'under embargo or with a wall all around (%s) has what runs on its own computers, and no more',
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
  ])('that lets one vendor in no more (%s, %s) has the next one or a way out', (country, closed) => {
    for (const businessType of BUSINESS_TYPES) {
      const needs = ['community_membership', 'social_media'];
      const { picks, unmet } = reportOf({ businessType, needs, country });
      const ids = picks.flatMap(({ tool, alternatives }) => [tool, ...alternatives].map(({ id }) => id));
      expect(ids).not.toContain(closed);
      for (const { need, way_out } of unmet.filter((miss) => needs.includes(miss.need)))
        expect(way_out, need).not.toBeNull();
    }
  });

  test('where none is given, nobody is told of walls and embargoes', () => {
    expect(JSON.stringify(reportOf({ businessType: 'agency' }))).not.toMatch(/Cuba|Iran|is not for/);
  });
});

describe('one program where one does it', () => {
  test('books and invoices of one person stand in one', () => {
    const ask = { businessType: 'consultant', teamSize: 1, country: 'GB' } as const;
    expect([pickFor('accounting', ask), pickFor('invoicing', ask)]).toEqual([
      'zoho-books-free',
      'zoho-books-free',
    ]);
    expect(pickFor('invoicing', { ...ask, teamSize: 4 })).toBe('zoho-invoice-free');
    const inUs = { businessType: 'service', teamSize: 1, country: 'US' } as const;
    expect([pickFor('accounting', inUs), pickFor('invoicing', inUs)]).toEqual([
      'wave-starter',
      'wave-starter',
    ]);
  });

  test('who books and takes cards with Square writes his invoices there, without a cap a year', () => {
    const service = { businessType: 'service', teamSize: 15, country: 'IE' } as const;
    expect(pickFor('invoicing', service)).toBe('square-invoices');
    const trades = { businessType: 'trades', teamSize: 6, country: 'AU' } as const;
    expect([pickFor('quotes_estimates', trades), pickFor('invoicing', trades)]).toEqual([
      'square-invoices',
      'square-invoices',
    ]);
  });

  test('a page of one screen without adverts is the site of a consultant, and a creator’s links besides', () => {
    expect(pickFor('website_builder', { businessType: 'consultant', teamSize: 2, country: 'AE' })).toBe(
      'carrd',
    );
    const creator = { businessType: 'creator', teamSize: 2, country: 'PH' } as const;
    expect([pickFor('website_builder', creator), pickFor('link_in_bio', creator)]).toEqual([
      'carrd',
      'carrd',
    ]);
  });

  test('a charity opens one Google account for all that Google does', () => {
    const { summary } = reportOf({ businessType: 'nonprofit', needs: ['scheduling_booking'], teamSize: 30 });
    expect(summary.accounts.filter((account) => account.includes('Google'))).toEqual(['Google account']);
  });

  test('what a salon sells stands in the item list of its till, where it has one', () => {
    expect(pickFor('inventory', { businessType: 'service', country: 'US' })).toBe('square-pos-free');
    expect(pickFor('inventory', { businessType: 'service', country: 'DE' })).toBe('sortly');
  });

  test('a charity meets and books with what its account holds', () => {
    const ask = { businessType: 'nonprofit', country: 'US' } as const;
    expect(pickFor('video_meetings', ask)).toBe('google-workspace-nonprofits');
    expect(pickFor('video_meetings', { ...ask, freeOnly: true })).toBe('google-meet');
    expect(pickFor('scheduling_booking', ask)).toBe('google-calendar-booking-page');
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
    expect(pickFor(need, { businessType, teamSize })).toBe(id);
  });
});

test('well-known names are those of the asker’s country first', () => {
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

test.each(['PK', 'BD', 'TR', 'NG'])('no name that is not to be had in %s', (country) => {
  const { picks, unmet } = reportOf({ needs: ['payments', 'donor_fundraising'], country });
  const known = [...picks, ...unmet].flatMap(({ also_well_known }) => also_well_known ?? []);
  expect(known.map(({ name }) => name).filter((name) => name.startsWith('PayPal'))).toEqual([]);
});

test('a step never says a verb or an "and" too many: what one tool is for begins with different words', () => {
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

test('a country has its article in a sentence', () => {
  const chosen = (country: string) =>
    reportOf({ country }).caveats.find((line) => line.startsWith('Chosen for'));
  expect(chosen('PH')).toContain('Chosen for the Philippines.');
  expect(chosen('AE')).toContain('Chosen for the United Arab Emirates.');
  expect(chosen('NL')).toContain('Chosen for the Netherlands.');
  expect(chosen('SE')).toContain('Chosen for Sweden.');
  expect(chosen('HK')).toContain('Chosen for Hong Kong.');
});

describe('a step', () => {
  const steps = (over: Partial<StackRequest>) => reportOf(over).getting_started.map(({ text }) => text);

  test('names only what the tool does: a video tool edits no photos', () => {
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
      expect(pickFor('photo_video_audio', ask)).toBe('photopea');
      expect(pickFor('design_graphics', ask)).toBe('canva-free');
      expect(steps(ask).join(' ')).toMatch(/Photopea to [^(]*edit the photos of your goods/);
    },
  );

  test('of a creator takes tips with what takes tips', () => {
    expect(steps({ businessType: 'creator' }).join(' ')).toMatch(/Ko-fi[^.]* to take tips and memberships/);
  });
});

describe('seats', () => {
  const whyOf = (need: string, over: Partial<StackRequest>) =>
    reportOf({ needs: [need], ...over })
      .picks.find((pick) => pick.need === need)
      ?.why.join(' ') ?? '';

  test('one account is enough up to ten people, and above that not for all of them', () => {
    for (const teamSize of [3, 10])
      expect(whyOf('crm', { teamSize })).toContain('here one account is enough');
    for (const teamSize of [11, 25]) {
      const why = whyOf('crm', { teamSize });
      expect(why).toContain(`not for all ${teamSize} of you`);
      expect(why).not.toContain('enough');
    }
  });

  test('where each person opens an account of their own, that is said and not "no limit of people"', () => {
    for (const [need, businessType] of [
      ['documents_office', 'consultant'],
      ['passwords_security', 'service'],
      ['expenses_receipts', 'trades'],
      ['scheduling_booking', 'consultant'],
    ] as const)
      expect(whyOf(need, { businessType, teamSize: 9 })).toMatch(
        /Each person opens an account of their own\./,
      );
    expect(whyOf('team_chat', { businessType: 'agency', teamSize: 12 })).toContain('No limit of people.');
  });

  test.each([
    [1, 'hubspot-crm'],
    [2, 'hubspot-crm'],
    [6, 'hubspot-crm'],
    [19, 'hubspot-crm'],
  ])('client records of an agency of %i stand in %s, not in a suite whose plans changed', (teamSize, id) => {
    for (const businessType of ['agency', 'consultant'] as const)
      expect(pickFor('crm', { businessType, teamSize })).toBe(id);
  });
});

describe('what an owner of this trade would hear first', () => {
  test.each(['agency', 'consultant'] as const)(
    'an office (%s) records its hours and plans no shifts',
    (businessType) => {
      for (const teamSize of [3, 19]) {
        const { picks } = reportOf({ businessType, needs: ['payroll_hr'], teamSize, country: 'ES' });
        expect(picks.find(({ need }) => need === 'payroll_hr')?.tool.id).toBe('jibble');
        expect(picks.find(({ need }) => need === 'time_tracking')?.tool.id).not.toBe('jibble');
      }
      expect(pickFor('payroll_hr', { businessType: 'retail', teamSize: 8, country: 'ES' })).toBe(
        'connecteam',
      );
    },
  );

  test('an agency hears of drafts and of Affinity, and of no menus', () => {
    const { picks } = reportOf({ businessType: 'agency', teamSize: 19, country: 'ES' });
    const design = picks.find(({ need }) => need === 'design_graphics');
    expect(design?.why.join(' ')).not.toMatch(/menus|price lists/);
    expect(design?.also_well_known?.map(({ name }) => name)).toContain('Affinity');
  });

  test('two who keep the papers of others hear what private accounts mean for their files, and a consultant alone that no contract covers them', () => {
    const files = (businessType: 'agency' | 'consultant' | 'nonprofit', teamSize: number) =>
      reportOf({ businessType, teamSize, needs: ['file_storage'], freeOnly: true, country: 'ES' }).picks.find(
        ({ need }) => need === 'file_storage',
      )?.caveats ?? [];
    for (const businessType of ['agency', 'consultant', 'nonprofit'] as const) {
      for (const teamSize of [2, 7, 19])
        expect(files(businessType, teamSize).join(' ')).toContain('Who leaves takes a private account along');
      const alone = files(businessType, 1).join(' ');
      expect(alone.includes('No contract covers client data')).toBe(businessType === 'consultant');
      expect(files(businessType, 7).join(' ')).toContain('paid Workspace');
    }
  });

  test('a charity in a country of Google’s programme hears of it, and never beside itself', () => {
    const named = (country: string, freeOnly: boolean) =>
      reportOf({ businessType: 'nonprofit', teamSize: 5, country, freeOnly, needs: ['documents_office'] })
        .picks.find(({ need }) => need === 'documents_office')
        ?.also_well_known?.map(({ name }) => name) ?? [];
    expect(named('IE', true)).toContain('Google Workspace for Nonprofits');
    expect(named('IE', false)).not.toContain('Google Workspace for Nonprofits');
    expect(named('JM', true)).not.toContain('Google Workspace for Nonprofits');
  });

  test('payroll in the United Kingdom names what the tax office gives free, and nobody else hears of it', () => {
    const words = (country: string) =>
      JSON.stringify(reportOf({ teamSize: 3, country }).picks.find(({ need }) => need === 'payroll_hr'));
    expect(words('GB')).toContain('Basic PAYE Tools');
    expect(words('IE')).not.toContain('PAYE');
  });

  test('customers who write are answered in WhatsApp Business, and a chat window needs a site that takes it', () => {
    for (const country of ['MX', 'MY', 'IT']) {
      const { picks, unmet } = reportOf({ businessType: 'retail', needs: ['customer_support'], country });
      const support = [...picks, ...unmet].find(({ need }) => need === 'customer_support');
      expect(support?.also_well_known?.[0]?.name).toBe('WhatsApp Business');
    }
    const shop = (country: string) => pickFor('customer_support', { businessType: 'online_store', country });
    expect([shop('PT'), shop('GB')]).toEqual(['tawk-to', 'unmet']);
  });

  test('a creator in Kenya hears of Selar, a charity of Google Chat, or of Slack with its plan for charities', () => {
    const creator = reportOf({ businessType: 'creator', country: 'KE' }).picks;
    for (const slug of ['online_store', 'community_membership'])
      expect(creator.find(({ need }) => need === slug)?.also_well_known?.[0]?.name).toBe('Selar');
    const charity = { businessType: 'nonprofit', teamSize: 8, country: 'IT' } as const;
    expect(pickFor('team_chat', charity)).toBe('google-workspace-nonprofits');
    const free = reportOf({ ...charity, freeOnly: true }).picks.find(({ need }) => need === 'team_chat');
    expect([free?.tool.id, free?.why[0]]).toEqual(['slack', expect.stringContaining('Verified charities')]);
  });

  test('a salon is paid with a reader or by the terminal of its bank, never by links alone', () => {
    for (const country of ['NZ', 'SG', 'MX', 'AE']) {
      const { unmet } = reportOf({ businessType: 'service', teamSize: 3, country });
      expect(unmet.find(({ need }) => need === 'payments')?.way_out).toContain('card terminal');
    }
    expect(pickFor('payments', { businessType: 'service', country: 'IE' })).toBe('square-pos-free');
  });

  test('a salon of up to three has a page with its services and a calendar for each; a teacher hears of a page with classes', () => {
    for (const [teamSize, id] of [
      [1, 'setmore'],
      [3, 'setmore'],
      [4, 'google-calendar-booking-page'],
      [8, 'google-calendar-booking-page'],
    ] as const)
      expect(pickFor('scheduling_booking', { businessType: 'service', teamSize, country: 'NZ' })).toBe(id);
    const { picks } = reportOf({ businessType: 'creator', needs: ['scheduling_booking'], teamSize: 2 });
    const teacher = picks.find(({ need }) => need === 'scheduling_booking');
    expect(teacher?.alternatives.map(({ id }) => id)).toContain('setmore');
  });

  test('rates of the US are told in the US alone', () => {
    const words = (country: string) =>
      JSON.stringify(reportOf({ businessType: 'trades', needs: ['online_store'], country }).picks);
    for (const country of ['AU', 'GB', 'CA', 'FR'])
      expect(words(country)).not.toMatch(/US rate|3\.3%|In the United States/);
    expect(words('US')).toContain('US rate: 2.6%');
  });
});

describe('ways out', () => {
  const wayOut = (need: string, over: Partial<StackRequest>) =>
    reportOf({ needs: [need], ...over }).unmet.find((miss) => miss.need === need)?.way_out ?? '';

  test('fit the business: nobody without a counter is told of one', () => {
    for (const businessType of ['online_store', 'creator', 'consultant', 'agency', 'nonprofit'] as const)
      expect(wayOut('payments', { businessType, country: 'NG' })).not.toMatch(/counter|terminal/);
    expect(wayOut('payments', { businessType: 'retail', country: 'NG' })).toContain('counter');
    expect(wayOut('online_store', { businessType: 'retail', country: 'NG' })).toContain('in the shop');
    expect(wayOut('online_store', { businessType: 'consultant', country: 'NG' })).toContain('invoice');
    expect(wayOut('accounting', { businessType: 'nonprofit', country: 'MX' })).toContain('auditor');
  });

  test('name no vendor that is barred from countries', () => {
    for (const { way_out, ways_out } of Object.values(shelves.needs))
      expect([way_out, ...Object.values(ways_out)].join(' ')).not.toMatch(/Etsy|eBay|PayPal|Stripe|Square/);
  });
});
