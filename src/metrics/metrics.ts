import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Operation } from '../catalog/operation.ts';
import type { Outcome } from '../exchange/purchase.ts';
import type { Health } from '../health/health.ts';
import type { RpcReport } from '../payments/chain/rpc.ts';
import type { SettlerReport } from '../payments/failover.ts';
import type { Funds } from '../payments/local/gas.ts';
import { addressOf, bearerOf, listen } from '../platform/http-server.ts';
import { release } from '../platform/release.ts';

/** The outcome of a call. */
type CallEnd = Outcome['state'];
/** The limits on callers. */
type LimitName = 'free' | 'unpaid' | 'payments' | 'mcp';

/** Values that are read at each scrape. */
export type ServiceState = {
  readonly health: () => Health;
  readonly openRequests: () => number;
  readonly connections: () => number;
  readonly purchasesUnderWay: () => number;
  readonly claims: () => number;
  readonly lostLogLines: () => number;
  /** The state of Redis; absent without Redis. */
  readonly redis?: () => 'ok' | 'down' | 'may_evict';
  readonly nodesInUse: () => readonly boolean[];
};

/** Counts the reports of the parts of a service. Labels have fixed values: nothing comes from callers. */
export type Metrics = {
  called(operation: string, end: CallEnd, durationMs: number): void;
  sold(operation: string, amountAtomic: string): void;
  settled(report: Pick<SettlerReport, 'settler' | 'outcome' | 'durationMs'>): void;
  asked(report: RpcReport): void;
  limited(name: LimitName): void;
  answered(status: number): void;
  faulted(): void;
  redisAnswered(durationMs: number): void;
  funded(settler: string, funds: Funds | null): void;
  watch(state: ServiceState): void;
  text(): string;
  stop(): void;
};

type MetricsParts = {
  readonly operations: readonly Pick<Operation, 'name' | 'price'>[];
  /** The names of the settlers in the log. */
  readonly settlers: readonly string[];
  readonly nodeCount: number;
  readonly hasRedis: boolean;
  /** The day (YYYY-MM-DD) of the latest check in the directory. */
  readonly checkedOn: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** Free operations cannot have a payment outcome. */
const FREE_ENDS: readonly CallEnd[] = ['served', 'rejected', 'missing', 'limited', 'unavailable', 'failed'];
const PAID_ENDS: readonly CallEnd[] = [
  'served',
  'settled',
  'challenged',
  'rejected',
  'conflict',
  'missing',
  'limited',
  'unavailable',
  'failed',
];
const SETTLER_ENDS: readonly SettlerReport['outcome'][] = [
  'settled',
  'refused',
  'declined',
  'unknown',
  'not_sent',
];
const RPC_ENDS: readonly RpcReport['end'][] = ['result', 'error', 'unreached', 'too_large', 'broken'];
const LIMITS: readonly LimitName[] = ['free', 'unpaid', 'payments', 'mcp'];
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'];
const SETTLE_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30];
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const REDIS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const RPC_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ATOMIC_PER_USD = 1_000_000;
const WEI_PER_ETH = 1e18;

