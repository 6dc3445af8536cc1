import { describe, expect, it } from 'vitest';
import { exampleTarget } from '../../src/surfaces/discovery/inputs.ts';
import { callExample, paidOperations } from '../discovery/support.ts';
import { fakePayment, testApp } from '../support/app.ts';
import { factsIn } from '../support/facts.ts';

const SETTLED = {
  state: 'settled',
  transaction: `0x${'cd'.repeat(32)}`,
  payer: '0x00000000000000000000000000000000000000bb',
} as const;

const twins = paidOperations.filter(({ route }) => route?.alsoByPost);

it('every paid operation takes its input as a JSON body', () => {
  const byPost = paidOperations.filter(({ route }) => route?.method === 'POST' || route?.alsoByPost);
  expect(byPost.map(({ name }) => name)).toEqual(paidOperations.map(({ name }) => name));
});

describe.each(twins)('$name by POST', (operation) => {
  const path = operation.route?.path ?? '';
  const payment = { 'payment-signature': fakePayment({ value: operation.price?.atomic ?? '0', nonce: '1' }) };

  it('has the same price as by GET', async () => {
    const app = testApp();
    const byGet = await callExample(app, operation);
    const byPost = await app.post(path, operation.example);
    expect([byGet.status, byPost.status]).toEqual([402, 402]);
    expect(byPost.headers.get('payment-required')).toBe(byGet.headers.get('payment-required'));
    expect(await byPost.json()).toEqual(await byGet.json());
  });

  it('is the same purchase as by GET, in either order', async () => {
    for (const isGetFirst of [true, false]) {
      const app = testApp({ end: () => SETTLED });
      const ways = [
        () => app.get(exampleTarget(operation), payment),
        () => app.post(path, operation.example, payment),
      ];
      const [first, second] = isGetFirst ? ways : ways.reverse();
      const bought = await first?.();
      const collected = await second?.();
      expect([bought?.status, collected?.status]).toEqual([200, 200]);
      expect(collected?.headers.get('payment-response')).toBe(bought?.headers.get('payment-response'));
      expect(await collected?.text()).toBe(await bought?.text());
    }
  });

  it('accepts every value as text, as a form sends it', async () => {
    const values = Object.fromEntries(
      Object.entries(operation.example).map(([name, value]) => [name, String(value)]),
    );
    expect((await testApp().post(path, values)).status).toBe(402);
  });

  it('is rejected if there is input in the query, and the error names each field', async () => {
    const app = testApp();
    const reply = await app.post(`${path}?tone=final&utm_source=x`, operation.example);
    expect(reply.status).toBe(400);
    const { errors } = (await reply.json()) as { errors: { pointer: string; code: string; hint: string }[] };
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/tone in_query',
      '/utm_source in_query',
    ]);
    expect(factsIn(errors[0]?.hint)).toEqual(['JSON']);
    expect((await app.post(`${path}?`, operation.example)).status).toBe(402);
  });

  it('gets an error that says that an input in the query belongs in the body', async () => {
    const reply = await testApp().http.request(exampleTarget(operation), { method: 'POST' });
    expect(reply.status).toBe(400);
    const { errors } = (await reply.json()) as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(
      Object.keys(operation.example).map((name) => `/${name} in_query`),
    );
  });

  it('gets an error that names the allowed methods if another method is used', async () => {
    const reply = await testApp().http.request(path, { method: 'PUT' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});
