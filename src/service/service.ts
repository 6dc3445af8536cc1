import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppParts, createApp } from '../app.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Config, callerSecretOf } from '../config/config.ts';
import type { EmbeddedChain } from '../devnet/chain.ts';
import type { Directory, Listing } from '../directory/directory.ts';
import { holdRates } from '../domain/statutory-rates.ts';
import { type Claims, memoryClaims } from '../exchange/claims/claims.ts';
import { redisClaims } from '../exchange/claims/redis-claims.ts';
import { type PayeeWatch, watchPayee } from '../exchange/payee-watch.ts';
import { type HealthMonitor, healthMonitor } from '../health/health.ts';
import {
  createMetrics,
  type Metrics,
  type MetricsEndpoint,
  type ServiceState,
  serveMetrics,
} from '../metrics/metrics.ts';
import { createCatalog } from '../operations/catalog.ts';
import { isCatalogAmong, settlerName } from '../payments/facilitator/known-facilitators.ts';
import type { Settlement } from '../payments/settlement.ts';
import {
  type KeyOwnership,
  type PriceRange,
  type Settlers,
  settlersOf,
} from '../payments/settlers/settlers.ts';
import { type ReceiptSigner, receiptSigner } from '../payments/x402/receipt-signer.ts';
import type { Terms } from '../payments/x402/requirements.ts';
import { type HttpServer, serve } from '../platform/http-server.ts';
import { countingRepeats, faultFields, type Log } from '../platform/log.ts';
import { openRedis, type Redis } from '../platform/redis.ts';
import { release } from '../platform/release.ts';
import { redisCounters } from '../surfaces/calls/limits.ts';
import { directPeer } from '../surfaces/http/client-address.ts';
import { listenerOf } from '../surfaces/http/listener.ts';
import { unreadableReply } from '../surfaces/http/router.ts';
import { readDirectory } from './directory.ts';
import { relayerEntryOf } from './relayer-entry.ts';

/** A running service. */
export type Service = {
  /** The address of the service, as the operating system reports it. */
  readonly url: string;
  /** The address of the metrics; null if nothing is measured. */
  readonly metricsUrl: string | null;
  /** The chain of play money, if the service has its own. */
  readonly chain: EmbeddedChain | null;
  /** Requests whose answer is not complete yet. */
  openRequests(): number;
  /** Stops listening, completes purchases, then stops the chain; resolves to whether all were completed in time. */
  stop(): Promise<boolean>;
};

// Refused payments that an address may present for each of its free requests.
const REFUSED_FOR_EACH_FREE = 4;
const MAX_CLAIMS = 100_000;
// A slow Redis must not keep the free part of the service from starting.
const REDIS_START_MS = 2_000;

