import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { sharedChain } from '../support/chain.ts';
import { mine, setAutomine } from '../support/chain-actions.ts';
import { earned, noticePath, paymentAt } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { freeRelayerKeys, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const CENT = 10_000n;
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const TOKEN = 'a-token-of-some-length';
const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
/** The reply of /readyz to a caller with the token. */
async function healthOf(service: ServiceProcess) {
  const response = await fetch(`${service.url}/readyz`, bearer);
  return { body: (await response.json()) as { status: string; payments: string; reasons?: string[] } };
}
// The time that the takeover of a key that was not released may take on a busy machine.
const TAKEN_OVER_MS = 60_000;

describe.skipIf(redisMissing || signals.areMissing)(
  signals.named('processes that share one relayer key'),
  () => {
    const chain = sharedChain();
    const run = processes();
    let redis: RedisServer;

    beforeAll(async () => {
      redis = await startRedis({ appendOnly: true });
      await freeRelayerKeys(redis, [chain().relayerKey]);
    });
    afterAll(() => redis?.stop());

    async function start(more: Record<string, string> = {}): Promise<ServiceProcess> {
      const service = run({
        PORT: String(await freePort()),
        SETTLERS: 'local',
        RPC_URLS: chain().rpcUrl,
        RELAYER_KEY: chain().relayerKey,
        PAY_TO: SELLER,
        REDIS_URL: redis.url,
        OPERATOR_TOKEN: TOKEN,
        ...more,
      });
      await listens(service, 60_000);
      return service;
    }
    const isWell = async (service: ServiceProcess) => (await healthOf(service)).body.payments === 'ok';
    const reasons = async (service: ServiceProcess) => (await healthOf(service)).body.reasons;
    const gain = async (before: bigint) => (await earned(chain(), SELLER)) - before;

    const payment = ({ url }: ServiceProcess) => paymentAt(url, chain().buyers[0]);
    const present = async (service: ServiceProcess, headers: Record<string, string>) =>
      (await fetch(`${service.url}${noticePath()}`, { headers })).status;

    it('sell one at a time: the second takes over when the first is paused, and the first when the second is killed', {
      timeout: 300_000,
    }, async () => {
      const before = await earned(chain(), SELLER);
      const metricsPort = String(await freePort());
      const a = await start({ METRICS_ADDRESS: `127.0.0.1:${metricsPort}` });
      await until(() => isWell(a), 'a has the key', TAKEN_OVER_MS);
      const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, bearer)).text();
      await until(
        async () => /^calc_relayer_balance_eth\{settler="local"\} /m.test(await metrics()),
        'its balance is known',
      );
      const b = await start();
      await until(async () => (await reasons(b))?.join() === 'local_relayer_in_use', 'b has none', 30_000);
      const free = await fetch(`${b.url}${FREE}`);
      const first = await payment(b);
      expect([free.status, await present(b, first), await gain(before)]).toEqual([200, 503, 0n]);
      expect([await present(a, first), await gain(before)]).toEqual([200, CENT]);
      // The process is paused while its transaction is in no block yet.
      await setAutomine(chain(), false);
      const second = await payment(a);
      const answer = present(a, second).catch(() => null);
      type Pool = { pending: Record<string, Record<string, unknown>> };
      const pooled = async () => (await rpc<Pool>(chain().rpcUrl, 'txpool_content')).pending;
      await until(async () => Object.keys(await pooled()).length > 0, 'a has sent it');
      a.child.kill('SIGSTOP');
      await until(() => isWell(b), 'b has the key', TAKEN_OVER_MS);
      a.child.kill('SIGCONT');
      await until(() => a.logged('relayer_key').some(({ state }) => state === 'lost'), 'a has lost it');
      expect(await reasons(a)).toContain('local_relayer_in_use');
      expect(await metrics()).not.toMatch(/^calc_relayer_balance_eth\{/m);
      await setAutomine(chain(), true);
      await mine(chain());
      await until(async () => (await present(b, second)) === 200, 'the end is found by b', 30_000);
      await answer;
      expect([await present(a, second), await gain(before)]).toEqual([200, 2n * CENT]);
      expect([await present(b, await payment(b)), await gain(before)]).toEqual([200, 3n * CENT]);
      b.child.kill('SIGKILL');
      await until(() => isWell(a), 'a has it again', TAKEN_OVER_MS);
      expect([await present(a, await payment(a)), await gain(before)]).toEqual([200, 4n * CENT]);
      // The key is released at the end, so no process has to wait for it.
      a.child.kill('SIGTERM');
      expect(await a.ended).toBe(0);
      const [entry = ''] = (await redis.command('KEYS', '{paid}:relayer:*')) as string[];
      expect(await redis.command('GET', entry)).toMatch(/^free [0-9a-f]{40}$/);
      for (const one of [a, b]) expect(one.written()).not.toContain(chain().relayerKey.slice(2));
    });
  },
);
