import { describe, expect, it } from 'vitest';
import { ownService, send } from '../http/service.ts';
import { proves } from '../spec/clauses.ts';
import { fakePayment } from '../support/app.ts';
import { MARK, markedHeaders, markedPayment, shows } from './marked.ts';

const service = ownService({ FREE_REQUESTS_PER_MINUTE: '1000000', TRUSTED_PROXIES: '127.0.0.1/32' });
const validBefore = Math.floor(Date.now() / 1000) + 100;

const QUERY = `amount=1250&due_date=2020-01-01&client_name=${MARK}&business_name=${MARK}&invoice_number=${MARK}`;
const PACK = {
  items: [{ description: MARK, unit_price: 10 }],
  business_name: MARK,
};
const paid = { 'payment-signature': markedPayment({ validBefore }) };
const json = { 'content-type': 'application/json' };

/** Requests with a mark everywhere: in good fields, bad fields, names, paths, headers and payments. */
const requests: [string, string, Parameters<typeof send>[1]][] = [
  ['a notice, unpaid', `/v1/late-fee-notice?${QUERY}`, {}],
  ['a notice, paid where nobody settles', `/v1/late-fee-notice?${QUERY}`, { headers: paid }],
  [
    'a payment that cannot be read',
    `/v1/late-fee-notice?${QUERY}`,
    { headers: { 'payment-signature': MARK } },
  ],
  [
    'a payment of another amount',
    `/v1/late-fee-notice?${QUERY}`,
    { headers: { 'payment-signature': markedPayment({ value: '5', validBefore }) } },
  ],
  ['a bad value in every parameter', `/v1/late-fee?amount=${MARK}&due_date=${MARK}&rate_type=${MARK}`, {}],
  ['unknown and repeated names', `/v1/late-fee?${MARK}=${MARK}&${MARK}=${MARK}`, {}],
  ['names that are not encoded well', `/v1/late-fee?%ff${MARK}=1&amount=%ff${MARK}`, {}],
  ['a path', `/v1/${MARK}?${MARK}=${MARK}`, {}],
  ['a listing', `/v1/tools/${MARK}`, {}],
  ['a category', `/v1/tools?category=${MARK}`, {}],
  ['a report', `/v1/stack-report?business_type=service&needs=${MARK}&team_size=${MARK}`, {}],
  ['a pack, unpaid', '/v1/quote-pack', { method: 'POST', headers: json, body: JSON.stringify(PACK) }],
  ['a free quote', '/v1/quote', { method: 'POST', headers: json, body: JSON.stringify(PACK) }],
  [
    'a body with marks for names',
    '/v1/quote',
    {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ [MARK]: MARK, items: [{ [MARK]: MARK, unit_price: MARK }] }),
    },
  ],
  ['a body that is no JSON', '/v1/quote', { method: 'POST', headers: json, body: `{"${MARK}":${MARK}` }],
  [
    'a body of another type',
    '/v1/quote',
    { method: 'POST', headers: { 'content-type': `text/${MARK}` }, body: MARK },
  ],
  ['a body too long', '/v1/quote', { method: 'POST', headers: json, body: MARK.repeat(10_000) }],
  ['another method', `/v1/quote?${MARK}`, { method: 'DELETE', body: MARK }],
  ['a preflight', '/v1/quote', { method: 'OPTIONS', headers: { origin: `https://${MARK}.example` } }],
  ['a tool call', '/mcp', { method: 'POST', headers: json, body: JSON.stringify({ [MARK]: MARK }) }],
];

describe('the log at its most detailed level', () => {
  it(proves('1-nothing-stored', 'contains nothing that a caller sent, wherever it was sent'), async () => {
    for (const [what, path, sent = {}] of requests) {
      const headers = { ...markedHeaders, ...sent.headers };
      const { status } = await send(`${service().url}${path}`, { ...sent, headers });
      expect([what, status < 500 || status === 503]).toEqual([what, true]);
    }
    const { lines } = service();
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter(shows)).toEqual([]);
    expect(lines.filter((line) => line.includes('"fault"'))).toEqual([]);
  });

  it('does not contain the addresses of callers, payers or signatures', () => {
    const { payload } = JSON.parse(Buffer.from(fakePayment({ validBefore }), 'base64').toString());
    const { from, nonce } = payload.authorization;
    for (const line of service().lines)
      for (const text of ['127.0.0.1', '::1', from, nonce, payload.signature])
        expect(line).not.toContain(text);
  });

  it('says what was called, how it ended and how long it took', () => {
    const request = service()
      .lines.map((line) => JSON.parse(line))
      .find(({ event }) => event === 'request');
    expect(Object.keys(request).sort()).toEqual(
      'duration_ms event level operation outcome request_id time'.split(' '),
    );
  });
});
