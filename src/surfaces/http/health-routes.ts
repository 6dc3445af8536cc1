import type { Context, Hono } from 'hono';
import type { Health } from '../../health/health.ts';
import { bearerOf } from '../../platform/bearer.ts';
import { refuseMethod } from './http.ts';

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
