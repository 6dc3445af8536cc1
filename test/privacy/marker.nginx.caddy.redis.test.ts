import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { type Caddy, startCaddy } from '../deploy/caddy.ts';
import { type Nginx, startNginx } from '../operations/nginx.ts';
import { listens, processes } from '../operations/process.ts';
import { sharedChain } from '../support/chain.ts';
import { headerJson } from '../support/chain-app.ts';
import { signals } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import { paymentHeader, SELLER, signAuthorization } from '../support/payments.ts';
import { freeRelayerKeys, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { MARK, markedHeaders, shows } from './marked.ts';

const REQUESTS = 10_000;
const AT_A_TIME = 8;
const PURCHASES = 24;

const isMissing =
  redisMissing ||
  process.env.SKIP_NGINX !== undefined ||
  process.env.SKIP_CADDY !== undefined ||
  signals.areMissing;

const FEE = `amount=1250&due_date=2026-09-01&paid_date=2026-11-21`;
const posted = (path: string, body: unknown): Kind => ({ path, body: JSON.stringify(body) });
const mcp = (name: string, values: unknown): Kind =>
  posted('/mcp', { jsonrpc: '2.0', id: MARK, method: 'tools/call', params: { name, arguments: values } });
type Kind = { readonly path: string; readonly body?: string; readonly type?: string };

/** Requests that are answered, rejected and priced, with the mark wherever a caller may write. */
const KINDS: readonly Kind[] = [
  { path: `/v1/late-fee?${FEE}&${MARK}=${MARK}` },
  { path: `/v1/late-fee?amount=${MARK}&due_date=2026-09-01` },
  { path: `/v1/late-fee-notice?${FEE}&client_name=${MARK}` },
  { path: `/v1/late-fee%3Fname=${MARK}` },
  { path: `/${MARK}/${MARK}?${MARK}` },
  posted('/v1/quote', { items: [{ description: MARK, unit_price: 5 }] }),
  posted('/v1/quote-pack', { business_name: MARK, items: [{ description: MARK, unit_price: 5 }] }),
  { path: '/v1/quote', body: `{"items":[{"description":"${MARK}"` },
  { path: '/v1/quote-pack', body: JSON.stringify({ business_name: MARK.repeat(9_000) }) },
  mcp('quote_totals', { items: [{ description: MARK, unit_price: 5 }] }),
  mcp('late_fee_notice', { amount: 1250, due_date: '2026-09-01', client_name: MARK }),
  mcp(MARK, { [MARK]: MARK }),
  {
    path: '/quote',
    body: `items.description=${MARK}&items.unit_price=5`,
    type: 'application/x-www-form-urlencoded',
  },
  { path: `/quote?items.description=${MARK}&items.unit_price=5` },
  { path: `/v1/stack-report?business_type=service&trade=${MARK}` },
];

/** Every file below a folder, with its content. */
function contentsOf(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => [file, readFileSync(file, 'latin1')]);
}

