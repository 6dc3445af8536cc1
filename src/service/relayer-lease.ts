import type { Config } from '../config/config.ts';
import type { HealthMonitor } from '../health/health.ts';
import { type Lease, leaseOneOf } from '../platform/lease.ts';
import type { Log } from '../platform/log.ts';
import type { Redis } from '../platform/redis.ts';

/** The lease of one relayer key, where processes lease them from each other. */
export function relayerLeaseOf(
  { isRelayerLeased, relayers, settlers, network }: Config,
  {
    redis,
    log,
    monitor,
  }: { readonly redis: Redis | null; readonly log: Log; readonly monitor: HealthMonitor },
): Lease | null {
  if (redis === null || !isRelayerLeased || settlers.every(({ kind }) => kind !== 'local')) return null;
  // Nonces belong to an account on a chain: whoever settles with it, in any deployment, competes for one lease.
  const names = relayers.map(({ address }) => `relayer:${network.caip2}:${address}`);
  const lease = leaseOneOf({ redis, names });
  let place: number | null = null;
  lease.onTerm((term) => {
    if (term === null && place === null) return;
    if (term !== null) log.info('relayer_key', { state: 'held', key: term.place + 1 });
    else log.warn('relayer_key', { state: 'lost', key: place });
    place = term === null ? null : term.place + 1;
    // After the settler has received the change, too.
    setImmediate(monitor.refresh);
  });
  return lease;
}
