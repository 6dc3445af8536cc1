import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp, type Health } from './app.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Config } from './config.ts';
import type { EmbeddedChain } from './devnet/chain.ts';
import { loadDirectory } from './directory/load.ts';
import { memoryClaims } from './exchange/claims.ts';
import { redisClaims } from './exchange/redis-claims.ts';
import { faultFields, type Log } from './log.ts';
import type { Terms } from './payments/requirements.ts';
import { type Settlers, settlersOf } from './payments/settlers.ts';
import { openRedis, type Redis } from './redis.ts';
import { redisCounters } from './surfaces/http/redis-counters.ts';

/** A running service. */
export type Service = {
  /** Where it listens, as the operating system sees it. */
  readonly url: string;
  /** The chain of play money, when the service brought its own. */
  readonly chain: EmbeddedChain | null;
  /** Stops listening, lets purchases end, then ends the chain; resolves to whether all had ended in time. */
  stop(): Promise<boolean>;
};

const MAX_CLAIMS = 100_000;
const MAX_HEADER_BYTES = 16_384;
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
// Node looks for connections that are over time only this often.
const CHECK_MS = 1_000;
// Two settlements in a row may take this long; a drained buyer would lose an answer.
const DRAIN_MS = 25_000;
// A Redis that is slow to answer does not keep the free part of the service from starting.
const REDIS_START_MS = 2_000;

/** Starts the service that a Config describes. Throws when it cannot listen or the chain cannot start. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const now = Date.now;
  const redis = config.redisUrl === null ? null : openSharedRedis(config.redisUrl.reveal(), log);
  const chain = config.settlers.some(({ kind }) => kind === 'embedded')
    ? await startEmbedded(config, log)
    : null;
  const settlers = settlementOf(config, chain, now, log);
  const app = createApp({
    operations: createCatalog(loadDirectory()),
    terms: termsOf(config, chain),
    settlement: settlers.settlement,
    claims: redis ? redisClaims({ redis, now }) : memoryClaims({ maxClaims: MAX_CLAIMS, now }),
    ...(redis && { countersOf: (options) => redisCounters(redis, options) }),
    now,
    baseUrl: config.publicBaseUrl,
    freeRequestsPerMinute: config.freeRequestsPerMinute,
    trustedProxies: config.trustedProxies,
    coldProbe: config.coldProbe,
    about: { contactEmail: config.contactEmail, ownershipProof: config.ownershipProof },
    health: async () => healthOf(redis),
    onBug: (operation, error) => log.error('fault', { where: 'operation', operation, ...faultFields(error) }),
    onCall: (operation, outcome, durationMs) =>
      log.debug('request', { operation, outcome, duration_ms: durationMs }),
  });
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS },
    getRequestListener(app.http.fetch),
  );
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  await redis?.tried(REDIS_START_MS);
  await listen(server, config);
  app.warm().catch((error) => log.error('fault', { where: 'warm', ...faultFields(error) }));
  const end = () => {
    settlers.stop();
    redis?.close();
  };
  return { url: addressOf(server), chain, stop: () => stop(server, app.idle, chain).finally(end) };
}

function openSharedRedis(url: string, log: Log): Redis {
  return openRedis({
    url,
    onReport: (report) => {
      if (report.state === 'lost') log.warn('redis', { state: 'lost', code: report.code });
      else
        log[report.mayEvict ? 'warn' : 'info']('redis', {
          state: report.mayEvict ? 'may_evict' : 'connected',
        });
    },
  });
}

/** Without Redis no new payment is taken; one that may evict could forget a claim. */
function healthOf(redis: Redis | null): Health {
  const status = redis?.status() ?? 'ok';
  return { status: status === 'ok' ? 'ok' : 'degraded', payments: status === 'down' ? 'unavailable' : 'ok' };
}

async function startEmbedded(config: Config, log: Log): Promise<EmbeddedChain> {
  const { startChain } = await import('./devnet/chain.ts');
  const chain = await startChain(config.embeddedChainPort === null ? {} : { port: config.embeddedChainPort });
  log.info('embedded_chain', { origin: chain.rpcUrl, duration_ms: chain.bootMs });
  return chain;
}

function termsOf({ network, payTo }: Config, chain: EmbeddedChain | null): Terms {
  const recipient = payTo ?? chain?.payee;
  if (recipient === undefined) throw new Error('A payee is needed unless the chain is embedded');
  return {
    network: network.caip2,
    chainId: network.chainId,
    asset: network.usdc,
    assetName: network.usdcName,
    assetVersion: network.usdcVersion,
    payTo: recipient,
  };
}

function settlementOf(config: Config, chain: EmbeddedChain | null, now: () => number, log: Log): Settlers {
  return settlersOf(config.settlers, {
    rpcUrls: chain ? [chain.rpcUrl] : config.rpcUrls.map((url) => url.reveal()),
    key: chain?.relayerKey ?? ((config.relayerKey?.reveal() ?? null) as `0x${string}` | null),
    cdpApiKey: config.cdpApiKey,
    chainId: config.network.chainId,
    network: config.network.caip2,
    now,
    onSettler: ({ outcome, durationMs, ...report }) =>
      log[outcome === 'settled' || outcome === 'refused' ? 'info' : 'warn']('settlement', {
        ...report,
        outcome,
        duration_ms: durationMs,
      }),
    onHealth: ({ settler, reason }) => reason && log.warn('settler_error', { settler, reason }),
    onListing: (settler, listing) => log.debug('settlement', { settler, outcome: 'listed', reason: listing }),
  });
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

async function stop(
  server: Server,
  idle: () => Promise<void>,
  chain: EmbeddedChain | null,
): Promise<boolean> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  const complete = await Promise.race([Promise.all([closed, idle()]).then(() => true), late]);
  clearTimeout(timer);
  server.closeAllConnections();
  await chain?.stop();
  return complete;
}
