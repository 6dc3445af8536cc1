import { describe, expect, it, test } from 'vitest';
import { inMemory } from '../../test/support/in-memory.ts';
import type { SettlerHealth } from '../payments/failover.ts';
import { createLog } from '../platform/log.ts';
import { release } from '../platform/release.ts';
import { mountHealth } from '../surfaces/http/health-routes.ts';
import { createRouter } from '../surfaces/http/router.ts';
import { type HealthFacts, healthMonitor, healthOf } from './health.ts';

const settler = (name: string, reason: SettlerHealth['reason'] = null): SettlerHealth => ({
  settler: name,
  state: reason === null ? 'ok' : 'degraded',
  reason,
});

const told = (facts: Partial<HealthFacts>) =>
  healthOf({
    isDraining: false,
    redis: null,
    hasChainEnded: false,
    lowBalanceSettlers: new Set(),
    isPayeeShared: false,
    settlers: [settler('local')],
    ...facts,
  });

describe('health', () => {
  it('is ok if nothing is wrong, and ready once a settler has answered', () => {
    expect(told({})).toEqual({ status: 'ok', payments: 'ok', reasons: [] });
    const unasked = { settler: 'local', state: 'unasked', reason: null } as const;
    const asked = { settler: 'cdp', state: 'ok', reason: null } as const;
    const reasons = ['local_unasked'];
    expect(told({ settlers: [unasked] })).toEqual({ status: 'degraded', payments: 'unavailable', reasons });
    expect(told({ settlers: [unasked, asked] })).toEqual({ status: 'degraded', payments: 'ok', reasons });
  });

  it.each<[string, Partial<HealthFacts>, 'ok' | 'unavailable', string[]]>([
    ['Redis away', { redis: 'down' }, 'unavailable', ['redis_down']],
    ['a Redis that may evict data', { redis: 'may_evict' }, 'ok', ['redis_may_evict']],
    ['its own chain crashed', { hasChainEnded: true }, 'unavailable', ['embedded_chain_ended']],
    ['another seller with its payee', { isPayeeShared: true }, 'ok', ['payee_shared']],
    ['little gas money', { lowBalanceSettlers: new Set(['local']) }, 'ok', ['local_low_balance']],
    [
      'the only settler away',
      { settlers: [settler('local', 'chain_unreached')] },
      'unavailable',
      ['local_chain_unreached'],
    ],
    [
      'one settler of two away',
      { settlers: [settler('local', 'failing'), settler('payai')] },
      'ok',
      ['local_failing'],
    ],
    [
      'gas too expensive for only the cheapest product',
      { settlers: [{ ...settler('local', 'gas_too_dear'), isPartial: true }] },
      'ok',
      ['local_gas_too_dear'],
    ],
    [
      'gas too expensive',
      { settlers: [settler('local', 'gas_too_dear')] },
      'unavailable',
      ['local_gas_too_dear'],
    ],
    ['its clock off', { settlers: [settler('local', 'clock_off')] }, 'unavailable', ['local_clock_off']],
    [
      'both away',
      { settlers: [settler('cdp', 'unauthorized'), settler('facilitator_2', 'not_listed')] },
      'unavailable',
      ['cdp_unauthorized', 'facilitator_2_not_listed'],
    ],
    [
      'a facilitator that does not say what it supports',
      { settlers: [settler('payai', 'unclear')] },
      'ok',
      ['payai_unclear'],
    ],
  ])('is degraded with %s, and says why', (_name, facts, payments, reasons) => {
    expect(told(facts)).toEqual({ status: 'degraded', payments, reasons });
  });

  it('reports draining before anything else', () => {
    expect(told({ isDraining: true, redis: 'may_evict' })).toMatchObject({
      status: 'draining',
      payments: 'ok',
    });
  });
});

