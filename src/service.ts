import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppParts, createApp } from './app.ts';
import { directoryFault } from './bin/start-fault.ts';
import { createCatalog } from './catalog/catalog.ts';
import type { Operation } from './catalog/operation.ts';
import type { Config } from './config/config.ts';
import type { MetricsListening } from './config/listening.ts';
import type { EmbeddedChain } from './devnet/chain.ts';
import type { Directory, Listing } from './directory/directory.ts';
import { loadDirectory } from './directory/load.ts';
import { type Day, utcDay } from './domain/calendar.ts';
import { type Claims, memoryClaims } from './exchange/claims/claims.ts';
import { redisClaims } from './exchange/claims/redis-claims.ts';
import { type PayeeWatch, watchPayee } from './exchange/payee-watch.ts';
import { type HealthBoard, healthBoard } from './health.ts';
import { type MetricsEndpoint, serveMetrics } from './metrics/endpoint.ts';
import { createMetrics, type Metrics, type Standing } from './metrics/metrics.ts';
import type { PriceRange } from './payments/local/funds-check.ts';
import { type Settlers, settlersOf } from './payments/settlers.ts';
import { type ReceiptSigner, receiptSigner } from './payments/x402/receipt-signer.ts';
import type { Terms } from './payments/x402/requirements.ts';
import { type HttpServer, serve } from './platform/http-server.ts';
import { faultFields, type Log } from './platform/log.ts';
import { openRedis, type Redis } from './platform/redis.ts';
import { release } from './platform/release.ts';
import { redisCounters } from './surfaces/http/redis-counters.ts';
import { unreadableReply } from './surfaces/http/unreadable.ts';

/** A running service. */
export type Service = {
  /** Where it listens, as the operating system sees it. */
  readonly url: string;
  /** Where its metrics are; null when nothing is measured. */
  readonly metricsUrl: string | null;
  /** The chain of play money, when the service brought its own. */
  readonly chain: EmbeddedChain | null;
  /** Requests whose answer is not complete yet. */
  openRequests(): number;
  /** Stops listening, lets purchases end, then ends the chain; resolves to whether all had ended in time. */
  stop(): Promise<boolean>;
};

const MAX_CLAIMS = 100_000;
const WEI_PER_GWEI = 1_000_000_000n;
// A facilitator has 25 s and the chain 4 more; who is cut off before would lose an answer that was paid for.
const DRAIN_MS = 30_000;
// A Redis that is slow to answer does not keep the free part of the service from starting.
const REDIS_START_MS = 2_000;

/**
 * Starts the service that a Config describes. Throws when it cannot listen or the chain cannot start. `today` is the day
 * that health judges by.
 */
export async function startService(
  config: Config,
  log: Log,
  today: () => Day = () => utcDay(Date.now()),
): Promise<Service> {
  const now = Date.now;
  const board = healthBoard(log, today);
  const redis = config.redisUrl === null ? null : openSharedRedis(config.redisUrl.reveal(), log, board);
  board.redis = redis;
  const chain = config.settlers.some(({ kind }) => kind === 'embedded')
    ? await startEmbedded(config, log, board)
    : null;
  const directory = readDirectory(now);
  const operations = createCatalog(directory);
  const metrics = config.metrics && metricsOf(config, { directory, operations, now });
  const terms = termsOf(config, chain);
  const around = { chain, now, log, board, terms, prices: pricesOf(operations), metrics };
  const settlers = settlementOf(config, around);
  warnOfBelief(config, chain, log);
  board.settlers = settlers;
  const claims = redis ? redisClaims({ redis, now }) : memoryClaims({ maxClaims: MAX_CLAIMS, now });
  const payee = chain === null ? payeeWatchOf(terms, { settlers, claims, now, log, board }) : null;
  const receipts = await receiptSignerOf(config, chain);
  const app = createApp({
    operations,
    terms,
    settlement: settlers.settlement,
    claims,
    ...(chain?.buyers[0] && { playMoneyKey: chain.buyers[0].privateKey }),
    ...(receipts && { receipts }),
    ...(redis && { countersOf: (options) => redisCounters(redis, options) }),
    now,
    baseUrl: config.publicBaseUrl,
    freeRequestsPerMinute: config.freeRequestsPerMinute,
    refusedPaymentsPerMinute: config.refusedPaymentsPerMinute,
    trustedProxies: config.trustedProxies,
    coldProbe: config.coldProbe,
    about: aboutOf(config),
    health: board.look,
    healthToken: config.healthToken?.reveal() ?? null,
    ...told(log, metrics),
  });
  await redis?.tried(REDIS_START_MS);
  const server = await serve(app.http.fetch, {
    port: config.port,
    host: config.host,
    unreadable: unreadableReply(config.publicBaseUrl),
    onAnswered: metrics?.answered,
  });
  const { openRequests } = server;
  const counts = { openRequests, purchasesUnderWay: app.underWay, claims: claims.size };
  const standing = { health: board.look, nodesInUse: settlers.nodesInUse, ...counts };
  const shown = metrics && config.metrics && (await showMetrics(metrics, standing, config.metrics, server));
  app.warm().catch((error) => log.error('fault', { where: 'warm', ...faultFields(error) }));
  const stop = async () => {
    board.isDraining = true;
    // Balancers that learn late of the end still send requests meanwhile.
    await sleep(config.drainDelaySeconds * 1_000);
    const complete = await drained(server, app.idle);
    server.close();
    payee?.stop();
    settlers.stop();
    redis?.close();
    await chain?.stop();
    shown?.close();
    metrics?.stop();
    return complete;
  };
  return { url: server.url, metricsUrl: shown?.url ?? null, chain, openRequests, stop };
}

