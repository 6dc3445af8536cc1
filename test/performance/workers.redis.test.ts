import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { procFiles } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { SELLER } from '../support/payments.ts';
import { type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { workersOf } from '../workers/bench.ts';

const FREE = '/v1/late-fee?amount=1250&due_date=2026-09-01&paid_date=2026-11-21&rate=1.5';
/** To each worker, so that all are as busy when they are compared: who has more to do at a time does it for less. */
const CONNECTIONS = 16;
const REQUESTS = 32_000;
const WARM_UP = 16_000;
/** Requests that wait on each connection. */
const WAITING = 4;
const ANSWER_BEGINS = 'HTTP/1.1 ';
const MOST_ROUNDS = 5;
const LEAST_TIMES = 1.6;
const TICKS_PER_SECOND = 100;

/** Seconds of a core that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * As many requests as there are to be, as many on each connection, several of which wait at a time. Bare sockets: who
 * asks must be quicker than who answers, or workers with little to do at a time are measured.
 */
async function ask(url: string, requests: number, connections: number): Promise<void> {
  const { port, host } = new URL(url);
  const each = Math.ceil(requests / connections);
  const request = `GET ${FREE} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const caller = () =>
    new Promise<void>((resolve, reject) => {
      let [sent, answered, rest] = [WAITING, 0, ''];
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(request.repeat(WAITING)));
      socket.setEncoding('latin1').once('error', reject);
      socket.on('data', (part: string) => {
        const parts = (rest + part).split('HTTP/1.1 ');
        rest = parts.at(-1)?.slice(-ANSWER_BEGINS.length) ?? '';
        const begun = parts.slice(1);
        if (begun.some((head) => head.length > 2 && !head.startsWith('200'))) reject(new Error('Not 200'));
        answered += begun.length;
        const more = Math.min(begun.length, each - sent);
        sent += more;
        if (more > 0) socket.write(request.repeat(more));
        if (answered >= each) {
          socket.destroy();
          resolve();
        }
      });
    });
  await Promise.all(Array.from({ length: connections }, caller));
}

/**
 * Requests for each second of a core that the busiest process uses: what the service would serve a second if every
 * process had a core of its own, which those who ask and Redis leave it here.
 */
async function perBusySecond({ child, url }: ServiceProcess): Promise<number> {
  const workers = [...workersOf({ child }).values()];
  const pids = [child.pid as number, ...workers];
  const before = pids.map(cpuSeconds);
  await ask(url, REQUESTS, CONNECTIONS * Math.max(1, workers.length));
  const used = pids.map((pid, index) => cpuSeconds(pid) - (before[index] ?? 0));
  if (process.env.SHOW_COSTS) console.log(used.map((seconds) => seconds.toFixed(2)).join(' '));
  return REQUESTS / Math.max(...used);
}

describe.skipIf(redisMissing || procFiles.areMissing)(procFiles.named('two workers'), () => {
  const run = processes();
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  async function start(workers: number): Promise<ServiceProcess> {
    const service = run({
      PORT: String(await freePort()),
      WORKERS: String(workers),
      SETTLERS: 'http://127.0.0.1:9',
      PAY_TO: SELLER,
      REDIS_URL: redis.url,
      FREE_REQUESTS_PER_MINUTE: '1000000',
      LOG_LEVEL: 'info',
    });
    await listens(service, 60_000);
    await ask(service.url, WARM_UP * workers, CONNECTIONS);
    return service;
  }

  it(`serve at least ${LEAST_TIMES} times the free requests of one`, { timeout: 180_000 }, async () => {
    const [one, two] = [await start(1), await start(2)];
    // The best of each: other work on the machine only ever makes a request dearer.
    let [alone, together] = [0, 0];
    for (let round = 1; round <= MOST_ROUNDS && (round <= 2 || together < LEAST_TIMES * alone); round += 1) {
      alone = Math.max(alone, await perBusySecond(one));
      together = Math.max(together, await perBusySecond(two));
      if (process.env.SHOW_COSTS) console.log(alone.toFixed(), together.toFixed(), together / alone);
    }
    expect(together / alone).toBeGreaterThanOrEqual(LEAST_TIMES);
  });
});
