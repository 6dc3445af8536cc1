import { describe, expect, test } from 'vitest';
import { listingFiles as files } from '../support/directory.ts';
import { asking } from './asking.ts';

const { reportOf, toolFor } = asking({ businessType: 'trades' });

describe('a shop that depends on PayPal and Stripe', () => {
  test.each(['KR', 'TW', 'UA', 'EC', 'RS', 'GE', 'KE', 'VN', 'ID', 'PK'])(
    'in %s cannot take the money of local customers',
    (country) => {
      const ask = { businessType: 'online_store', country } as const;
      expect(['unmet', 'ebay-no-store']).toContain(toolFor('online_store', ask));
      expect(toolFor('inventory', ask)).not.toBe('payhip');
    },
  );

  test.each(['NZ', 'SE', 'MX', 'TH', 'PH', 'CH', 'AR', 'CL', 'CO', 'ZA', 'IN', null])(
    'in %s can take the money of local customers',
    (country) => {
      expect(toolFor('online_store', { businessType: 'online_store', country })).toBe('payhip');
    },
  );

  test.each(['MM', 'TD', 'ML', 'ET', 'NP', 'LK', 'BO', 'PY'])(
    'in %s, where PayPal does not pay out, is not offered for shops, tips or gifts',
    (country) => {
      const through = (businessType: 'creator' | 'nonprofit') =>
        reportOf({ businessType, country })
          .picks.map(({ tool }) => tool.id)
          .filter((id) => /^(?:payhip|ko-fi|donorbox|big-cartel|paypal|open-collective)/.test(id));
      expect([...through('creator'), ...through('nonprofit')]).toEqual([]);
    },
  );

  test.each(['ZW', 'ML', 'LR', 'RU', 'NP'])(
    'in %s is not replaced by Gumroad, which pays no bank account there either',
    (country) => {
      expect(toolFor('online_store', { businessType: 'creator', country })).toBe('unmet');
    },
  );

  test('still sells the files of a creator worldwide', () => {
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

describe('the account that receives the money', () => {
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

  test('belongs to another tool if none is picked', () => {
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

  test('is shown with its cost: a membership tool comes with its share of sales', () => {
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
  test('of a shop without a pick is not kept in another program', () => {
    expect(toolFor('inventory', { businessType: 'online_store', teamSize: 3, country: 'KR' })).toBe('unmet');
  });

  test.each(['US', 'GB', 'CA', 'AU', 'FR', 'JP'])(
    'in %s stays in the sales tool when only free tools are requested, because its fee is paid already',
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
  test.each(['DE', 'FR', 'AT', 'IT'])('in %s must be certified, so Loyverse is not picked', (country) => {
    const report = reportOf({ businessType: 'retail', country });
    const ids = report.picks.find(({ need }) => need === 'point_of_sale');
    expect(ids?.tool.id).not.toBe('loyverse');
    expect(ids?.alternatives.map(({ id }) => id) ?? []).not.toContain('loyverse');
  });

  test.each(['PH', 'MT', 'NP', 'MD', 'TJ', 'IL', 'VE', 'NI', 'GH', 'BJ', 'CD', 'BI', 'MW', 'SL', 'AO', 'CV'])(
    'in %s must be accredited by the tax office, so none is picked, also not for stock',
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