/** Starts the service that a Config describes. Throws when it cannot listen or the chain cannot start. */
export async function startService(config: Config, log: Log): Promise<Service> {
  holdRates(config.referenceRates);
  const now = Date.now;
  const monitor = healthMonitor(log);
  const directory = readDirectory(now());
  const operations = createCatalog(directory);
  const metrics = metricsOf(config, { directory, operations, now });
  const redis = sharedRedis(config, { log, monitor, metrics });
  const chain = await embeddedChain(config, { log, monitor });
  const terms = termsOf(config, chain);
  const ownership = relayerEntryOf(config, { redis, log, monitor });
  const around = { chain, now, log, monitor, terms, operations, metrics, ownership };
  const settlers = settlementOf(config, around);
  const claims = redis ? redisClaims({ redis, now }) : memoryClaims({ maxClaims: MAX_CLAIMS, now });
  const payee = payeeWatchOf(around, { settlers, claims });
  const receipts = await receiptSignerOf(config, chain);
  const secret = callerSecretOf(config);
  /** The health for somebody who watches it, and should soon see what has happened since the last check. */
  const health = () => {
    settlers.checkSoon();
    return monitor.refresh();
  };
  const app = createApp({
    ...reportsTo(log, metrics),
    operations,
    terms,
    settlement: chain === null ? settlers.settlement : afterRefresh(chain, settlers.settlement, now),
    claims,
    now,
    baseUrl: config.publicBaseUrl,
    freeRequestsPerMinute: config.freeRequestsPerMinute,
    refusedPaymentsPerMinute: REFUSED_FOR_EACH_FREE * config.freeRequestsPerMinute,
    trustedProxies: config.trustedProxies,
    coldProbe: isCatalogAmong(config.settlers) ? 402 : 400,
    about: { contactEmail: config.contactEmail, ownershipProof: config.ownershipProof },
    health,
    healthToken: config.operatorToken?.reveal() ?? null,
    ...(chain?.buyers[0] && { playMoneyKey: chain.buyers[0].privateKey }),
    ...(receipts && { receipts }),
    ...(redis && secret && { countersOf: (options) => redisCounters(redis, { ...options, secret, now }) }),
  });
  await redis?.tried(REDIS_START_MS);
  const server = await serve(listenerOf(app.http), {
    port: config.port,
    host: config.host,
    unreadable: unreadableReply(config.publicBaseUrl),
    peerOf: directPeer(config.trustedProxies),
    onAnswered: metrics?.answered,
  });
  const { openRequests, connections } = server;
  const state: ServiceState = {
    health,
    nodesInUse: settlers.nodesInUse,
    openRequests,
    connections,
    purchasesUnderWay: app.underWay,
    claims: claims.size,
    lostLogLines: log.lost,
    ...(redis && { redis: redis.status }),
  };
  const shown = await showMetrics(config, metrics, state).catch((error) => {
    server.close();
    throw error;
  });
  // After the service has reported that it listens.
  const onCold = (error: unknown) => log.error('fault', { where: 'warm', ...faultFields(error) });
  setImmediate(() => app.warm().catch(onCold));
  const stop = async () => {
    monitor.isDraining = true;
    // Until load balancers notice the shutdown, they still send requests.
    await sleep(config.drainDelaySeconds * 1_000);
    const complete = await drained(server, app.drain);
    server.close();
    payee?.stop();
    settlers.stop();
    await ownership?.end(complete);
    redis?.close();
    await chain?.stop();
    shown?.close();
    metrics?.stop();
    return complete;
  };
  return { url: server.url, metricsUrl: shown?.url ?? null, chain, openRequests, stop };
}

/** Starts the embedded chain if it is the settler; otherwise null. */
async function embeddedChain(
  { settlers }: Config,
  { log, monitor }: { readonly log: Log; readonly monitor: HealthMonitor },
): Promise<EmbeddedChain | null> {
  if (settlers.every(({ kind }) => kind !== 'embedded')) return null;
  const { startChain } = await import('../devnet/chain.ts');
  const chain = await startChain();
  log.info('embedded_chain', { state: 'started', origin: chain.rpcUrl, duration_ms: chain.bootMs });
  // Free operations continue without the chain.
  void chain.closed.then(({ crashed }) => {
    if (!crashed) return;
    monitor.hasChainEnded = true;
    log.error('embedded_chain', { state: 'ended', origin: chain.rpcUrl });
    monitor.refresh();
  });
  return chain;
}

/** Settles on the embedded chain once its clock is up to date. The settler handles a chain that has ended. */
const afterRefresh = (chain: EmbeddedChain, settlement: Settlement, now: () => number): Settlement => ({
  ...settlement,
  async settle(order, handover) {
    await chain.refresh(now()).catch(() => undefined);
    return settlement.settle(order, handover);
  },
});

