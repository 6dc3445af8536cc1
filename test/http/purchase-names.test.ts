import { describe, expect, it } from 'vitest';
import { post } from '../mcp/endpoint.ts';
import { fakePayment, testApp } from '../support/app.ts';
import { settles } from './wire.ts';

const NOTICE = '/v1/late-fee-notice?due_date=2026-11-04&amount=';
const surfaces = ['HTTP', 'MCP'] as const;

/** An app that settles every payment, called over HTTP or MCP. */
function shop() {
  const app = testApp({ end: settles });
  let nonce = 100;
  const buy = async (surface: (typeof surfaces)[number], amount: number, name: string | undefined) => {
    nonce += 1;
    const headers = {
      'payment-signature': fakePayment({ nonce: String(nonce) }),
      ...(name !== undefined && { 'idempotency-key': name }),
    };
    if (surface === 'HTTP') {
      const reply = await app.get(`${NOTICE}${amount}`, headers);
      const { code, errors } = (await reply.json()) as Problem;
      return [reply.status, code, ...(errors ?? []).map(({ pointer }) => pointer)];
    }
    const params = { name: 'late_fee_notice', arguments: { amount, due_date: '2026-11-04' } };
    const { body } = await post(app, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    const { status = 200, code, errors } = (body.result?.structuredContent ?? {}) as Problem;
    return [status, code, ...(errors ?? []).map(({ pointer }) => pointer)];
  };
  return buy;
}
type Problem = { status?: number; code?: string; errors?: { pointer: string }[] };

describe.each(surfaces)('an Idempotency-Key over %s', (surface) => {
  it('identifies a purchase', async () => {
    const buy = shop();
    expect(await buy(surface, 1, 'purchase-1')).toEqual([200, undefined]);
    expect(await buy(surface, 2, 'purchase-1')).toEqual([409, 'idempotency_key_reused']);
    expect(await buy(surface, 2, ' purchase-1 ')).toEqual([409, 'idempotency_key_reused']);
    expect(await buy(surface, 2, 'purchase-2')).toEqual([200, undefined]);
  });

  it.each(['', ' ', '\t \t'])('is ignored if it is blank (%j)', async (blank) => {
    const buy = shop();
    expect(await buy(surface, 1, blank)).toEqual([200, undefined]);
    expect(await buy(surface, 2, blank)).toEqual([200, undefined]);
    expect(await buy(surface, 3, undefined)).toEqual([200, undefined]);
  });

  it('has at most 255 characters, and a request with a longer key is not charged', async () => {
    const buy = shop();
    expect(await buy(surface, 1, 'n'.repeat(255))).toEqual([200, undefined]);
    expect(await buy(surface, 2, 'n'.repeat(256))).toEqual([400, 'invalid_input', '/idempotency-key']);
  });
});

it('/openapi.json says how long the headers that identify a purchase may be, and to retry with the same key', async () => {
  const { components } = (await (await testApp().get('/openapi.json')).json()) as {
    components: { parameters: Record<string, { description: string; schema: { maxLength: number } }> };
  };
  const { IdempotencyKey, PaymentSignature } = components.parameters;
  expect([IdempotencyKey?.schema.maxLength, PaymentSignature?.schema.maxLength]).toEqual([255, 12_288]);
  expect(IdempotencyKey?.description).toMatch(/with the same key and request is not charged again/);
  expect(IdempotencyKey?.description).not.toMatch(/unique|per request/i);
});

it('an Idempotency-Key has no meaning for a free operation', async () => {
  const reply = await testApp().get('/v1/late-fee?amount=5&due_date=2026-11-04', {
    'idempotency-key': 'n'.repeat(300),
  });
  expect(reply.status).toBe(200);
});
