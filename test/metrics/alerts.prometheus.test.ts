import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { clockBehind, type ServiceProcess } from '../operations/process.ts';
import { fakePayment } from '../support/app.ts';
import { setBalance } from '../support/chain-actions.ts';
import { headerJson, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { until } from '../support/until.ts';
import { program, prometheusBench, read, type Target, WINDOW } from './prometheus.ts';

type Alert = { labels: Record<string, string>; state: string };
const FREE = '/v1/late-fee?amount=100&due_date=2026-09-01&paid_date=2026-11-21';
/**
 * The account with little money can pay for more settlements than this number, which is still below the alert and the
 * warning.
 */
const FEW_SETTLEMENTS = 100n;
const SETTLEMENT_WEI = 21_000_000n * 160_500n;

const names = [...read('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** On SIGUSR2, everything that can fail within one process fails. */
const MADNESS = `process.on('SIGUSR2', () => {
  globalThis.hoard = Buffer.alloc(800e6, 1);
  process.stdout.write = (_line, done) => { done?.(new Error('no space left')); return true; };
  String.prototype.padStart = () => { throw new TypeError('broken'); };
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const stallMs = 260;
  const stall = () => Atomics.wait(nobody, 0, 0, stallMs);
  setInterval(stall, 600);
});`;

describe.skipIf(program === undefined)('the files in monitoring/ that Prometheus loads', () => {
  const { chain, folder, api, startPrometheus, proxy, target } = prometheusBench();

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

  it('have rules and a configuration in which promtool finds nothing wrong', () => {
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

  it('inhibit only alerts that exist', () => {
    const rules = read('alertmanager.yaml');
    const held = [...rules.matchAll(/alertname=~?"([^"]+)"/g)].flatMap(([, list = '']) => list.split('|'));
    expect(held.length).toBeGreaterThan(5);
    expect(held.filter((name) => name !== 'Calc.+' && !names.includes(name))).toEqual([]);
  });

  it('fire each alert for its fault, and none without a fault', { timeout: 600_000 }, async () => {
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
      FREE_REQUESTS_PER_MINUTE: '1',
    });
    const full = await target({ RPC_URLS: piling.url });
    const mad = await target(
      { RPC_URLS: well.url, FREE_REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'error' },
      [...clockBehind(-120), '--import', `data:text/javascript,${encodeURIComponent(MADNESS)}`],
    );
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
      return until(hasFired, what, 120_000).catch((error: Error) => {
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
    for (const alert of 'CalcFaults CalcLogLost CalcServerErrors CalcEventLoopSlow CalcMemoryHigh CalcDirectoryOld'.split(
      ' ',
    ))
      await fires(alert, mad);
    clearInterval(calls);
    mad.service().child.kill('SIGKILL');

    for (let count = 0; count < 3; count += 1) {
      await gone.again();
      // Prometheus does not notice a restart that happened between two scrapes.
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
    // A process that uses a whole processor delays the others, so Prometheus may read them late.
    const ofCalm = [...seen].filter(
      (what) => what.endsWith(calm.instance) && !/^Calc(EventLoopSlow|Down) /.test(what),
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

/** The queries of the dashboard's panels, with its variables filled in. */
function dashboardQueries(): string[] {
  const { panels } = JSON.parse(read('dashboard.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', WINDOW));
}
