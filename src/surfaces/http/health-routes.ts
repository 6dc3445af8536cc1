import type { Health } from '../../health/health.ts';
import { bearerOf } from '../../platform/http-server.ts';
import { release } from '../../platform/release.ts';
import type { Reply, Requested } from './listener.ts';
import type { Router } from './router.ts';

const RETRY_SECONDS = '10';

export type HealthParts = {
  readonly health: () => Health;
  /** The token that unlocks the reasons. If null, nobody gets them. */
  readonly token: string | null;
};

/**
 * `/healthz` is 200 as long as anything is served, so that an orchestrator does not restart a working service.
 * `/readyz` is 503 while no payment can be accepted or the service is shutting down. Neither route waits for a call to
 * another service. Only a caller with the token gets the reasons, because they would help an attacker to time an
 * attack.
 */
export function mountHealth(router: Router, { health, token }: HealthParts): void {
  const isBearer = bearerOf(token);
  const reply = ({ header }: Requested, isReady: boolean, found: Health): Reply => {
    const { status, payments, reasons } = found;
    return {
      status: isReady ? 200 : 503,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        vary: 'authorization',
        ...(!isReady && { 'retry-after': RETRY_SECONDS }),
      },
      body: JSON.stringify({
        status,
        payments,
        version: release.version,
        ...(isBearer(header('authorization')) && { reasons }),
      }),
    };
  };
  router.on(['GET'], '/healthz', (requested) => reply(requested, true, health()));
  router.on(['GET'], '/readyz', (requested) => {
    const found = health();
    return reply(requested, found.payments === 'ok' && found.status !== 'draining', found);
  });
}
