import { decodePaymentResponseHeader } from '@x402/core/http';
import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { type Ending, fakePayment, NOON, PAYEE, testApp } from '../support/app.ts';
import { answerOf, faultsOf, headerJson, payingApp, problemOf, TRANSACTION } from './wire.ts';

const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-11-04&paid_date=2026-11-21';
const PAYER = '0x00000000000000000000000000000000000000bb';
const paid = (changes: Parameters<typeof fakePayment>[0] = {}) => ({
  'payment-signature': fakePayment(changes),
});
const settled: Ending = { state: 'settled', transaction: TRANSACTION, payer: PAYER };
const unknown: Ending = { state: 'unknown', transaction: TRANSACTION };

/** Creates an app whose settlements have these results, in order, and counts them. */
function scripted(...endings: Ending[]) {
  const state = { asked: 0, nowMs: NOON };
  const app = testApp({
    now: () => state.nowMs,
    end: () => {
      state.asked += 1;
      return endings.shift() ?? { state: 'not_sent', reason: 'out of script' };
    },
  });
  return { ...app, state };
}

describe('a valid payment', () => {
  it(
    proves(
      ['3-settled', '5-payment-signature', '5-payment-response', '2.5-content-type', '4-rule-402'],
      'is settled with the authorization in PAYMENT-SIGNATURE and answered with the receipt',
    ),
    async () => {
      const app = payingApp();
      const unpaid = await app.get(NOTICE);
      expect([unpaid.status, unpaid.headers.has('payment-response')]).toEqual([402, false]);
      const response = await app.get(NOTICE, paid());
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('access-control-expose-headers')).toContain('PAYMENT-RESPONSE');
      expect(decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')).toEqual({
        success: true,
        transaction: TRANSACTION,
        network: 'eip155:8453',
        payer: PAYER,
        amount: '10000',
      });
      expect(app.orders.length).toBe(1);
      expect(app.orders[0]?.payment.authorization).toMatchObject({ from: PAYER, value: 10_000n });
      expect(app.orders[0]?.requirements).toMatchObject({ payTo: PAYEE, amount: '10000' });
    },
  );

  it(proves('7-409', 'buys no other request'), async () => {
    const app = payingApp();
    await app.get(NOTICE, paid());
    const other = await app.get(NOTICE.replace('1250', '1251'), paid());
    expect(await problemOf(other)).toMatchObject({
      status: 409,
      code: 'payment_already_used',
      charged: false,
    });
    const forged = await app.get(NOTICE, paid({ signature: '22' }));
    expect(await problemOf(forged)).toMatchObject({ code: 'payment_already_used' });
    expect(app.orders.length).toBe(1);
  });
});

