import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { serviceWith } from '../support/own-service.ts';
import { type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { UNSETTLED } from '../support/unsettled.ts';
import { until } from '../support/until.ts';

const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01';
const PAID = `/v1/late-fee-notice?amount=100&due_date=2026-09-01&client_name=Acme`;
const PASSWORD = 'secret-4711';
const TOKEN = 'a-token-of-some-length';
const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const CDP_API_KEY_SECRET = Buffer.concat(
  [d, x].map((half) => Buffer.from(half as string, 'base64url')),
).toString('base64');

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

  async function start(env: Record<string, string> = {}): Promise<string> {
    const started = await serviceWith({
      ...UNSETTLED,
      PUBLIC_BASE_URL: 'https://calc.example',
      REDIS_URL: server.url,
      OPERATOR_TOKEN: TOKEN,
      ...env,
    });
    services.push(started.service);
    lines = started.lines;
    return started.service.url;
  }
  // The settler of this service has no chain, which is a second reason for the state "degraded".
  type Health = { status: string; payments: string; reasons: string[] };
  const health = async (url: string) =>
    (await (
      await fetch(`${url}/healthz`, { headers: { authorization: `Bearer ${TOKEN}` } })
    ).json()) as Health;
  const isDown = async (url: string) => (await health(url)).reasons.includes('redis_down');
  async function untilDown(url: string, down: boolean): Promise<Health> {
    await until(async () => (await isDown(url)) === down, `Redis is ${down ? 'down' : 'reachable'}`);
    return health(url);
  }

  /**
   * The remaining free requests after each of six, alternating between two instances, and the number of callers that
   * Redis counts.
   */
  async function askInTurn(env: Record<string, string>) {
    const urls = [await start(env), await start(env)] as const;
    const counted = async () => (await server.command('KEYS', '*:rate:*')) as string[];
    // The first request of a process can take longer than the process waits for Redis, so one is made before the six.
    for (const url of urls) await fetch(`${url}${FREE}`);
    for (const key of await counted()) await server.command('DEL', key);
    const left: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { headers } = await fetch(`${urls[count % 2]}${FREE}`);
      left.push(Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    }
    return { left, counted: (await counted()).length };
  }

  it.each([
    ['a key of RECEIPT_KEYS', { RECEIPT_KEYS: `0x${'2b'.repeat(32)}` }],
    ['an API key of CDP', { CDP_API_KEY_ID: 'an-id', CDP_API_KEY_SECRET }],
  ])('counts free requests together with another instance that has the same secret, %s', async (_, env) => {
    expect(await askInTurn(env)).toEqual({ left: [29, 28, 27, 26, 25, 24], counted: 1 });
  });

  it('counts free requests in each instance and stores no callers in Redis if no secret is shared', async () => {
    expect(await askInTurn({})).toEqual({ left: [28, 28, 27, 27, 26, 26], counted: 0 });
  });

  it('reports payments as unavailable while Redis is unavailable, serves everything else, and logs no URL', async () => {
    const url = await start();
    expect(await isDown(url)).toBe(false);
    await server.kill();
    expect(await untilDown(url, true)).toMatchObject({ status: 'degraded', payments: 'unavailable' });
    expect((await fetch(`${url}${FREE}`)).status).toBe(200);
    expect((await fetch(`${url}${PAID}`)).status).toBe(402);
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'redis');
    expect(events).toMatchObject([
      { level: 'info', state: 'connected' },
      { level: 'warn', state: 'lost' },
    ]);
    expect(lines.join('')).not.toContain(PASSWORD);
    expect(lines.join('')).not.toContain(new URL(server.url).port);
    await server.start();
    await untilDown(url, false);
  });
});
