import { describe, expect, it } from 'vitest';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { onCopyOf } from '../support/chain.ts';
import { mine } from '../support/chain-actions.ts';
import { chainApp, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader } from '../support/payments.ts';
import { proxiedBench } from './proxied.ts';

const AWAY = { reply: { status: 503, code: -32_000, message: 'no backend is healthy' } };

describe('a payment that expired while its buyer kept getting 503', () => {
  const { chain, proxy, sign, gain } = proxiedBench();

  /** A service whose gateway rejects sends, and whose clock advances by `pass`. */
  function shop() {
    const clock = { aheadMs: 0 };
    const now = () => Date.now() + clock.aheadMs;
    const claims = memoryClaims({ maxClaims: 1_000, now: () => Date.now() - 3_600_000 });
    const app = chainApp(chain(), { rpcUrl: proxy().url, now, claims });
    const pass = async (seconds: number) => {
      clock.aheadMs += seconds * 1_000;
      await rpc(chain().rpcUrl, 'evm_increaseTime', seconds);
      await mine(chain());
    };
    return { app, pass };
  }

  it('is answered if its money moved after all', () =>
    onCopyOf(chain(), async () => {
      const { app, pass } = shop();
      const payment = await sign();
      const header = { 'payment-signature': paymentHeader(payment) };
      proxy().fail('eth_sendRawTransactionSync', 'declines', AWAY);
      expect((await app.get(noticePath(), header)).status).toBe(503);
      // The gateway had passed the transaction on.
      await frontRun(chain(), payment.payload as Parameters<typeof frontRun>[1]);
      proxy().fail('*', 'dead');
      expect((await app.get(noticePath(), header)).status).toBe(503);
      await pass(300);
      expect((await app.get(noticePath(), header)).status).toBe(503);
      proxy().heal();
      const late = await app.get(noticePath(), header);
      expect([late.status, await gain()]).toEqual([200, 10_000n]);
    }));

  it('may be signed again once the chain shows that it was not used, which is looked up once', () =>
    onCopyOf(chain(), async () => {
      const { app, pass } = shop();
      const header = { 'payment-signature': paymentHeader(await sign()) };
      proxy().fail('eth_sendRawTransactionSync', 'declines', AWAY);
      expect((await app.get(noticePath(), header)).status).toBe(503);
      proxy().heal();
      await pass(300);
      proxy().resetCalls();
      const late = [];
      for (let time = 0; time < 2; time += 1) late.push((await app.get(noticePath(), header)).status);
      expect([late, await gain(), proxy().calls('eth_call')]).toEqual([[402, 402], 0n, 2]);
    }));
});
