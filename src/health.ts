import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import type { Day } from './domain/calendar.ts';
import { areRatesEnding } from './domain/statutory-rates.ts';
import type { SettlerHealth } from './payments/settler-watch.ts';
import type { Log } from './platform/log.ts';
import type { Redis } from './platform/redis.ts';
import { refuseMethod } from './surfaces/http/http.ts';

/**
 * What the service knows of itself. `degraded`: `reasons` say why, in fixed words without addresses. Payments are
 * `unavailable` when a new one would be answered 503; whatever is free goes on all the same.
 */
export type Health = {
  readonly status: 'ok' | 'degraded' | 'draining';
  readonly payments: 'ok' | 'unavailable';
  readonly reasons: readonly string[];
};

/** What health is concluded from: nothing that would have to be asked for. */
export type HealthFacts = {
  readonly isDraining: boolean;
  /** null without Redis. */
  readonly redis: ReturnType<Redis['status']> | null;
  readonly hasChainEnded: boolean;
  /** Settlers whose account can pay for few more settlements. */
  readonly lowOn: ReadonlySet<string>;
  /** Somebody else sells with our payee. */
  readonly isPayeeShared: boolean;
  /** The reference rates of statutory interest that this release holds end soon, or have ended. */
  readonly areRatesEnding: boolean;
  readonly settlers: readonly SettlerHealth[];
};

export function healthOf(facts: HealthFacts): Health {
  const { isDraining, redis, hasChainEnded, lowOn, isPayeeShared, areRatesEnding, settlers } = facts;
  const reasons = [
    ...(redis === 'down' ? ['redis_down'] : []),
    ...(redis === 'may_evict' ? ['redis_may_evict'] : []),
    ...(hasChainEnded ? ['embedded_chain_ended'] : []),
    ...settlers.flatMap(({ settler, reason }) => (reason === null ? [] : [`${settler}_${reason}`])),
    ...[...lowOn].map((settler) => `${settler}_low_balance`),
    ...(isPayeeShared ? ['payee_shared'] : []),
    ...(areRatesEnding ? ['statutory_rates_ending'] : []),
  ];
  // An unclear answer about support often comes from one that settles all the same.
  const cannot = ({ state, reason, isPartial }: SettlerHealth) =>
    // What was never asked is not known to be ready.
    state === 'unasked' || (reason !== null && reason !== 'unclear' && !isPartial);
  const isUnavailable = redis === 'down' || hasChainEnded || (settlers.length > 0 && settlers.every(cannot));
  return {
    status: isDraining ? 'draining' : reasons.length > 0 ? 'degraded' : 'ok',
    payments: isUnavailable ? 'unavailable' : 'ok',
    reasons,
  };
}

/** What the parts of a service report of themselves, from before all of them are there. */
export type HealthBoard = {
  isDraining: boolean;
  hasChainEnded: boolean;
  readonly lowOn: Set<string>;
  redis: Pick<Redis, 'status'> | null;
  settlers: { health(): readonly SettlerHealth[] } | null;
  payee: { isShared(): boolean } | null;
  /** Health as it is now; logged whenever it has other reasons than the time before. */
  look(): Health;
};

export function healthBoard(log: Log, today: () => Day): HealthBoard {
  let known = '';
  const board: HealthBoard = {
    isDraining: false,
    hasChainEnded: false,
    lowOn: new Set(),
    redis: null,
    settlers: null,
    payee: null,
    look() {
      const { redis, settlers, payee } = board;
      const told = healthOf({
        ...board,
        redis: redis?.status() ?? null,
        settlers: settlers?.health() ?? [],
        isPayeeShared: payee?.isShared() ?? false,
        areRatesEnding: areRatesEnding(today()),
      });
      const { status, payments, reasons } = told;
      const news = reasons.join();
      if (news !== known) log[reasons.length > 0 ? 'warn' : 'info']('health', { status, payments, reasons });
      known = news;
      return told;
    },
  };
  return board;
}

const RETRY_SECONDS = '10';

export type HealthAddresses = {
  readonly baseUrl: string;
  readonly health: () => Health;
  /** Who shows it is told the reasons; null: nobody is. */
  readonly token: string | null;
};

/**
 * `/healthz`: 200 for as long as anything is served, so that nobody restarts what serves. `/readyz`: 503 while no
 * payment can be taken or the service is about to end. Both ask nobody. Why it is so helps attackers to time what
 * they do: only the bearer of the token is told.
 */
export function mountHealth(app: Hono, { baseUrl, health, token }: HealthAddresses): void {
  const isBearer = bearerOf(token);
  const reply = (context: Context, isReady: boolean, { status, payments, reasons }: Health) =>
    Response.json(
      { status, payments, ...(isBearer(context.req.header('authorization')) && { reasons }) },
      {
        status: isReady ? 200 : 503,
        headers: {
          'cache-control': 'no-store',
          vary: 'authorization',
          ...(!isReady && { 'retry-after': RETRY_SECONDS }),
        },
      },
    );
  app.get('/healthz', (context) => reply(context, true, health()));
  app.get('/readyz', (context) => {
    const told = health();
    return reply(context, told.payments === 'ok' && told.status !== 'draining', told);
  });
  for (const path of ['/healthz', '/readyz']) app.all(path, refuseMethod(baseUrl, ['GET', 'HEAD']));
}

/** Tells the bearer of a token, in a time that does not depend on what is shown. */
export function bearerOf(token: string | null): (header: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (token === null) return () => false;
  const expected = digest(token);
  return (header) => {
    const shown = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(header ?? '')?.[1];
    return shown !== undefined && timingSafeEqual(digest(shown), expected);
  };
}
