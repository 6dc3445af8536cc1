import type { Operation } from '../catalog/operation.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../devnet/chain.ts';
import type { Claims } from '../exchange/claims/claims.ts';
import { type PayeeWatch, watchPayee } from '../exchange/payee-watch.ts';
import type { HealthMonitor } from '../health/health.ts';
import type { Metrics } from '../metrics/metrics.ts';
import {
  type KeyOwnership,
  type PriceRange,
  type Settlers,
  settlersOf,
} from '../payments/settlers/settlers.ts';
import type { Terms } from '../payments/x402/requirements.ts';
import { countingRepeats, type Log } from '../platform/log.ts';

const WEI_PER_GWEI = 1_000_000_000n;

export type SettlementContext = {
  readonly chain: EmbeddedChain | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly monitor: HealthMonitor;
  readonly terms: Terms;
  readonly operations: readonly Operation[];
  readonly metrics: Metrics | null;
  /** The ownership of the relayer key if other processes may have it. */
  readonly ownership: KeyOwnership | null;
};

/** Creates the settlers in the settings. Their events are logged, counted and shown in health. */
export function settlementOf(config: Config, context: SettlementContext): Settlers {
  const { chain, now, log, monitor, terms, operations, metrics, ownership } = context;
  // Without a node, nothing can check a facilitator's answers.
  if (chain === null && config.rpcUrls.length === 0)
    log.warn('settlement_unverified', { missing: 'RPC_URLS' });
  const writeCounted = countingRepeats(log);
  const settlers = settlersOf(config.settlers, {
    rpcUrls: chain ? [chain.rpcUrl] : config.rpcUrls.map((url) => url.reveal()),
    key: chain?.relayerKey ?? (config.relayer?.key.reveal() as `0x${string}` | undefined) ?? null,
    ...(ownership && { ownership }),
    cdpApiKey: config.cdpApiKey,
    gasWeiPerCent: BigInt(config.gasGweiPerCent) * WEI_PER_GWEI,
    gasBudgetWeiPerHour: BigInt(config.gasBudgetGweiPerHour) * WEI_PER_GWEI,
    terms,
    prices: pricesOf(operations),
    confirmations: config.confirmations,
    isShared: config.redisUrl !== null,
    now,
    onLook: () => void monitor.refresh(),
    ...(metrics && { onFunds: metrics.funded, onRpc: metrics.asked }),
    onSettler({ outcome, durationMs, requestId, ...report }) {
      metrics?.settled({ ...report, outcome, durationMs });
      const level = outcome === 'settled' || outcome === 'refused' ? 'debug' : 'warn';
      const said = { ...report, outcome, duration_ms: durationMs, request_id: requestId };
      if (outcome === 'not_sent') writeCounted('warn', 'settlement', said);
      else log[level]('settlement', said);
      monitor.refresh();
    },
    onHealth({ settler, reason }) {
      if (reason !== null) log.warn('settler_error', { settler, reason });
      monitor.refresh();
    },
    onLowBalance(settler, isLow) {
      if (isLow) {
        log.warn('settler_error', { settler, reason: 'low_balance' });
        monitor.lowBalanceSettlers.add(settler);
      } else monitor.lowBalanceSettlers.delete(settler);
      monitor.refresh();
    },
    onCatalogStatus: (settler, listing) =>
      log.debug('settlement', { settler, outcome: 'listed', reason: listing }),
  });
  monitor.settlers = settlers;
  return settlers;
}

/** The lowest and the highest price. */
function pricesOf(operations: readonly Operation[]): PriceRange {
  const amounts = operations.flatMap(({ price }) => (price === null ? [] : [BigInt(price.atomic)]));
  const sorted = amounts.toSorted((a, b) => Number(a - b));
  return { cheapest: String(sorted[0] ?? 0n), dearest: String(sorted.at(-1) ?? 0n) };
}

/** Watches for a second seller with the same payee, which the embedded chain cannot have. */
export function payeeWatchOf(
  { chain, terms: payee, now, log, monitor }: SettlementContext,
  { settlers, claims }: { readonly settlers: Settlers; readonly claims: Claims },
): PayeeWatch | null {
  if (chain !== null) return null;
  const onShared = (transaction: string, count: number) => {
    log.warn('payee_shared', { transaction, count });
    monitor.refresh();
  };
  const watch = watchPayee({ rpc: settlers.rpc, payee, claims, now, onShared });
  monitor.payee = watch;
  return watch;
}
