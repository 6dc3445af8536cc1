import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Bought,
  createClient,
  type LateFeeNoticeAnswer,
  type Order,
  RefusedError,
  UnknownEndError,
} from '../../packages/client/src/client.ts';
import { FINAL_CODES } from '../../packages/client/src/purchase.ts';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { proxiedBench } from '../payments/proxied.ts';
import { chainApp } from '../support/chain-app.ts';
import { type Listening, listening } from '../support/listening.ts';

type Fetch = typeof globalThis.fetch;

const NOTICE = {
  amount: 1250,
  due_date: '2026-09-01',
  paid_date: '2026-11-21',
  rate: 1.5,
  client_name: 'Acme Ltd',
};
const CENT = 10_000n;
const RECEIPT = Buffer.from('{"success":true}').toString('base64');

/** The PAYMENT-SIGNATURE of a request, or null. */
const paymentOf = (...[input, init]: Parameters<Fetch>): string | null =>
  (input instanceof Request ? input : new Request(input, init)).headers.get('payment-signature');

describe('the typed client', () => {
  const { app, chain, gain, proxy } = proxiedBench();
  const account = () => privateKeyToAccount((chain().buyers[0] as DevAccount).privateKey);
  let service: Listening;
  /** What was sent to pay. */
  let payments: string[];

  beforeEach(async () => {
    service = await listening(app());
    payments = [];
  });
  afterEach(() => service.stop());

  const seen: Fetch = async (...asked) => {
    const payment = paymentOf(...asked);
    if (payment !== null) payments.push(payment);
    return fetch(...asked);
  };
  /** Its first `times` paid replies do not arrive. */
  const losing = (times: number): Fetch => {
    return async (...asked) => {
      const response = await seen(...asked);
      if (paymentOf(...asked) === null || payments.length > times) return response;
      throw new TypeError('fetch failed');
    };
  };
  const clientWith = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
    createClient({ baseUrl: service.url, payer: account(), fetch: seen, ...options });

  it('has every operation as a function with the types of the catalog', async () => {
    const calculator = clientWith();
    const fee = await calculator.lateFee({
      amount: 1250,
      due_date: '2026-09-01',
      paid_date: '2026-11-21',
      rate: 1.5,
    });
    expect(fee).toMatchObject({ days_late: 81 });
    expect(await calculator.quoteTotals({ items: [{ unit_price: 450 }] })).toMatchObject({ total: 450 });
    const { tools } = await calculator.listTools();
    expect(await calculator.tool({ id: tools[0]?.id ?? '' })).toMatchObject({ id: tools[0]?.id });
    const notice = await calculator.lateFeeNotice(NOTICE);
    expectTypeOf(notice).toEqualTypeOf<Bought<LateFeeNoticeAnswer>>();
    expect(notice.answer.reminder.body).toContain('Hello Acme Ltd,');
    expect(notice.receipt).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const pack = await calculator.quotePack({ items: [{ unit_price: 450 }] });
    expect(Object.keys(pack.answer)).toContain('options');
    const report = await calculator.smallBusinessStackReport({ business_type: 'consultant' });
    expect(report.receipt.success).toBe(true);
    expect(await gain()).toBe(1_060_000n);
  });

  it('keeps what is asked out of the address of what is paid for', async () => {
    const { order } = await clientWith().lateFeeNotice(NOTICE);
    expect(order).toMatchObject({ method: 'POST', url: `${service.url}/v1/late-fee-notice` });
  });

  it.each([1, 2])(
    'presents the same payment again after %i lost replies, and is charged once',
    async (times) => {
      const { answer } = await clientWith({ fetch: losing(times) }).lateFeeNotice(NOTICE);
      expect(answer.fee.total_due).toBeGreaterThan(1250);
      expect(payments).toHaveLength(times + 1);
      expect(new Set(payments).size).toBe(1);
      expect(await gain()).toBe(CENT);
    },
  );

  it('presents the same payment again when a reply breaks off', async () => {
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

  it('waits for the end of a payment that the service does not know yet', async () => {
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

  it('presents the same payment again when payments cannot be taken for a moment', async () => {
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

  it('is charged once for two calls at once and one afterwards under one name', async () => {
    const calculator = clientWith();
    const buy = () => calculator.lateFeeNotice(NOTICE, { name: 'reminder of INV-1042' });
    const [first, second] = await Promise.all([buy(), buy()]);
    const third = await buy();
    expect(second.answer).toEqual(first.answer);
    expect(third).toMatchObject({ answer: first.answer, receipt: first.receipt });
    expect(await gain()).toBe(CENT);
  });

  it('is charged for each of two calls that have no name', async () => {
    const calculator = clientWith();
    await Promise.all([calculator.lateFeeNotice(NOTICE), calculator.lateFeeNotice(NOTICE)]);
    expect(await gain()).toBe(2n * CENT);
  });

  it('is refused with every fault, and signs nothing', async () => {
    const refused = await clientWith()
      .lateFeeNotice({ amount: -1, due_date: 'soon' })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({
      status: 400,
      problem: { code: 'invalid_input', errors: [{ pointer: '/amount' }, { pointer: '/due_date' }] },
    });
    expect([payments.length, await gain()]).toEqual([0, 0n]);
  });

  it('is refused without money, and charged nothing', async () => {
    const poor = privateKeyToAccount((devAccounts(13)[11] as DevAccount).privateKey);
    const refused = await clientWith({ payer: poor })
      .lateFeeNotice(NOTICE)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ status: 402, problem: { error: 'insufficient_funds' } });
    expect(await gain()).toBe(0n);
  });

  it('is told the price without a payer', async () => {
    const calculator = createClient({ baseUrl: service.url });
    await expect(calculator.quotePack({ items: [{ unit_price: 1 }] })).rejects.toMatchObject({
      name: 'RefusedError',
      status: 402,
      problem: { code: 'payment_required', price_usd: '0.05' },
    });
  });

  it('pays with an x402 client and within its limits', async () => {
    const payer = new x402Client().register('eip155:8453', new ExactEvmScheme(account()));
    expect((await clientWith({ payer }).lateFeeNotice(NOTICE)).receipt.success).toBe(true);
    payer.onBeforePaymentCreation(async () => ({ abort: true, reason: 'the budget is spent' }));
    await expect(clientWith({ payer }).lateFeeNotice(NOTICE)).rejects.toThrow('the budget is spent');
    expect(await gain()).toBe(CENT);
  });

  it('hands out the order of a payment whose end it could not learn, and resumes it in another process', async () => {
    const unknown = await clientWith({ fetch: losing(9), patienceMs: 100 })
      .lateFeeNotice(NOTICE)
      .catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(UnknownEndError);
    const kept = JSON.parse(JSON.stringify((unknown as UnknownEndError).order)) as Order;
    const { answer, receipt } = await clientWith().resume<'lateFeeNotice'>(kept);
    expect(answer.reminder.body).toContain('Acme Ltd');
    expect([receipt.success, new Set(payments).size, await gain()]).toEqual([true, 1, CENT]);
  });

  it('does not ask for the end of what is no order', async () => {
    await expect(clientWith().resume(null as never)).rejects.toThrow(TypeError);
  });

  it('stops asking when told to, and still hands out the order', async () => {
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

  it('does not call unpaid what a service refuses that has lost its memory', async () => {
    const forgetful = await listening(
      chainApp(chain(), { claims: memoryClaims({ maxClaims: 10, now: Date.now }) }),
    );
    const moving: Fetch = (input, init) =>
      payments.length === 0
        ? losing(1)(input, init)
        : seen(String(input).replace(service.url, forgetful.url), init);
    await expect(clientWith({ fetch: moving }).lateFeeNotice(NOTICE)).rejects.toMatchObject({
      name: 'UnknownEndError',
      message: expect.stringContaining('look at the transfers of the paying account'),
    });
    expect([payments.length, new Set(payments).size, await gain()]).toEqual([2, 1, CENT]);
    await forgetful.stop();
  });

  it.each<[string, number, string, Record<string, string>?]>([
    ['a page of a proxy', 403, '<h1>Forbidden</h1>'],
    ['a problem that does not say what was charged', 404, '{"code":"not_found","detail":"x"}'],
    ['a problem of somebody else', 403, '{"code":"blocked","detail":"x","charged":false}'],
    ['a page to log in to a network', 200, '<h1>Log in</h1>', { 'payment-response': RECEIPT }],
    ['an answer whose receipt is missing', 200, '{"fee":{}}'],
    ['a refusal that is none', 200, '{"code":"invalid_input","detail":"x","charged":false}'],
    ['an answer whose receipt cannot be read', 200, '{"fee":{}}', { 'payment-response': '%' }],
  ])('is not ended by %s', async (_, status, body, headers = {}) => {
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

  it('hands out the order of a payment to which nobody replies, when its patience ends', async () => {
    const hanging: Fetch = async (...asked) => {
      if (paymentOf(...asked) === null) return seen(...asked);
      const [, init] = asked;
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error())));
    };
    await expect(clientWith({ fetch: hanging, patienceMs: 200 }).lateFeeNotice(NOTICE)).rejects.toMatchObject(
      { name: 'UnknownEndError', order: { url: `${service.url}/v1/late-fee-notice` } },
    );
  });

  it.each([
    ['Mahnung – 株式会社', 'Mahnung - 株式会社'],
    ['one line\nand another', 'one line and another'],
    [' INV-1042 ', 'INV-1042'],
    ['a%20b', 'a b'],
  ])('takes any text as a name, and tells it from others: %j and %j', async (name, another) => {
    const buy = (named: string) => clientWith().lateFeeNotice(NOTICE, { name: named });
    const { order, receipt } = await buy(name);
    expect(order).toMatchObject({ name });
    expect((await buy(name)).receipt).toEqual(receipt);
    await buy(another);
    expect(await gain()).toBe(2n * CENT);
  });

  it('asks for nothing under an empty name, which would name no purchase', async () => {
    await expect(clientWith().lateFeeNotice(NOTICE, { name: '' })).rejects.toThrow('The name is empty');
    expect(await gain()).toBe(0n);
  });

  it.each(['quoteTotals', 'lateFeeNotice'] as const)(
    'is refused by a page where an answer of %s should be, before anything is paid',
    async (operation) => {
      const portal: Fetch = async () => new Response('<h1>Log in</h1>', { status: 200 });
      const call = clientWith({ fetch: portal })[operation] as (input: object) => Promise<unknown>;
      await expect(call(NOTICE)).rejects.toMatchObject({
        name: 'RefusedError',
        status: 200,
        problem: { code: 'unreadable' },
      });
    },
  );
});

it('knows every problem of the service: those that end a request, and those after which it is repeated', () => {
  const codes = problemTypes.map(({ code }) => code);
  expect([...FINAL_CODES].filter((code) => !codes.includes(code))).toEqual([]);
  expect(codes.filter((code) => !FINAL_CODES.has(code))).toEqual(
    [
      'malformed_request',
      'waiting',
      'request_timeout',
      'rate_limited',
      'internal',
      'settlement_unavailable',
    ].toSorted((a, b) => codes.indexOf(a) - codes.indexOf(b)),
  );
});
