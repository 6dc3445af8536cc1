import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, test } from 'vitest';
import { type Ending, type Order, purchased } from '../../src/islands/pay/purchase.ts';
import { type Refusal, refusalOf, refusalText } from '../../src/islands/pay/refusal.ts';
import { problem } from '../../src/surfaces/problem.ts';

type Reply = { readonly status: number; readonly body: string; readonly afterMs?: number };

let server: Server | undefined;
afterEach(() => void server?.close());

/** The result of an order at a service with these replies, in order; the last reply repeats. */
async function endWith(
  replies: readonly Reply[],
  wasSent = false,
  patienceMs = 20_000,
): Promise<{ readonly ending: Ending; readonly payments: readonly unknown[] }> {
  const payments: unknown[] = [];
  const listening = createServer(async ({ headers }, response) => {
    const { status, body, afterMs = 0 } = replies[Math.min(payments.length, replies.length - 1)] as Reply;
    payments.push(headers['payment-signature']);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    response.writeHead(status, { 'retry-after': '0.02' }).end(body);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const order: Order = {
    request: { method: 'GET', url: `http://127.0.0.1:${port}/v1/x`, body: null },
    about: '',
    payment: 'signed once',
    name: 'page_0123',
    digest: null,
    untilMs: Date.now() + patienceMs,
  };
  return { ending: await purchased(order, wasSent, () => {}), payments };
}

type Code = Parameters<typeof problem>[1];
/** A problem in the service's format. */
const ours = (code: Code, more: object = {}): Reply => {
  const written = problem('https://calculator.example', code);
  return { status: written.status, body: JSON.stringify({ ...written, ...more }) };
};
const answer: Reply = { status: 200, body: '{"letter":"Hello"}' };
const lateSignature = ours('payment_required', {
  error: 'invalid_exact_evm_payload_authorization_valid_before',
});

describe('a payment that was sent', () => {
  it.each<[string, Reply]>([
    ['a page from a proxy', { status: 403, body: '<h1>Forbidden</h1> Nothing was charged' }],
    ['a problem without a code', { status: 400, body: '{"title":"Bad Request","status":400}' }],
    [
      'a problem with the code of another service',
      { status: 403, body: '{"code":"blocked","charged":false}' },
    ],
    ['a problem that does not say what was charged', { status: 404, body: '{"code":"not_found"}' }],
    ['a price from another service', { status: 402, body: '{"error":"insufficient_funds"}' }],
    [
      'a code that is a property of every object',
      { status: 400, body: '{"code":"toString","charged":false}' },
    ],
    ['JSON that is not an object', { status: 409, body: '"rejected_or_not_received"' }],
  ])('is not given up because of %s, but repeated unchanged and answered', async (_, reply) => {
    const { ending, payments } = await endWith([reply, reply, answer]);
    expect(ending).toEqual({ kind: 'bought', body: { letter: 'Hello' }, transaction: null });
    expect(payments).toEqual(['signed once', 'signed once', 'signed once']);
  });

  it('is tried once more after the phone slept through an attempt, however long it slept', async () => {
    const slept: Reply = { status: 502, body: '', afterMs: 300 };
    const { ending, payments } = await endWith([slept, answer], false, 200);
    expect(ending.kind).toBe('bought');
    expect(payments).toHaveLength(2);
  });

  it('has no known result while only a proxy answers', async () => {
    const { ending } = await endWith([{ status: 403, body: '<h1>Forbidden</h1>' }], false, 200);
    expect(ending).toEqual({ kind: 'unknown' });
  });

  it.each<Code>(['waiting', 'settlement_unavailable', 'internal', 'rate_limited', 'request_timeout'])(
    'is repeated after %s',
    async (code) => {
      const { ending, payments } = await endWith([ours(code), answer]);
      expect(ending.kind).toBe('bought');
      expect(payments).toHaveLength(2);
    },
  );

  it('is refused if the service says so at once', async () => {
    const { ending, payments } = await endWith([lateSignature]);
    expect(ending).toEqual({
      kind: 'refused',
      says: 'The signature expired before it reached us. It is valid only for a short time. Nothing was charged.',
      isNameSpent: false,
    });
    expect(payments).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['a service that waited', ours('waiting')],
    ['a fault of the service', ours('internal')],
    ['a proxy', { status: 502, body: '' }],
  ])('may have succeeded if its signature has expired after the reply of %s', async (_, before) => {
    expect((await endWith([before, lateSignature])).ending).toEqual({ kind: 'doubtful', isSpent: false });
  });

  it.each<[string, Reply]>([
    ['an expired signature', lateSignature],
    [
      'too little money, because the payment may already have used it',
      ours('payment_required', { error: 'insufficient_funds' }),
    ],
    ['an input without an answer, which is noticed before the payment is looked up', ours('analysis_failed')],
    ['invalid input', ours('invalid_input', { errors: [{ pointer: '', code: 'x', detail: 'is wrong' }] })],
  ])('before a reload is not given up because of %s', async (_, reply) => {
    expect((await endWith([reply], true)).ending).toEqual({ kind: 'doubtful', isSpent: false });
  });

  it('has moved money if its nonce was used', async () => {
    const used = ours('payment_required', { error: 'invalid_exact_evm_nonce_already_used' });
    expect((await endWith([ours('waiting'), used])).ending).toEqual({ kind: 'doubtful', isSpent: true });
    expect((await endWith([used])).ending).toEqual({ kind: 'doubtful', isSpent: true });
  });

  it('can no longer move money if the service says so, and the buyer is asked to check the account', async () => {
    const { ending } = await endWith([ours('waiting'), ours('rejected_or_not_received')]);
    expect(ending).toMatchObject({ kind: 'refused', isNameSpent: false });
    expect(ending).toHaveProperty('says', expect.stringContaining('Check whether your account has paid'));
  });

  it('loses its purchase name if the name was used for something else', async () => {
    expect((await endWith([ours('idempotency_key_reused')])).ending).toMatchObject({ isNameSpent: true });
  });
});

test('the reason for a missing answer is explained plainly', () => {
  const says = (code: Refusal['code'], more: Partial<Refusal> = {}) =>
    refusalText({ code, errors: [], ...more });
  expect(says('payment_required', { error: 'insufficient_funds' })).toMatch(/\benough USDC\b.*\bcharged\b/);
  expect(
    says('payment_required', { error: 'unsupported_scheme', detail: 'Only the scheme exact is accepted.' }),
  ).toBe('Only the scheme exact is accepted.');
  expect(says('analysis_failed', { detail: 'No listing meets it.' })).toBe('No listing meets it.');
  expect(says('settlement_unavailable', { detail: 'No settler could be reached.' })).toBe(
    'Something went wrong on our side. Please try again in a moment. Nothing was charged.',
  );
  // A reply that is not from the service is no evidence about the money.
  expect(refusalText(null)).toBe(
    'Something went wrong on our side. Please try again in a moment. Your wallet was not asked for anything.',
  );
});

test('a refusal may have errors or none', async () => {
  const of = (body: object) => refusalOf(new Response(JSON.stringify({ charged: false, ...body })));
  expect(await of({ code: 'invalid_input', errors: 'many', detail: 3 })).toEqual({
    code: 'invalid_input',
    errors: [],
  });
  expect(await of({ code: 'invalid_input', charged: true })).toBeNull();
});
