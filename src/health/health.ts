import type { SettlerHealth } from '../payments/failover.ts';
import type { Log } from '../platform/log.ts';
import type { Redis } from '../platform/redis.ts';

/**
 * The health of the service. `degraded`: `reasons` say why, in fixed words without addresses. Payments are
 * `unavailable` when a new payment would get 503. Free operations continue.
 */
export type Health = {
  readonly status: 'ok' | 'degraded' | 'draining';
  readonly payments: 'ok' | 'unavailable';
  readonly reasons: readonly string[];
};

/** The facts that health is derived from. All are known without a request. */
export type HealthFacts = Pick<HealthMonitor, 'isDraining' | 'hasChainEnded' | 'lowBalanceSettlers'> & {
  /** null without Redis. */
  readonly redis: ReturnType<Redis['status']> | null;
  /** Another seller uses the same payee. */
  readonly isPayeeShared: boolean;
  readonly settlers: readonly SettlerHealth[];
};

export function healthOf(facts: HealthFacts): Health {
  const { isDraining, redis, hasChainEnded, lowBalanceSettlers, isPayeeShared, settlers } = facts;
  const reasons = [
    ...(redis === 'down' ? ['redis_down'] : []),
    ...(redis === 'may_evict' ? ['redis_may_evict'] : []),
    ...(hasChainEnded ? ['embedded_chain_ended'] : []),
    ...settlers.flatMap(({ settler, state, reason }) => {
      const why = reason ?? (state === 'unasked' ? 'unasked' : null);
      return why === null ? [] : [`${settler}_${why}`];
    }),
    ...[...lowBalanceSettlers].map((settler) => `${settler}_low_balance`),
    ...(isPayeeShared ? ['payee_shared'] : []),
  ];
  // A facilitator with unclear support often settles.
  const cannot = ({ state, reason, isPartial }: SettlerHealth) =>
    // A settler that was never asked may not be ready.
    state === 'unasked' || (reason !== null && reason !== 'unclear' && !isPartial);
  const isUnavailable = redis === 'down' || hasChainEnded || (settlers.length > 0 && settlers.every(cannot));
  return {
    status: isDraining ? 'draining' : reasons.length > 0 ? 'degraded' : 'ok',
    payments: isUnavailable ? 'unavailable' : 'ok',
    reasons,
  };
}

/** Collects the state that parts of the service report. It is created before them. */
export type HealthMonitor = {
  isDraining: boolean;
  hasChainEnded: boolean;
  /** Settlers whose account can pay for few more settlements. */
  readonly lowBalanceSettlers: Set<string>;
  redis: Pick<Redis, 'status'> | null;
  settlers: { health(): readonly SettlerHealth[] } | null;
  payee: { isShared(): boolean } | null;
  /** The current health. It is logged whenever its reasons, or whether payments can be accepted, have changed. */
  refresh(): Health;
};

export function healthMonitor(log: Log): HealthMonitor {
  let known = 'ok';
  const monitor: HealthMonitor = {
    isDraining: false,
    hasChainEnded: false,
    lowBalanceSettlers: new Set(),
    redis: null,
    settlers: null,
    payee: null,
    refresh() {
      const { redis, settlers, payee } = monitor;
      const health = healthOf({
        ...monitor,
        redis: redis?.status() ?? null,
        settlers: settlers?.health() ?? [],
        isPayeeShared: payee?.isShared() ?? false,
      });
      const { status, payments, reasons } = health;
      const latest = [payments, ...reasons].join();
      if (latest !== known)
        log[reasons.length > 0 ? 'warn' : 'info']('health', { status, payments, reasons });
      known = latest;
      return health;
    },
  };
  return monitor;
}
