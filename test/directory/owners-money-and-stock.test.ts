import { describe, expect, test } from 'vitest';
import { listingFiles as files } from '../support/directory.ts';
import { asking } from './asking.ts';

const { reportOf, toolFor } = asking({ businessType: 'trades' });

describe('a shop that lives of PayPal and Stripe', () => {
  test.each(['KR', 'TW', 'UA', 'EC', 'RS', 'GE', 'KE', 'VN', 'ID', 'PK'])(
    'in %s cannot take the money of those next door',
    (country) => {
      const ask = { businessType: 'online_store', country } as const;
      expect(['unmet', 'ebay-no-store']).toContain(toolFor('online_store', ask));
      expect(toolFor('inventory', ask)).not.toBe('payhip');
    },
  );

  test.each(['NZ', 'SE', 'MX', 'TH', 'PH', 'CH', 'AR', 'CL', 'CO', 'ZA', 'IN', null])(
    'in %s can',
    (country) => {
      expect(toolFor('online_store', { businessType: 'online_store', country })).toBe('payhip');
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
    expect(toolFor('online_store', { businessType: 'creator', country })).toBe('unmet');
  });

  test('sells the files of a creator to the world all the same', () => {
    expect(toolFor('online_store', { businessType: 'creator', country: 'HK' })).toBe('payhip');
    expect(toolFor('online_store', { businessType: 'creator', country: 'KR' })).toBe('gumroad');
  });
});

/** Their share is for an optional part: tips instead of the share, transfers, or paying readers. */
const FREE_WITHOUT_IT = new Set([
  'givebutter',
  'paypal-invoicing',
  'pixieset',
  'square-invoices',
  'substack',
]);

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
    expect(toolFor('inventory', { businessType: 'online_store', teamSize: 3, country: 'KR' })).toBe('unmet');
  });

  test.each(['US', 'GB', 'CA', 'AU', 'FR', 'JP'])(
    'in %s stays where it is sold when only free ones are asked for: the fee is paid there already',
    (country) => {
      const ask = { teamSize: 8, freeOnly: true, country };
      expect(toolFor('inventory', { businessType: 'online_store', ...ask })).toBe('square-online-free');
      expect(toolFor('inventory', { businessType: 'retail', ...ask })).toBe(
        toolFor('point_of_sale', { businessType: 'retail', ...ask }),
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
    expect(toolFor('point_of_sale', { businessType: 'retail', country: 'MX' })).toBe('loyverse');
  });
});
