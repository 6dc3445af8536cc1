import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { sharedChain } from '../support/chain.ts';
import { mine, setAutomine } from '../support/chain-actions.ts';
import { earned, headerJson, noticePath } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { paymentHeader, SELLER, signAuthorization } from '../support/payments.ts';
import { type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const CENT = 10_000n;
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const TOKEN = 'a-token-of-some-length';
/** What /readyz says to the bearer of the token. */
async function healthOf(service: ServiceProcess) {
  const response = await fetch(`${service.url}/readyz`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return { body: (await response.json()) as { status: string; payments: string; reasons?: string[] } };
}
// A lease that nobody gives back, and a busy machine.
const TAKEN_OVER_MS = 60_000;

describe.skipIf(redisMissing || signals.areMissing)(
  signals.named('processes that lease relayer keys'),
  () => {
    const chain = sharedChain();
    const run = processes();
    let redis: RedisServer;

    beforeAll(async () => {
      redis = await startRedis({ appendOnly: true });
      // A server that has been known for long: a new one would give no key out for 25 s.
      const life = /^run_id:(\w+)/m.exec(String(await redis.command('INFO', 'server')))?.[1] ?? '';
      await redis.command('HSET', '{paid}:leases', 'life', life, 'since', '0');
    });
    afterAll(() => redis?.stop());

    async function start(
      keys: readonly string[],
      more: Record<string, string> = {},
    ): Promise<ServiceProcess> {
      const service = run({
        PORT: String(await freePort()),
        SETTLERS: 'local',
        RPC_URLS: chain().rpcUrl,
        RELAYER_KEYS: keys.join(),
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

    async function payment(service: ServiceProcess): Promise<Record<string, string>> {
      const unpaid = await fetch(`${service.url}${noticePath()}`);
      const [accepted] = headerJson<PaymentRequired>(unpaid, 'payment-required')?.accepts ?? [];
      const buyer = chain().buyers[0] as DevAccount;
      const signed = await signAuthorization({ buyer, accepted: accepted as PaymentRequirements });
      return { 'payment-signature': paymentHeader(signed) };
    }
    const present = async (service: ServiceProcess, headers: Record<string, string>) =>
      (await fetch(`${service.url}${noticePath()}`, { headers })).status;

    it('one key serves one: a second process waits, and takes over from who was paused, then from who was killed', {
      timeout: 300_000,
    }, async () => {
      const before = await earned(chain(), SELLER);
      const metricsPort = String(await freePort());
      const a = await start([chain().relayerKey], { METRICS_ADDRESS: `127.0.0.1:${metricsPort}` });
      await until(() => isWell(a), 'a has the key', TAKEN_OVER_MS);
      const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const shown = await metrics();
      for (const line of ['s{state="leased"} 1', 's{state="free"} 0', '_place 1'])
        expect(shown).toContain(`\ncalc_relayer_key${line}\n`);
      expect(shown).toMatch(/^calc_relayer_balance_eth\{settler="local"\} /m);
      const b = await start([chain().relayerKey]);
      await until(async () => (await reasons(b))?.join() === 'local_no_relayer_key', 'b has none', 30_000);
      const free = await fetch(`${b.url}${FREE}`);
      const first = await payment(b);
      expect([free.status, await present(b, first), await gain(before)]).toEqual([200, 503, 0n]);
      expect([await present(a, first), await gain(before)]).toEqual([200, CENT]);
      // Paused with a transaction that is in no block yet.
      await setAutomine(chain(), false);
      const second = await payment(a);
      const answer = present(a, second).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      a.child.kill('SIGSTOP');
      await until(() => isWell(b), 'b has the key', TAKEN_OVER_MS);
      a.child.kill('SIGCONT');
      await until(() => a.logged('relayer_key').some(({ state }) => state === 'lost'), 'a has lost it');
      expect(await reasons(a)).toContain('local_no_relayer_key');
      expect(await metrics()).toContain('\ncalc_relayer_key_place 0\n');
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
      // Given back at the end: nobody waits for it.
      a.child.kill('SIGTERM');
      expect(await a.ended).toBe(0);
      expect(await redis.command('KEYS', '{paid}:lease:*')).toEqual([]);
      for (const one of [a, b]) expect(one.written()).not.toContain(chain().relayerKey.slice(2));
    });
  },
);
