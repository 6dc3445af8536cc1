import { describe, expect, it } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import { legacy, post } from '../mcp/endpoint.ts';
import { fakePayment, testApp } from '../support/app.ts';

const MOST = 300;
const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21';
const WRONG = '/v1/late-fee-notice?amount=x';
const PACK = { items: [{ unit_price: 450 }] };

const settledApp = (parts: Partial<AppParts> = {}) =>
  testApp({
    baseUrl: 'http://127.0.0.1:4021',
    freeRequestsPerMinute: 30,
    ...parts,
    end: ({ payment: { authorization } }) => ({
      state: 'settled',
      transaction: `0x${'ab'.repeat(32)}`,
      payer: authorization.from,
    }),
  });
const paying = (changes: Parameters<typeof fakePayment>[0] = {}) => ({
  'payment-signature': fakePayment(changes),
});

/** Uses up the unpaid requests of an address. */
async function flood(app: ReturnType<typeof testApp>): Promise<void> {
  for (let count = 0; count < MOST; count += 1) await app.get(NOTICE);
}

describe('requests for paid routes without a payment', () => {
  it('are limited to 300 a minute for each address, and then get 429', async () => {
    const app = settledApp();
    for (let count = 0; count < MOST; count += 1) {
      const { status, headers } = await app.get(NOTICE);
      expect([status, headers.get('ratelimit')]).toEqual([402, null]);
    }
    const refused = await app.get(NOTICE);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('ratelimit-policy')).toBe('"unpaid";q=300;w=60');
    expect(refused.headers.get('ratelimit')).toBe(`"unpaid";r=0;t=${wait}`);
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      charged: false,
      'violated-policies': ['unpaid'],
      detail: expect.stringMatching(new RegExp(`\\b300\\b.*\\b${wait} s\\b.*\\bpayment\\b`)),
    });
  });

  it('count whatever is wrong with them, on all paid routes together', async () => {
    const app = settledApp();
    const kinds = [
      () => app.get(WRONG),
      () => app.http.request(NOTICE, { method: 'HEAD', headers: paying() }),
      () => app.get(NOTICE, { 'payment-signature': '%%%' }),
      () => app.post('/v1/quote-pack', PACK),
      () => app.post('/v1/quote-pack', 'no JSON'),
      () => app.get('/v1/stack-report?business_type=trades'),
    ];
    for (let count = 0; count < MOST; count += 1) {
      const reply = await kinds[count % kinds.length]?.();
      expect(reply?.status).not.toBe(429);
    }
    for (const ask of kinds) expect((await ask()).status).toBe(429);
  });

  it('have no effect on free routes, documents or other methods', async () => {
    const app = settledApp();
    await flood(app);
    for (const path of ['/v1/late-fee?amount=1&due_date=2026-11-04', '/v1/tools', '/openapi.json', '/'])
      expect((await app.get(path)).status).toBe(200);
    expect((await app.http.request(NOTICE, { method: 'PUT' })).status).toBe(405);
  });
});

describe('a request with a payment above the limit for unpaid requests', () => {
  it('is answered, and collects an answer that was already bought', async () => {
    const app = settledApp();
    await flood(app);
    for (let turn = 0; turn < 3; turn += 1) expect((await app.get(NOTICE, paying())).status).toBe(200);
    for (let nonce = 2; nonce < MOST + 10; nonce += 1)
      expect((await app.get(NOTICE, paying({ nonce: String(nonce) }))).status).toBe(200);
  });

  it('is also answered over MCP, while everything else is refused', async () => {
    const app = settledApp();
    const call = (_meta?: object) =>
      legacy('tools/call', {
        name: 'late_fee_notice',
        arguments: { amount: 1250, due_date: '2026-09-01', paid_date: '2026-11-21' },
        ..._meta,
      });
    for (let count = 0; count < MOST; count += 1) await post(app, legacy('ping'));
    expect((await post(app, call())).status).toBe(429);
    expect((await post(app, call({ _meta: { 'x402/payment': '%%%' } }))).status).toBe(429);
    expect((await post(app, legacy('x402/payment'))).status).toBe(429);
    const free = { name: 'late_fee', arguments: { amount: 1, due_date: '2026-11-04' } };
    const paidFree = legacy('tools/call', { ...free, _meta: { 'x402/payment': fakePayment() } });
    expect((await post(app, paidFree)).status).toBe(429);
    for (let turn = 0; turn < 2; turn += 1) {
      const inMeta = await post(app, call({ _meta: { 'x402/payment': fakePayment() } }));
      expect([inMeta.status, inMeta.body.result?.isError]).toEqual([200, undefined]);
      const inHeader = await post(app, call(), paying());
      expect([inHeader.status, inHeader.body.result?.isError]).toEqual([200, undefined]);
    }
  });
});

describe('payments with an input that buys nothing', () => {
  it('count as refused, so that they do not avoid the limit', async () => {
    const app = settledApp({ refusedPaymentsPerMinute: 3 });
    expect((await app.get(NOTICE, paying())).status).toBe(200);
    for (let nonce = 2; nonce < 5; nonce += 1)
      expect((await app.get(WRONG, paying({ nonce: String(nonce) }))).status).toBe(400);
    const refused = await app.get(WRONG, paying({ nonce: '9' }));
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      429,
      'rate_limited',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // A paid answer can still be collected.
    expect((await app.get(NOTICE, paying())).status).toBe(200);
  });
});
