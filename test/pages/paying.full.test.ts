import { type Hex, hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, test } from 'vitest';
import { usdcDomain, usdcTypes } from '../../src/devnet/usdc.ts';
import {
  authorizationOf,
  paymentHeader,
  purchaseName,
  typedDataOf,
} from '../../src/islands/pay/authorization.ts';
import { fromBase64Json, toBase64Json } from '../../src/islands/pay/base64.ts';
import { type Offer, offerOf } from '../../src/islands/pay/offer.ts';
import { requestOf } from '../../src/islands/pay/request.ts';
import { decodePayment } from '../../src/payments/x402/payment.ts';
import { mismatch, outsideWindow, type Requirements } from '../../src/payments/x402/requirements.ts';
import { NOON, PAYEE, terms, testApp } from '../support/app.ts';

const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01';
const said = { price: '0.01', network: 'Base' };
// The second account of the public development mnemonic.
const buyer = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');

const challenge = async (): Promise<string> =>
  (await testApp({ terms: { ...terms, payTo: PAYEE.toLowerCase() as Hex } }).get(NOTICE)).headers.get(
    'payment-required',
  ) ?? '';
const offered = async (): Promise<Offer> => {
  const offer = offerOf(await challenge(), said);
  if (offer === null) throw new Error('The challenge was not understood');
  return offer;
};

describe('an offer to sell', () => {
  it('is accepted if the page shows the same terms', async () => {
    const { terms: asked, chainId } = await offered();
    expect(asked).toEqual({
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '10000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: PAYEE.toLowerCase(),
      maxTimeoutSeconds: 120,
      extra: { name: 'USD Coin', version: '2' },
    });
    expect(chainId).toBe(8453);
  });

  it.each([
    ['another price', { price: '0.02', network: 'Base' }],
    ['another network', { price: '0.01', network: 'Base Sepolia' }],
    ['no price', { price: '', network: 'Base' }],
  ])('is refused if the page says %s', async (_, other) => {
    expect(offerOf(await challenge(), other)).toBeNull();
  });

  it.each([
    ['another scheme', { scheme: 'upto' }],
    ['another amount', { amount: '10001' }],
    ['a recipient that is not an address', { payTo: '0xaa' }],
    ['an asset that is not an address', { asset: 'USDC' }],
    ['two days to pay', { maxTimeoutSeconds: 172_800 }],
    ['no EIP-712 domain', { extra: null }],
  ])('is refused if it has %s', async (_, change) => {
    const document = fromBase64Json(await challenge()) as { accepts: object[] };
    const header = toBase64Json({ ...document, accepts: [{ ...document.accepts[0], ...change }] });
    expect(offerOf(header, said)).toBeNull();
  });

  it.each([null, '', '!', 'bnVsbA==', toBase64Json({ x402Version: 1 }), toBase64Json({ x402Version: 2 })])(
    'is refused if the header is %j',
    (header) => {
      expect(offerOf(header, said)).toBeNull();
    },
  );
});

describe('a payment that the page signs', () => {
  it('is signed over the digest that USDC itself computes', async () => {
    const offer = await offered();
    const authorization = authorizationOf(offer, buyer.address, NOON / 1000);
    expect(authorization).toMatchObject({
      from: buyer.address,
      to: PAYEE.toLowerCase(),
      value: '10000',
      validAfter: '0',
      validBefore: String(NOON / 1000 + 120),
    });
    const ours = typedDataOf(offer, authorization) as unknown as Parameters<typeof hashTypedData>[0];
    const reference = hashTypedData({
      domain: usdcDomain,
      types: usdcTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        from: buyer.address,
        to: PAYEE.toLowerCase() as Hex,
        value: 10_000n,
        validAfter: 0n,
        validBefore: BigInt(NOON / 1000 + 120),
        nonce: authorization.nonce as Hex,
      },
    });
    expect(hashTypedData(ours)).toBe(reference);
  });

  it('is decoded by the service, matches the requirements, and identifies its purchase', async () => {
    const offer = await offered();
    const authorization = authorizationOf(offer, buyer.address, NOON / 1000);
    const signature = `0x${'11'.repeat(65)}`;
    const decoded = decodePayment(
      paymentHeader(offer, { authorization, signature }, 'page_0123456789abcdef'),
    );
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.faults));
    const { payment } = decoded;
    expect(payment.identifier).toBe('page_0123456789abcdef');
    expect(payment.authorization.nonce).toBe(authorization.nonce);
    expect(mismatch(payment, offer.terms as Requirements)).toBeNull();
    expect(outsideWindow(payment, NOON / 1000)).toBeNull();
    // The client returns the challenge's extensions, for a facilitator to read.
    expect(payment.extensions).toMatchObject({ ...offer.extensions, 'payment-identifier': {} });
  });

  it('never shares a nonce or an idempotency key with another', async () => {
    const offer = await offered();
    const nonces = Array.from({ length: 50 }, () => authorizationOf(offer, buyer.address, 1).nonce);
    expect(new Set(nonces).size).toBe(50);
    for (const nonce of nonces) expect(nonce).toMatch(/^0x[0-9a-f]{64}$/);
    expect(purchaseName()).toMatch(/^page_[0-9a-f]{32}$/);
    expect(purchaseName()).not.toBe(purchaseName());
  });

  it.each([
    ['00', '1b'],
    ['01', '1c'],
    ['1b', '1b'],
    ['1c', '1c'],
  ])('with a signature that ends with %s is sent with %s', async (given, sent) => {
    const offer = await offered();
    const authorization = authorizationOf(offer, buyer.address, 1);
    const signature = `0x${'ab'.repeat(64)}${given}`;
    const { payload } = fromBase64Json(paymentHeader(offer, { authorization, signature }, 'n')) as {
      payload: { signature: string };
    };
    expect(payload.signature).toBe(`0x${'ab'.repeat(64)}${sent}`);
  });
});

test('payment headers can contain any text', () => {
  expect(toBase64Json({ é: '–' })).toBe('eyLDqSI6IuKAkyJ9');
  expect(fromBase64Json('eyLDqSI6IuKAkyJ9')).toEqual({ é: '–' });
});

test('a paid request uses a query or JSON, depending on its route', () => {
  expect(requestOf('GET', '/v1/x', { amount: '1', client_name: 'A & B' })).toEqual({
    method: 'GET',
    url: '/v1/x?amount=1&client_name=A+%26+B',
    body: null,
  });
  expect(requestOf('POST', '/v1/x', { items: [{ unit_price: '1' }] })).toEqual({
    method: 'POST',
    url: '/v1/x',
    body: '{"items":[{"unit_price":"1"}]}',
  });
});
