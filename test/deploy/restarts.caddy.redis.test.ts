import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { buyAll, type Counts, count, twoInstances } from '../operations/two-instances.ts';
import { earned } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { SELLER } from '../support/payments.ts';
import { redisMissing } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { type Caddy, startCaddy, validated } from './caddy.ts';

const isMissing = redisMissing || process.env.SKIP_CADDY !== undefined || signals.areMissing;

const CALLERS = 4;
const PURCHASES = 40;
const CENT = 10_000n;
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
const QUOTE = JSON.stringify({ items: [{ description: 'Work', quantity: 2, unit_price: 45 }] });

type Step = { readonly index: 0 | 1; readonly act: () => unknown };
type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string };
const calls: readonly Call[] = [
  { method: 'GET', path: FREE },
  { method: 'POST', path: '/v1/quote', body: QUOTE },
];

const end = (url: string, agent: Agent, { method, path, body }: Call) =>
  new Promise<string>((resolve) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    request(`${url}${path}`, { method, agent, headers }, (incoming) =>
      incoming.resume().once('end', () => resolve(String(incoming.statusCode))),
    )
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'lost'))
      .end(body);
  });

describe.skipIf(isMissing)(signals.named('two instances behind Caddy with deploy/Caddyfile'), () => {
  const { chain, addresses, start } = twoInstances({ DRAIN_DELAY_SECONDS: '8' });
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of ends.splice(0)) await stop();
  });

  async function proxied(): Promise<Caddy> {
    const caddy = await startCaddy(addresses());
    ends.push(caddy.stop);
    return caddy;
  }

  /** Does something, and waits until Caddy has noticed that the instance is up or down. */
  async function foundAfter(caddy: Caddy, how: 'up' | 'down', { index, act }: Step): Promise<void> {
    const found = () => caddy.found(how, addresses()[index] ?? '');
    const before = found();
    await act();
    await until(() => found() > before, `instance ${index} is ${how}`);
  }

  it('have a configuration that Caddy accepts', () => {
    expect(validated()).toEqual({ status: 0, said: expect.stringContaining('Valid configuration') });
  });

  it('are both taken out of rotation if neither answers a health check, and a POST or a GET waits until one of them is back', {
    timeout: 300_000,
  }, async () => {
    const running = [await start(0), await start(1)];
    const caddy = await proxied();
    const { url } = caddy;
    const agent = new Agent({ keepAlive: true });
    for (const call of calls) expect(await end(url, agent, call)).toBe('200');
    const stopped = ([0, 1] as const).map((index) =>
      foundAfter(caddy, 'down', { index, act: () => running[index]?.child.kill('SIGSTOP') }),
    );
    await Promise.all(stopped);
    const answers = Promise.all(calls.map((call) => end(url, agent, call)));
    // Caddy must have the POST and the GET before it finds that any instance is up.
    await foundAfter(caddy, 'down', { index: 0, act: () => undefined });
    for (const { child } of running) child.kill('SIGCONT');
    expect(await answers).toEqual(['200', '200']);
    agent.destroy();
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
  });

  it('lose no request if they are restarted in turn, and only pending POSTs if one is killed, and every purchase is charged once', {
    timeout: 300_000,
  }, async () => {
    const running = [await start(0), await start(1)];
    const caddy = await proxied();
    const { url } = caddy;
    const before = await earned(chain(), SELLER);
    const restarted: Counts = {};
    const killed: Counts = {};
    let isKilling = false;
    let isOver = false;
    let sent = 0;
    const caller = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        sent += 1;
        const call = calls[sent % 2] as Call;
        const status = `${call.method} ${await end(url, agent, call)}`;
        count(isKilling ? killed : restarted, status);
      }
      agent.destroy();
    };
    const all = Array.from({ length: CALLERS }, caller);
    const purchases = buyAll(url, chain().buyers.slice(0, 4), { purchases: PURCHASES });
    for (const [signal, index] of [
      ['SIGTERM', 0],
      ['SIGTERM', 1],
      ['SIGKILL', 0],
    ] as const) {
      isKilling = signal === 'SIGKILL';
      await foundAfter(caddy, 'down', { index, act: () => running[index]?.child.kill(signal) });
      expect(await running[index]?.ended).toBe(signal === 'SIGTERM' ? 0 : signal);
      await foundAfter(caddy, 'up', {
        index,
        act: async () => {
          running[index] = await start(index);
        },
      });
    }
    isOver = true;
    await Promise.all(all);
    expect(Object.keys(restarted).sort()).toEqual(['GET 200', 'POST 200']);
    // Each caller has at most one POST pending when an instance is killed.
    const { 'GET 200': gets, 'POST 200': posts, 'POST 502': lost = 0, ...strange } = killed;
    expect(strange).toEqual({});
    expect([gets, posts].every((number) => number !== undefined && number > 100)).toBe(true);
    expect(lost).toBeLessThanOrEqual(2 * CALLERS);
    expect((await purchases).transactions.size).toBe(PURCHASES);
    expect((await earned(chain(), SELLER)) - before).toBe(BigInt(PURCHASES) * CENT);
  });
});
