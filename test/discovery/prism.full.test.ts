import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { exampleTarget } from '../../src/surfaces/discovery/example-request.ts';
import { type Ending, fakePayment } from '../support/app.ts';
import { type Prism, startPrism } from '../support/validating-proxy/prism.ts';
import { type Served, served } from './served.ts';
import { httpOperations, paidOperations } from './support.ts';

const FREE_REQUESTS = 60;

/** The nonce of the payment selects the result of the settlement. */
const endings: Record<string, (order: Order) => Ending> = {
  a: ({ payment }) => ({
    state: 'settled',
    transaction: `0x${'ab'.repeat(32)}`,
    payer: payment.authorization.from,
  }),
  b: () => ({ state: 'refused', reason: 'insufficient_funds' }),
  c: () => ({ state: 'unknown', transaction: null }),
  d: () => ({ state: 'not_sent', reason: 'test' }),
  e: () => 'throws',
};

/** A description that no answer matches, to show that the proxy validates. */
const WRONG = {
  description: 'Not what the service answers.',
  content: { 'application/json': { schema: { type: 'object', required: ['no_such_field'] } } },
};

let service: Served;
let prism: Prism;

beforeAll(async () => {
  service = await served({
    freeRequestsPerMinute: FREE_REQUESTS,
    end: (order) =>
      (endings[order.payment.authorization.nonce.at(-1) ?? ''] as (order: Order) => Ending)(order),
  });
  const document = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text());
  document.paths['/.well-known/x402'] = { get: { responses: { 200: WRONG } } };
  prism = await startPrism(document, service.url, { validateRequests: true });
});
afterAll(async () => {
  await prism.stop();
  await service.stop();
});

type Violation = { location: string[]; message: string };
type Passed = { status: number; code: string | undefined; request: Violation[]; response: Violation[] };

/** Sends a request through the proxy; returns the reply and the violations on either side. */
async function pass(target: string, init: RequestInit = {}): Promise<Passed> {
  const answer = await fetch(`${prism.url}${target}`, init);
  const violations = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as Violation[];
  const of = (side: string) => violations.filter(({ location }) => location[0] === side);
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code, request: of('request'), response: of('response') };
}

function callThrough(operation: Operation, headers: Record<string, string> = {}, changes: object = {}) {
  const target = exampleTarget({ ...operation, example: { ...operation.example, ...changes } });
  if (operation.route?.method === 'GET') return pass(target, { headers });
  return pass(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...operation.example, ...changes }),
  });
}

const allowed = { request: [], response: [] };
const payment = (operation: Operation, nonce: string, more: object = {}) => ({
  'payment-signature': fakePayment({ value: operation.price?.atomic ?? '', nonce, ...more }),
});

describe.each(httpOperations)('through a validating proxy, $name', (operation) => {
  it('answers its example as documented', async () => {
    const status = operation.price === null ? 200 : 402;
    expect(await callThrough(operation)).toMatchObject({ ...allowed, status });
  });

  it('rejects an unknown field as documented', async () => {
    const refused =
      operation.route?.method === 'POST'
        ? await callThrough(operation, {}, { colour: 'blue' })
        : await pass(
            `${exampleTarget(operation)}${exampleTarget(operation).includes('?') ? '&' : '?'}colour=blue`,
          );
    expect(refused).toMatchObject({ status: 400, code: 'invalid_input', response: [] });
  });

  it('rejects a body with another type or size as documented', async () => {
    if (operation.route?.method !== 'POST') return;
    const { path } = operation.route;
    const typed = await pass(path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' });
    expect(typed).toMatchObject({ status: 415, response: [] });
    const long = await pass(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items: 'x'.repeat(70_000) }),
    });
    expect(long).toMatchObject({ status: 413, response: [] });
  });
});

describe.each(paidOperations)('through a validating proxy, a purchase of $name', (operation) => {
  const number = paidOperations.indexOf(operation) + 1;
  const ends: [string, number, string | undefined][] = [
    ['a', 200, undefined],
    ['b', 402, 'payment_required'],
    ['c', 409, 'waiting'],
    ['d', 503, 'settlement_unavailable'],
    ['e', 500, 'internal'],
  ];

  it.each(ends)('with the result %s gets %i %s as documented', async (end, status, code) => {
    const answer = await callThrough(operation, payment(operation, `${number}${end}`));
    expect(answer).toEqual({ ...allowed, status, code });
  });

  it('with an unreadable payment, or one that was used for another request, is refused as documented', async () => {
    const unreadable = await callThrough(operation, { 'payment-signature': 'bm9uc2Vuc2U=' });
    expect(unreadable).toEqual({ ...allowed, status: 400, code: 'invalid_payment' });
    const used = payment(operation, `${number}fa`);
    expect(await callThrough(operation, used)).toMatchObject({ ...allowed, status: 200 });
    expect(await callThrough(operation, used, otherInput(operation))).toEqual({
      ...allowed,
      status: 409,
      code: 'payment_already_used',
    });
  });

  it('for the wrong amount gets a new challenge as documented', async () => {
    const answer = await callThrough(operation, payment(operation, `${number}ffa`, { value: '1' }));
    expect(answer).toEqual({ ...allowed, status: 402, code: 'payment_required' });
  });
});

/** Increments the first number or extends the first list of the example, to make a different request. */
function otherInput({ name, example }: Operation): object {
  for (const [field, value] of Object.entries(example)) {
    if (typeof value === 'number') return { [field]: value + 1 };
    if (Array.isArray(value)) return { [field]: [...value, value[0]] };
  }
  throw new Error(`${name} has no number and no list in its example`);
}

describe('through a validating proxy', () => {
  it('an unknown listing gets 404 as documented', async () => {
    const withParameter = httpOperations.filter(({ route }) => route?.path.includes('{'));
    expect(withParameter.length).toBeGreaterThan(0);
    for (const operation of withParameter) {
      const [name = ''] = Object.keys(operation.example);
      expect(await callThrough(operation, {}, { [name]: 'nobody-knows-it' })).toEqual({
        ...allowed,
        status: 404,
        code: 'not_found',
      });
    }
  });

  it('a request above the free limit is refused as documented', async () => {
    const free = httpOperations.find(({ price }) => price === null) as Operation;
    let last = await callThrough(free);
    for (let count = 0; count < FREE_REQUESTS && last.status === 200; count += 1) {
      expect(last).toMatchObject(allowed);
      last = await callThrough(free);
    }
    expect(last).toEqual({ ...allowed, status: 429, code: 'rate_limited' });
  });

  it('an answer that does not match the document is detected', async () => {
    expect((await pass('/.well-known/x402')).response).toMatchObject([
      { location: ['response', 'body'], message: expect.stringContaining('no_such_field') },
    ]);
  });
});
