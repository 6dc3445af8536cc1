import { decodePaymentSignatureHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { PaymentPayloadV2Schema } from '@x402/core/schemas';
import type { PaymentPayload } from '@x402/core/types';
import { describe, expect, it } from 'vitest';
import {
  authorization,
  base64,
  codes,
  FROM,
  good,
  NONCE,
  SIGNATURE,
  TO,
  undecodable,
} from '../../../test/support/raw-payment.ts';
import { decodePayment, MAX_PAYMENT_CHARACTERS } from './payment.ts';

describe('an x402 payment', () => {
  it('is decoded with addresses and nonce in lower case and exact integers', () => {
    expect(decodePayment(base64(good))).toEqual({
      ok: true,
      payment: {
        authorization: {
          from: FROM.toLowerCase(),
          to: TO.toLowerCase(),
          value: 10_000n,
          validAfter: 0n,
          validBefore: 1_795_262_500n,
          nonce: NONCE.toLowerCase(),
        },
        signature: SIGNATURE.toLowerCase(),
        accepted: {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '10000',
          asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          payTo: TO,
        },
        identifier: null,
        extensions: undefined,
      },
    });
  });

  it('is the same as an object, in base64 and in base64url, with or without padding', () => {
    const wanted = decodePayment(good);
    expect(wanted.ok).toBe(true);
    const odd = { ...good, note: '\u{1f9fe}??>>~~' };
    const bytes = Buffer.from(JSON.stringify(odd));
    for (const text of [
      bytes.toString('base64'),
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
      ` ${bytes.toString('base64')}\t`,
    ])
      expect(decodePayment(text)).toEqual(wanted);
  });

  it('is read up to 12,288 characters and no further', () => {
    // Spaces after the JSON, as many as make the base64 exactly this long.
    const spaced = (characters: number) =>
      Buffer.from(JSON.stringify(good).padEnd((characters / 4) * 3)).toString('base64');
    expect(decodePayment(spaced(12_288))).toEqual(decodePayment(good));
    expect(decodePayment(spaced(12_292))).toMatchObject({ ok: false, faults: [{ code: 'undecodable' }] });
  });

  it('is read as the official client encodes it, regardless of its content', () => {
    const header = encodePaymentSignatureHeader(good as unknown as PaymentPayload);
    expect(decodePayment(header)).toEqual(decodePayment(good));
    expect(PaymentPayloadV2Schema.safeParse(decodePaymentSignatureHeader(header)).success).toBe(true);
  });

  it('may have the signature of a contract wallet', () => {
    const signed = (bytes: number) => ({
      ...good,
      payload: { authorization, signature: `0x${'ab'.repeat(bytes)}` },
    });
    expect(codes(signed(4_096))).toEqual([]);
    expect(codes(signed(4_097))).toEqual(['/payment/payload/signature invalid_payload']);
    expect(codes(signed(64))).toEqual(['/payment/payload/signature invalid_payload']);
  });

  it('must have a well-formed payment identifier, if it has one', () => {
    const identified = (id: unknown) => {
      const decoded = decodePayment({ ...good, extensions: { 'payment-identifier': { info: { id } } } });
      return decoded.ok ? decoded.payment.identifier : decoded.faults.map(({ pointer }) => pointer);
    };
    expect(identified('pay_0123456789abcdef')).toBe('pay_0123456789abcdef');
    for (const id of ['short', 'x'.repeat(129), 'has blanks in it, so no', 5, null, {}])
      expect(identified(id)).toEqual(['/payment/extensions/payment-identifier/info/id']);
  });
});

describe('an invalid payment', () => {
  it.each([
    '',
    ' ',
    'x',
    'not base64!',
    '=',
    '====',
    'e30=e30=',
    'eyJ4',
    base64([]),
    base64('text'),
    base64(5),
    base64(null),
    Buffer.from('{"x402Version":2').toString('base64'),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64'),
    `${base64(good)}, ${base64(good)}`,
    JSON.stringify(good),
  ])('is rejected if its text is %j', (text) => {
    expect(codes(text)).toEqual(base64([]) === text ? ['/payment invalid_payload'] : undecodable);
  });

  it.each([undefined, null, 5, true, [], 'x'.repeat(MAX_PAYMENT_CHARACTERS + 1)])(
    'is rejected if its type or its length is wrong: %j',
    (raw) => {
      expect(decodePayment(raw).ok).toBe(false);
    },
  );

  it('has all its faults named at once, and none of its content repeated', () => {
    const decoded = decodePayment({
      x402Version: 1,
      accepted: { scheme: 'MARKED', network: { MARKED: 'MARKED' } },
      payload: {
        signature: '0xMARKED',
        authorization: { ...authorization, from: 'MARKED', value: '-1', nonce: '0x1', MARKED: 1 },
      },
      extensions: 'MARKED',
    });
    expect(JSON.stringify(decoded)).not.toContain('MARKED');
    expect(decoded.ok ? [] : decoded.faults).toEqual([
      { pointer: '/payment/x402Version', code: 'invalid_x402_version', detail: 'must be 2' },
      { pointer: '/payment/accepted/network', code: 'invalid_payload', detail: 'must be text' },
      {
        pointer: '/payment/payload/signature',
        code: 'invalid_payload',
        detail: 'must be 0x and 65 to 4096 bytes in hex',
      },
      {
        pointer: '/payment/payload/authorization/from',
        code: 'invalid_payload',
        detail: expect.stringContaining('40 hex digits'),
      },
      {
        pointer: '/payment/payload/authorization/value',
        code: 'invalid_payload',
        detail: expect.stringContaining('78 digits'),
      },
      {
        pointer: '/payment/payload/authorization/nonce',
        code: 'invalid_payload',
        detail: expect.stringContaining('32 bytes'),
      },
      { pointer: '/payment/extensions', code: 'invalid_payload', detail: 'must be an object' },
    ]);
  });

  it('gets our own message for each missing part', () => {
    expect(decodePayment({})).toEqual({
      ok: false,
      faults: [
        { pointer: '/payment/x402Version', code: 'invalid_x402_version', detail: 'must be 2' },
        { pointer: '/payment/accepted', code: 'invalid_payload', detail: 'must be an object' },
        { pointer: '/payment/payload', code: 'invalid_payload', detail: 'must be an object' },
      ],
    });
  });

  it.each(['', ' 1', '1 ', '+1', '-1', '1.0', '1e3', '0x10', '１', '9'.repeat(79), String(2n ** 256n)])(
    'is refused if a number in it is %j',
    (value) => {
      for (const name of ['value', 'validAfter', 'validBefore']) {
        const changed = {
          ...good,
          payload: { ...good.payload, authorization: { ...authorization, [name]: value } },
        };
        expect(codes(changed)).toEqual([`/payment/payload/authorization/${name} invalid_payload`]);
      }
    },
  );

  it('is refused if it has a JSON number, because that is not what was signed', () => {
    const changed = {
      ...good,
      payload: { ...good.payload, authorization: { ...authorization, value: 10_000 } },
    };
    expect(codes(changed)).toEqual(['/payment/payload/authorization/value invalid_payload']);
  });

  it('is refused if it is nested more deeply than any real payment', () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(codes({ ...good, extensions: nested(20) })).toEqual([]);
    expect(codes({ ...good, extensions: nested(21) })).toEqual(['/payment/extensions invalid_payload']);
    expect(
      codes({ ...good, extensions: { a: JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)) } }),
    ).toEqual(['/payment/extensions invalid_payload']);
  });
});