/** Connects to the Redis that instances share; null if none is configured. */
function sharedRedis(
  { redisUrl }: Config,
  { log, monitor, metrics }: Pick<SettlementContext, 'log' | 'monitor' | 'metrics'>,
): Redis | null {
  if (redisUrl === null) return null;
  const redis = openRedis({
    url: redisUrl.reveal(),
    onAnswer: (durationMs) => metrics?.redisAnswered(durationMs),
    onReport(report) {
      if (report.state === 'lost') log.warn('redis', { state: 'lost', code: report.code });
      else if (report.mayEvict) log.warn('redis', { state: 'may_evict' });
      else log.info('redis', { state: 'connected' });
      monitor.refresh();
    },
  });
  monitor.redis = redis;
  return redis;
}

/** The payment terms: asset, network and payee. */
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

/** The signer of receipts: with the operator's key, or with a generated one on the embedded chain. Otherwise null. */
async function receiptSignerOf(
  { receiptKey, retiredReceiptKeys: retired, publicBaseUrl: baseUrl }: Config,
  chain: EmbeddedChain | null,
): Promise<ReceiptSigner | null> {
  if (receiptKey === null && chain === null) return null;
  const seed = receiptKey === null ? randomBytes(32) : Buffer.from(receiptKey.reveal().slice(2), 'hex');
  return receiptSigner({ seed, retired, baseUrl });
}

/** Creates the metrics; null if they are not configured. */
function metricsOf(
  { metrics, settlers, rpcUrls, redisUrl }: Config,
  parts: {
    readonly directory: Directory;
    readonly operations: readonly Operation[];
    readonly now: () => number;
  },
): Metrics | null {
  if (metrics === null) return null;
  const { directory, operations, now } = parts;
  const days = (directory.listings as readonly Listing[]).map(({ check }) => check.checked_on).toSorted();
  return createMetrics({
    operations,
    settlers: settlers.map(settlerName),
    // The embedded chain also counts as a node.
    nodeCount: Math.max(1, rpcUrls.length),
    hasRedis: redisUrl !== null,
    checkedOn: days.at(-1) ?? release.day,
    now,
  });
}

/** Opens the port of the metrics; null if they are not configured. */
async function showMetrics(
  { metrics: address, operatorToken }: Config,
  metrics: Metrics | null,
  state: ServiceState,
): Promise<MetricsEndpoint | null> {
  if (metrics === null || address === null) return null;
  metrics.watch(state);
  return serveMetrics({ ...address, token: operatorToken?.reveal() ?? null, text: metrics.text });
}

/** The log lines and counters of calls. */
function reportsTo(
  log: Log,
  metrics: Metrics | null,
): Pick<AppParts, 'onBug' | 'onCall' | 'onEnd' | 'onLimited'> {
  const writeCounted = countingRepeats(log);
  return {
    onBug(operation, error, requestId) {
      log.error('fault', { where: 'operation', operation, ...faultFields(error), request_id: requestId });
      metrics?.faulted();
    },
    onCall(operation, outcome, durationMs, requestId) {
      log.debug('request', { operation, outcome, duration_ms: durationMs, request_id: requestId });
      metrics?.called(operation, outcome, durationMs);
    },
    onEnd({ operation, outcome, reason, transaction, amount, requestId, durationMs }) {
      // Anybody can cause refusals for free, so they are logged at debug.
      const level = outcome === 'refused' ? 'debug' : 'info';
      const said = {
        operation,
        outcome,
        reason,
        transaction,
        request_id: requestId,
        duration_ms: durationMs,
      };
      if (outcome === 'not_sent') writeCounted('info', 'purchase', said);
      else log[level]('purchase', said);
      if (outcome === 'settled') metrics?.sold(operation, amount);
    },
    ...(metrics && { onLimited: metrics.limited }),
  };
}

// A facilitator may take 25 s, and the chain 4 more. With less time, a buyer would lose a paid answer.
const DRAIN_MS = 30_000;

/** Waits for all requests and purchases to end; returns false if some did not end in time. */
async function drained(server: HttpServer, drainPurchases: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  // A purchase whose buyer has disconnected has no connection, and may be the last one to end.
  const ended = Promise.all([server.drain(), drainPurchases()]).then(drainPurchases);
  const complete = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return complete;
}