describe('the health endpoints', () => {
  const TOKEN = 'a-token-of-some-length';
  const ask = async (
    facts: Partial<HealthFacts>,
    path: string,
    { method = 'GET', token = TOKEN as string | null, authorization = '' } = {},
  ) => {
    const router = createRouter({ baseUrl: 'https://calc.example', onBug: () => undefined });
    mountHealth(router, { health: () => told(facts), token });
    return inMemory(router).request(path, { method, headers: { authorization } });
  };

  it.each<[string, Partial<HealthFacts>, number]>([
    ['all is well', {}, 200],
    ['little gas money is left', { lowBalanceSettlers: new Set(['local']) }, 200],
    ['no payment can be taken', { redis: 'down' }, 503],
    ['the service drains', { isDraining: true }, 503],
  ])('show the state if %s: /healthz is 200 and /readyz may differ', async (_name, facts, status) => {
    const [alive, ready] = [await ask(facts, '/healthz'), await ask(facts, '/readyz')];
    expect([alive.status, ready.status]).toEqual([200, status]);
    expect(ready.headers.get('retry-after')).toBe(status === 503 ? '10' : null);
    for (const response of [alive, ready]) {
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { status: said, payments } = told(facts);
      expect(await response.json()).toEqual({ status: said, payments, version: release.version });
    }
  });

  it.each(['/healthz', '/readyz'])(
    'return the reasons at %s only to a caller with the token',
    async (path) => {
      const facts = { settlers: [settler('local', 'gas_budget_spent')] };
      const { status, payments, reasons } = told(facts);
      const says = async (authorization: string, token: string | null = TOKEN) =>
        (await ask(facts, path, { authorization, token })).json();
      expect(await says(`Bearer ${TOKEN}`)).toEqual({ status, payments, version: release.version, reasons });
      expect(reasons).toEqual(['local_gas_budget_spent']);
      for (const shown of ['', TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, 'Bearer null'])
        expect(await says(shown), shown).toEqual({ status, payments, version: release.version });
      expect(await (await ask(facts, `${path}?token=${TOKEN}`)).json()).not.toHaveProperty('reasons');
      for (const shown of ['', 'Bearer ', 'Bearer null', 'Bearer undefined'])
        expect(await says(shown, null)).toEqual({ status, payments, version: release.version });
    },
  );

  it('answer HEAD, and return 405 for methods that would change something', async () => {
    expect((await ask({}, '/readyz', { method: 'HEAD' })).status).toBe(200);
    const refused = await ask({}, '/healthz', { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test('a change of health is logged once, and so is the return to normal', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', write: (line) => lines.push(line) });
  const monitor = healthMonitor(log);
  let redis: 'ok' | 'down' = 'ok';
  monitor.redis = { status: () => redis };
  monitor.refresh();
  redis = 'down';
  for (let count = 0; count < 3; count += 1) monitor.refresh();
  redis = 'ok';
  for (let count = 0; count < 3; count += 1) monitor.refresh();
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.map(({ time: _time, ...rest }) => rest)).toEqual([
    { level: 'warn', event: 'health', status: 'degraded', payments: 'unavailable', reasons: ['redis_down'] },
    { level: 'info', event: 'health', status: 'ok', payments: 'ok', reasons: [] },
  ]);
});

test('a log line says when payments become available or unavailable, even if the reasons stay the same', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', write: (line) => lines.push(line) });
  const monitor = healthMonitor(log);
  let health: SettlerHealth = { settler: 'local', state: 'unasked', reason: null };
  monitor.settlers = { health: () => [health] };
  monitor.refresh();
  health = settler('local');
  monitor.refresh();
  health = { ...settler('local', 'gas_too_dear'), isPartial: true };
  monitor.refresh();
  health = settler('local', 'gas_too_dear');
  monitor.refresh();
  expect(lines.map((line) => JSON.parse(line)).map(({ payments, reasons }) => [payments, reasons])).toEqual([
    ['unavailable', ['local_unasked']],
    ['ok', []],
    ['ok', ['local_gas_too_dear']],
    ['unavailable', ['local_gas_too_dear']],
  ]);
});
