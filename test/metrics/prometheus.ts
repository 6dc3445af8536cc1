import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { processes, type ServiceProcess } from '../operations/process.ts';
import { sharedChain } from '../support/chain.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';

/** Prometheus, if it is installed. */
export const program = process.env.PROMETHEUS_PATH;
const monitoring = fileURLToPath(new URL('../../monitoring/', import.meta.url));
/** A file of monitoring/. */
export const read = (file: string): string => readFileSync(join(monitoring, file), 'utf8');
// These durations replace the durations in the rules, in seconds of a test that scrapes every second.
export const WINDOW = '8s';

/** The rules unchanged, except for the duration of each condition. */
const quickRules = (): string =>
  read('alerts.yaml')
    .replaceAll(/^( +for:) \w+$/gm, '$1 0s')
    // Three starts take longer than anything else in this test.
    .replaceAll('[15m]', '[180s]')
    .replaceAll(/\[\d+[mhd]\]/g, `[${WINDOW}]`)
    .replaceAll(/offset \d+[mhd]/g, `offset ${WINDOW}`);

/** A process of the service that Prometheus scrapes. */
export type Target = { readonly instance: string; readonly service: () => ServiceProcess };

/** A Prometheus with the rules of monitoring/, and processes for it to scrape; call it in a describe. */
export function prometheusBench() {
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
      METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      NODE_ENV: 'development',
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

  return { chain, folder, api, startPrometheus, proxy, target };
}