const WEI_PER_GWEI = 1_000_000_000n;

type SettlementContext = {
  readonly chain: EmbeddedChain | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly monitor: HealthMonitor;
  readonly terms: Terms;
  readonly operations: readonly Operation[];
  readonly metrics: Metrics | null;
  /** The ownership of the relayer key if other processes may have it. */
  readonly ownership: KeyOwnership | null;
};

/** Creates the settlers in the settings. Their events are logged, counted and shown in health. */
function settlementOf(config: Config, context: SettlementContext): Settlers {
  const { chain, now, log, monitor, terms, operations, metrics, ownership } = context;
  // Without a node, nothing can check a facilitator's answers.
  if (chain === null && config.rpcUrls.length === 0)
    log.warn('settlement_unverified', { missing: 'RPC_URLS' });
  const writeCounted = countingRepeats(log);
  const settlers = settlersOf(config.settlers, {
    rpcUrls: chain ? [chain.rpcUrl] : config.rpcUrls.map((url) => url.reveal()),
    key: chain?.relayerKey ?? (config.relayer?.key.reveal() as `0x${string}` | undefined) ?? null,
    ...(ownership && { ownership }),
    cdpApiKey: config.cdpApiKey,
    gasWeiPerCent: BigInt(config.gasGweiPerCent) * WEI_PER_GWEI,
    gasBudgetWeiPerHour: BigInt(config.gasBudgetGweiPerHour) * WEI_PER_GWEI,
    terms,
    prices: pricesOf(operations),
    confirmations: config.confirmations,
    isShared: config.redisUrl !== null,
    now,
    onLook: () => void monitor.refresh(),
    ...(metrics && { onRpc: metrics.asked }),
    onSettler({ outcome, durationMs, requestId, ...report }) {
      metrics?.settled({ ...report, outcome, durationMs });
      const level = outcome === 'settled' || outcome === 'refused' ? 'debug' : 'warn';
      const said = { ...report, outcome, duration_ms: durationMs, request_id: requestId };
      if (outcome === 'not_sent') writeCounted('warn', 'settlement', said);
      else log[level]('settlement', said);
      monitor.refresh();
    },
    onHealth({ settler, reason }) {
      if (reason !== null) log.warn('settler_error', { settler, reason });
      monitor.refresh();
    },
    onFunds(settler, funds) {
      metrics?.funded(settler, funds);
      const low = monitor.lowBalanceSettlers;
      if (!funds?.isLow) low.delete(settler);
      else if (!low.has(settler)) {
        log.warn('settler_error', { settler, reason: 'low_balance' });
        low.add(settler);
      }
      monitor.refresh();
    },
  });
  monitor.settlers = settlers;
  return settlers;
}

/** The lowest and the highest price. */
function pricesOf(operations: readonly Operation[]): PriceRange {
  const amounts = operations.flatMap(({ price }) => (price === null ? [] : [BigInt(price.atomic)]));
  const sorted = amounts.toSorted((a, b) => Number(a - b));
  return { lowest: String(sorted[0] ?? 0n), highest: String(sorted.at(-1) ?? 0n) };
}

/** Watches for a second seller with the same payee; null with the embedded chain, whose payee nobody else uses. */
function payeeWatchOf(
  { chain, terms: payee, now, log, monitor }: SettlementContext,
  { settlers, claims }: { readonly settlers: Settlers; readonly claims: Claims },
): PayeeWatch | null {
  if (chain !== null) return null;
  const onShared = (transaction: string, count: number) => {
    log.warn('payee_shared', { transaction, count });
    monitor.refresh();
  };
  const watch = watchPayee({ rpc: settlers.rpc, payee, claims, now, onShared });
  monitor.payee = watch;
  return watch;
}