/** What the documents say of us. */
const aboutOf = ({ contactEmail, ownershipProof, mcpRegistryAuth }: Config) => ({
  contactEmail,
  ownershipProof,
  mcpRegistryAuth,
});

/** Without a node to ask, a facilitator that lies is believed. */
function warnOfBelief({ rpcUrls }: Config, chain: EmbeddedChain | null, log: Log): void {
  if (chain === null && rpcUrls.length === 0) log.warn('settlement_unverified', { missing: 'RPC_URLS' });
}

/** Who is told of what happens to callers. */
function told(log: Log, metrics: Metrics | null): Pick<AppParts, 'onBug' | 'onCall' | 'onEnd' | 'onLimited'> {
  return {
    onBug(operation, error, requestId) {
      log.error('fault', { where: 'operation', operation, ...faultFields(error), request_id: requestId });
      metrics?.faulted();
    },
    onCall(operation, outcome, durationMs, requestId) {
      log.debug('request', { operation, outcome, duration_ms: durationMs, request_id: requestId });
      metrics?.called(operation, outcome);
    },
    onEnd({ operation, outcome, reason, transaction, amount, requestId, durationMs }) {
      // What was refused before anything was sent anybody can cause for nothing.
      const level = outcome === 'refused' ? 'debug' : 'info';
      const said = { operation, outcome, reason, transaction, request_id: requestId };
      log[level]('purchase', { ...said, duration_ms: durationMs });
      if (outcome === 'settled') metrics?.sold(operation, amount);
    },
    ...(metrics && { onLimited: metrics.limited }),
  };
}

function metricsOf(
  { settlers, rpcUrls }: Config,
  parts: { directory: Directory; operations: readonly Operation[]; now: () => number },
): Metrics {
  const { directory, operations, now } = parts;
  const days = (directory.listings as readonly Listing[]).map(({ check }) => check.checked_on).toSorted();
  return createMetrics({
    operations,
    settlers: settlers.map(({ kind }, index) => (kind === 'facilitator' ? `${kind}_${index + 1}` : kind)),
    // The embedded chain is one, too.
    nodeCount: Math.max(1, rpcUrls.length),
    checkedOn: days.at(-1) ?? release.day,
    now,
  });
}

/** Opens the port of the metrics; without it nothing is served. */
async function showMetrics(
  { watch, text }: Metrics,
  standing: Standing,
  { port, host, token }: MetricsListening,
  server: HttpServer,
): Promise<MetricsEndpoint> {
  watch(standing);
  try {
    return await serveMetrics({ port, host, token: token?.reveal() ?? null, text });
  } catch (error) {
    server.close();
    throw error;
  }
}

function readDirectory(now: () => number): Directory {
  try {
    return loadDirectory();
  } catch (error) {
    throw directoryFault(error, now());
  }
}

/** Signs receipts with the operator's key, or with one made up where money is play money. */
async function receiptSignerOf(config: Config, chain: EmbeddedChain | null): Promise<ReceiptSigner | null> {
  const { receiptKey, retiredReceiptKeys: retired, publicBaseUrl: baseUrl } = config;
  if (receiptKey === null && chain === null) return null;
  const seed = receiptKey === null ? randomBytes(32) : Buffer.from(receiptKey.reveal().slice(2), 'hex');
  return receiptSigner({ seed, retired, baseUrl });
}

