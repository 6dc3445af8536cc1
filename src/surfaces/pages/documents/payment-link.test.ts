import { describe, expect, it } from 'vitest';
import { BLANK } from './letterhead.ts';
import { paymentFaults, paymentLink } from './payment-link.ts';

const link = (pay: string) => paymentLink({ ...BLANK, business: 'Green Gardens', pay });

describe('the payment page of a quote', () => {
  it.each([
    ['https://buy.stripe.com/abc?prefilled=1', 'https://buy.stripe.com/abc?prefilled=1', 'buy.stripe.com'],
    [' paypal.me/green/150 ', 'https://paypal.me/green/150', 'paypal.me'],
    ['HTTPS://Pay.Example.com', 'https://pay.example.com/', 'pay.example.com'],
    ['https://xn--mller-kva.de/zahlen', 'https://xn--mller-kva.de/zahlen', 'xn--mller-kva.de'],
    ['https://pay.example/käse', 'https://pay.example/k%C3%A4se', 'pay.example'],
  ])('may be %s', (written, address, host) => {
    expect(paymentFaults(written)).toEqual([]);
    expect(link(written)).toEqual({ of: 'Green Gardens', address, host });
  });

  it.each([
    'http://buy.stripe.com/abc',
    'javascript:alert(1)',
    'JavaScript:alert(1)//buy.stripe.com',
    'data:text/html,x',
    '//buy.stripe.com/abc',
    'mailto:me@example.com',
    'https://buy.stripe.com@evil.example/abc',
    'https://name:word@buy.stripe.com/abc',
    'buy.stripe.com:8443/abc',
    'https://buy.stripe.com:8443/abc',
    'https://127.0.0.1/pay',
    'https://１２７.0.0.1/pay',
    'https://①②⑦.0.0.1/pay',
    'https://0x7f000001/pay',
    'https://1.0x7f/pay',
    'https://2130706433/pay',
    'https://[::1]/pay',
    'https://localhost/pay',
    'https://buy.strípe.com/abc',
    'https://buy.stripe。com/abc',
    'https://buy.stripe.com\\@evil.example',
    'https://buy.stripe.com/\u202Eabc',
    'https://buy.stri\u200Bpe.com/',
    'https://buy .stripe.com/',
    'https:///pay',
    'https:buy.stripe.com',
    `https://buy.stripe.com/${'a'.repeat(500)}`,
  ])('must not be %s', (written) => {
    expect(paymentFaults(written).length).toBeGreaterThan(0);
    expect(link(written)).toBeNull();
  });

  it('gets an error that names every fault at once', () => {
    expect(paymentFaults('https://me:word@127.0.0.1/a b')).toEqual([
      'must not contain a user name or password',
      'must have a plain site name without a port, such as https://buy.stripe.com/…',
      'must not contain spaces, backslashes or invisible characters',
    ]);
  });

  it('may be left out', () => {
    expect(paymentFaults('  ')).toEqual([]);
    expect(link('')).toBeNull();
  });
});
