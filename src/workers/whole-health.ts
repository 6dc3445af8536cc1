import type { Health } from '../health/health.ts';
import type { Others } from './messages.ts';

/** How all workers are together: what is wrong with one is said, and payments are taken while one of them takes them. */
export function wholeHealth(own: Health, { health, missing }: Others): Health {
  const all = [own, ...health];
  const reasons = [
    ...new Set([...all.flatMap((one) => one.reasons), ...(missing > 0 ? ['workers_missing'] : [])]),
  ];
  return {
    status: own.status === 'draining' ? 'draining' : reasons.length > 0 ? 'degraded' : 'ok',
    payments: all.some(({ payments }) => payments === 'ok') ? 'ok' : 'unavailable',
    reasons,
  };
}
