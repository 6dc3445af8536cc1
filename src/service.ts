import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from './app.ts';
import type { Config } from './config/config.ts';
import type { EmbeddedChain } from './devnet/chain.ts';
import { type Day, utcDay } from './domain/calendar.ts';
import { memoryClaims } from './exchange/claims/claims.ts';
import { redisClaims } from './exchange/claims/redis-claims.ts';
import { healthMonitor } from './health/health.ts';
import { createCatalog } from './operations/catalog.ts';
import { serve } from './platform/http-server.ts';
import { faultFields, type Log } from './platform/log.ts';
import { embeddedChain } from './service/chain.ts';
import { readDirectory } from './service/directory.ts';
import { drained } from './service/drain.ts';
import { metricsOf, showMetrics } from './service/measuring.ts';
import { callerSecretOf, sharedRedis } from './service/redis.ts';
import { relayerEntryOf } from './service/relayer-entry.ts';
import { reportsTo } from './service/reports.ts';
import { payeeWatchOf, settlementOf } from './service/settlement.ts';
import { receiptSignerOf, termsOf } from './service/terms.ts';
import { redisCounters } from './surfaces/calls/redis-counters.ts';
import { directPeer } from './surfaces/http/client-address.ts';
import { listenerOf } from './surfaces/http/listener.ts';
import { unreadableReply } from './surfaces/http/router.ts';

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

// How many refused payments an address may present for each free request that it may make.
const REFUSED_FOR_EACH_FREE = 4;
const MAX_CLAIMS = 100_000;
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
  const monitor = healthMonitor(log, today);
  const redis = sharedRedis(config, { log, monitor });
  const chain = await embeddedChain(config, { log, monitor });
  const directory = readDirectory(now());
  const operations = createCatalog(directory);
  const metrics = metricsOf(config, { directory, operations, now });
  const terms = termsOf(config, chain);
  const ownership = relayerEntryOf(config, { redis, log, monitor });
  const around = { chain, now, log, monitor, terms, operations, metrics, ownership };
  const settlers = settlementOf(config, around);
  const claims = redis ? redisClaims({ redis, now }) : memoryClaims({ maxClaims: MAX_CLAIMS, now });
  const payee = payeeWatchOf(around, { settlers, claims });
  const receipts = await receiptSignerOf(config, chain);
  const secret = callerSecretOf(config);
  const app = createApp({
    ...reportsTo(log, metrics),
    operations,
    terms,
    settlement: settlers.settlement,
    claims,
    now,
    baseUrl: config.publicBaseUrl,
    freeRequestsPerMinute: config.freeRequestsPerMinute,
    refusedPaymentsPerMinute: REFUSED_FOR_EACH_FREE * config.freeRequestsPerMinute,
    trustedProxies: config.trustedProxies,
    // The catalogue of cdp lists only what answers a bare address with 402.
    coldProbe: config.settlers.some(({ kind }) => kind === 'cdp') ? 402 : 400,
    about: aboutOf(config),
    health: monitor.refresh,
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
  const { openRequests } = server;
  const counts = { openRequests, purchasesUnderWay: app.underWay, claims: claims.size };
  const state = { health: monitor.refresh, nodesInUse: settlers.nodesInUse, ...counts };
  const shown = await showMetrics(config, metrics, state).catch((error) => {
    server.close();
    throw error;
  });
  warmSoon(app, log);
  const stop = async () => {
    monitor.isDraining = true;
    // Balancers that learn late of the end still send requests meanwhile.
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

/** After it was said that the service listens. */
function warmSoon(app: App, log: Log): void {
  const onCold = (error: unknown) => log.error('fault', { where: 'warm', ...faultFields(error) });
  setImmediate(() => app.warm().catch(onCold));
}

/** What the documents say of us. */
const aboutOf = ({ contactEmail, ownershipProof }: Config) => ({
  contactEmail,
  ownershipProof,
});