/** All metrics of a service. Every series exists from the start. */
export function createMetrics(parts: MetricsParts): Metrics {
  const { operations, settlers, nodeCount, hasRedis } = parts;
  const exposition = createExposition();
  const { counter, histogram, gauge } = exposition;
  const calls = counter(
    'calc_calls_total',
    'Calls of operations over HTTP, MCP and pages, by result.',
    operations.flatMap(({ name: operation, price }) =>
      (price === null ? FREE_ENDS : PAID_ENDS).map((end) => ({ operation, end })),
    ),
  );
  const callSeconds = histogram(
    'calc_call_seconds',
    'Duration of a call until its answer, or of a purchase until it was settled.',
    CALL_BUCKETS,
    operations.map(({ name: operation }) => ({ operation })),
  );
  const paid = operations.filter(({ price }) => price !== null).map(({ name }) => name);
  // Whole atomic units are added without rounding.
  const soldAtomic = new Map(paid.map((product) => [product, 0]));
  gauge(
    'calc_sold_usd_total',
    'US dollars sold, by product.',
    () =>
      [...soldAtomic].map(([product, atomic]) => ({ labels: { product }, value: atomic / ATOMIC_PER_USD })),
    'counter',
  );
  const sales = counter(
    'calc_sold_total',
    'Answers sold, by product.',
    paid.map((product) => ({ product })),
  );
  const settlements = counter(
    'calc_settlements_total',
    'Payments handled by each settler, by result.',
    settlers.flatMap((settler) => SETTLER_ENDS.map((end) => ({ settler, end }))),
  );
  const settlementSeconds = histogram(
    'calc_settlement_seconds',
    'Time that a settler took for a payment, whatever the result.',
    SETTLE_BUCKETS,
    settlers.map((settler) => ({ settler })),
  );
  // Nodes are labeled by their position in RPC_URLS, from 1 on, since their addresses may contain keys.
  const nodes = Array.from({ length: nodeCount }, (_, index) => String(index + 1));
  const rpcCalls = counter(
    'calc_rpc_calls_total',
    'Calls to nodes, by the position of the node in RPC_URLS and by result.',
    nodes.flatMap((node) => RPC_ENDS.map((end) => ({ node, end }))),
  );
  const rpcSeconds = histogram(
    'calc_rpc_seconds',
    'Duration of a call to a node. A call that sends a transaction waits for its block.',
    RPC_BUCKETS,
    nodes.flatMap((node) => ['ask', 'send'].map((kind) => ({ node, kind }))),
  );
  const limits = counter(
    'calc_limited_total',
    'Requests refused by a limit, by limit.',
    LIMITS.map((limit) => ({ limit })),
  );
  const responses = counter(
    'calc_http_responses_total',
    'HTTP responses, complete or aborted, by class of status.',
    CLASSES.map((status) => ({ status })),
  );
  const faults = counter('calc_faults_total', 'Bugs in the service that failed a request.');
  const redisSeconds = histogram(
    'calc_redis_seconds',
    'Response time of Redis.',
    REDIS_BUCKETS,
    hasRedis ? [{}] : [],
  );
  const loop = machineGauges(exposition, parts);
  const funds: RelayerFunds = new Map();
  relayerGauges(exposition, funds);
  return {
    called(operation, end, durationMs) {
      calls({ operation, end });
      callSeconds(durationMs / 1_000, { operation });
    },
    sold(product, amountAtomic) {
      const atomic = soldAtomic.get(product);
      if (atomic !== undefined) soldAtomic.set(product, atomic + Number(amountAtomic));
      sales({ product });
    },
    settled({ settler, outcome: end, durationMs }) {
      settlements({ settler, end });
      settlementSeconds(durationMs / 1_000, { settler });
    },
    asked({ node: place, end, sends, durationMs }) {
      const node = String(place + 1);
      rpcCalls({ node, end });
      rpcSeconds(durationMs / 1_000, { node, kind: sends ? 'send' : 'ask' });
    },
    limited: (limit) => limits({ limit }),
    answered: (status) => responses({ status: `${Math.floor(status / 100)}xx` }),
    faulted: () => faults(),
    redisAnswered: (durationMs) => redisSeconds(durationMs / 1_000),
    funded: (settler, of) => void (of === null ? funds.delete(settler) : funds.set(settler, of)),
    watch: (state) => stateGauges(exposition, state),
    text: exposition.text,
    stop: () => loop.disable(),
  };
}

type RelayerFunds = Map<string, Funds>;

function relayerGauges({ gauge }: Exposition, funds: RelayerFunds): void {
  gauge('calc_relayer_balance_eth', 'Last known ETH balance of the relayer.', () =>
    [...funds].map(([settler, { balanceWei }]) => ({
      labels: { settler },
      value: Number(balanceWei) / WEI_PER_ETH,
    })),
  );
  gauge(
    'calc_relayer_settlements_left',
    'Minimum number of settlements that the relayer can pay for at the last known gas price.',
    () =>
      [...funds].map(([settler, { settlements }]) => ({ labels: { settler }, value: Number(settlements) })),
  );
}

function stateGauges({ gauge }: Exposition, state: ServiceState): void {
  const { health, redis, nodesInUse } = state;
  gauge('calc_payments_available', '1 while payments can be accepted.', () =>
    health().payments === 'ok' ? 1 : 0,
  );
  gauge('calc_health_reason', '1 for each reason why the health is not ok.', () =>
    health().reasons.map((reason) => ({ labels: { reason }, value: 1 })),
  );
  gauge('calc_node_in_use', '1 for a node that is in use, 0 for one that is not.', () =>
    nodesInUse().map((isUsed, index) => ({ labels: { node: String(index + 1) }, value: isUsed ? 1 : 0 })),
  );
  gauge('calc_open_requests', 'Requests whose response is not complete.', state.openRequests);
  gauge('calc_connections', 'Open connections (maximum 1,024).', state.connections);
  gauge('calc_log_lines_lost_total', 'Log lines that could not be written.', state.lostLogLines, 'counter');
  if (redis !== undefined)
    gauge('calc_redis_up', '1 while Redis is connected.', () => (redis() === 'down' ? 0 : 1));
  gauge('calc_purchases_under_way', 'Pending purchases.', state.purchasesUnderWay);
  gauge('calc_claims', 'Claims that this process holds in memory.', state.claims);
}

const LOOP_RESOLUTION_MS = 20;