describe.skipIf(isMissing)(
  signals.named('the input of callers to a service with nginx, Caddy and Redis'),
  () => {
    const chain = sharedChain();
    const run = processes();
    const temporary = mkdtempSync(join(tmpdir(), 'marker-'));
    let redis: RedisServer;
    const proxies: (Nginx | Caddy)[] = [];

    beforeAll(async () => {
      redis = await startRedis({ appendOnly: true });
      await freeRelayerKeys(redis, [chain().relayerKey]);
    });
    afterAll(async () => {
      for (const proxy of proxies) await proxy.stop();
      await redis.stop();
      rmSync(temporary, { recursive: true, force: true });
    });

    it('is found nowhere after thousands of requests, a rotated log and a rewritten Redis file', {
      timeout: 300_000,
    }, async () => {
      const service = run({
        PORT: String(await freePort()),
        SETTLERS: 'local',
        RPC_URLS: chain().rpcUrl,
        RELAYER_KEY: chain().relayerKey,
        PAY_TO: SELLER,
        REDIS_URL: redis.url,
        TRUSTED_PROXIES: '127.0.0.1/32',
        FREE_REQUESTS_PER_MINUTE: '1000000',
        LOG_LEVEL: 'debug',
        TMPDIR: temporary,
      });
      await listens(service, 60_000);
      const { host } = new URL(service.url);
      const nginx = await startNginx([host]);
      const caddy = await startCaddy([host]);
      proxies.push(nginx, caddy);
      const ends: Record<string, number> = {};

      const send = async (count: number): Promise<void> => {
        const { path, body, type = 'application/json' } = KINDS[count % KINDS.length] as Kind;
        const { url } = count % 2 === 0 ? nginx : caddy;
        const { 'x-forwarded-for': _, ...headers } = markedHeaders;
        const response = await fetch(`${url}${path}`, {
          headers: {
            ...headers,
            ...(body !== undefined && {
              'content-type': type,
              accept: 'application/json, text/event-stream',
            }),
          },
          ...(body !== undefined && { method: 'POST', body }),
        });
        await response.arrayBuffer();
        ends[response.status] = (ends[response.status] ?? 0) + 1;
      };
      let next = 0;
      const load = Promise.all(
        Array.from({ length: AT_A_TIME }, async () => {
          while (next < REQUESTS) await send(next++);
        }),
      );
      for (let count = 0; count < PURCHASES; count += 1) {
        const buyer = chain().buyers[count % 6] as DevAccount;
        expect(await buy((count % 2 === 0 ? nginx : caddy).url, buyer, count)).toBe(200);
        if (count === PURCHASES / 2) {
          renameSync(join(nginx.folder, 'logs/calc.log'), join(nginx.folder, 'logs/calc.log.1'));
          process.kill(Number(readFileSync(join(nginx.folder, 'nginx.pid'), 'utf8')), 'SIGUSR1');
          await redis.command('BGREWRITEAOF');
        }
      }
      await load;
      await until(
        async () => /aof_rewrite_in_progress:0/.test(String(await redis.command('INFO', 'persistence'))),
        'Redis has rewritten its file',
      );

      // Each kind of request must have had its intended result.
      expect(Object.keys(ends).sort()).toEqual(
        ['200', '400', '402', '404', '405', '413', '429'].filter((s) => s in ends),
      );
      for (const status of ['200', '400', '402', '404']) expect(ends[status]).toBeGreaterThan(100);
      expect(Object.values(ends).reduce((sum, count) => sum + count)).toBe(REQUESTS);
      expect(service.logged('purchase').length).toBeGreaterThanOrEqual(PURCHASES);
      const [, folder = ''] = (await redis.command('CONFIG', 'GET', 'dir')) as string[];
      const files = [nginx.folder, caddy.home, folder, temporary].flatMap(contentsOf);
      expect(files.map(([name]) => name)).toEqual(
        expect.arrayContaining([
          join(nginx.folder, 'logs/calc.log.1'),
          join(nginx.folder, 'logs/calc.log'),
          expect.stringContaining('.base.rdb'),
        ]),
      );
      expect(files.filter(([, text]) => shows(text)).map(([name]) => name)).toEqual([]);
      expect(service.written().split('\n').filter(shows)).toEqual([]);
    });
  },
);

/** Buys a letter to a marked client under a marked name with a marked payment; returns its last status. */
async function buy(url: string, buyer: DevAccount, count: number): Promise<number> {
  const path = `/v1/late-fee-notice?${FEE}&client_name=${MARK}${count}&business_name=${MARK}`;
  const priced = await fetch(`${url}${path}`);
  const [accepted] = headerJson<PaymentRequired>(priced, 'payment-required')?.accepts ?? [];
  const signed = await signAuthorization({ buyer, accepted: accepted as PaymentRequirements });
  const payment = paymentHeader({ ...signed, extensions: { [MARK]: { info: MARK } } } as typeof signed);
  let status = 0;
  await until(async () => {
    const headers = { 'payment-signature': payment, 'idempotency-key': `${MARK}_01234567890_${count}` };
    const response = await fetch(`${url}${path}`, { headers });
    await response.arrayBuffer();
    status = response.status;
    return status === 200;
  }, 'the letter is sold');
  return status;
}
