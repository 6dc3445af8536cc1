import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { devAccounts } from '../../src/devnet/chain-accounts.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { createFacilitatorSettler } from '../../src/payments/facilitator/facilitator-settler.ts';
import { chainApp, earned, noticePath } from '../support/chain-app.ts';
import { facilitatorBench } from '../support/facilitator-bench.ts';
import { opened, stopped } from '../support/listening.ts';
import { paymentHeader, type SignedPayment } from '../support/payments.ts';

const DECLINED = {
  success: false,
  errorReason: 'insufficient_funds',
  transaction: '',
  network: 'eip155:8453',
};

/** Approves every payment, and then answers each settlement with this reply. */
async function facilitatorThatSays(settled: object = DECLINED) {
  const server = createServer((request, response) => {
    request.resume();
    const answer = request.url === '/verify' ? { isValid: true } : settled;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return { url: await opened(server), stop: () => stopped(server) };
}

describe('a facilitator without a node', () => {
  const bench = facilitatorBench();
  const appAt = (clock = { aheadMs: 0 }, url = bench().facilitator.url) => {
    const now = () => Date.now() + clock.aheadMs;
    const claims = memoryClaims({ maxClaims: 100, now: () => now() - 10_000 });
    const settlement = createFacilitatorSettler({ url, rpc: null, now, repeatMs: [] });
    const { chain } = bench();
    return { claims, app: chainApp(chain, { settlement, claims, now, refusedPaymentsPerMinute: 3 }) };
  };
  const header = (payment: SignedPayment) => ({ 'payment-signature': paymentHeader(payment) });

  it('is asked before anything is claimed or sent, so that payers without money take up no space', async () => {
    const { app, claims } = appAt();
    const poor = devAccounts(52)[51];
    const asked = bench().facilitator.asked.length;
    const statuses = [];
    for (let count = 0; count < 5; count += 1) {
      const payment = await bench().sign({ ...(poor && { buyer: poor }) });
      statuses.push((await app.get(noticePath(), header(payment))).status);
    }
    expect(statuses).toEqual([402, 402, 402, 429, 429]);
    expect([claims.size(), bench().facilitator.asked.length - asked]).toEqual([0, 0]);
  });

  it('is not needed to detect a forged payment, which is not sent to it and cannot collect a named purchase', async () => {
    const { app } = appAt();
    const named = async (options: Parameters<ReturnType<typeof bench>['sign']>[0] = {}) =>
      app.get(noticePath(), {
        ...header(await bench().sign(options)),
        'idempotency-key': 'a-purchase-without-a-node',
      });
    const bought = await named();
    const { length } = bench().facilitator.asked;
    const forged = await named({ signature: `0x${'33'.repeat(64)}1b` });
    expect([bought.status, forged.status]).toEqual([200, 402]);
    expect(forged.headers.get('payment-response')).not.toBe(bought.headers.get('payment-response'));
    expect([(await named()).status, bench().facilitator.asked.length]).toEqual([200, length]);
  });

  it('still holds a payment that it refuses, so the buyer learns until when it is valid and how it ended', async () => {
    const clock = { aheadMs: 0 };
    const declining = await facilitatorThatSays();
    const { app } = appAt(clock, declining.url);
    const before = await earned(bench().chain);
    const payment = await bench().sign();
    const declined = await app.get(noticePath(), header(payment));
    const until = new Date(Number(payment.payload.authorization.validBefore) * 1_000).toISOString();
    expect(declined.status).toBe(409);
    const { code, detail } = (await declined.json()) as Record<string, string>;
    expect(code).toBe('waiting');
    expect(detail).toContain(`The payment is valid until ${until}`);
    expect(detail).toContain('The payer holds less USDC than the amount. No money has moved so far.');
    expect(detail).toContain('do not sign a new one');
    expect(detail).not.toMatch(/[Nn]othing was charged/);
    clock.aheadMs = 130_000;
    expect(await (await app.get(noticePath(), header(payment))).json()).toMatchObject({ code: 'waiting' });
    clock.aheadMs = 190_000;
    const ended = await app.get(noticePath(), header(payment));
    expect(await ended.json()).toMatchObject({ code: 'rejected_or_not_received', charged: false });
    await declining.stop();
    expect(await earned(bench().chain)).toBe(before);
  });

  it('does not cause a sale with a transaction that has already paid for another purchase', async () => {
    const buyer = bench().buyer;
    const transaction = `0x${'7e'.repeat(32)}`;
    const said = { success: true, transaction, network: 'eip155:8453', payer: buyer.address };
    const repeating = await facilitatorThatSays(said);
    try {
      const { app } = appAt(undefined, repeating.url);
      const [first, second] = [header(await bench().sign()), header(await bench().sign())];
      expect((await app.get(noticePath(), first)).status).toBe(200);
      const reply = await app.get(noticePath(), second);
      expect([reply.status, await reply.json()]).toMatchObject([409, { code: 'waiting' }]);
      // The first buyer can still collect the answer any number of times.
      expect((await app.get(noticePath(), first)).status).toBe(200);
    } finally {
      await repeating.stop();
    }
  });
});
