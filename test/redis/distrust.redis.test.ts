import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { mine, setAutomine } from '../support/chain-actions.ts';
import { frontRun } from '../support/payments.ts';
import { redisMissing, until } from '../support/redis.ts';
import { DISTRUSTED_MS, redisBench } from './bench.ts';
import type { Instance } from './instances.ts';

const CENT = 10_000n;
const pause = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

describe.skipIf(redisMissing)('an instance whose Redis has lost data', () => {
  const { chain, server, begin, instance, sign, present, gain } = redisBench();
  const restart = async (...known: Instance[]) => {
    await server().kill();
    await Promise.all(known.map(({ redis }) => until(redis, 'down')));
    await server().start();
    await Promise.all(known.map(({ redis }) => until(redis, 'ok')));
  };

  const isClaimed = async () => {
    const keys = (await server().command('KEYS', '{paid}:claim:*')) as unknown as string[];
    return keys.length > 0;
  };

  for (const loss of ['is restarted without its data', 'is flushed'] as const)
    it(`rejects payments used before Redis ${loss}, and honors later ones once`, async () => {
      await begin();
      const a = await instance();
      await pause(DISTRUSTED_MS);
      const [answered, early, late] = [await sign(), await sign(), await sign()];
      expect((await present(a, answered)).status).toBe(200);
      await frontRun(chain(), early.payload);
      a.close();
      if (loss === 'is flushed') await server().command('FLUSHALL');
      else await restart();
      const b = await instance();
      for (const payment of [answered, early]) {
        const refused = await present(b, payment, 'Another request');
        expect(await refused.json()).toMatchObject({ error: 'invalid_exact_evm_nonce_already_used' });
      }
      await pause(DISTRUSTED_MS);
      await frontRun(chain(), late.payload);
      expect((await present(b, late)).status).toBe(200);
      expect((await present(b, late, 'Another request')).status).toBe(409);
      expect(await gain()).toBe(3n * CENT);
    });

  it('distrusts payments used before a restart with data, because the last second may be missing', async () => {
    await begin({ appendOnly: true });
    const a = await instance();
    await pause(DISTRUSTED_MS);
    const [answered, early] = [await sign(), await sign()];
    expect((await present(a, answered)).status).toBe(200);
    await frontRun(chain(), early.payload);
    await restart(a);
    const b = await instance();
    expect((await present(b, answered)).status).toBe(200);
    expect((await present(b, answered, 'Another request')).status).toBe(409);
    for (const one of [a, b]) expect((await present(one, early)).status).toBe(402);
    expect(await gain()).toBe(2n * CENT);
  });

  it('distrusts payments used before Redis was flushed', async () => {
    await begin();
    const a = await instance();
    await pause(DISTRUSTED_MS);
    const payment = await sign();
    await frontRun(chain(), payment.payload);
    await server().command('FLUSHALL');
    expect((await present(a, payment)).status).toBe(402);
  });

  it('sells one answer for a payment that was pending when Redis was flushed', async () => {
    await begin();
    const [a, b] = [await instance({ patienceMs: 10_000 }), await instance()];
    await pause(DISTRUSTED_MS);
    const payment = await sign();
    const isSent = async () => (await rpc<{ pending: Hex }>(chain().rpcUrl, 'txpool_status')).pending;
    await setAutomine(chain(), false);
    const first = present(a, payment);
    await expect.poll(isSent, { interval: 20 }).toBe('0x1');
    await server().command('FLUSHALL');
    const second = present(b, payment, 'Another request');
    await expect.poll(isClaimed, { interval: 20 }).toBe(true);
    await setAutomine(chain(), true);
    await mine(chain());
    const answers = await Promise.all([first, second]);
    const later = [await present(a, payment), await present(b, payment, 'Another request')];
    const bought = [answers, later].map((both) => both.map(({ status }) => status === 200));
    // Only one of the two requests wins, at once and permanently.
    expect(bought[0]?.filter(Boolean)).toHaveLength(1);
    expect(bought[1]).toEqual(bought[0]);
    expect(await gain()).toBe(CENT);
  });
});
