import type { OnBug, PurchaseEnd } from '../exchange/purchase.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { OnCall } from '../surfaces/calls/calls.ts';

type Reports = {
  readonly onBug: OnBug;
  readonly onCall: OnCall;
  readonly onEnd: (end: PurchaseEnd) => void;
  readonly onLimited?: Metrics['limited'];
};

/** What is logged and counted of calls. */
export const reportsTo = (log: Log, metrics: Metrics | null): Reports => ({
  onBug(operation, error, requestId) {
    log.error('fault', { where: 'operation', operation, ...faultFields(error), request_id: requestId });
    metrics?.faulted();
  },
  onCall(operation, outcome, durationMs, requestId) {
    log.debug('request', { operation, outcome, duration_ms: durationMs, request_id: requestId });
    metrics?.called(operation, outcome);
  },
  onEnd({ operation, outcome, reason, transaction, amount, requestId, durationMs }) {
    // Anybody can cause refusals before anything is sent, at no cost.
    const level = outcome === 'refused' ? 'debug' : 'info';
    const said = { operation, outcome, reason, transaction, request_id: requestId };
    log[level]('purchase', { ...said, duration_ms: durationMs });
    if (outcome === 'settled') metrics?.sold(operation, amount);
  },
  ...(metrics && { onLimited: metrics.limited }),
});
