import { describe, expect, it, vi } from 'vitest';
import type { Claim, Claims, Saved } from '../../src/exchange/claims/claims.ts';
import { noticePath } from '../support/chain-app.ts';
import { frontRun } from '../support/payments.ts';
import { redisMissing, until } from '../support/redis.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';
import { DISTRUSTED_MS, redisBench } from './bench.ts';

const CENT = 10_000n;
const pause = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

describe.skipIf(redisMissing)('a purchase while Redis is unavailable', () => {
  const { chain, server, begin, instance, sign, present, gain } = redisBench();
  /** Runs a step when a claim is saved in this state for the first time. */
  const atFirst = (state: Claim['state'], step: (save: () => Promise<Saved>) => Promise<Saved>) => {
    let isDone = false;
    return (claims: Claims): Claims => ({
      ...claims,
      save: (key, claim) => {
        if (isDone || claim.state !== state) return claims.save(key, claim);
        isDone = true;
        return step(() => claims.save(key, claim));
      },
    });
  };

  it('gets 503 before it starts, while free and unpaid calls work, and its payment can be used later', async () => {
    await begin();
    const a = await instance();
    const payment = await sign();
    await server().kill();
    const refused = await present(a, payment);
    expect([refused.status, refused.headers.get('retry-after'), await gain()]).toEqual([503, '2', 0n]);
    expect(await refused.json()).toMatchObject({ code: 'settlement_unavailable', charged: false });
    expect((await a.get('/v1/late-fee?amount=100&due_date=2026-09-01')).status).toBe(200);
    expect((await a.get(noticePath())).status).toBe(402);
    await server().start();
    await until(a.redis, 'ok');
    expect([(await present(a, payment)).status, await gain()]).toEqual([200, CENT]);
  });

  for (const appendOnly of [true, false])
    it(`gets 503 and sends nothing if Redis becomes unavailable between claim and sending and comes back ${appendOnly ? 'with' : 'without'} its data`, async () => {
      await begin({ appendOnly });
      const a = await instance({
        around: atFirst('sent', async (save) => {
          await server().kill();
          return save();
        }),
      });
      const b = await instance({ claimParts: { leaseMs: 300 } });
      const [first, second] = [await sign(), await sign()];
      expect([(await present(a, first)).status, await gain()]).toEqual([503, 0n]);
      expect([(await present(b, second)).status, await gain()]).toEqual([503, 0n]);
      await server().start();
      await Promise.all([until(a.redis, 'ok'), until(b.redis, 'ok')]);
      expect([(await present(a, first)).status, await gain()]).toEqual([200, CENT]);
      expect([(await present(b, second)).status, await gain()]).toEqual([200, 2n * CENT]);
    });

  it('gets 503 and sends nothing if Redis becomes full between claim and sending, and pays once when there is room', async () => {
    await begin();
    const a = await instance({
      around: atFirst('sent', async (save) => {
        await server().command('CONFIG', 'SET', 'maxmemory', '1');
        return save();
      }),
    });
    const payment = await sign();
    expect([(await present(a, payment)).status, await gain()]).toEqual([503, 0n]);
    await server().command('CONFIG', 'SET', 'maxmemory', '0');
    expect([(await present(a, payment)).status, await gain()]).toEqual([200, CENT]);
  });

  it('is taken over by another instance after the lease if Redis remains unavailable between claim and sending', async () => {
    await begin({ appendOnly: true });
    const a = await instance({
      around: atFirst('sent', async (save) => {
        await server().kill();
        return save();
      }),
    });
    const payment = await sign();
    expect((await present(a, payment)).status).toBe(503);
    a.close();
    await server().start();
    const b = await instance({ claimParts: { leaseMs: 800, patienceMs: 2_000 } });
    expect([(await present(b, payment)).status, await gain()]).toEqual([200, CENT]);
  });

  it('sends nothing if Redis becomes unavailable before it allows the send, and the next attempt pays once', async () => {
    await begin({ appendOnly: true });
    const a = await instance({
      around: atFirst('sent', async (save) => {
        expect(await save()).toBe('saved');
        await server().kill();
        // The purchase sees a save that was made but never confirmed.
        return 'unconfirmed';
      }),
    });
    const payment = await sign();
    expect([(await present(a, payment)).status, await gain()]).toEqual([503, 0n]);
    await server().start();
    await until(a.redis, 'ok');
    const b = await instance({ claimParts: { patienceMs: 200 } });
    expect([(await present(b, payment)).status, await gain()]).toEqual([200, CENT]);
    expect([(await present(a, payment)).status, await gain()]).toEqual([200, CENT]);
  });

  it('sends nothing if Redis allows the send too late, and the next attempt pays once', async () => {
    await begin();
    const a = await instance({
      around: atFirst('sent', (save) => {
        server().freeze();
        return save();
      }),
    });
    const payment = await sign();
    expect([(await present(a, payment)).status, await gain()]).toEqual([503, 0n]);
    server().thaw();
    await until(a.redis, 'ok');
    expect([(await present(a, payment)).status, await gain()]).toEqual([200, CENT]);
  });

  for (const appendOnly of [true, false])
    it(`returns its answer if it was sent, even while Redis is unavailable, and on every instance once Redis is back ${appendOnly ? 'with' : 'without'} its data`, async () => {
      await begin({ appendOnly });
      const a = await instance({
        around: atFirst('sent', async (save) => {
          const isSaved = await save();
          await server().kill();
          return isSaved;
        }),
      });
      const b = await instance({ claimParts: { patienceMs: 200 } });
      const payment = await sign();
      const first = await present(a, payment);
      expect([first.status, await gain()]).toEqual([200, CENT]);
      const away = await present(a, payment);
      expect([away.status, await away.text()]).toEqual([200, await first.text()]);
      expect((await present(b, payment)).status).toBe(503);
      await server().start();
      await Promise.all([until(a.redis, 'ok'), until(b.redis, 'ok')]);
      const back = await vi.waitFor(
        async () => {
          const again = await present(b, payment);
          expect(again.status).toBe(200);
          return again;
        },
        { timeout: 30_000 },
      );
      expect(await gain()).toBe(CENT);
      expect(back.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
      expect((await present(b, payment, 'Other')).status).toBe(409);
    });

  it('with an unknown result tells the buyer to wait, and then returns the answer for one charge', async () => {
    await begin();
    const proxy = await startRpcProxy(chain().rpcUrl);
    const a = await instance({ rpcUrl: proxy.url });
    proxy.fail('eth_sendRawTransactionSync', 'drop-reply');
    proxy.fail('eth_getTransactionReceipt', 'no-receipt');
    proxy.fail('eth_getLogs', 'no-receipt');
    const payment = await sign();
    expect(await (await present(a, payment)).json()).toMatchObject({ code: 'waiting' });
    await server().kill();
    await until(a.redis, 'down');
    expect(await (await present(a, payment)).json()).toMatchObject({ code: 'waiting' });
    proxy.heal();
    await server().start();
    await until(a.redis, 'ok');
    await expect.poll(async () => (await present(a, payment)).status).toBe(200);
    expect(await gain()).toBe(CENT);
    await proxy.stop();
  });

  for (const appendOnly of [true, false])
    it(`waits if somebody else submitted it, and gets one answer once Redis is back ${appendOnly ? 'with' : 'without'} its data`, async () => {
      await begin({ appendOnly });
      const a = await instance({
        around: atFirst('settled', async (save) => {
          await server().kill();
          return save();
        }),
      });
      await pause(DISTRUSTED_MS);
      const payment = await sign();
      await frontRun(chain(), payment.payload);
      expect(await (await present(a, payment)).json()).toMatchObject({ code: 'waiting' });
      expect(await (await present(a, payment)).json()).toMatchObject({ code: 'waiting' });
      await server().start();
      await until(a.redis, 'ok');
      await expect.poll(async () => (await present(a, payment)).status).toBe(200);
      expect((await present(a, payment, 'Other')).status).toBe(409);
      expect(await gain()).toBe(CENT);
    });
});
