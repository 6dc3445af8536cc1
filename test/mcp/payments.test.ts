import type { PaymentRequirements } from '@x402/core/types';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { proves } from '../spec/clauses.ts';
import type { TestApp } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, earned, headerJson } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { callTool, ERAS, type Era, request, type ToolResult } from './endpoint.ts';

const CENT = 10_000n;
const VALUES = { amount: 1250, due_date: '2026-09-01', paid_date: '2026-11-21' };
const QUERY = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&paid_date=2026-11-21';

type Way = 'an object' | 'base64' | 'base64url' | 'the header';
const WAYS: readonly Way[] = ['an object', 'base64', 'base64url', 'the header'];

/** Calls a tool and pays in one of the ways that buyers' clients use. */
async function pay(
  app: TestApp,
  era: Era,
  payment: SignedPayment,
  { way = 'an object' as Way, name = 'late_fee_notice', values = VALUES as unknown } = {},
): Promise<ToolResult> {
  const text = paymentHeader(payment);
  const meta: Record<Way, unknown> = {
    'an object': payment,
    base64: text,
    base64url: Buffer.from(text, 'base64').toString('base64url'),
    'the header': undefined,
  };
  const isHeader = way === 'the header';
  const { body } = await request(app, era, 'tools/call', {
    params: { name, arguments: values, ...(isHeader ? {} : { _meta: { 'x402/payment': meta[way] } }) },
    headers: isHeader ? { 'payment-signature': text } : {},
  });
  return body.result as ToolResult;
}

const receiptOf = ({ _meta }: ToolResult) =>
  _meta?.['x402/payment-response'] as Record<string, unknown> | undefined;

/** A client that pays for every challenge must not find one here. */
function expectNoChallenge(result: ToolResult): void {
  expect(result.isError).toBe(true);
  expect(result._meta?.['x402/error']).toBeUndefined();
  expect(JSON.stringify(result)).not.toContain('accepts');
}

