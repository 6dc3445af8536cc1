import { describe, expect, test } from 'vitest';
import { asking, OPEN } from './asking.ts';

const { ask, reportOf, pickFor, missFor, namesBeside } = asking();

describe('ways to be paid', () => {
  test('in Costa Rica use a telephone number, not a code', () => {
    const way = missFor('payments', { country: 'CR', teamSize: 6 })?.way_out;
    expect(way).toMatch(/SINPE Móvil.*telephone number/);
    expect(way).not.toContain('code');
  });

  test('never mention a counter to a business without one, in any country', () => {
    const wrong = OPEN.flatMap((country) =>
      (['online_store', 'creator', 'consultant', 'agency', 'nonprofit'] as const).flatMap((businessType) => {
        const result = ask({ businessType, country, needs: ['payments'] });
        const miss = result.ok ? result.report.unmet.find(({ need }) => need === 'payments') : undefined;
        return /counter|terminal/.test(miss?.way_out ?? '') ? [`${country} ${businessType}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['NO', 'Vipps MobilePay'],
    ['DK', 'Vipps MobilePay'],
    ['SE', 'Swish'],
    ['CH', 'TWINT'],
    ['PT', 'MB WAY'],
    ['PL', 'BLIK'],
    ['ES', 'Bizum'],
  ])('in %s name the phone payment of the country: %s', (country, name) => {
    for (const businessType of ['trades', 'consultant'] as const)
      expect(namesBeside('payments', { businessType, country })).toContain(name);
  });
});

describe('an online shop', () => {
  const shop = { businessType: 'online_store', teamSize: 3 } as const;

  test.each([
    ['AR', 'Mercado Pago', 'Tiendanube'],
    ['CL', 'Mercado Pago', 'Tiendanube'],
    ['TR', 'iyzico', 'Shopier'],
    ['ZA', 'Paystack', 'WooCommerce'],
    ['IN', 'Razorpay', 'WooCommerce'],
  ])('in %s gets a shop that takes money through %s, and reads about %s', (country, firm, name) => {
    const pick = pickFor('online_store', { ...shop, country });
    expect(pick?.tool.id).toBe('payhip');
    expect(pick?.caveats.join(' ')).toMatch(new RegExp(`\\bmoney\\b.*\\b${firm}\\b`));
    expect(pick?.also_well_known?.map((known) => known.name)).toContain(name);
    const { picks, unmet } = reportOf({ ...shop, country });
    expect(picks.length).toBeGreaterThan(6);
    const payments = unmet.find(({ need }) => need === 'payments');
    if (payments !== undefined) expect(payments.way_out).toContain('checkout');
  });

  test('in Taiwan, where no listed firm pays out, reads about the shops, payment firms and chat of the country', () => {
    const named = (need: string) => namesBeside(need, { ...shop, country: 'TW' });
    expect(missFor('online_store', { ...shop, country: 'TW' })?.way_out).toContain('Shopee');
    expect(named('online_store')).toEqual(['SHOPLINE', 'Shopee']);
    expect(named('payments')).toContain('ECPay');
    expect(named('customer_support')[0]).toBe('LINE Official Account');
    const support = missFor('customer_support', { ...shop, country: 'TW' });
    expect(support?.way_out).toContain('your buyers');
  });

  test('of up to three people opens no chat window until somebody can answer', () => {
    const why = (teamSize: number) =>
      pickFor('customer_support', { businessType: 'online_store', country: 'SE', teamSize })?.why[0];
    expect(why(2)).toMatch(/tickets.*only while somebody/);
    expect(why(8)).toMatch(/^Live chat/);
  });
});

test('the tools named for a country fit the trade', () => {
  expect(namesBeside('team_chat', { country: 'TH', teamSize: 3 })[0]).toBe('LINE groups');
  const creator = { businessType: 'creator', country: 'BR' } as const;
  expect(namesBeside('online_store', creator)).toEqual(['Hotmart', 'Kiwify']);
  expect(namesBeside('online_store', { businessType: 'online_store', country: 'BR' })[0]).toBe('Nuvemshop');
  expect(namesBeside('community_membership', creator)[0]).toBe('Apoia.se');
  expect(namesBeside('invoicing', { businessType: 'consultant', country: 'FR' })).toEqual(['Tiime', 'Abby']);
  const counted = pickFor('analytics', { businessType: 'online_store', country: 'TR' });
  expect(counted?.caveats.join(' ')).toContain('Visitors must agree');
});
