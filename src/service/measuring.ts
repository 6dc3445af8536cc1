import type { Operation } from '../catalog/operation.ts';
import type { Config } from '../config/config.ts';
import type { Directory, Listing } from '../directory/directory.ts';
import { type MetricsEndpoint, serveMetrics } from '../metrics/endpoint.ts';
import type { ServiceState } from '../metrics/gauges.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { release } from '../platform/release.ts';

/** Creates the metrics where they are asked for. */
export function metricsOf(
  { metrics, settlers, rpcUrls }: Config,
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
    settlers: settlers.map(({ kind }, index) => (kind === 'facilitator' ? `${kind}_${index + 1}` : kind)),
    // The embedded chain counts as one, too.
    nodeCount: Math.max(1, rpcUrls.length),
    checkedOn: days.at(-1) ?? release.day,
    now,
  });
}

/** Opens the port of the metrics. */
export async function showMetrics(
  { metrics: address, operatorToken }: Config,
  metrics: Metrics | null,
  state: ServiceState,
): Promise<MetricsEndpoint | null> {
  if (metrics === null || address === null) return null;
  metrics.watch(state);
  return serveMetrics({ ...address, token: operatorToken?.reveal() ?? null, text: metrics.text });
}
