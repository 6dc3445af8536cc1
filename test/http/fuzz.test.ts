import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { decodePayment } from '../../src/payments/x402/payment.ts';
import { catalog, type Ending, fakePayment, testApp } from '../support/app.ts';
import { hasSameInputs } from '../support/properties.ts';
import { headerJson, problemOf, TRANSACTION } from './wire.ts';

const served = catalog.filter(({ route }) => route !== null);

/** Texts that parsers get wrong, and some that they get right. */
const hostileText = fc.oneof(
  fc.constantFrom(
    ...['', ' ', ...'0 -0 5 +5 1e3 0x10 1,000 NaN Infinity -1 1.0000001'.split(' '), '9'.repeat(40)],
    ...[
      // ISO 4217 for no currency
      ...'2026-11-21 2026-02-29 9999-12-31 1970-01-01 0000-00-00 true null USD jpy XXX'.split(' '),
    ],
    ...[...'firm flat daily_percent email_marketing __proto__ constructor ../.. %00'.split(' '), '\u0000'],
    ...[
      '\u202eabc',
      '\u{e0041}',
      '\ud800',
      '👍'.repeat(100),
      'x'.repeat(3_000),
      '\u0301\u0316'.repeat(500),
      '\'"<b>',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double().map(String),
);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.double(),
  fc.integer(),
  fc.constantFrom(null, true, [], {}, [[]], Number.MAX_VALUE, -1e-7, 0.1 + 0.2),
  fc.jsonValue({ maxDepth: 4 }),
);

type Call = {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly headers: Record<string, string>;
};

const pathOf = (operation: Operation, id: string) =>
  (operation.route?.path ?? '').replace(/\{\w+\}/, encodeURIComponent(id.replace(/\p{Cs}/gu, '')));

/** Changes, omits or adds some fields in the example of an operation. */
function mutated(operation: Operation): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(operation.input);
  const changes = fc.dictionary(
    fc.oneof(fc.constantFrom(...names), fc.constantFrom('__proto__', 'tax_rate', 'grace'), hostileText),
    fc.oneof(hostileValue, fc.constant(undefined)),
    { maxKeys: 3 },
  );
  const item = fc.dictionary(
    fc.oneof(fc.constantFrom('description', 'quantity', 'unit_price'), hostileText),
    hostileValue,
    { maxKeys: 4 },
  );
  const items = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.record({ items: fc.array(item, { maxLength: 4 }) }),
  );
  return fc
    .tuple(
      fc.oneof({ weight: 2, arbitrary: changes }, { weight: 1, arbitrary: fc.constant({}) }),
      names.includes('items') ? items : fc.constant({}),
    )
    .map(([changed, listed]) => ({ ...operation.example, ...listed, ...changed }));
}

const spelled = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{Cs}/gu, '');
const query = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(spelled(name))}=${encodeURIComponent(spelled(value))}`)
    .join('&');

const payment = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        // There are few values, so that the same one occurs again for another request.
        nonce: fc.integer({ min: 1, max: 30 }).map((nonce) => nonce.toString(16)),
        value: fc.constantFrom('10000', '50000', '1000000', '1'),
        signature: fc.constantFrom('11', '22'),
      })
      .map(fakePayment),
  },
  { weight: 1, arbitrary: fc.base64String({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text).toString('base64url')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 60 }) },
);
const type = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'application/x+json'),
  },
);
const junk = fc.string({ unit: fc.constantFrom(...'abz019=&%+[]{}":,.-/\\'.split('')), maxLength: 60 });

const call: fc.Arbitrary<Call> = fc.constantFrom(...served).chain((operation) =>
  fc
    .record({
      values: mutated(operation),
      id: hostileText,
      suffix: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: junk }),
      raw: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: junk }),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(operation.route?.method ?? 'GET') },
        { weight: 1, arbitrary: fc.constantFrom('HEAD', 'GET', 'POST', 'PUT', 'DELETE') },
      ),
      payment,
      type,
    })
    .map(({ values, id, suffix, raw, method, payment: header, type: contentType }) => {
      const posted = operation.route?.method === 'POST';
      const path = `${pathOf(operation, id)}${posted ? '' : `?${raw ?? query(values)}`}${suffix}`;
      const body = posted && !['GET', 'HEAD'].includes(method) ? (raw ?? JSON.stringify(values)) : null;
      const headers = {
        ...(body !== null && { 'content-type': contentType }),
        ...(header !== null && { 'payment-signature': header }),
      };
      return { operation, method, path, body, headers };
    }),
);

const RUNS = 1_000;

describe('any request', { timeout: 600_000 }, () => {
  it('gets either the promised answer or a problem response, and never a paid answer without a payment', async () => {
    const paid = new Set<string>();
    const seen = new Map<number, number>();
    const end = ({ payment: { authorization }, requirements }: Order): Ending => {
      switch (Number(BigInt(authorization.nonce) % 4n)) {
        case 0:
          return { state: 'refused', reason: 'insufficient_funds' };
        case 1:
          return { state: 'unknown', transaction: null };
        default:
          paid.add(`${authorization.nonce} ${requirements.amount}`);
          return { state: 'settled', transaction: TRANSACTION, payer: authorization.from };
      }
    };
    const app = testApp({ end });
    await fc.assert(
      fc.asyncProperty(call, async ({ operation, method, path, body, headers }) => {
        const response = await app.http.request(path, { method, headers, body });
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
        if (method === 'HEAD') {
          expect(response.status).toBeLessThan(500);
          expect(await response.text()).toBe('');
          expect(response.headers.has('payment-response')).toBe(false);
          return;
        }
        if (response.status !== 200) {
          const { status, charged } = await problemOf(response);
          expect([status < 500, charged]).toEqual([true, false]);
          return;
        }
        expect(response.headers.get('content-type')).toBe('application/json');
        operation.output.parse(await response.json());
        if (operation.price === null) return;
        const decoded = decodePayment(headers['payment-signature']);
        const nonce = decoded.ok && decoded.payment.authorization.nonce;
        expect(paid.has(`${nonce} ${operation.price.atomic}`)).toBe(true);
        expect(headerJson(response, 'payment-response')).toMatchObject({
          success: true,
          transaction: TRANSACTION,
        });
      }),
      { numRuns: RUNS },
    );
    expect(app.bugs).toEqual([]);
    // The fuzz test is useful only if it reaches every kind of outcome.
    for (const status of hasSameInputs ? [200, 400, 402, 404, 405, 409, 415] : [])
      expect(seen.get(status)).toBeGreaterThan(RUNS / 600);
  });

  it('gets a 5xx only if the settlement fails and nothing was settled', async () => {
    const end = ({ payment: { authorization } }: Order): Ending =>
      BigInt(authorization.nonce) % 2n === 0n ? 'throws' : { state: 'not_sent', reason: 'unreachable' };
    const app = testApp({ end });
    const paying = call.filter(
      ({ operation, headers }) => operation.price !== null && 'payment-signature' in headers,
    );
    await fc.assert(
      fc.asyncProperty(paying, async ({ method, path, body, headers }) => {
        const response = await app.http.request(path, { method, headers, body });
        if (method === 'HEAD') return;
        const { status } = await problemOf(response);
        expect([400, 402, 404, 405, 409, 415, 500, 503]).toContain(status);
        expect(response.headers.has('payment-response')).toBe(false);
      }),
    );
  });
});
