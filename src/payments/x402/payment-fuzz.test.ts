import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { authorization, base64, FROM, good, NONCE, SIGNATURE } from '../../../test/support/raw-payment.ts';
import { decodePayment, MAX_PAYMENT_CHARACTERS } from './payment.ts';

describe('any input that is sent as a payment', () => {
  const hostileKey = fc.constantFrom(
    ...'__proto__ constructor prototype toString x402Version accepted payload'.split(' '),
    ...'authorization signature value nonce extensions payment-identifier info id'.split(' '),
  );
  const hostileValue = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(
        2,
        '2',
        1e308,
        -0,
        Number.MAX_SAFE_INTEGER + 2,
        '9'.repeat(90),
        FROM,
        NONCE,
        SIGNATURE,
      ),
      fc.string({ unit: 'binary' }),
      fc.constant(null),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(hostileKey, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    ),
  })).value;

  const settled = (raw: unknown) => {
    const decoded = decodePayment(raw);
    if (decoded.ok) expect(decoded.payment.authorization.value).toBeLessThan(2n ** 256n);
    else {
      expect(decoded.faults.length).toBeGreaterThan(0);
      for (const { pointer } of decoded.faults) expect(pointer).toMatch(/^\/payment/);
    }
  };

  it('causes no exception if it is text', () => {
    const soup = fc.string({
      unit: fc.constantFrom(...'ABCabc019+/-_=\u00e9 {}"'.split('')),
      maxLength: 300,
    });
    fc.assert(fc.property(fc.oneof(soup, fc.base64String({ maxLength: 400 })), settled));
  });

  it('causes no exception if it is bytes in base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        settled(Buffer.from(bytes).toString('base64url')),
      ),
    );
  });

  it('causes no exception and pollutes no prototype if it is JSON of any shape', () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        settled(value);
        settled(base64(value));
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });

  it('is decoded, or rejected with an error that names the fault, if it is a good payment with one change', () => {
    const paths = ['x402Version', 'accepted', 'payload', 'extensions', 'resource'] as const;
    const inner = fc.constantFrom(...(Object.keys(authorization) as (keyof typeof authorization)[]));
    fc.assert(
      fc.property(fc.constantFrom(...paths), inner, hostileValue, (name, field, value) => {
        settled({ ...good, [name]: value });
        settled({
          ...good,
          payload: { ...good.payload, authorization: { ...authorization, [field]: value } },
        });
      }),
    );
  });

  it('is decoded up to its maximum length, however deeply it is nested, and not beyond', () => {
    const size = Math.floor((MAX_PAYMENT_CHARACTERS / 4) * 3);
    const deep = '['.repeat(size / 2) + ']'.repeat(size / 2);
    const keyed = `{${Array.from({ length: 1_000 }, (_, index) => `"k${index}":1`).join()}}`;
    for (const text of [
      deep,
      keyed,
      '"'.repeat(size),
      '{"extensions":'.repeat(600),
      `[${'1e308,'.repeat(1_500)}1]`,
    ])
      settled(Buffer.from(text.slice(0, size)).toString('base64'));
    settled('A'.repeat(MAX_PAYMENT_CHARACTERS));
    settled('='.repeat(MAX_PAYMENT_CHARACTERS));
    const decoding = vi.spyOn(Buffer, 'from');
    settled('A'.repeat(MAX_PAYMENT_CHARACTERS + 1));
    const decoded = decoding.mock.calls.length;
    decoding.mockRestore();
    expect(decoded).toBe(0);
  });

  it('is decoded as it was written if it is a good payment', () => {
    const hex = (length: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const made = fc.record({
      from: hex(40),
      to: hex(40),
      value: uint,
      validAfter: uint,
      validBefore: uint,
      nonce: hex(64),
      bytes: fc.integer({ min: 65, max: 300 }).chain((length) => hex(length * 2)),
      url: fc.boolean(),
    });
    fc.assert(
      fc.property(made, ({ bytes, url, ...parts }) => {
        const written = {
          from: `0x${parts.from}`,
          to: `0x${parts.to}`,
          value: String(parts.value),
          validAfter: String(parts.validAfter),
          validBefore: String(parts.validBefore),
          nonce: `0x${parts.nonce}`,
        };
        const payment = { ...good, payload: { signature: `0x${bytes}`, authorization: written } };
        const text = Buffer.from(JSON.stringify(payment)).toString(url ? 'base64url' : 'base64');
        const decoded = decodePayment(text);
        expect(decoded.ok && decoded.payment.authorization).toEqual({
          from: written.from.toLowerCase(),
          to: written.to.toLowerCase(),
          value: parts.value,
          validAfter: parts.validAfter,
          validBefore: parts.validBefore,
          nonce: written.nonce.toLowerCase(),
        });
        expect(decoded.ok && decoded.payment.signature).toBe(`0x${bytes.toLowerCase()}`);
      }),
      { numRuns: 300 },
    );
  });
});
