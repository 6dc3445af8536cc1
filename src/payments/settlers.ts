import { type ChainWatch, watchChain } from './chain/chain-watch.ts';
import { type Rpc, type RpcPool, type RpcReport, rpcOver } from './chain/rpc.ts';
import type { Listing } from './facilitator/catalogue-status.ts';
import type { Hidden } from './facilitator/cdp-token.ts';
import { facilitatorHttp } from './facilitator/http.ts';
import { type Facilitator, facilitatorOf, type HostedChoice } from './facilitator/known-facilitators.ts';
import { watchSupported } from './facilitator/supported.ts';
import { createFailover, type SettlerReport } from './failover.ts';
import { fundsFault, gasFault, type PriceRange } from './local/funds-check.ts';
import type { Relayer } from './local/relayer.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI } from './local/relayer-funds.ts';
import type { End, Settlement } from './settlement.ts';
import { type SettlerFault, type SettlerHealth, type SettlerWatch, watchSettler } from './settler-watch.ts';
import type { Hex } from './x402/payment.ts';
import type { Terms } from './x402/requirements.ts';

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | HostedChoice;

/** What settlers share. URLs and keys are secrets: they stay inside this folder. */
export type SettlersSettings = {
  /** Hosted settlers are checked against the chain when there is at least one. */
  readonly rpcUrls: readonly string[];
  /** For `embedded` and `local`. */
  readonly key: Hex | null;
  /** For `cdp`. */
  readonly cdpApiKey: { readonly id: Hidden; readonly secret: Hidden } | null;
  /** What is paid, where and to whom. */
  readonly terms: Terms;
  /** What is sold. */
  readonly prices: PriceRange;
  /** What may be spent on gas for each cent that is sold, and in an hour, in wei. */
  readonly gasWeiPerCent: bigint;
  readonly gasBudgetWeiPerHour: bigint;
  /** Blocks on top of a transfer before it counts. */
  readonly confirmations: number;
  /** Whether other processes share what was claimed. */
  readonly isShared?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** One payment at one settler has ended, for logs. */
  readonly onSettler?: (report: SettlerReport) => void;
  /** Whether a settler can take payments has changed. */
  readonly onHealth?: (health: SettlerHealth) => void;
  /** The chain was looked at: what is known of it may have changed. */
  readonly onLook?: () => void;
  /** The account of a settler of our own can pay for few more settlements, or for enough again. */
  readonly onLowBalance?: (settler: string, isLow: boolean) => void;
  /** What the account of a settler of our own could pay for was seen. */
  readonly onFunds?: (settler: string, funds: Funds) => void;
  /** A node has answered a call, or not. */
  readonly onRpc?: (report: RpcReport) => void;
  /** A facilitator's catalogue has taken, or not taken, what was paid for. */
  readonly onListing?: (settler: string, listing: Listing) => void;
};

export type Settlers = {
  readonly settlement: Settlement;
  /** What is known of the settlers, in order; asked in the background and learned from payments. */
  health(): readonly SettlerHealth[];
  /** The nodes of the chain, for whoever else has to ask them; null without any. */
  rpc(): Promise<Rpc | null>;
  /** Whether each node is asked, in the order of preference: not before it is known to be of our chain and up to date. */
  nodesInUse(): readonly boolean[];
  /** Asks no more. */
  stop(): void;
};

type Member = {
  readonly name: string;
  readonly settlement: Settlement;
  readonly watch: SettlerWatch;
  /** What stands against it beside what its watch knows. */
  fault?(): Pick<SettlerHealth, 'reason' | 'isPartial'> | null;
  stop?(): void;
};

/** The chain behind all settlers: its nodes, what is known of it, and who is told the base fee of its newest block. */
type Ground = {
  readonly rpc: RpcPool;
  readonly chain: ChainWatch;
  readonly onBaseFee: ((wei: bigint) => void)[];
};
type Parts = SettlersSettings & { readonly ground: Ground | null };

const SUPPORTED_DEADLINE_MS = 10_000;
// How long a hosted settlement is looked for on the chain, and what a block more takes.
const PATIENCE_MS = 4_000;
const BLOCK_MS = 2_000;

