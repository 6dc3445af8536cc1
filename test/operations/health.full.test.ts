import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { release } from '../../src/platform/release.ts';
import type { Service } from '../../src/service/service.ts';
import { isBundle, withChain } from '../support/built-program.ts';
import { sharedChain } from '../support/chain.ts';
import { setBalance } from '../support/chain-actions.ts';
import { procFiles } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { serviceWith } from '../support/own-service.ts';
import { SELLER } from '../support/payments.ts';
import { nodeSecret, type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { listens, processes } from './process.ts';

const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const OK = { status: 'ok', payments: 'ok', version: release.version, reasons: [] as string[] };
const TOKEN = 'a-token-of-some-length';
const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };

describe('the health of a running service', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let service: Service;
  let lines: string[];

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
  });
  afterEach(async () => {
    await service.stop();
    await proxy.stop();
  });

  async function serve(settings: Record<string, string> = {}): Promise<void> {
    ({ service, lines } = await serviceWith({
      NODE_ENV: 'development',
      SETTLERS: 'local',
      RPC_URLS: proxy.url,
      RELAYER_KEY: chain().buyers[7]?.privateKey as string,
      PAY_TO: SELLER,
      OPERATOR_TOKEN: TOKEN,
      ...settings,
    }));
  }

  const ask = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, bearer);
    return { status: response.status, body: (await response.json()) as typeof OK };
  };
  const reasons = async () => (await ask('/healthz')).body.reasons.join();

  it('begins with a warning if facilitators must be trusted', async () => {
    const warned = () => lines.filter((line) => line.includes('"settlement_unverified"'));
    const facilitator = { NODE_ENV: 'development', SETTLERS: 'http://127.0.0.1:9/facilitator' };
    await serve({ ...facilitator, RPC_URLS: '', RELAYER_KEY: '' });
    expect(warned().map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', missing: 'RPC_URLS' }]);
    await service.stop();
    await serve({ ...facilitator, RELAYER_KEY: '' });
    expect(warned()).toEqual([]);
  });

  it('is known without a purchase, costs few calls, and recovers with the chain', async () => {
    proxy.fail('*', 'error');
    await serve();
    await until(async () => (await reasons()) === 'local_chain_unclear', 'the fault is seen');
    const calls = proxy.calls();
    for (let count = 0; count < 20; count += 1) await ask('/readyz');
    expect(proxy.calls() - calls).toBeLessThan(5);
    expect(await ask('/healthz')).toEqual({
      status: 200,
      body: { ...OK, status: 'degraded', payments: 'unavailable', reasons: ['local_chain_unclear'] },
    });
    expect((await ask('/readyz')).status).toBe(503);
    expect((await fetch(`${service.url}${FREE}`)).status).toBe(200);
    proxy.heal();
    await until(async () => (await reasons()) === '', 'the chain is back');
    expect(await ask('/readyz')).toEqual({ status: 200, body: OK });
    const events = lines
      .map((line) => JSON.parse(line))
      .filter(({ event, reasons }) => event === 'health' && !reasons?.includes('local_unasked'));
    expect(events.map(({ payments }) => payments)).toEqual(['unavailable', 'ok']);
    expect(lines.join('')).not.toContain(nodeSecret);
  });

  it('reports that the node is on another chain', async () => {
    await serve({ NETWORK: 'eip155:84532' });
    await until(async () => (await reasons()) === 'local_wrong_chain', 'the other chain is seen');
    expect((await ask('/readyz')).status).toBe(503);
  });

  it.each(['0x', null])('is reported despite a node that answers %j to everything', async (result) => {
    await serve();
    await until(async () => (await reasons()) === '', 'all is well');
    proxy.fail('*', 'lie', { result });
    await service.stop();
    await serve();
    await until(async () => (await reasons()) === 'local_chain_unclear', 'the fault is seen');
    proxy.heal();
    await until(async () => (await reasons()) === '', 'the chain is back');
  });

  it('includes a warning if the account has money for few settlements, and is not ready with money for none', async () => {
    const relayer = chain().buyers[7]?.address as `0x${string}`;
    // The chain's first block has a base fee of 0.005 gwei, so this is 10 settlements at 4 x 0.005 + 0.001 gwei and
    // 160,000 gas.
    await setBalance(chain(), relayer, 10n * 21_000_000n * 160_000n);
    await serve();
    await until(async () => (await reasons()) === 'local_low_balance', 'the warning');
    expect((await ask('/readyz')).status).toBe(200);
    expect(lines.join('')).toContain('"settler":"local","reason":"low_balance"');
    await service.stop();
    await setBalance(chain(), relayer, 0n);
    await serve();
    await until(async () => (await reasons()) === 'local_no_gas_money,local_low_balance', 'the fault');
    expect((await ask('/readyz')).status).toBe(503);
    await setBalance(chain(), relayer, 10n ** 18n);
    await until(async () => (await reasons()) === '', 'the account is filled');
  });
});

// The suite reads the child processes of the service in /proc.
describe.skipIf(procFiles.areMissing || isBundle)(
  withChain(procFiles.named('the crash of an embedded chain')),
  () => {
    const run = processes();

    /** Returns the IDs of the processes that a process has started. */
    const childrenOf = (pid: number): number[] =>
      readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
          .trim()
          .split(' ')
          .filter(Boolean)
          .map(Number),
      );

    it('is logged and shown, and free operations continue', async () => {
      const service = run({ PORT: String(await freePort()), OPERATOR_TOKEN: TOKEN });
      await listens(service);
      expect(service.logged('embedded_chain')).toMatchObject([{ state: 'started' }]);
      // The service is ready as soon as the chain has answered.
      await until(async () => (await fetch(`${service.url}/readyz`, bearer)).ok, 'payments are ready');
      expect(await (await fetch(`${service.url}/readyz`, bearer)).json()).toEqual(OK);
      for (const pid of childrenOf(service.child.pid as number)) process.kill(pid, 'SIGKILL');
      await until(() => service.logged('embedded_chain').length === 2, 'the end is logged');
      expect(service.logged('embedded_chain')[1]).toMatchObject({ level: 'error', state: 'ended' });
      const ready = await fetch(`${service.url}/readyz`, bearer);
      expect(ready.status).toBe(503);
      expect(((await ready.json()) as typeof OK).reasons).toContain('embedded_chain_ended');
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${service.url}${FREE}`)).status).toBe(200);
      service.child.kill('SIGTERM');
      expect(await service.ended).toBe(0);
    });
  },
);
