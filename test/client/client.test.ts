import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Bought,
  createClient,
  type LateFeeNoticeAnswer,
  RefusedError,
} from '../../packages/client/src/client.ts';
import { FINAL_CODES } from '../../packages/client/src/purchase.ts';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { problemTypes } from '../../src/surfaces/problem.ts';
import { CENT, clientBench, type Fetch, NOTICE } from './client-bench.ts';

describe('the typed client', () => {
  const { gain, account, url, payments, clientWith } = clientBench();

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
    expectTypeOf(notice).toEqualTypeOf<Bought<LateFeeNoticeAnswer, 'lateFeeNotice'>>();
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

  it('keeps the input out of the address in the receipt', async () => {
    const { order } = await clientWith().lateFeeNotice(NOTICE);
    expect(order).toMatchObject({ method: 'POST', url: `${url()}/v1/late-fee-notice` });
  });

  it('is charged once for two simultaneous calls and a later one with the same purchase name', async () => {
    const calculator = clientWith();
    const buy = () => calculator.lateFeeNotice(NOTICE, { name: 'reminder of INV-1042' });
    const [first, second] = await Promise.all([buy(), buy()]);
    const third = await buy();
    expect(second.answer).toEqual(first.answer);
    expect(third).toMatchObject({ answer: first.answer, receipt: first.receipt });
    expect(await gain()).toBe(CENT);
  });

  it('is charged for each of two calls without a purchase name', async () => {
    const calculator = clientWith();
    await Promise.all([calculator.lateFeeNotice(NOTICE), calculator.lateFeeNotice(NOTICE)]);
    expect(await gain()).toBe(2n * CENT);
  });

  it('rejects an invalid input with every fault, and signs nothing', async () => {
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

  it('rejects a purchase without money, and nothing is charged', async () => {
    const poor = privateKeyToAccount((devAccounts(13)[11] as DevAccount).privateKey);
    const refused = await clientWith({ payer: poor })
      .lateFeeNotice(NOTICE)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ status: 402, problem: { error: 'insufficient_funds' } });
    expect(await gain()).toBe(0n);
  });

  it('returns the price if it has no payer', async () => {
    const calculator = createClient({ baseUrl: url() });
    await expect(calculator.quotePack({ items: [{ unit_price: 1 }] })).rejects.toMatchObject({
      name: 'RefusedError',
      status: 402,
      problem: { code: 'no_payer', detail: expect.stringContaining('0.05 USD') },
    });
  });

  it("pays with an x402 client and within that client's limits", async () => {
    const payer = new x402Client().register('eip155:8453', new ExactEvmScheme(account()));
    expect((await clientWith({ payer }).lateFeeNotice(NOTICE)).receipt.success).toBe(true);
    payer.onBeforePaymentCreation(async () => ({ abort: true, reason: 'the budget is spent' }));
    await expect(clientWith({ payer }).lateFeeNotice(NOTICE)).rejects.toThrow('the budget is spent');
    expect(await gain()).toBe(CENT);
  });

  it.each([
    ['Mahnung – 株式会社', 'Mahnung - 株式会社'],
    ['one line\nand another', 'one line and another'],
    [' INV-1042 ', 'INV-1042'],
    ['a%20b', 'a b'],
  ])(
    'accepts any text as a purchase name and keeps different names apart: %j and %j',
    async (name, another) => {
      const buy = (named: string) => clientWith().lateFeeNotice(NOTICE, { name: named });
      const { order, receipt } = await buy(name);
      expect(order).toMatchObject({ name });
      expect((await buy(name)).receipt).toEqual(receipt);
      await buy(another);
      expect(await gain()).toBe(2n * CENT);
    },
  );

  it('sends nothing if the purchase name is empty', async () => {
    await expect(clientWith().lateFeeNotice(NOTICE, { name: '' })).rejects.toThrow('The name is empty');
    expect(await gain()).toBe(0n);
  });

  it.each(['quoteTotals', 'lateFeeNotice'] as const)(
    'rejects an answer of %s that is a web page, before anything is paid',
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

it('the typed client knows every problem of the service, and after which of them it repeats a request', () => {
  const codes = problemTypes.map(({ code }) => code);
  expect([...FINAL_CODES].filter((code) => !codes.includes(code))).toEqual([]);
  expect(codes.filter((code) => !FINAL_CODES.has(code))).toEqual(
    'malformed_request waiting request_timeout rate_limited internal settlement_unavailable'
      .split(' ')
      .toSorted((a, b) => codes.indexOf(a) - codes.indexOf(b)),
  );
});