/** Whether every request and every purchase has come to its end in time. */
async function drained(server: HttpServer, idle: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  // A buyer who hangs up leaves a purchase without a connection: it may have been the last one to begin.
  const ended = Promise.all([server.drain(), idle()]).then(idle);
  const complete = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return complete;
}

function openSharedRedis(url: string, log: Log, board: HealthBoard): Redis {
  return openRedis({
    url,
    onReport: (report) => {
      if (report.state === 'lost') log.warn('redis', { state: 'lost', code: report.code });
      else
        log[report.mayEvict ? 'warn' : 'info']('redis', {
          state: report.mayEvict ? 'may_evict' : 'connected',
        });
      board.look();
    },
  });
}

async function startEmbedded(config: Config, log: Log, board: HealthBoard): Promise<EmbeddedChain> {
  const { startChain } = await import('./devnet/chain.ts');
  const chain = await startChain(config.embeddedChainPort === null ? {} : { port: config.embeddedChainPort });
  log.info('embedded_chain', { state: 'started', origin: chain.rpcUrl, duration_ms: chain.bootMs });
  // The free part goes on without it.
  void chain.closed.then(({ crashed }) => {
    if (!crashed) return;
    board.hasChainEnded = true;
    log.error('embedded_chain', { state: 'ended', origin: chain.rpcUrl });
    board.look();
  });
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

/** The cheapest and the dearest of what is sold. */
function pricesOf(operations: readonly Operation[]): PriceRange {
  const amounts = operations.flatMap(({ price }) => (price === null ? [] : [BigInt(price.atomic)]));
  const sorted = amounts.toSorted((a, b) => Number(a - b));
  return { cheapest: String(sorted[0] ?? 0n), dearest: String(sorted.at(-1) ?? 0n) };
}

/** Nobody else can be paid on the embedded chain; elsewhere a second seller with our payee has to be known of. */
function payeeWatchOf(
  payee: Terms,
  {
    settlers,
    claims,
    now,
    log,
    board,
  }: Pick<Around, 'now' | 'log' | 'board'> & {
    settlers: Settlers;
    claims: Claims;
  },
): PayeeWatch {
  const watch = watchPayee({
    rpc: settlers.rpc,
    payee,
    claims,
    now,
    onShared(transaction, count) {
      log.warn('payee_shared', { transaction, count });
      board.look();
    },
  });
  board.payee = watch;
  return watch;
}

type Around = {
  readonly chain: EmbeddedChain | null;
  readonly now: () => number;
  readonly log: Log;
  readonly board: HealthBoard;
  readonly terms: Terms;
  readonly prices: PriceRange;
  readonly metrics: Metrics | null;
};

function settlementOf(config: Config, around: Around): Settlers {
  const { chain, now, log, board, terms, prices, metrics } = around;
  return settlersOf(config.settlers, {
    rpcUrls: chain ? [chain.rpcUrl] : config.rpcUrls.map((url) => url.reveal()),
    key: chain?.relayerKey ?? ((config.relayerKey?.reveal() ?? null) as `0x${string}` | null),
    cdpApiKey: config.cdpApiKey,
    gasWeiPerCent: BigInt(config.gasGweiPerCent) * WEI_PER_GWEI,
    gasBudgetWeiPerHour: BigInt(config.gasBudgetGweiPerHour) * WEI_PER_GWEI,
    terms,
    prices,
    confirmations: config.confirmations,
    isShared: config.redisUrl !== null,
    now,
    onLook: () => void board.look(),
    ...(metrics && { onFunds: metrics.funded, onRpc: metrics.asked }),
    onSettler({ outcome, durationMs, requestId, ...report }) {
      metrics?.settled({ ...report, outcome, durationMs });
      const level = outcome === 'settled' || outcome === 'refused' ? 'debug' : 'warn';
      log[level]('settlement', { ...report, outcome, duration_ms: durationMs, request_id: requestId });
      board.look();
    },
    onHealth({ settler, reason }) {
      if (reason !== null) log.warn('settler_error', { settler, reason });
      board.look();
    },
    onLowBalance(settler, isLow) {
      if (isLow) {
        log.warn('settler_error', { settler, reason: 'low_balance' });
        board.lowOn.add(settler);
      } else board.lowOn.delete(settler);
      board.look();
    },
    onListing: (settler, listing) => log.debug('settlement', { settler, outcome: 'listed', reason: listing }),
  });
}
