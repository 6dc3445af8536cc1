import { describe, expect, it } from 'vitest';
import { devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { type Settlement, unknown } from '../../src/payments/settlement.ts';
import { chainApp, noticePath } from '../support/chain-app.ts';
import { paymentHeader } from '../support/payments.ts';
import { deployLenientWallet } from '../support/smart-wallet.ts';
import { proxiedBench } from './proxied.ts';

const [POOR] = devAccounts(30).slice(29);

describe('payments that are not proven', () => {
  const { chain, proxy, buyer, sign } = proxiedBench();
  if (POOR === undefined) throw new Error('no account');
  const refused = async () => ({ 'payment-signature': paymentHeader(await sign({ buyer: POOR })) });

  it('cost one call each, or none if repeated within seconds, and get 429 above a limit for each caller', async () => {
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 3 });
    const headers = [await refused(), await refused(), await refused(), await refused()];
    const statuses = [];
    for (const header of headers) statuses.push((await app.get(noticePath(), header)).status);
    expect(statuses).toEqual([402, 402, 402, 429]);
    expect(proxy().calls('eth_call')).toBe(3);
    const limited = await app.get(noticePath(), headers[3]);
    expect(await limited.json()).toMatchObject({ code: 'rate_limited', charged: false });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(50);
    // A payment that is known to be invalid gets its answer without a call, and free and unpaid requests continue.
    expect((await app.get(noticePath(), headers[0])).status).toBe(402);
    expect((await app.get(noticePath())).status).toBe(402);
    expect((await app.get('/v1/late-fee?amount=1&due_date=2026-01-01')).status).toBe(200);
    expect(proxy().calls('eth_call')).toBe(3);
  });

  it.each([
    ['whose code halts', '0xfe'],
    ['whose code jumps nowhere', '0x60ff56'],
    ['whose code pops from an empty stack', '0x01'],
    ['whose code writes where it must not', '0x60016000a0'],
    ['whose code returns more than a signature check reads', '0x620660006000f3'],
    ['whose code reverts with more data than that', '0x620660006000fd'],
  ] as const)(
    'from an account %s cost one call each, or none if repeated, and are counted',
    async (_name, code) => {
      const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 2 });
      const from = '0x000000000000000000000000000000000000f101';
      await rpc(chain().rpcUrl, 'anvil_setCode', from, code);
      const signature = `0x${'5a'.repeat(70)}` as const;
      const forged = async () => ({
        'payment-signature': paymentHeader(await sign({ authorization: { from }, signature })),
      });
      const headers = [await forged(), await forged(), await forged()];
      proxy().resetCalls();
      const statuses = [];
      for (const header of [headers[0], headers[0], headers[1], headers[2]])
        statuses.push((await app.get(noticePath(), header)).status);
      expect(statuses).toEqual([402, 402, 402, 429]);
      expect(proxy().calls()).toBe(2);
    },
  );

  it('are counted even if no node can judge them', async () => {
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 2 });
    const signature = `0x${'5a'.repeat(70)}` as const;
    const forged = { 'payment-signature': paymentHeader(await sign({ signature })) };
    const reply = { status: 200, code: -32000, message: 'the machine has stopped' };
    proxy().fail('eth_call', 'declines', { reply });
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await app.get(noticePath(), forged)).status);
    expect(statuses).toEqual([503, 503, 429, 429]);
  });

  it('do not prevent a paid answer from being collected', async () => {
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 1 });
    const paid = { 'payment-signature': paymentHeader(await sign()) };
    expect((await app.get(noticePath(), paid)).status).toBe(200);
    expect((await app.get(noticePath(), await refused())).status).toBe(402);
    expect((await app.get(noticePath(), await refused())).status).toBe(429);
    expect((await app.get(noticePath(), paid)).status).toBe(200);
  });

  it('cost nothing if they are signed again with the idempotency key of a completed purchase', async () => {
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 2 });
    const present = async (path: string) =>
      (
        await app.get(path, {
          'payment-signature': paymentHeader(await sign()),
          'idempotency-key': 'counted-under-a-name-0001',
        })
      ).status;
    expect(await present(noticePath('A'))).toBe(200);
    proxy().resetCalls();
    const statuses = [];
    for (const client of ['A', 'B', 'A', 'B']) statuses.push(await present(noticePath(client)));
    expect(statuses).toEqual([200, 409, 200, 409]);
    expect(proxy().calls()).toBe(0);
  });

  it('are counted if a wallet signs them again with the idempotency key of a completed purchase', async () => {
    const from = await deployLenientWallet(chain(), buyer().address, 1_000_000n);
    const signature = `0x${'5a'.repeat(70)}` as const;
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 2 });
    const present = async () => {
      const payment = paymentHeader(await sign({ authorization: { from }, signature }));
      const headers = { 'payment-signature': payment, 'idempotency-key': 'counted-under-a-name-0002' };
      return (await app.get(noticePath(), headers)).status;
    };
    const statuses = [await present(), await present(), await present(), await present()];
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('are counted if they come from a contract wallet, which is asked even while nothing can be sent', async () => {
    const from = await deployLenientWallet(chain(), buyer().address, 1_000_000n);
    const signature = `0x${'5a'.repeat(70)}` as const;
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 2 });
    proxy().fail('eth_getBlockByNumber', 'dead');
    proxy().fail('eth_sendRawTransactionSync', 'dead');
    proxy().fail('eth_sendRawTransaction', 'dead');
    proxy().fail('eth_getTransactionCount', 'dead');
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const payment = paymentHeader(await sign({ authorization: { from }, signature }));
      statuses.push((await app.get(noticePath(), { 'payment-signature': payment })).status);
    }
    expect(statuses).toEqual([503, 503, 429]);
  });

  it('are counted if a wallet presents payments that it used for other requests, or that have expired', async () => {
    const from = await deployLenientWallet(chain(), buyer().address, 1_000_000n);
    const signature = `0x${'5a'.repeat(70)}` as const;
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 2 });
    const header = async (validBefore?: string) => ({
      'payment-signature': paymentHeader(
        await sign({ authorization: { from, ...(validBefore && { validBefore }) }, signature }),
      ),
    });
    const bought = await header();
    const ranOut = await header(`${Math.floor(Date.now() / 1000) - 60}`);
    expect((await app.get(noticePath('A'), bought)).status).toBe(200);
    proxy().resetCalls();
    const statuses = [];
    for (const [client, shown] of [
      ['B', bought],
      ['C', ranOut],
      ['D', bought],
      ['E', ranOut],
    ] as const)
      statuses.push((await app.get(noticePath(client), shown)).status);
    expect(statuses).toEqual([409, 402, 429, 429]);
    expect(proxy().calls()).toBe(2);
    expect((await app.get(noticePath('A'), bought)).status).toBe(200);
  });

  it('are counted over MCP as over HTTP', async () => {
    const app = chainApp(chain(), { rpcUrl: proxy().url, refusedPaymentsPerMinute: 1 });
    await app.get(noticePath(), await refused());
    const payment = await sign({ buyer: POOR });
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'late_fee_notice',
        arguments: { amount: 1250, due_date: '2026-09-01', paid_date: '2026-11-21' },
        _meta: { 'x402/payment': payment },
      },
    };
    const response = await app.post('/mcp', message, { host: 'calc.example', accept: 'application/json' });
    const { result } = (await response.json()) as { result: Record<string, unknown> };
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'rate_limited', charged: false },
    });
    expect(proxy().calls('eth_call')).toBe(1);
  });

  it('wait for each other, and beyond a few hundred the caller must try again later', async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    let checked = 0;
    // A node would have to answer within five seconds, which a busy machine may need for the requests.
    const settlement: Settlement = {
      async settle() {
        checked += 1;
        await until;
        return { state: 'refused', reason: 'insufficient_funds' };
      },
      reconcile: async (_order, transaction) => unknown(transaction),
      isWalletSigned: async () => true,
    };
    const app = chainApp(chain(), { settlement });
    const flood = await Promise.all(Array.from({ length: 300 }, refused));
    const statuses: number[] = [];
    const ends = flood.map((header) =>
      app.get(noticePath(), header).then(({ status }) => statuses.push(status)),
    );
    // At most 32 payments are checked at a time and 256 wait; further ones are not checked.
    await expect.poll(() => statuses, { interval: 5, timeout: 90_000 }).toHaveLength(12);
    expect(checked).toBe(32);
    release();
    await Promise.all(ends);
    expect(statuses).toEqual([...Array(12).fill(503), ...Array(288).fill(402)]);
    expect(checked).toBe(288);
    expect((await app.get(noticePath(), await refused())).status).toBe(402);
  });
});