/** All settlers of a list as one, in its order. Throws when one lacks what it needs; nothing is called meanwhile. */
export function settlersOf(choices: readonly SettlerChoice[], settings: SettlersSettings): Settlers {
  const ground = groundOf(settings);
  const parts: Parts = { ...settings, ground };
  const settlers = choices.map((choice, index): Member => {
    if (choice.kind === 'embedded' || choice.kind === 'local') return ownSettler(choice.kind, parts);
    const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
    return hostedSettler(name, facilitatorOf(choice, settings), parts);
  });
  const onSettler = (report: SettlerReport) => {
    settlers.find(({ name }) => name === report.settler)?.watch.note(report);
    settings.onSettler?.(report);
  };
  return {
    settlement: createFailover({ settlers, isOneChain: ground !== null, now: settings.now, onSettler }),
    health: () => settlers.map(healthOf),
    nodesInUse: () => (ground?.rpc.nodes ?? []).map((node) => !node.isAside()),
    async rpc() {
      // Before they have shown who they are, no node is asked anything.
      await ground?.chain.refusal();
      return ground?.rpc ?? null;
    },
    stop() {
      ground?.chain.stop();
      for (const { watch, stop } of settlers) {
        watch.stop();
        stop?.();
      }
    },
  };
}

function healthOf({ name, watch, fault }: Member): SettlerHealth {
  const standing = fault?.() ?? null;
  const watched = watch.health();
  if (standing === null || (standing.isPartial && watched.reason !== null)) return watched;
  return { settler: name, state: 'degraded', ...standing };
}

function groundOf({ rpcUrls, terms, now, onLook, onRpc }: SettlersSettings): Ground | null {
  if (rpcUrls.length === 0) return null;
  const rpc = rpcOver(rpcUrls, now, onRpc);
  const onBaseFee: Ground['onBaseFee'] = [];
  const tellBaseFee = (wei: bigint) => {
    for (const told of onBaseFee) told(wei);
  };
  return { rpc, chain: watchChain({ rpc, terms, now, onLook, onBaseFee: tellBaseFee }), onBaseFee };
}

/** The chain library loads while the service already answers: free routes and challenges need none of it. */
function ownSettler(name: string, parts: Parts): Member {
  const { key, now, onHealth, onLowBalance, onFunds, ground } = parts;
  if (key === null || ground === null) throw new Error('A settler lacks its key or its nodes');
  const { rpc, chain } = ground;
  let wasLow = false;
  const tellFunds = (funds: Funds) => {
    const { isLow } = funds;
    onFunds?.(name, funds);
    if (isLow !== wasLow) onLowBalance?.(name, isLow);
    wasLow = isLow;
  };
  let relayer: Relayer | null = null;
  const loading = localParts(parts, key, rpc).then((loaded) => {
    relayer = loaded.relayer;
    return loaded;
  });
  ground.onBaseFee.push((wei) => relayer?.gas.saw(wei));
  // Reported where it is used; until then it must not end the process.
  loading.catch(() => undefined);
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const { relayer: account } = await loading;
      return (await chain.check()) ?? (await fundsFault(rpc, account.address, tellFunds));
    },
  });
  return {
    name,
    watch,
    fault: () => {
      const reason = chain.fault() ?? relayer?.fault() ?? null;
      return reason === null ? gasFaultOf(relayer, chain, parts) : { reason };
    },
    stop: () => void loading.then((loaded) => loaded.relayer.stop()).catch(() => undefined),
    settlement: guarded(soon(loading.then(({ settlement }) => settlement)), chain, async () => {
      const refusal = await chain.refusal();
      return refusal ?? (relayer?.fault() === 'relayer_stuck' ? 'relayer_stuck' : null);
    }),
  };
}

/** Before the relayer is there, only the price of gas can stand against a sale. */
const gasFaultOf = (relayer: Relayer | null, chain: ChainWatch, { prices, gasWeiPerCent }: Parts) =>
  gasFault({
    baseFeeWei: relayer?.gas.known() ?? chain.baseFeeWei() ?? 0n,
    prices,
    limits: {
      gasWeiPerCent,
      maxFeePerGasWei: MAX_FEE_PER_GAS_WEI,
      ...(relayer && { dataFeeWei: relayer.gas.dataFeeWei }),
    },
    isSpent: relayer?.isSpent ?? (() => false),
  });

