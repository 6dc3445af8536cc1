import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Health } from '../health/health.ts';
import type { Funds } from '../payments/local/gas.ts';
import { release } from '../platform/release.ts';
import type { Exposition } from './exposition.ts';

// Gauges whose values are read at each scrape.

const WEI_PER_ETH = 1e18;
const LOOP_RESOLUTION_MS = 20;

export type ServiceState = {
  readonly health: () => Health;
  readonly openRequests: () => number;
  readonly connections: () => number;
  readonly purchasesUnderWay: () => number;
  readonly claims: () => number;
  readonly lostLogLines: () => number;
  /** Absent without Redis. */
  readonly redis?: () => 'ok' | 'down' | 'may_evict';
  readonly nodesInUse: () => readonly boolean[];
};

export function relayerGauges(
  { gauge }: Exposition,
  funds: ReadonlyMap<string, Pick<Funds, 'balanceWei' | 'settlements'>>,
): void {
  gauge({ name: 'calc_relayer_balance_eth', help: 'Last known ETH balance of the relayer.' }, () =>
    [...funds].map(([settler, { balanceWei }]) => ({
      labels: { settler },
      value: Number(balanceWei) / WEI_PER_ETH,
    })),
  );
  gauge(
    {
      name: 'calc_relayer_settlements_left',
      help: 'Minimum number of settlements that the relayer can pay for at the last known gas price.',
    },
    () =>
      [...funds].map(([settler, { settlements }]) => ({ labels: { settler }, value: Number(settlements) })),
  );
}

export function stateGauges({ gauge }: Exposition, state: ServiceState): void {
  const { health, openRequests, connections, purchasesUnderWay, claims, lostLogLines, redis, nodesInUse } =
    state;
  gauge({ name: 'calc_payments_available', help: '1 while payments can be accepted.' }, () =>
    health().payments === 'ok' ? 1 : 0,
  );
  gauge({ name: 'calc_health_reason', help: '1 for each reason why the health is not ok.' }, () =>
    health().reasons.map((reason) => ({ labels: { reason }, value: 1 })),
  );
  gauge({ name: 'calc_node_in_use', help: '1 for a node that is in use, 0 for one that is not.' }, () =>
    nodesInUse().map((isUsed, index) => ({ labels: { node: String(index + 1) }, value: isUsed ? 1 : 0 })),
  );
  gauge({ name: 'calc_open_requests', help: 'Requests whose response is not complete.' }, openRequests);
  gauge({ name: 'calc_connections', help: 'Open connections (maximum 1,024).' }, connections);
  gauge(
    { name: 'calc_log_lines_lost_total', help: 'Log lines that could not be written.' },
    lostLogLines,
    'counter',
  );
  if (redis !== undefined)
    gauge({ name: 'calc_redis_up', help: '1 while Redis is connected.' }, () => (redis() === 'down' ? 0 : 1));
  gauge({ name: 'calc_purchases_under_way', help: 'Pending purchases.' }, purchasesUnderWay);
  gauge({ name: 'calc_claims', help: 'Claims that this process holds in memory.' }, claims);
}

/** Returns the monitor of the event loop, which must be disabled when the service stops. */
export function machineGauges(
  { gauge }: Exposition,
  { checkedOn, now }: { readonly checkedOn: string; readonly now: () => number },
) {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1_000);
  gauge(
    {
      name: 'calc_event_loop_delay_seconds',
      help: 'Delay of the event loop since the last scrape.',
    },
    () => {
      const [middle, high, max] = [loop.percentile(50), loop.percentile(99), loop.max];
      loop.reset();
      return [
        { labels: { percentile: '50' }, value: seconds(middle) },
        { labels: { percentile: '99' }, value: seconds(high) },
        { labels: { percentile: '100' }, value: seconds(max) },
      ];
    },
  );
  gauge({ name: 'process_resident_memory_bytes', help: 'Memory of the process.' }, () =>
    process.memoryUsage.rss(),
  );
  gauge({ name: 'nodejs_heap_used_bytes', help: 'Heap in use.' }, () => process.memoryUsage().heapUsed);
  gauge(
    { name: 'process_cpu_seconds_total', help: 'CPU time used.' },
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    'counter',
  );
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge({ name: 'process_start_time_seconds', help: 'Unix time of the start.' }, () => startedAt);
  gauge({ name: 'calc_directory_age_seconds', help: 'Time since the latest check in the directory.' }, () =>
    Math.floor((now() - Date.parse(checkedOn)) / 1_000),
  );
  gauge({ name: 'calc_build_info', help: 'Release and Node.js.' }, () => [
    { labels: { version: release.version, node: process.version }, value: 1 },
  ]);
  return loop;
}
