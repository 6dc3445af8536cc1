import type { Operation } from '../catalog/operation.ts';
import type { Outcome } from '../exchange/outcome.ts';
import type { RpcReport } from '../payments/chain/rpc.ts';
import type { SettlerReport } from '../payments/failover.ts';
import type { Funds } from '../payments/local/gas.ts';
import { type Counter, createExposition, type Exposition } from './exposition.ts';
import { machineGauges, relayerGauges, type ServiceState, stateGauges } from './gauges.ts';

/** The outcome of a call. */
export type CallEnd = Outcome['state'];
/** The limits on callers. */
export type LimitName = 'free' | 'unpaid' | 'payments' | 'mcp';

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
  funded(settler: string, funds: Pick<Funds, 'balanceWei' | 'settlements'> | null): void;
  /** Read at each scrape. */
  watch(state: ServiceState): void;
  text(): string;
  stop(): void;
};

export type MetricsParts = {
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

const ENDS: readonly CallEnd[] = [
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
/** Free operations cannot have a payment outcome. */
const FREE_ENDS = ENDS.filter((end) => end !== 'settled' && end !== 'challenged' && end !== 'conflict');
const SETTLER_ENDS: readonly SettlerReport['outcome'][] = [
  'settled',
  'refused',
  'declined',
  'unknown',
  'not_sent',
];
const RPC_ENDS: readonly RpcReport['end'][] = ['result', 'error', 'unreached', 'too_large', 'broken'];
const LIMITS: readonly LimitName[] = ['free', 'unpaid', 'payments', 'mcp'];
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const SETTLE_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30];
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const REDIS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];
const RPC_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ATOMIC_PER_USD = 1_000_000;

/** All metrics of a service. Every series exists from the start. */
export function createMetrics(parts: MetricsParts): Metrics {
  const exposition = createExposition();
  const calls = callCounters(exposition, parts);
  const sales = saleCounters(exposition, parts);
  const settlements = settlementSeries(exposition, parts.settlers);
  const rpc = rpcSeries(exposition, parts.nodeCount);
  const funds = new Map<string, Pick<Funds, 'balanceWei' | 'settlements'>>();
  const refusals = exposition.counter({
    name: 'calc_limited_total',
    help: 'Requests refused by a limit, by limit.',
  });
  const limits = new Map(LIMITS.map((limit) => [limit, refusals({ limit })]));
  const answers = exposition.counter({
    name: 'calc_http_responses_total',
    help: 'HTTP responses, complete or aborted, by class of status.',
  });
  const classes = CLASSES.map((status) => answers({ status }));
  const faults = exposition.counter({
    name: 'calc_faults_total',
    help: 'Bugs in the service that failed a request.',
  })();
  const redis = exposition.histogram({
    name: 'calc_redis_seconds',
    help: 'Response time of Redis.',
    buckets: REDIS_BUCKETS,
  });
  const redisSeconds = parts.hasRedis ? redis() : null;
  const loop = machineGauges(exposition, parts);
  relayerGauges(exposition, funds);
  return {
    called: calls,
    sold: sales,
    settled: settlements,
    asked: rpc,
    limited: (name) => add(limits.get(name)),
    answered: (status) => add(classes[Math.floor(status / 100) - 1]),
    faulted: () => add(faults),
    redisAnswered: (durationMs) => redisSeconds?.observe(durationMs / 1_000),
    funded: (settler, of) => void (of === null ? funds.delete(settler) : funds.set(settler, of)),
    watch: (state) => stateGauges(exposition, state),
    text: exposition.text,
    stop: () => loop.disable(),
  };
}

function add(series: Counter | undefined, amount = 1): void {
  if (series !== undefined) series.value += amount;
}

function callCounters(exposition: Exposition, { operations }: MetricsParts): Metrics['called'] {
  const counter = exposition.counter({
    name: 'calc_calls_total',
    help: 'Calls of operations over HTTP, MCP and pages, by result.',
  });
  const seconds = exposition.histogram({
    name: 'calc_call_seconds',
    help: 'Duration of a call until its answer, or of a purchase until it was settled.',
    buckets: CALL_BUCKETS,
  });
  const byOperation = new Map(
    operations.map(({ name: operation, price }) => {
      const ends = price === null ? FREE_ENDS : ENDS;
      const counters = new Map(ends.map((end) => [end, counter({ operation, end })]));
      return [operation, { counters, seconds: seconds({ operation }) }];
    }),
  );
  return (operation, end, durationMs) => {
    add(byOperation.get(operation)?.counters.get(end));
    byOperation.get(operation)?.seconds.observe(durationMs / 1_000);
  };
}

function saleCounters(exposition: Exposition, { operations }: MetricsParts): Metrics['sold'] {
  const paid = operations.filter(({ price }) => price !== null).map(({ name }) => name);
  // Whole atomic units are added without rounding.
  const sold = new Map(paid.map((product) => [product, { atomic: 0 }]));
  exposition.gauge(
    { name: 'calc_sold_usd_total', help: 'US dollars sold, by product.' },
    () => [...sold].map(([product, { atomic }]) => ({ labels: { product }, value: atomic / ATOMIC_PER_USD })),
    'counter',
  );
  const count = exposition.counter({ name: 'calc_sold_total', help: 'Answers sold, by product.' });
  const counts = new Map(paid.map((product) => [product, count({ product })]));
  return (operation, amountAtomic) => {
    const product = sold.get(operation);
    if (product !== undefined) product.atomic += Number(amountAtomic);
    add(counts.get(operation));
  };
}

function settlementSeries(exposition: Exposition, settlers: readonly string[]): Metrics['settled'] {
  const ends = exposition.counter({
    name: 'calc_settlements_total',
    help: 'Payments handled by each settler, by result.',
  });
  const seconds = exposition.histogram({
    name: 'calc_settlement_seconds',
    help: 'Time that a settler took for a payment, whatever the result.',
    buckets: SETTLE_BUCKETS,
  });
  const series = new Map(
    settlers.map((settler) => [
      settler,
      {
        ends: new Map(SETTLER_ENDS.map((end) => [end, ends({ settler, end })])),
        seconds: seconds({ settler }),
      },
    ]),
  );
  return ({ settler, outcome, durationMs }) => {
    add(series.get(settler)?.ends.get(outcome));
    series.get(settler)?.seconds.observe(durationMs / 1_000);
  };
}

/** Nodes are labeled by their position in RPC_URLS, from 1 on, since their addresses may contain keys. */
function rpcSeries(exposition: Exposition, nodeCount: number): Metrics['asked'] {
  const ends = exposition.counter({
    name: 'calc_rpc_calls_total',
    help: 'Calls to nodes, by the position of the node in RPC_URLS and by result.',
  });
  const seconds = exposition.histogram({
    name: 'calc_rpc_seconds',
    help: 'Duration of a call to a node. A call that sends a transaction waits for its block.',
    buckets: RPC_BUCKETS,
  });
  const nodes = Array.from({ length: nodeCount }, (_, index) => {
    const node = String(index + 1);
    return {
      ends: new Map(RPC_ENDS.map((end) => [end, ends({ node, end })])),
      asks: seconds({ node, kind: 'ask' }),
      sends: seconds({ node, kind: 'send' }),
    };
  });
  return ({ node, end, sends, durationMs }) => {
    add(nodes[node]?.ends.get(end));
    nodes[node]?.[sends ? 'sends' : 'asks'].observe(durationMs / 1_000);
  };
}
