import type { Config } from '../config/config.ts';
import type { HealthMonitor } from '../health/health.ts';
import type { Log } from '../platform/log.ts';
import { openRedis, type Redis } from '../platform/redis.ts';

/**
 * A secret that all instances of a deployment have and Redis never sees, to name callers by in Redis; null when no
 * setting is one. It is the first that is set, so that an upgrade that adds another one later changes nothing.
 */
export const callerSecretOf = ({ receiptKey, cdpApiKey }: Config): string | null =>
  (receiptKey ?? cdpApiKey?.secret)?.reveal() ?? null;

/** Connects to the Redis that instances share, where one is configured. */
export function sharedRedis(
  { redisUrl }: Config,
  { log, monitor }: { readonly log: Log; readonly monitor: HealthMonitor },
): Redis | null {
  if (redisUrl === null) return null;
  const redis = openRedis({
    url: redisUrl.reveal(),
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