describe('a paid tool', () => {
  const chain = sharedChain();
  let app: TestApp;
  let buyer: DevAccount;
  let accepted: PaymentRequirements;
  let before: bigint;

  beforeEach(async () => {
    app = chainApp(chain());
    buyer = chain().buyers[0] as DevAccount;
    const unpaid = await callTool(app, 'modern', 'late_fee_notice', { arguments: VALUES });
    accepted = (unpaid.structuredContent as { accepts: [PaymentRequirements] }).accepts[0];
    before = await earned(chain());
  });
  const sign = (more: Partial<Parameters<typeof signAuthorization>[0]> = {}) =>
    signAuthorization({ buyer, accepted, ...more });
  const gain = async () => (await earned(chain())) - before;

  it.each(ERAS)('states its price in one challenge, in every place where clients look (%s)', async (era) => {
    const result = await callTool(app, era, 'late_fee_notice', { arguments: VALUES });
    const required = result.structuredContent;
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject(required as object);
    expect(required).toMatchObject(result._meta?.['x402/error'] as object);
    expect(result._meta?.['x402/error']).toMatchObject({ x402Version: 2, accepts: required?.accepts });
    expect(required).toMatchObject({
      x402Version: 2,
      error: 'payment_required',
      resource: { url: 'mcp://tool/late_fee_notice', mimeType: 'application/json' },
      accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '10000', payTo: chain().payee }],
      price_usd: '0.01',
    });
  });

  for (const era of ERAS)
    it.each(WAYS)(`in the ${era} revisions is bought with a payment as %s`, async (way) => {
      const result = await pay(app, era, await sign(), { way });
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toMatchObject({
        fee: { late_fee: 50.63 },
        reminder: { tone: 'polite' },
      });
      expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
      expect(receiptOf(result)).toMatchObject({
        success: true,
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        network: 'eip155:8453',
        payer: buyer.address.toLowerCase(),
      });
      expect(await gain()).toBe(CENT);
    });

  it(proves('5-mcp-meta', 'uses the payment in _meta rather than the one in the header'), async () => {
    const payment = await sign();
    const { body } = await request(app, 'legacy', 'tools/call', {
      params: { name: 'late_fee_notice', arguments: VALUES, _meta: { 'x402/payment': payment } },
      headers: { 'payment-signature': 'nonsense' },
    });
    expect(body.result?.isError).toBeUndefined();
    expect(await gain()).toBe(CENT);
  });

  it('is the same purchase over HTTP, with the same answer and receipt and one charge', async () => {
    const payment = await sign();
    const overMcp = await pay(app, 'modern', payment);
    const overHttp = await app.get(QUERY, { 'payment-signature': paymentHeader(payment) });
    expect(overHttp.status).toBe(200);
    expect(await overHttp.json()).toEqual(overMcp.structuredContent);
    expect(headerJson(overHttp, 'payment-response')).toEqual(receiptOf(overMcp));
    const again = await pay(app, 'legacy', payment, { way: 'base64' });
    expect(again).toMatchObject({ structuredContent: overMcp.structuredContent });
    expect(receiptOf(again)).toEqual(receiptOf(overMcp));
    expect(await gain()).toBe(CENT);
  });

  it('is the same purchase if it was first bought over HTTP, even with numbers as text', async () => {
    const payment = await sign();
    const overHttp = await app.get(QUERY, { 'payment-signature': paymentHeader(payment) });
    const overMcp = await pay(app, 'legacy', payment, {
      values: { ...VALUES, amount: '1250.00', rate: null },
    });
    expect(overMcp.structuredContent).toEqual(await overHttp.json());
    expect(await gain()).toBe(CENT);
  });

  it('is settled once if both surfaces get the payment at the same time', async () => {
    const payment = await sign();
    const results = await Promise.all([
      pay(app, 'modern', payment),
      pay(app, 'legacy', payment, { way: 'the header' }),
      app.get(QUERY, { 'payment-signature': paymentHeader(payment) }),
    ]);
    expect(results[0].structuredContent).toEqual(results[1].structuredContent);
    expect(results[2].status).toBe(200);
    expect(await gain()).toBe(CENT);
  });

  it('cannot be bought with a used payment, and states its price again', async () => {
    const payment = await sign();
    await pay(app, 'modern', payment);
    for (const era of ['modern', 'legacy'] as const) {
      const result = await pay(app, era, payment, { values: { ...VALUES, amount: 99 } });
      expect(result.structuredContent).toMatchObject({ x402Version: 2, error: 'payment_already_used' });
      expect(result.structuredContent).toHaveProperty('accepts.0.amount', '10000');
    }
    expect(await gain()).toBe(CENT);
  });

  it('can be bought repeatedly by a client that keeps its signature until it gets the price', async () => {
    let kept = await sign();
    for (const amount of [1250, 1251, 1252]) {
      const values = { ...VALUES, amount };
      let result = await pay(app, 'modern', kept, { values });
      if (result.isError && 'accepts' in (result.structuredContent as object)) {
        kept = await sign();
        result = await pay(app, 'modern', kept, { values });
      }
      expect(result.structuredContent).toMatchObject({ fee: { amount } });
    }
    expect(await gain()).toBe(3n * CENT);
  });

  it('charges nothing for invalid arguments with a valid payment', async () => {
    const result = await pay(app, 'modern', await sign(), { values: { ...VALUES, due_date: '2027-01-01' } });
    expectNoChallenge(result);
    expect(result.structuredContent).toMatchObject({ code: 'invalid_input', charged: false });
    expect(await gain()).toBe(0n);
  });

  it('is not sold for an unreadable payment, and the error says how to write a valid one', async () => {
    for (const payment of ['%%%', 'e30=', {}, 5, true, [], { x402Version: 1 }]) {
      const result = await callTool(app, 'modern', 'late_fee_notice', {
        arguments: VALUES,
        _meta: { 'x402/payment': payment },
      });
      expectNoChallenge(result);
      expect(result.structuredContent).toMatchObject({ code: 'invalid_payment', charged: false });
      expect(result.content[0]?.text).toContain('_meta["x402/payment"]');
    }
  });

  it.each([
    [{ authorization: { value: '1' } }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    [
      { afterSigning: { value: '10000', nonce: `0x${'12'.repeat(32)}` } },
      'invalid_exact_evm_payload_signature',
    ],
    [{ authorization: { validBefore: '1' } }, 'invalid_exact_evm_payload_authorization_valid_before'],
  ] as const)('states its price again, with the reason, for a payment with %j', async (wrong, reason) => {
    const result = await pay(app, 'modern', await sign(wrong));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { x402Version: 2, error: reason, accepts: [{ amount: '10000' }] },
      _meta: { 'x402/error': { error: reason } },
    });
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject(result.structuredContent as object);
    expect(await gain()).toBe(0n);
  });

  it('keeps a payment identifier, so a buyer who signs again after a lost reply is not charged twice', async () => {
    const extensions = { 'payment-identifier': { info: { required: false, id: 'mcp-purchase-0123456789' } } };
    const first = await pay(app, 'modern', await sign({ extensions }));
    const second = await pay(app, 'legacy', await sign({ extensions }));
    expect(second.structuredContent).toEqual(first.structuredContent);
    expect(receiptOf(second)).toEqual(receiptOf(first));
    expect(await gain()).toBe(CENT);
  });

  it('differs from a free tool, which ignores a payment', async () => {
    const result = await pay(app, 'modern', await sign(), { name: 'late_fee' });
    expect(result.isError).toBeUndefined();
    expect(receiptOf(result)).toBeUndefined();
    expect(await gain()).toBe(0n);
  });
});
