import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { processes } from '../operations/process.ts';
import { sharedChain } from '../support/chain.ts';
import { noticePath, paymentAt } from '../support/chain-app.ts';
import { faultsOf } from '../support/config.ts';
import { freePort } from '../support/listening.ts';
import { serviceWith } from '../support/own-service.ts';
import { SELLER } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

const TOKEN = 'a-token-of-some-length';
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';

describe('the metrics of a service', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let service: Service;
  let metricsUrl: string;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
  });
  afterEach(async () => {
    await service?.stop();
    await proxy.stop();
  });

  async function serve(settings: Record<string, string> = {}): Promise<void> {
    const metricsPort = await freePort();
    ({ service } = await serviceWith({
      NODE_ENV: 'development',
      SETTLERS: 'local,https://facilitator.invalid/SECRET-4711',
      RPC_URLS: `http://127.0.0.1:9/SECRET-4711,${proxy.url}/SECRET-4711`,
      RELAYER_KEY: chain().relayerKey,
      PAY_TO: SELLER,
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      FREE_REQUESTS_PER_MINUTE: '2',
      ...settings,
    }));
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  }

  const shown = async (): Promise<string> => (await fetch(metricsUrl)).text();
  const value = async (series: string): Promise<number> => {
    const line = (await shown()).split('\n').find((text) => text.startsWith(`${series} `));
    return Number(line?.split(' ').at(-1));
  };

  it('count a sale once with its dollars, its settler and its duration, however often the answer is collected', async () => {
    await serve();
    await until(async () => (await fetch(`${service.url}/readyz`)).ok, 'ready');
    const headers = await paymentAt(service.url, chain().buyers[0]);
    for (let tries = 0; tries < 3; tries += 1)
      expect((await fetch(`${service.url}${noticePath()}`, { headers })).status).toBe(200);
    const text = await shown();
    expect(text).toContain('calc_sold_usd_total{product="late_fee_notice"} 0.01\n');
    expect(text).toContain('calc_sold_total{product="late_fee_notice"} 1\n');
    expect(text).toContain('calc_calls_total{operation="late_fee_notice",end="settled"} 3\n');
    expect(text).toContain('calc_calls_total{operation="late_fee_notice",end="challenged"} 1\n');
    expect(text).toContain('calc_call_seconds_count{operation="late_fee_notice"} 4\n');
    expect(text).not.toContain('calc_calls_total{operation="late_fee",end="settled"}');
    expect(text).toContain('calc_log_lines_lost_total 0\n');
    expect(text).not.toContain('calc_redis');
    expect(await value('calc_connections')).toBeGreaterThan(0);
    expect(text).toContain('calc_settlements_total{settler="local",end="settled"} 1\n');
    expect(text).toContain('calc_settlements_total{settler="facilitator_2",end="settled"} 0\n');
    expect(text).toContain('calc_settlement_seconds_count{settler="local"} 1\n');
    expect(text).toContain('calc_claims 1\n');
    expect(text).toContain('calc_purchases_under_way 0\n');
    expect(text).toContain('calc_payments_available 1\n');
    expect(await value('calc_rpc_calls_total{node="2",end="result"}')).toBeGreaterThan(3);
    expect(await value('calc_rpc_calls_total{node="1",end="unreached"}')).toBeGreaterThan(0);
    expect(await value('calc_relayer_settlements_left{settler="local"}')).toBeGreaterThan(1_000);
    expect(await value('process_resident_memory_bytes')).toBeGreaterThan(50e6);
    expect(await value('calc_event_loop_delay_seconds{percentile="100"}')).toBeGreaterThanOrEqual(0);
  });

  it('count free calls, limits and answers, and contain nothing that a caller chose', async () => {
    await serve();
    const strange = { 'user-agent': 'MARK-4712', 'x-request-id': 'MARK-4712', host: 'MARK-4712.example' };
    for (let tries = 0; tries < 3; tries += 1)
      await fetch(`${service.url}${FREE}&MARK-4712=MARK-4712`, { headers: strange });
    await fetch(`${service.url}/MARK-4712/${'MARK-4712'.repeat(9)}`, { method: 'PROPFIND' });
    const text = await shown();
    expect(text).toContain('calc_calls_total{operation="late_fee",end="rejected"} 2\n');
    expect(text).toContain('calc_calls_total{operation="late_fee",end="limited"} 1\n');
    expect(text).toContain('calc_limited_total{limit="free"} 1\n');
    expect(text).toContain('calc_http_responses_total{status="4xx"} 4\n');
    expect(text).toContain('calc_http_responses_total{status="5xx"} 0\n');
    for (const mark of ['4711', '4712', '127.0.0.1', SELLER, 'facilitator.invalid'])
      expect(text).not.toContain(mark);
  });

  it('have no address on the service itself, and no address at all without METRICS_ADDRESS', async () => {
    await serve();
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    await service.stop();
    await serve({ METRICS_ADDRESS: '' });
    expect(service.metricsUrl).toBeNull();
  });

  it('require the OPERATOR_TOKEN if it is set', async () => {
    await serve({ OPERATOR_TOKEN: TOKEN });
    const ask = async (headers: Record<string, string>, init: RequestInit = {}) => {
      const response = await fetch(metricsUrl, { ...init, headers });
      return [response.status, (await response.text()) === ''];
    };
    expect(await ask({})).toEqual([401, true]);
    expect(await ask({ authorization: `Bearer ${TOKEN}x` })).toEqual([401, true]);
    const authorization = `Bearer ${TOKEN}`;
    expect(await ask({ authorization })).toEqual([200, false]);
    expect(await ask({ authorization }, { method: 'HEAD' })).toEqual([200, true]);
    expect(await ask({ authorization }, { method: 'POST' })).toEqual([405, true]);
    expect((await fetch(metricsUrl.replace('/metrics', '/'), { headers: { authorization } })).status).toBe(
      404,
    );
  });
});

