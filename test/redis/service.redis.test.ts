import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Service, startService } from '../../src/service.ts';
import { type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { UNSETTLED } from '../support/unsettled.ts';

const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01';
const PAID = `/v1/late-fee-notice?amount=100&due_date=2026-09-01&client_name=Acme`;
const PASSWORD = 'secret-4711';
const TOKEN = 'a-token-of-some-length';

describe.skipIf(redisMissing)('a service with REDIS_URL', () => {
  let server: RedisServer;
  let services: Service[] = [];
  let lines: string[] = [];

  beforeEach(async () => {
    server = await startRedis({ password: PASSWORD });
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    services = [];
    lines = [];
    await server.stop();
  });

  async function start(): Promise<string> {
    const reading = readConfig({
      ...UNSETTLED,
      PUBLIC_BASE_URL: 'https://calc.example',
      REDIS_URL: server.url,
      HEALTH_TOKEN: TOKEN,
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
    const log = createLog({ level: 'debug', write: (line) => lines.push(line) });
    const service = await startService({ ...reading.config, port: 0 }, log);
    services.push(service);
    return service.url;
  }
  // The settler of this service has no chain, which is another reason to be degraded.
  type Health = { status: string; payments: string; reasons: string[] };
  const health = async (url: string) =>
    (await (
      await fetch(`${url}/healthz`, { headers: { authorization: `Bearer ${TOKEN}` } })
    ).json()) as Health;
  const isDown = async (url: string) => (await health(url)).reasons.includes('redis_down');
  async function untilDown(url: string, down: boolean): Promise<Health> {
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      if ((await isDown(url)) === down) return health(url);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`Redis never became ${down ? 'down' : 'reachable'}`);
  }

  it('shares its thirty free requests a minute with another one', async () => {
    const urls = [await start(), await start()] as const;
    const ends = await Promise.all(
      Array.from({ length: 40 }, (_, index) => fetch(`${urls[index % 2]}${FREE}`)),
    );
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(ends.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('says that payments are off while Redis is away, and goes on with everything else', async () => {
    const url = await start();
    expect(await isDown(url)).toBe(false);
    await server.kill();
    expect(await untilDown(url, true)).toMatchObject({ status: 'degraded', payments: 'unavailable' });
    expect((await fetch(`${url}${FREE}`)).status).toBe(200);
    expect((await fetch(`${url}${PAID}`)).status).toBe(402);
    await server.start();
    await untilDown(url, false);
  });

  it('starts without Redis, and takes payments once it is there', async () => {
    await server.kill();
    const url = await start();
    expect(await isDown(url)).toBe(true);
    expect((await fetch(`${url}${FREE}`)).status).toBe(200);
    await server.start();
    await untilDown(url, false);
  });

  it('warns when Redis may evict claims', async () => {
    await server.command('CONFIG', 'SET', 'maxmemory', '100mb');
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'volatile-lru');
    const { status, reasons } = await health(await start());
    expect([status, reasons.includes('redis_may_evict')]).toEqual(['degraded', true]);
    expect(lines.filter((line) => line.includes('may_evict') && line.includes('warn'))).not.toEqual([]);
  });

  it('logs what becomes of the connection, and never its URL', async () => {
    const url = await start();
    await server.kill();
    await untilDown(url, true);
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'redis');
    expect(events).toMatchObject([
      { level: 'info', state: 'connected' },
      { level: 'warn', state: 'lost' },
    ]);
    expect(lines.join('')).not.toContain(PASSWORD);
    expect(lines.join('')).not.toContain(new URL(server.url).port);
  });
});
