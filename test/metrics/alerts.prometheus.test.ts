import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { clockBehind, processes, type ServiceProcess } from '../operations/process.ts';
import { fakePayment } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { setBalance } from '../support/chain-actions.ts';
import { headerJson, noticePath } from '../support/chain-app.ts';
import { freePort } from '../support/listening.ts';
import { paymentHeader, SELLER, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

const program = process.env.PROMETHEUS_PATH;
const monitoring = fileURLToPath(new URL('../../monitoring/', import.meta.url));
const read = (file: string): string => readFileSync(join(monitoring, file), 'utf8');
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
// What the rules wait for, in the seconds of a test that scrapes every second.
const WINDOW = '8s';
/** Over this many settlements the account with little money can pay for, below the alert and the warning. */
const FEW_SETTLEMENTS = 100n;
const SETTLEMENT_WEI = 21_000_000n * 160_500n;

const names = [...read('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** The rules as they are, but for how long something has to last. */
const quickRules = (): string =>
  read('alerts.yaml')
    .replaceAll(/^( +for:) \w+$/gm, '$1 0s')
    // Three starts take longer than anything else here.
    .replaceAll('[15m]', '[180s]')
    .replaceAll(/\[\d+[mhd]\]/g, `[${WINDOW}]`)
    .replaceAll(/offset \d+[mhd]/g, `offset ${WINDOW}`);

/** On SIGUSR2 everything goes wrong that can within one process. */
const MADNESS = `process.on('SIGUSR2', () => {
  globalThis.hoard = Buffer.alloc(800e6, 1);
  String.prototype.padStart = () => { throw new TypeError('broken'); };
  setInterval(() => { const end = performance.now() + 260; while (performance.now() < end); }, 600);
});`;

type Alert = { labels: Record<string, string>; state: string };
type Target = { readonly instance: string; readonly service: () => ServiceProcess };

describe.skipIf(program === undefined)('monitoring/, loaded by a Prometheus', () => {
  const chain = sharedChain();
  const run = processes();
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const proxies: RpcProxy[] = [];
  let prometheus: ChildProcess;
  let origin: string;

  beforeAll(() => {
    cpSync(monitoring, folder, { recursive: true });
  });
  afterAll(async () => {
    if (prometheus?.exitCode === null) {
      const ended = new Promise((resolve) => prometheus.once('exit', resolve));
      prometheus.kill('SIGTERM');
      await ended;
    }
    for (const proxy of proxies) await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const api = async <Data>(path: string): Promise<Data> =>
    ((await (await fetch(`${origin}/api/v1/${path}`)).json()) as { data: Data }).data;

  async function startPrometheus(instances: readonly string[]): Promise<void> {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    writeFileSync(join(folder, 'quick.yaml'), quickRules());
    writeFileSync(
      join(folder, 'quick-prometheus.yaml'),
      read('prometheus.yaml')
        .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s')
        .replace('- alerts.yaml', '- quick.yaml')
        .replace(/ +authorization:\n.*\n/, '')
        .replace('"127.0.0.1:9464"', instances.map((instance) => JSON.stringify(instance)).join()),
    );
    const args = [
      `--config.file=${join(folder, 'quick-prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ];
    prometheus = spawn(program ?? '', args, { stdio: 'inherit' });
    await until(
      async () => (await fetch(`${origin}/-/ready`).catch(() => null))?.ok === true,
      'it is ready',
      60_000,
    );
  }

  const proxy = async (): Promise<RpcProxy> => {
    const started = await startRpcProxy(chain().rpcUrl);
    proxies.push(started);
    return started;
  };

  async function target(
    settings: Record<string, string>,
    node: string[] = [],
  ): Promise<Target & { again(): Promise<void> }> {
    const port = String(await freePort());
    const metricsPort = String(await freePort());
    const env = {
      PORT: port,
      METRICS_PORT: metricsPort,
      SETTLERS: 'local',
      PAY_TO: SELLER,
      RELAYER_KEY: chain().relayerKey,
      LOG_LEVEL: 'silent',
      ...settings,
    };
    const start = async () => {
      const service = run(env, { node });
      const answers = async () => (await fetch(`${service.url}/healthz`).catch(() => null))?.ok === true;
      await until(answers, 'the service answers', 60_000).catch((error: Error) => {
        throw new Error(`${error.message}\n${service.written()}`);
      });
      return service;
    };
    let service = await start();
    return {
      instance: `127.0.0.1:${metricsPort}`,
      service: () => service,
      async again() {
        service.child.kill('SIGKILL');
        await service.ended;
        service = await start();
      },
    };
  }

  async function pay({ url }: ServiceProcess, count: number): Promise<void> {
    const unpaid = await fetch(`${url}${noticePath()}`);
    const [accepted] = headerJson<PaymentRequired>(unpaid, 'payment-required')?.accepts ?? [];
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const buyer = chain().buyers[index % 6] as DevAccount;
        const payment = await signAuthorization({ buyer, accepted: accepted as PaymentRequirements });
        const headers = { 'payment-signature': paymentHeader(payment) };
        await fetch(`${url}${noticePath(`Buyer ${index}`)}`, { headers }).catch(() => undefined);
      }),
    );
  }

  it('holds rules and a configuration that promtool finds nothing wrong with', () => {
    const promtool = join(dirname(program ?? ''), 'promtool');
    const token = join(folder, 'token');
    writeFileSync(token, 'a-token-of-some-length');
    writeFileSync(
      join(folder, 'prometheus.yaml'),
      read('prometheus.yaml').replace('/etc/prometheus/calc-token', token),
    );
    for (const args of [
      ['check', 'rules', join(folder, 'alerts.yaml')],
      ['check', 'config', join(folder, 'prometheus.yaml')],
    ]) {
      const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
  });

  it('fires each alert by its fault, and none where nothing is wrong', { timeout: 300_000 }, async () => {
    const rich = chain().buyers[7] as DevAccount;
    const poor = chain().buyers[6] as DevAccount;
    await setBalance(chain(), poor.address as Address, FEW_SETTLEMENTS * SETTLEMENT_WEI);
    const [well, selling, piling] = [await proxy(), await proxy(), await proxy()];
    const calm = await target({ RPC_URLS: well.url, RELAYER_KEY: rich.privateKey });
    const seller = await target({ RPC_URLS: selling.url });
    const gone = await target({ RPC_URLS: 'http://127.0.0.1:9' });
    const frail = await target({
      RPC_URLS: `http://127.0.0.1:9,${well.url}`,
      RELAYER_KEY: poor.privateKey,
      REFUSED_PAYMENTS_PER_MINUTE: '1',
    });
    const full = await target({ RPC_URLS: piling.url });
    const mad = await target({ RPC_URLS: well.url, FREE_REQUESTS_PER_MINUTE: '1000000' }, [
      ...clockBehind(-120),
      '--import',
      `data:text/javascript,${encodeURIComponent(MADNESS)}`,
    ]);
    await startPrometheus([calm, seller, gone, frail, full, mad].map(({ instance }) => instance));

    const seen = new Set<string>();
    const look = async () => {
      const { alerts } = await api<{ alerts: Alert[] }>('alerts');
      for (const { labels, state } of alerts)
        if (state === 'firing') seen.add(`${labels.alertname} ${labels.instance ?? labels.job}`);
    };
    const fires = (alert: string, at: Target | 'calc') => {
      const what = `${alert} ${typeof at === 'string' ? at : at.instance}`;
      const hasFired = async () => {
        await look();
        return seen.has(what);
      };
      return until(hasFired, what, 60_000).catch((error: Error) => {
        throw new Error(`${error.message}; seen: ${[...seen].join(', ')}`);
      });
    };

    await fires('CalcPaymentsUnavailable', gone);
    await fires('CalcNotWell', gone);
    await fires('CalcRelayerLow', frail);

    selling.fail('eth_sendRawTransactionSync', 'slow', { delayMs: 5_500 });
    await pay(seller.service(), 3);
    await fires('CalcSettlementsSlow', seller);
    selling.fail('eth_sendRawTransactionSync', 'error');
    selling.fail('eth_sendRawTransaction', 'error');
    await pay(seller.service(), 6);
    await fires('CalcSettlementsFail', seller);

    piling.fail('eth_call', 'slow', { delayMs: 60_000 });
    void pay(full.service(), 110);
    await fires('CalcPurchasesPileUp', full);

    const forged = async () => {
      const validBefore = Math.floor(Date.now() / 1000) + 100;
      for (let count = 1; count < 30; count += 1) {
        const headers = { 'payment-signature': fakePayment({ validBefore, nonce: String(count) }) };
        await fetch(`${frail.service().url}${noticePath()}`, { headers });
      }
    };
    await forged();
    await fires('CalcPaymentsRefused', frail);
    await fires('CalcNodeFails', frail);

    mad.service().child.kill('SIGUSR2');
    const calls = setInterval(() => void fetch(`${mad.service().url}${FREE}`).catch(() => undefined), 200);
    for (const alert of [
      'CalcFaults',
      'CalcServerErrors',
      'CalcEventLoopSlow',
      'CalcMemoryHigh',
      'CalcDirectoryOld',
    ])
      await fires(alert, mad);
    clearInterval(calls);
    mad.service().child.kill('SIGKILL');

    for (let count = 0; count < 3; count += 1) {
      await gone.again();
      // A start that nobody has looked at is none to whoever looks.
      const started = Date.now() / 1_000;
      const query = `query?query=${encodeURIComponent(`timestamp(process_start_time_seconds{instance="${gone.instance}"}) > ${started}`)}`;
      await until(async () => (await api<{ result: unknown[] }>(query)).result.length > 0, 'a look', 30_000);
    }
    await fires('CalcRestarts', gone);
    gone.service().child.kill('SIGKILL');
    await fires('CalcDown', gone);
    await pay(calm.service(), 1);
    await fires('CalcNoSales', 'calc');

    expect([...new Set([...seen].map((what) => what.split(' ')[0]))].sort()).toEqual([...names].sort());
    // What takes a whole processor makes its neighbours late.
    const ofCalm = [...seen].filter(
      (what) => what.endsWith(calm.instance) && !what.startsWith('CalcEventLoop'),
    );
    expect(ofCalm).toEqual([]);

    const text = await (await fetch(`http://${calm.instance}/metrics`)).text();
    const promtool = join(dirname(program ?? ''), 'promtool');
    const checked = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, '', '']);

    const known = new Set(await api<string[]>('label/__name__/values'));
    for (const query of dashboardQueries()) {
      const { result } = await api<{ result: unknown[] }>(`query?query=${encodeURIComponent(query)}`).catch(
        () => ({
          result: undefined,
        }),
      );
      expect(Array.isArray(result), query).toBe(true);
      for (const [metric = ''] of query.matchAll(/\b(calc|process|nodejs)_[a-z_]+/g))
        expect([...known], query).toContain(metric);
    }
  });
});

/** What the panels of the dashboard ask for, with its variables filled in. */
function dashboardQueries(): string[] {
  const { panels } = JSON.parse(read('dashboard.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', WINDOW));
}