describe('METRICS_ADDRESS', () => {
  const run = processes();
  const base = {
    NODE_ENV: 'development',
    SETTLERS: 'local',
    RPC_URLS: 'http://127.0.0.1:9',
    RELAYER_KEY: `0x${'11'.repeat(32)}`,
    PAY_TO: SELLER,
  };
  const faults = (env: Record<string, string>) => faultsOf({ ...base, ...env });

  it('needs its own port, and a token if other machines can reach it', () => {
    expect(faults({ METRICS_ADDRESS: '127.0.0.1:4021' })).toEqual([
      'METRICS_ADDRESS uses the port of the service; use a different port',
    ]);
    for (const METRICS_ADDRESS of ['9464', ':9464', '127.0.0.1', '127.0.0.1:0', '::1:9464', 'a b:1', '[::1]'])
      expect(faults({ METRICS_ADDRESS })).toEqual([
        'METRICS_ADDRESS must be an address and a port, such as 127.0.0.1:9464',
      ]);
    for (const host of ['0.0.0.0', '[::]', '10.0.0.1', 'calc.internal'])
      expect(faults({ METRICS_ADDRESS: `${host}:9464` })).toEqual([
        'OPERATOR_TOKEN is missing; METRICS_ADDRESS can be reached from other machines',
      ]);
    for (const host of ['127.0.0.2', '[::1]', 'localhost'])
      expect(faults({ METRICS_ADDRESS: `${host}:9464` })).toEqual([]);
    expect(faults({ METRICS_ADDRESS: '10.0.0.1:9464', OPERATOR_TOKEN: TOKEN })).toEqual([]);
    expect(faults({ OPERATOR_TOKEN: 'short' })).toEqual([
      'OPERATOR_TOKEN must have at least 16 characters, without spaces',
    ]);
  });

  it('is reported in one sentence if it is in use, and nothing is served', async () => {
    const first = run({
      ...base,
      PORT: String(await freePort()),
      METRICS_ADDRESS: `127.0.0.1:${await freePort()}`,
    });
    await until(() => first.logged('listening').length === 1, 'listening');
    const taken = new URL(first.url).port;
    const second = run({ ...base, PORT: String(await freePort()), METRICS_ADDRESS: `127.0.0.1:${taken}` });
    expect(await second.ended).toBe(1);
    expect(second.written()).toContain(
      `Port ${taken} of 127.0.0.1 is in use: stop the program that uses it, or set METRICS_ADDRESS to another port.\n`,
    );
  });
});
