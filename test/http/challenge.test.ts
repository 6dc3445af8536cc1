import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { BASE_URL, catalog, fakePayment, PAYEE, testApp } from '../support/app.ts';
import { faultsOf, headerJson, payingApp, problemOf } from './wire.ts';

const app = testApp();
const products: [string, string, () => Promise<Response>][] = [
  [
    '/v1/late-fee-notice',
    '10000',
    () => app.get('/v1/late-fee-notice?amount=1250&due_date=2026-11-04&client_name=MARKED'),
  ],
  [
    '/v1/quote-pack',
    '50000',
    () => app.post('/v1/quote-pack', { items: [{ unit_price: 1, description: 'MARKED' }] }),
  ],
];

describe.each(products)('the challenge of %s', (path, amount, ask) => {
  it(
    proves(
      ['3-challenged', '4-rule-402', '5-x402', '9-payment-version'],
      'is a 402 with the options to pay in PAYMENT-REQUIRED',
    ),
    async () => {
      const response = await ask();
      expect(response.status).toBe(402);
      const required = headerJson(response, 'payment-required');
      expect(required).toMatchObject({
        x402Version: 2,
        error: 'payment_required',
        resource: { url: `${BASE_URL}${path}`, mimeType: 'application/json' },
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:8453',
            amount,
            asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
            payTo: PAYEE,
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
      });
      expect(required.accepts.length).toBe(1);
    },
  );

  it('has the same terms in its body, with an explanation for people', async () => {
    const response = await ask();
    const { extensions, ...required } = headerJson(response, 'payment-required');
    const problem = await problemOf(response);
    expect(problem).toMatchObject(required);
    // The body also has the parts of `bazaar` for which a header has no room.
    expect(Object.keys(problem.extensions ?? {})).toEqual(Object.keys(extensions));
    expect(problem.detail).toMatch(/\b0\.0[15] USD\b.*\bx402 v2\b.*\bexact\b/);
    expect(problem.price_usd).toBe(`0.${amount === '10000' ? '01' : '05'}`);
  });

  it('may be read by a page of any origin', async () => {
    const { headers } = await ask();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toMatch(/PAYMENT-REQUIRED, PAYMENT-RESPONSE/);
  });

  it('is the same for everybody, and repeats nothing from the request', async () => {
    const [one, other] = [await ask(), await ask()];
    expect(one.headers.get('payment-required')).toBe(other.headers.get('payment-required'));
    expect(JSON.stringify(headerJson(one, 'payment-required'))).not.toContain('MARKED');
    expect(await one.text()).not.toContain('MARKED');
  });
});

describe('a challenge', () => {
  it('tells a client of x402 version 1 which version and header are expected', async () => {
    const reply = await testApp().get('/v1/late-fee-notice?amount=1250&due_date=2026-11-04', {
      'x-payment': 'e30=',
    });
    expect(reply.status).toBe(402);
    const body = (await reply.json()) as Record<string, string>;
    expect(body.error).toBe('invalid_x402_version');
    expect(body.detail).toMatch(/\bversion 2\b.*\bPAYMENT-SIGNATURE\b/);
  });

  it('never takes its address from the Host header', async () => {
    const url = 'http://evil.example/v1/late-fee-notice?amount=5&due_date=2026-11-04';
    const response = await app.http.request(url, {
      headers: { 'x-forwarded-host': 'evil.example', host: 'evil.example', forwarded: 'host=evil.example' },
    });
    expect(headerJson(response, 'payment-required').resource.url).toBe(`${BASE_URL}/v1/late-fee-notice`);
    expect(await response.text()).not.toContain('evil');
  });

  it('is made only for an input that has an answer', async () => {
    expect(await faultsOf(await app.get('/v1/late-fee-notice'))).toEqual([
      '/amount required',
      '/due_date required',
    ]);
    expect(await faultsOf(await app.post('/v1/quote-pack', ''))).toEqual(['/items required']);
  });
});

describe('a request with no input at all', () => {
  const cold = payingApp({ coldProbe: 402 });
  const bare = (method: string, path: string) => cold.http.request(path, { method });

  it('gets the price if the operator wants catalogs to see one', async () => {
    expect((await bare('GET', '/v1/late-fee-notice')).status).toBe(402);
    expect((await bare('HEAD', '/v1/late-fee-notice')).status).toBe(402);
    expect((await bare('POST', '/v1/quote-pack')).status).toBe(402);
    expect((await cold.post('/v1/quote-pack', '')).status).toBe(402);
    expect((await cold.post('/v1/quote-pack', {})).status).toBe(402);
  });

  it('gets 400 instead of a price once it sends invalid input or a payment, and on free routes', async () => {
    expect((await cold.get('/v1/late-fee-notice?amount=')).status).toBe(400);
    expect((await cold.get('/v1/late-fee-notice?amount=5&amount=6')).status).toBe(400);
    expect((await cold.post('/v1/quote-pack', '{"items":')).status).toBe(400);
    expect((await cold.post('/v1/quote-pack', '[]')).status).toBe(400);
    expect((await cold.get('/v1/late-fee-notice', { 'payment-signature': fakePayment() })).status).toBe(400);
    expect((await cold.get('/v1/late-fee')).status).toBe(400);
    expect((await bare('POST', '/v1/quote')).status).toBe(400);
    expect(cold.orders.length).toBe(0);
  });

  it('gets an error that names the missing input and the page on which a person can pay', async () => {
    const response = await bare('POST', '/v1/quote-pack');
    const page = catalog.find(({ name }) => name === 'quote_pack')?.page?.path;
    expect(await response.json()).toMatchObject({
      pay_page: `${BASE_URL}${page}#step=options`,
      input_missing: expect.stringContaining('Send items, then pay'),
      error: 'payment_required',
    });
  });

  it('is refused field by field by default', async () => {
    expect(await faultsOf(await app.http.request('/v1/quote-pack', { method: 'POST' }))).toEqual([
      '/items required',
    ]);
  });
});