describe('a payment that does not match', () => {
  it.each([
    [{ value: '9999' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [{ value: '50000' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [{ validBefore: NOON / 1000 + 5 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validBefore: NOON / 1000 - 60 }, 'invalid_exact_evm_payload_authorization_valid_before'],
    [{ validBefore: NOON / 1000 + 86_401 }, 'invalid_exact_evm_payload_authorization_valid_before'],
  ])(
    'is answered with a new challenge that names the reason, and is not sent: %j',
    async (changes, reason) => {
      const app = payingApp();
      const response = await app.get(NOTICE, paid(changes));
      expect(headerJson(response, 'payment-required').error).toBe(reason);
      expect(await problemOf(response)).toMatchObject({ status: 402, error: reason });
      expect(app.orders.length).toBe(0);
    },
  );

  it(
    proves('7-402', 'is answered with a new challenge that names the reason from the settlement'),
    async () => {
      const app = scripted({ state: 'refused', reason: 'insufficient_funds' }, settled);
      const response = await app.get(NOTICE, paid());
      expect(headerJson(response, 'payment-response')).toEqual({
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: 'eip155:8453',
        payer: PAYER,
      });
      const problem = await problemOf(response);
      expect(problem).toMatchObject({ status: 402, error: 'insufficient_funds', charged: false });
      expect(problem.detail).toMatch(/\bUSDC\b.*\. .*\b0\.01 USD\b/);
      // Once the buyer has the money, the same payment works. A rejection is remembered for five seconds.
      app.state.nowMs += 5_001;
      expect((await app.get(NOTICE, paid())).status).toBe(200);
    },
  );
});

describe('a payment that cannot be read', () => {
  it.each(['', 'x', '%%%', 'e30', `${fakePayment()}, ${fakePayment()}`, 'eyJ4NDAyVmVyc2lvbiI6MX0='])(
    'is reported as invalid, not as missing: %j',
    async (text) => {
      const app = payingApp();
      const problem = await problemOf(await app.get(NOTICE, { 'payment-signature': text }));
      expect(problem).toMatchObject({ status: 400, code: 'invalid_payment' });
      expect(problem.errors?.every(({ pointer }) => pointer.startsWith('/payment'))).toBe(true);
      expect(app.orders.length).toBe(0);
    },
  );

  it('is reported together with the faults of the input', async () => {
    const response = await payingApp().get('/v1/late-fee-notice?amount=x', { 'payment-signature': '?' });
    expect(await faultsOf(response)).toEqual([
      '/amount invalid_number',
      '/due_date required',
      '/payment undecodable',
    ]);
  });

  it('is ignored by free operations', async () => {
    const response = await payingApp().get('/v1/late-fee?amount=5&due_date=2026-11-04', {
      'payment-signature': '?',
    });
    expect(response.headers.has('payment-response')).toBe(false);
    await answerOf(response);
  });
});

describe('a settlement with an unknown result', () => {
  it(
    proves('3-waiting', 'gets a 409 that asks for the identical request, and later the answer'),
    async () => {
      const app = scripted(unknown, unknown, settled);
      for (const _try of [1, 2]) {
        const response = await app.get(NOTICE, paid());
        expect(response.headers.get('retry-after')).toMatch(/^[1-9][0-9]?$/);
        expect(headerJson(response, 'payment-response')).toMatchObject({
          success: false,
          errorReason: 'settlement_pending',
          transaction: TRANSACTION,
        });
        expect(await problemOf(response)).toMatchObject({ status: 409, state: 'waiting', charged: false });
      }
      // The result is looked up again after the pause in Retry-After.
      app.state.nowMs += 1_000;
      const response = await app.get(NOTICE, paid());
      expect(headerJson(response, 'payment-response').success).toBe(true);
      await answerOf(response);
    },
  );

  it(proves('3-rejected-or-not-received', 'gets a final 409 if it moved no money'), async () => {
    const refused: Ending = { state: 'refused', reason: 'invalid_transaction_state' };
    const app = scripted(unknown, refused, refused);
    await app.get(NOTICE, paid());
    for (const _try of [1, 2]) {
      const response = await app.get(NOTICE, paid());
      expect(await problemOf(response)).toMatchObject({
        status: 409,
        state: 'rejected_or_not_received',
        charged: false,
      });
    }
  });
});

describe('a failure upstream', () => {
  it(
    proves(['3-failed', '7-5xx'], 'gets a 503 if nothing was sent, and the same payment can be used later'),
    async () => {
      const app = scripted({ state: 'not_sent', reason: 'unreachable' }, settled);
      const response = await app.get(NOTICE, paid());
      expect(response.headers.get('retry-after')).toMatch(/^[1-9][0-9]?$/);
      expect(response.headers.has('payment-response')).toBe(false);
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'settlement_unavailable' });
      expect((await app.get(NOTICE, paid())).status).toBe(200);
    },
  );

  it('gets a 5xx that does not show the cause, and is not held against the payment', async () => {
    const app = scripted('throws', settled);
    const response = await app.get(NOTICE, paid());
    const text = await response.clone().text();
    expect(text).not.toMatch(/broken|settler|Error:|\.ts/);
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal', charged: false });
    expect(app.bugs.length).toBe(1);
    expect((await app.get(NOTICE, paid())).status).toBe(200);
  });
});

describe('a HEAD request', () => {
  it('for a paid operation never pays and never shows an answer', async () => {
    const app = payingApp();
    const head = (path: string) => app.http.request(path, { method: 'HEAD', headers: paid() });
    const response = await head(NOTICE);
    expect([response.status, await response.text()]).toEqual([402, '']);
    expect(headerJson(response, 'payment-required').accepts[0].amount).toBe('10000');
    expect((await head('/v1/late-fee-notice')).status).toBe(400);
    expect((await head('/v1/quote-pack')).status).toBe(405);
    expect(app.orders.length).toBe(0);
  });
});