/** Returns the monitor of the event loop, which must be disabled when the service stops. */
function machineGauges({ gauge }: Exposition, { checkedOn, now }: MetricsParts) {
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1_000);
  gauge('calc_event_loop_delay_seconds', 'Delay of the event loop since the last scrape.', () => {
    const [middle, high, max] = [loop.percentile(50), loop.percentile(99), loop.max];
    loop.reset();
    return [
      { labels: { percentile: '50' }, value: seconds(middle) },
      { labels: { percentile: '99' }, value: seconds(high) },
      { labels: { percentile: '100' }, value: seconds(max) },
    ];
  });
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  gauge('process_cpu_seconds_total', 'CPU time used.', cpuSeconds, 'counter');
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge('process_start_time_seconds', 'Unix time at which the process started.', () => startedAt);
  gauge('calc_directory_age_seconds', 'Time since the latest check in the directory.', () =>
    Math.floor((now() - Date.parse(checkedOn)) / 1_000),
  );
  gauge('calc_build_info', 'Release and Node.js.', () => [
    { labels: { version: release.version, node: process.version }, value: 1 },
  ]);
  return loop;
}

type Labels = Readonly<Record<string, string>>;
/** A labelled value, read at a scrape. */
export type Sample = { readonly labels?: Labels; readonly value: number };

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Metrics in the text format of Prometheus 0.0.4. Every series exists from the start, and reports with other labels are
 * ignored.
 */
type Exposition = {
  /** A counter for each of these labels. Returns a function that adds 1. */
  counter(name: string, help: string, series?: readonly Labels[]): (labels?: Labels) => void;
  /** A histogram for each of these labels. Returns a function that adds a value. */
  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    series?: readonly Labels[],
  ): (value: number, labels?: Labels) => void;
  /** Read at each scrape; a value that is not a number is omitted. */
  gauge(name: string, help: string, read: () => readonly Sample[] | number, type?: 'gauge' | 'counter'): void;
  text(): string;
};

export function createExposition(): Exposition {
  const families: (() => string)[] = [];
  const family = (name: string, help: string, type: string, linesOf: () => readonly string[]): void => {
    families.push(() => {
      const lines = linesOf();
      return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    });
  };
  return {
    counter(name, help, series = [{}]) {
      const counts = new Map(series.map((labels) => [keyOf(labels), { labels, value: 0 }]));
      family(name, help, 'counter', () =>
        [...counts.values()].map(({ labels, value }) => line(name, labels, value)),
      );
      return (labels = {}) => {
        const count = counts.get(keyOf(labels));
        if (count !== undefined) count.value += 1;
      };
    },
    histogram(name, help, buckets, series = [{}]) {
      const all = new Map(series.map((labels) => [keyOf(labels), bucketed(name, buckets, labels)]));
      family(name, help, 'histogram', () => [...all.values()].flatMap(({ lines }) => lines()));
      return (value, labels = {}) => all.get(keyOf(labels))?.observe(value);
    },
    gauge(name, help, read, type = 'gauge') {
      family(name, help, type, () => {
        const readings = read();
        const list: readonly Sample[] = typeof readings === 'number' ? [{ value: readings }] : readings;
        const known = list.filter(({ value }) => Number.isFinite(value));
        return known.map(({ labels = {}, value }) => line(name, labels, value));
      });
    },
    text: () => families.map((text) => text()).join(''),
  };
}

const keyOf = (labels: Labels): string => Object.values(labels).join('\n');

function bucketed(name: string, buckets: readonly number[], labels: Labels) {
  const counts = buckets.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    observe(value: number) {
      count += 1;
      sum += value;
      const at = buckets.findIndex((bound) => value <= bound);
      if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
    },
    lines(): string[] {
      let below = 0;
      const shown = buckets.map((bound, index) => {
        below += counts[index] ?? 0;
        return line(`${name}_bucket`, { ...labels, le: String(bound) }, below);
      });
      return [
        ...shown,
        line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
        line(`${name}_sum`, labels, sum),
        line(`${name}_count`, labels, count),
      ];
    },
  };
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

export type MetricsEndpoint = { readonly url: string; close(): void };

type EndpointOptions = {
  readonly port: number;
  readonly host: string;
  /** The bearer token that a reader must send. Null: no token is needed. */
  readonly token: string | null;
  readonly text: () => string;
};

const MAX_HEADER_BYTES = 8_192;
const MAX_CONNECTIONS = 16;
const REQUEST_MS = 5_000;

/** Serves `GET /metrics` on its own port, so that no proxy in front of the service exposes it by mistake. */
export async function serveMetrics({ port, host, token, text }: EndpointOptions): Promise<MetricsEndpoint> {
  const isBearer = token === null ? () => true : bearerOf(token);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    const { method = '', url = '', headers } = request;
    request.resume();
    const end = (status: number, more: Record<string, string>, body = '') =>
      response.writeHead(status, { 'cache-control': 'no-store', ...more }).end(method === 'HEAD' ? '' : body);
    if (!isBearer(headers.authorization)) return void end(401, { 'www-authenticate': 'Bearer' });
    if (url.split('?', 1)[0] !== '/metrics') return void end(404, {});
    if (method !== 'GET' && method !== 'HEAD') return void end(405, { allow: 'GET, HEAD' });
    end(200, { 'content-type': CONTENT_TYPE }, text());
  });
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, { port, host, settings: { port: 'METRICS_ADDRESS', host: 'METRICS_ADDRESS' } });
  return {
    url: addressOf(server),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
