import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { earned, headerJson, noticePath } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { redisMissing } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { healthOf, isAlive, onNewConnection, workersBench, workersOf } from './bench.ts';

const CENT = 10_000n;
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const LIMIT_MS = 120_000;

describe.skipIf(redisMissing || signals.areMissing)(signals.named('two workers'), () => {
  const { chain, proxy, launch, start, payment } = workersBench();

  it('sell and limit as one: a payment buys once wherever it comes, and 30 free requests are 30', {
    timeout: LIMIT_MS,
  }, async () => {
    const metricsPort = await freePort();
    const service = await start({
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'debug',
      FREE_REQUESTS_PER_MINUTE: '30',
    });
    const before = await earned(chain(), SELLER);
    const headers = await payment(service);
    const transactions = new Set<string | undefined>();
    for (let tries = 0; tries < 4; tries += 1) {
      const paid = await onNewConnection(service, noticePath(), headers);
      expect(paid.status).toBe(200);
      transactions.add(headerJson<{ transaction: string }>(paid, 'payment-response')?.transaction);
    }
    expect(transactions.size).toBe(1);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    const ends = await Promise.all(Array.from({ length: 62 }, () => onNewConnection(service, FREE)));
    expect(ends.filter(({ status }) => status === 200).length).toBe(30);
    expect(ends.filter(({ status }) => status === 429).length).toBe(32);

    const by = service.logged('request').map(({ worker }) => worker);
    expect([...new Set(by)].toSorted()).toEqual([1, 2]);
    expect(service.logged('listening')).toMatchObject([{ workers: 2 }]);
    expect(service.logged('listening')[0]).not.toHaveProperty('worker');

    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const sum = (name: string, labels: string): number =>
      [...text.matchAll(new RegExp(`^${name}\\{worker="[12]",${labels}\\} (\\d+)$`, 'gm'))]
        .map(([, value]) => Number(value))
        .reduce((all, value) => all + value, 0);
    expect(sum('calc_calls_total', 'operation="late_fee",end="limited"')).toBe(32);
    expect(sum('calc_calls_total', 'operation="late_fee",end="served"')).toBe(30);
    expect(sum('calc_sold_total', 'product="late_fee_notice"')).toBe(1);
    expect(text).toContain('calc_workers{worker="0",state="serving"} 2\n');
    expect(text.match(/^# TYPE calc_calls_total /gm)).toHaveLength(1);
  });

  it('are two again after one was killed; meanwhile the other answers, and says that one is missing', {
    timeout: LIMIT_MS,
  }, async () => {
    const service = await start();
    const killed = workersOf(service).get(2) as number;
    process.kill(killed, 'SIGKILL');
    await until(() => service.logged('worker').length === 1, 'the death is logged');
    expect(service.logged('worker')).toMatchObject([
      { level: 'warn', worker: 2, state: 'ended', signal: 'SIGKILL' },
    ]);
    const told = await healthOf(service);
    expect(told).toMatchObject({ status: 200, body: { status: 'degraded', reasons: ['workers_missing'] } });
    for (let count = 0; count < 20; count += 1)
      expect((await onNewConnection(service, FREE)).status).toBe(200);
    await until(() => service.logged('worker').length === 2, 'another one serves', 30_000);
    expect(service.logged('worker')[1]).toMatchObject({ level: 'info', worker: 2, state: 'started' });
    expect(workersOf(service).get(2)).not.toBe(killed);
    await until(async () => (await healthOf(service)).body.status === 'ok', 'health', 30_000);
    expect(isAlive(killed)).toBe(false);
  });

  it('end as one: none is ready, both answer for the delay, and the purchase under way is answered', {
    timeout: LIMIT_MS,
  }, async () => {
    const service = await start({ DRAIN_DELAY_SECONDS: '5' });
    const workers = [...workersOf(service).values()];
    const headers = await payment(service);
    proxy().fail('eth_sendRawTransaction', 'slow', { delayMs: 7_000 });
    const before = proxy().calls('eth_sendRawTransaction');
    const answer = onNewConnection(service, noticePath(), headers);
    await until(() => proxy().calls('eth_sendRawTransaction') > before, 'the broadcast');
    // As Ctrl-C and some supervisors do: the whole group hears it.
    for (const pid of [service.child.pid as number, ...workers]) process.kill(pid, 'SIGTERM');
    await until(() => service.logged('draining').length === 3, 'all drain');
    // Workers take connections in turn: each is asked for both.
    for (let count = 0; count < 2; count += 1)
      expect(await healthOf(service)).toMatchObject({ status: 503, body: { status: 'draining' } });
    for (let count = 0; count < 2; count += 1)
      expect((await onNewConnection(service, FREE)).status).toBe(200);
    expect((await answer).status).toBe(200);
    expect(await service.ended).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(service.logged('stopped')).toMatchObject([
      { complete: true },
      { complete: true },
      { complete: true },
    ]);
    expect(service.logged('worker')).toEqual([]);
  });

  it('end at once when they are told so twice', { timeout: LIMIT_MS }, async () => {
    const service = await start({ DRAIN_DELAY_SECONDS: '60' });
    const workers = [...workersOf(service).values()];
    service.child.kill('SIGINT');
    await sleep(700);
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGINT');
    expect(await service.ended).toBe(130);
    await until(() => !workers.some(isAlive), 'no worker is left');
  });

  it('let purchases end when nobody is left who holds them', { timeout: LIMIT_MS }, async () => {
    const service = await start();
    const workers = [...workersOf(service).values()];
    const headers = await payment(service);
    proxy().fail('eth_sendRawTransaction', 'slow', { delayMs: 1_500 });
    const before = proxy().calls('eth_sendRawTransaction');
    const answer = onNewConnection(service, noticePath(), headers);
    await until(() => proxy().calls('eth_sendRawTransaction') > before, 'the broadcast');
    service.child.kill('SIGKILL');
    expect((await answer).status).toBe(200);
    await until(() => !workers.some(isAlive), 'no worker is left');
  });

  it('do not start where the port is taken: one sentence, status 1, no loop', {
    timeout: LIMIT_MS,
  }, async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const service = await launch({ PORT: String(port) });
    expect(await service.ended).toBe(1);
    await new Promise((resolve) => taken.close(resolve));
    const sentence = `Port ${port} of 127.0.0.1 is in use: end what listens there, or set PORT to another one.`;
    expect(service.written().split(sentence).length).toBe(2);
    expect(service.logged('worker').filter(({ state }) => state === 'ended').length).toBe(1);
    expect(service.logged('listening')).toEqual([]);
  });

  it('end as a whole when one that died cannot start any more, with its status', {
    timeout: LIMIT_MS,
  }, async () => {
    // Once the file is there, whoever is started as a worker ends before it serves.
    const code = `import { existsSync } from 'node:fs';
      if (process.argv[2] && existsSync(process.env.NO_MORE_STARTS)) process.exit(7);`;
    const folder = mkdtempSync(join(tmpdir(), 'workers-'));
    const service = await start({ NO_MORE_STARTS: join(folder, 'flag') }, [
      '--import',
      `data:text/javascript,${encodeURIComponent(code)}`,
    ]);
    writeFileSync(join(folder, 'flag'), '');
    process.kill(workersOf(service).get(1) as number, 'SIGKILL');
    expect(await service.ended).toBe(7);
    rmSync(folder, { recursive: true });
    expect(
      service
        .logged('worker')
        .filter(({ status }) => status === 7)
        .map(({ state }) => state),
    ).toEqual(['ended', 'ended', 'ended', 'ended', 'ended', 'given_up']);
    expect(service.logged('stopped').length).toBe(1);
  });
});
