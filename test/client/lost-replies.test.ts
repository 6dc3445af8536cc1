import { describe, expect, it } from 'vitest';
import { type Order, UnknownEndError } from '../../packages/client/src/client.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { chainApp } from '../support/chain-app.ts';
import { listening } from '../support/listening.ts';
import { CENT, clientBench, type Fetch, NOTICE, paymentOf } from './client-bench.ts';

const RECEIPT = Buffer.from('{"success":true}').toString('base64');

describe('the typed client of an unreliable service', () => {
  const { chain, gain, proxy, url, payments, seen, losing, clientWith } = clientBench();

  it('sends the same payment again after each of two lost replies, and is charged once', async () => {
    const { answer } = await clientWith({ fetch: losing(2) }).lateFeeNotice(NOTICE);
    expect(answer.fee.total_due).toBeGreaterThan(1250);
    expect(payments).toHaveLength(3);
    expect(new Set(payments).size).toBe(1);
    expect(await gain()).toBe(CENT);
  });

  it('sends the same payment again after a reply that is cut off', async () => {
    const cut: Fetch = async (...asked) => {
      const response = await seen(...asked);
      if (paymentOf(...asked) === null || payments.length > 1) return response;
      const half = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"fee":'));
          controller.error(new Error('reset'));
        },
      });
      return new Response(half, response);
    };
    await clientWith({ fetch: cut }).lateFeeNotice(NOTICE);
    expect([payments.length, new Set(payments).size, await gain()]).toEqual([2, 1, CENT]);
  });

  it('waits for the result of a payment that the service does not know yet', async () => {
    proxy().fail('eth_sendRawTransactionSync', 'drop-reply');
    proxy().fail('eth_getTransactionReceipt', 'no-receipt');
    proxy().fail('eth_getLogs', 'no-receipt');
    const codes: unknown[] = [];
    const healing: Fetch = async (...asked) => {
      const response = await seen(...asked);
      if (paymentOf(...asked) !== null && !response.ok) {
        codes.push(((await response.clone().json()) as { code: string }).code);
        proxy().heal();
      }
      return response;
    };
    const { receipt } = await clientWith({ fetch: healing }).lateFeeNotice(NOTICE);
    expect(codes).toEqual(['waiting']);
    expect([receipt.success, payments.length, new Set(payments).size, await gain()]).toEqual([
      true,
      2,
      1,
      CENT,
    ]);
  });

  it('sends the same payment again if payments are unavailable for a moment', async () => {
    const statuses: number[] = [];
    const failing: Fetch = async (...asked) => {
      if (paymentOf(...asked) !== null && statuses.length === 0) proxy().fail('*', 'dead');
      const response = await seen(...asked);
      if (paymentOf(...asked) !== null) statuses.push(response.status);
      proxy().heal();
      return response;
    };
    await clientWith({ fetch: failing }).lateFeeNotice(NOTICE);
    expect(statuses).toEqual([503, 200]);
    expect(await gain()).toBe(CENT);
  });

  it('returns the order of a payment with an unknown result, and resumes it in another process', async () => {
    const unknown = await clientWith({ fetch: losing(9), patienceMs: 100 })
      .lateFeeNotice(NOTICE)
      .catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(UnknownEndError);
    const kept = JSON.parse(JSON.stringify((unknown as UnknownEndError).order)) as Order;
    if (kept.operation !== 'lateFeeNotice') throw new Error(kept.operation);
    const { answer, receipt } = await clientWith().resume(kept);
    expect(answer.reminder.body).toContain('Acme Ltd');
    expect([receipt.success, new Set(payments).size, await gain()]).toEqual([true, 1, CENT]);
  });

  it('does not ask for the result of something that is not an order', async () => {
    await expect(clientWith().resume(null as never)).rejects.toThrow(TypeError);
  });

  it('stops asking on request, and still returns the order', async () => {
    const stopping = new AbortController();
    const lost: Fetch = async (...asked) => {
      const response = await losing(9)(...asked).catch((error) => {
        stopping.abort();
        throw error;
      });
      return response;
    };
    const stopped = await clientWith({ fetch: lost })
      .lateFeeNotice(NOTICE, { signal: stopping.signal })
      .catch((error: unknown) => error);
    expect(stopped).toMatchObject({ name: 'UnknownEndError', order: { payment: payments[0] } });
    expect(await gain()).toBe(CENT);
  });

  it('does not report a payment as unpaid if a service that lost its data refuses it', async () => {
    const forgetful = await listening(
      chainApp(chain(), { claims: memoryClaims({ maxClaims: 10, now: Date.now }) }),
    );
    const moving: Fetch = (input, init) =>
      payments.length === 0
        ? losing(1)(input, init)
        : seen(String(input).replace(url(), forgetful.url), init);
    await expect(clientWith({ fetch: moving }).lateFeeNotice(NOTICE)).rejects.toMatchObject({
      name: 'UnknownEndError',
      message: expect.stringContaining('transfers'),
    });
    expect([payments.length, new Set(payments).size, await gain()]).toEqual([2, 1, CENT]);
    await forgetful.stop();
  });

  it.each<[string, number, string, Record<string, string>?]>([
    ['a page from a proxy', 403, '<h1>Forbidden</h1>'],
    ['a problem that does not say what was charged', 404, '{"code":"not_found","detail":"x"}'],
    ['a problem from another service', 403, '{"code":"blocked","detail":"x","charged":false}'],
    ['a page to log in to a network', 200, '<h1>Log in</h1>', { 'payment-response': RECEIPT }],
    ['an answer whose receipt is missing', 200, '{"fee":{}}'],
    ['a refusal with a success status', 200, '{"code":"invalid_input","detail":"x","charged":false}'],
    ['an answer whose receipt cannot be read', 200, '{"fee":{}}', { 'payment-response': '%' }],
  ])('does not give up because of %s', async (_, status, body, headers = {}) => {
    const between: Fetch = async (...asked) => {
      const response = await seen(...asked);
      return paymentOf(...asked) !== null && payments.length === 1
        ? new Response(body, { status, headers: { 'retry-after': '0.01', ...headers } })
        : response;
    };
    const { answer } = await clientWith({ fetch: between }).lateFeeNotice(NOTICE);
    expect(answer.reminder.body).toContain('Acme Ltd');
    expect([payments.length, await gain()]).toEqual([2, CENT]);
  });

  it('returns the order of a payment without a reply when its time is up', async () => {
    const hanging: Fetch = async (...asked) => {
      if (paymentOf(...asked) === null) return seen(...asked);
      const [, init] = asked;
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error())));
    };
    await expect(clientWith({ fetch: hanging, patienceMs: 200 }).lateFeeNotice(NOTICE)).rejects.toMatchObject(
      { name: 'UnknownEndError', order: { url: `${url()}/v1/late-fee-notice` } },
    );
  });
});