async function localParts(settings: SettlersSettings, key: Hex, rpc: RpcPool) {
  const { terms, now, gasWeiPerCent, gasBudgetWeiPerHour, confirmations, isShared } = settings;
  const [{ createRelayer }, { createLocalSettler }] = await Promise.all([
    import('./local/relayer.ts'),
    import('./local/local-settler.ts'),
  ]);
  const maxFeePerGasWei = MAX_FEE_PER_GAS_WEI;
  const { chainId } = terms;
  const relayer = createRelayer({ key, chainId, rpc, now, maxFeePerGasWei, gasBudgetWeiPerHour });
  const settlement = createLocalSettler({ rpc, relayer, gasWeiPerCent, confirmations, isShared, now });
  return { relayer, settlement };
}

function hostedSettler(name: string, facilitator: Facilitator, parts: Parts): Member {
  const { terms, now, onHealth, ground } = parts;
  const loading = hostedParts(name, facilitator, parts);
  const http = facilitatorHttp(facilitator);
  const watch = watchSupported({
    settler: name,
    network: terms.network,
    now,
    onChange: onHealth,
    ask: () => http.get('/supported', SUPPORTED_DEADLINE_MS),
    ...(ground && { askChain: ground.chain.check }),
  });
  const settlement = soon(loading);
  if (ground === null) return { name, watch, settlement };
  const { chain } = ground;
  const fault = () => {
    const reason = chain.fault();
    return reason === null ? null : { reason };
  };
  return { name, watch, fault, settlement: guarded(settlement, chain, chain.refusal) };
}

async function hostedParts(name: string, facilitator: Facilitator, parts: Parts) {
  const { ground, now, confirmations, onListing } = parts;
  const { createHostedSettler } = await import('./facilitator/facilitator-settler.ts');
  return createHostedSettler({
    ...facilitator,
    rpc: ground?.rpc ?? null,
    now,
    confirmations,
    ...(confirmations > 0 && { patienceMs: PATIENCE_MS + Math.min(confirmations, 8) * BLOCK_MS }),
    onListing: (listing: Listing) => onListing?.(name, listing),
  });
}

function soon(loading: Promise<Settlement>): Settlement {
  loading.catch(() => undefined);
  return {
    settle: async (order, handover) => (await loading).settle(order, handover),
    reconcile: async (order, hash, handover) => (await loading).reconcile(order, hash, handover),
    isWalletSigned: async (order, digest) => (await loading).isWalletSigned(order, digest),
  };
}

// Whoever is blacklisted themselves could otherwise have the chain asked with every payment.
const RECHECK_MS = 30_000;

/** Takes no new payment while there is a reason not to; what was handed over is found out all the same. */
function guarded(
  settlement: Settlement,
  chain: ChainWatch,
  refusal: () => Promise<SettlerFault | null>,
): Settlement {
  let checkedMs = Number.NEGATIVE_INFINITY;
  /** Of two who may be blacklisted, one is our payee: then no buyer is told that it is them. */
  async function isOurPayee({ state, ...end }: End): Promise<boolean> {
    if (state !== 'refused' || !('reason' in end) || end.reason !== 'payer_or_payee_blacklisted')
      return false;
    if (performance.now() - checkedMs < RECHECK_MS) return false;
    checkedMs = performance.now();
    return (await chain.check()) === 'payee_blacklisted';
  }
  return {
    ...settlement,
    refusal,
    async settle(order, handover) {
      const reason = await refusal();
      if (reason !== null) return { state: 'not_sent', reason };
      const end = await settlement.settle(order, handover);
      return (await isOurPayee(end)) ? { state: 'not_sent', reason: 'payee_blacklisted' } : end;
    },
    async reconcile(order, transaction, handover) {
      return settlement.reconcile(order, transaction, (await refusal()) === null ? handover : null);
    },
  };
}
