import { Agent, get as httpGet } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sharedChain } from '../support/chain.ts';
import { earned, headerJson, noticePath, paymentAt } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { listens, processes, type ServiceProcess } from './process.ts';

const CENT = 10_000n;
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';

describe.skipIf(signals.areMissing)(signals.named('the shutdown of a service'), () => {
  const chain = sharedChain();
  const run = processes();
  let proxy: RpcProxy;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
  });
  afterEach(() => proxy.stop());

  async function start(node: string[] = [], env: Record<string, string> = {}): Promise<ServiceProcess> {
    const service = run(
      {
        PORT: String(await freePort()),
        NODE_ENV: 'development',
        SETTLERS: 'local',
        RPC_URLS: proxy.url,
        RELAYER_KEY: chain().relayerKey,
        PAY_TO: SELLER,
        ...env,
      },
      { node },
    );
    await listens(service);
    return service;
  }

  const payment = ({ url }: ServiceProcess) => paymentAt(url, chain().buyers[0]);

  /** A purchase whose transaction reaches the chain once it is released. */
  async function underWay(service: ServiceProcess, signal?: AbortSignal) {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    proxy.fail('eth_sendRawTransactionSync', 'slow', { until: isReleased });
    const headers = await payment(service);
    const answer = fetch(`${service.url}${noticePath()}`, { headers, ...(signal && { signal }) });
    answer.catch(() => undefined);
    await until(() => proxy.calls('eth_sendRawTransactionSync') === 1, 'the broadcast');
    return { answer, release };
  }

  it('waits for the pending purchase, which gets its answer and its receipt, and logs it last', async () => {
    const service = await start();
    const before = await earned(chain(), SELLER);
    const { answer, release } = await underWay(service);
    service.child.kill('SIGTERM');
    await until(() => service.logged('draining').length === 1, 'draining');
    await expect(fetch(`${service.url}/healthz`, { keepalive: false })).rejects.toThrow();
    release();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(headerJson<{ success: boolean }>(response, 'payment-response')?.success).toBe(true);
    expect(response.headers.get('connection')).toBe('close');
    expect(await service.ended).toBe(0);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    expect(service.logged('draining')).toMatchObject([{ reason: 'SIGTERM', open_requests: 1 }]);
    expect(service.logged('stopped')).toMatchObject([{ level: 'info', complete: true }]);
  });

  it('waits for a purchase whose buyer has disconnected', async () => {
    const service = await start();
    const before = await earned(chain(), SELLER);
    const leaving = new AbortController();
    const { release } = await underWay(service, leaving.signal);
    leaving.abort();
    // If later requests are answered, the service has noticed the end of that connection.
    for (const _round of [1, 2, 3]) await (await fetch(`${service.url}/healthz`)).text();
    service.child.kill('SIGTERM');
    await until(() => service.logged('draining').length === 1, 'draining');
    expect(await earned(chain(), SELLER)).toBe(before);
    release();
    expect(await service.ended).toBe(0);
    expect((await earned(chain(), SELLER)) - before).toBe(CENT);
    expect(service.logged('draining')).toMatchObject([{ open_requests: 0 }]);
    expect(service.logged('stopped')).toMatchObject([{ complete: true }]);
  });

  // A pending purchase may take 30 s, which is longer than this test may take.
  it('does not wait if nothing is pending, even if idle connections are open', {
    timeout: 25_000,
  }, async () => {
    const service = await start();
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) => {
      httpGet(`${service.url}${FREE}`, { agent }, (incoming) => incoming.resume().once('end', resolve));
    });
    service.child.kill('SIGINT');
    expect(await service.ended).toBe(0);
    agent.destroy();
  });

  it('waits DRAIN_DELAY_SECONDS for load balancers, while the service is not ready but still answers', async () => {
    const service = await start([], { DRAIN_DELAY_SECONDS: '10' });
    service.child.kill('SIGTERM');
    await until(() => service.logged('draining').length === 1, 'draining');
    const ready = await fetch(`${service.url}/readyz`, { keepalive: false });
    expect([ready.status, ((await ready.json()) as { status: string }).status]).toEqual([503, 'draining']);
    expect((await fetch(`${service.url}${FREE}`)).status).toBe(200);
    const paid = await fetch(`${service.url}${noticePath()}`, { headers: await payment(service) });
    expect(paid.status).toBe(200);
    await paid.text();
    expect(await service.ended).toBe(0);
    expect(service.logged('stopped')).toMatchObject([{ complete: true }]);
  });

  it('is immediate after a second signal, but not after an echo of the first', async () => {
    const service = await start();
    await underWay(service);
    service.child.kill('SIGINT');
    service.child.kill('SIGINT');
    await until(() => service.logged('draining').length === 1, 'draining');
    expect(service.child.exitCode).toBeNull();
    // A signal counts as an echo for half a second.
    const isOver = () => service.child.exitCode !== null || service.child.signalCode !== null;
    await until(() => isOver() || !service.child.kill('SIGINT'), 'the end');
    expect(await service.ended).toBe(130);
  });

  it.each([
    ['an exception', "throw new TypeError('https://rpc.example/SECRET-4711')", 'TypeError'],
    ['a rejection', "Promise.reject(new RangeError('https://rpc.example/SECRET-4711'))", 'RangeError'],
  ])(
    'that is caused by %s has status 1 and a log line without the message of the error',
    async (_name, code, name) => {
      const service = await start(['--import', `data:text/javascript,process.on('SIGUSR2',()=>{${code}})`]);
      service.child.kill('SIGUSR2');
      expect(await service.ended).toBe(1);
      expect(service.logged('fault')).toMatchObject([{ level: 'error', where: 'process', name }]);
      expect(service.written()).not.toContain('4711');
    },
  );
});
