import type { ChainWatch } from '../chain/chain-watch.ts';
import { type Rpc, RpcFailure, type RpcPool, type RpcReport } from '../chain/rpc.ts';
import type { CatalogueStatus } from '../facilitator/catalogue-status.ts';
import { facilitatorHttp } from '../facilitator/http.ts';
import type { Facilitator, FacilitatorSettings } from '../facilitator/known-facilitators.ts';
import { watchSupported } from '../facilitator/supported.ts';
import type { SettlerReport } from '../failover.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI, type Payer, readFunds, worstOfSale } from '../local/gas.ts';
import type { Relayer } from '../local/relayer.ts';
import { type End, notSent, type Settlement } from '../settlement.ts';
import { type SettlerFault, type SettlerHealth, type SettlerWatch, watchSettler } from '../settler-watch.ts';
import type { Hex } from '../x402/payment.ts';
import type { Terms } from '../x402/requirements.ts';

/** Whether the relayer key belongs to this process alone, where several processes could have it. */
export type KeyOwnership = {
  /** Whether the key may be used now. Sends no request. */
  mayUse(): boolean;
  /**
   * Calls the listener when this process gets the key, and when another process has it: true and false. Nothing is
   * called when it only may not be used for a while.
   */
  onChange(told: (isOurs: boolean) => void): void;
};

/** The cheapest and the dearest that is sold, in atomic USDC. */
export type PriceRange = { readonly cheapest: string; readonly dearest: string };

/** What all settlers need. URLs and keys are secrets and stay inside this folder. */
export type SettlersSettings = FacilitatorSettings & {
  /** Hosted settlers are checked against the chain when there is at least one. */
  readonly rpcUrls: readonly string[];
  /** The relayer key of `embedded` and `local`. */
  readonly key: Hex | null;
  /** Whether the key belongs to this process alone; it always does when left out. */
  readonly ownership?: KeyOwnership | undefined;
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
  /** One payment at one settler has ended, for logs. */
  readonly onSettler?: (report: SettlerReport) => void;
  /** Whether a settler can take payments has changed. */
  readonly onHealth?: (health: SettlerHealth) => void;
  /** The chain was looked at: what is known of it may have changed. */
  readonly onLook?: () => void;
  /** The account of a settler of our own can pay for few more settlements, or for enough again. */
  readonly onLowBalance?: (settler: string, isLow: boolean) => void;
  /** What the account of a settler of our own could pay for was seen; null when its key is used elsewhere. */
  readonly onFunds?: (settler: string, funds: Funds | null) => void;
  /** A node has answered a call, or not. */
  readonly onRpc?: (report: RpcReport) => void;
  /** A facilitator's catalogue has taken, or not taken, what was paid for. */
  readonly onCatalogueStatus?: (settler: string, listing: CatalogueStatus) => void;
};

/** One settler of the list. */
export type Member = {
  readonly name: string;
  readonly settlement: Settlement;
  readonly watch: SettlerWatch;
  /** Why it cannot take payments, beyond what its watch knows. */
  fault?(): Pick<SettlerHealth, 'reason' | 'isPartial'> | null;
  stop?(): void;
};

/** What a member is made of; `chainAccess` is null without nodes. */
export type MemberParts = SettlersSettings & {
  readonly chainAccess: { readonly rpc: RpcPool; readonly chain: ChainWatch } | null;
};

/** A relayer, and the settlement that uses it. */
type Local = { readonly relayer: Relayer; readonly settlement: Settlement };

/**
 * A settler with an account of its own. Its code loads in the background. Each time the process gets the key it starts
 * afresh, as after a restart; without the key it only reads. Throws when it has no key or no nodes.
 */
export function localMember(name: string, parts: MemberParts): Member {
  const { key, ownership, now, onHealth, onLowBalance, onFunds, chainAccess } = parts;
  if (key === null || chainAccess === null) throw new Error('A settler lacks its key or its nodes');
  const { rpc, chain } = chainAccess;
  let wasLow = false;
  const tellFunds = (funds: Funds | null) => {
    const isLow = funds?.isLow ?? false;
    onFunds?.(name, funds);
    if (isLow !== wasLow) onLowBalance?.(name, isLow);
    wasLow = isLow;
  };
  // Counts how often the key was got or lost, so that nothing of an earlier time uses it again.
  let period = 0;
  let isOurs = ownership === undefined;
  let relayer: Relayer | null = null;
  const mayUse = () => isOurs && (ownership?.mayUse() ?? true);
  let loading = load();

  function load(): Promise<Local> {
    const mine = period;
    const loaded = loadLocal(parts, { key: key as Hex, mayUse: () => period === mine && mayUse() }, rpc);
    void loaded.then(
      (local) => {
        if (period === mine) relayer = local.relayer;
        else local.relayer.stop();
      },
      // Reported where it is used; until then it must not end the process.
      () => undefined,
    );
    return loaded;
  }

  chain.onBaseFee((wei) => relayer?.gas.saw(wei));
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const { relayer: account } = await loading;
      const fault = await chain.check();
      if (fault !== null || !account.mayUse()) return fault;
      return fundsFault(rpc, account.address, (funds) => account.mayUse() && tellFunds(funds));
    },
  });
  ownership?.onChange((isOursNow) => {
    if (isOursNow === isOurs) return;
    isOurs = isOursNow;
    period += 1;
    // What it has sent is left to the next holder of the key, as after a crash.
    relayer?.stop();
    relayer = null;
    tellFunds(null);
    loading = load();
    watch.askAnew();
  });
  const fault = (): SettlerFault | null =>
    chain.fault() ?? (mayUse() ? (relayer?.fault() ?? null) : 'relayer_in_use');
  const settlement = lazySettlement(() => loading.then((local) => local.settlement));
  return {
    name,
    watch,
    fault() {
      const reason = fault();
      return reason === null ? gasFaultNow(relayer, chain, parts) : { reason };
    },
    stop: () => void loading.then((local) => local.relayer.stop()).catch(() => undefined),
    settlement: guarded(settlement, chain, async () => (await chain.refusal()) ?? fault()),
  };
}

async function loadLocal(
  { terms, now, gasBudgetWeiPerHour, ...parts }: MemberParts,
  { key, mayUse }: { readonly key: Hex; readonly mayUse: () => boolean },
  rpc: Rpc,
): Promise<Local> {
  const [{ createRelayer }, { createLocalSettler }] = await Promise.all([
    import('../local/relayer.ts'),
    import('../local/local-settler.ts'),
  ]);
  const { chainId } = terms;
  const limits = { maxFeePerGasWei: MAX_FEE_PER_GAS_WEI, gasBudgetWeiPerHour };
  const relayer = createRelayer({ key, mayUse, chainId, rpc, now, ...limits });
  return { relayer, settlement: createLocalSettler({ ...parts, rpc, relayer, now }) };
}

/** Why our own account cannot pay for gas; `tell` receives its funds. */
async function fundsFault(
  rpc: Rpc,
  account: Hex,
  tell: (funds: Funds) => void,
): Promise<SettlerFault | null> {
  try {
    const funds = await readFunds(rpc, account);
    tell(funds);
    return funds.settlements < 1n ? 'no_gas_money' : null;
  } catch (error) {
    if (error instanceof RpcFailure && error.kind === 'unreached') return 'chain_unreached';
    return 'chain_unclear';
  }
}

export type SaleParts = {
  readonly baseFeeWei: bigint;
  readonly prices: PriceRange;
  readonly limits: Parameters<typeof worstOfSale>[2];
  /** Whether the budget refuses a payment of this kind that may cost so much gas. */
  readonly isSpent: (worstWei: bigint, payer: Payer) => boolean;
};

/**
 * Whether gas is too dear, or its budget spent, for the cheapest and the dearest product. Nearly all buyers are plain
 * payers, so what refuses them all is no partial fault, whether or not accounts with code could still pay.
 */
export function gasFault({
  baseFeeWei,
  prices,
  limits,
  isSpent,
}: SaleParts): Pick<SettlerHealth, 'reason' | 'isPartial'> | null {
  const salesTo = (payer: Payer) =>
    [prices.cheapest, prices.dearest].map((amount) => {
      const worstWei = worstOfSale(baseFeeWei, amount, limits, payer);
      if (worstWei === null) return 'gas_too_dear';
      return isSpent(worstWei, payer) ? 'gas_budget_spent' : null;
    });
  const worst = (sales: ReturnType<typeof salesTo>) =>
    (['gas_budget_spent', 'gas_too_dear'] as const).find((fault) => sales.includes(fault));
  const sales = salesTo('plain');
  const reason = worst(sales);
  if (reason !== undefined) return sales.includes(null) ? { reason, isPartial: true } : { reason };
  const ofCode = worst(salesTo('code'));
  return ofCode === undefined ? null : { reason: `wallet_${ofCode}`, isPartial: true };
}

/** Before the relayer is loaded, only the price of gas can prevent a sale. */
const gasFaultNow = (relayer: Relayer | null, chain: ChainWatch, { prices, gasWeiPerCent }: MemberParts) =>
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

const SUPPORTED_DEADLINE_MS = 10_000;
// How long the chain is polled for a settlement, and the time of one more block.
const PATIENCE_MS = 4_000;
const BLOCK_MS = 2_000;

/** A settler that hands payments to a facilitator. Its code loads while free routes and challenges are answered. */
export function facilitatorMember(name: string, facilitator: Facilitator, parts: MemberParts): Member {
  const { terms, now, onHealth, chainAccess } = parts;
  const loading = facilitatorSettlement(name, facilitator, parts);
  // Reported where it is used; an early rejection must not end the process.
  loading.catch(() => undefined);
  const http = facilitatorHttp(facilitator);
  const watch = watchSupported({
    settler: name,
    network: terms.network,
    now,
    onChange: onHealth,
    ask: () => http.get('/supported', SUPPORTED_DEADLINE_MS),
    ...(chainAccess && { askChain: chainAccess.chain.check }),
  });
  const settlement = lazySettlement(() => loading);
  if (chainAccess === null) return { name, watch, settlement };
  const { chain } = chainAccess;
  const fault = () => {
    const reason = chain.fault();
    return reason === null ? null : { reason };
  };
  return { name, watch, fault, settlement: guarded(settlement, chain, chain.refusal) };
}

async function facilitatorSettlement(name: string, facilitator: Facilitator, parts: MemberParts) {
  const { chainAccess, now, confirmations, onCatalogueStatus } = parts;
  const { createFacilitatorSettler } = await import('../facilitator/facilitator-settler.ts');
  return createFacilitatorSettler({
    ...facilitator,
    rpc: chainAccess?.rpc ?? null,
    now,
    confirmations,
    ...(confirmations > 0 && { patienceMs: PATIENCE_MS + Math.min(confirmations, 8) * BLOCK_MS }),
    onCatalogueStatus: (listing: CatalogueStatus) => onCatalogueStatus?.(name, listing),
  });
}

/** A settlement whose code loads in the background. Later calls may get another. */
const lazySettlement = (loading: () => Promise<Settlement>): Settlement => ({
  settle: async (order, handover) => (await loading()).settle(order, handover),
  reconcile: async (order, hash, handover) => (await loading()).reconcile(order, hash, handover),
  isWalletSigned: async (order, digest) => (await loading()).isWalletSigned(order, digest),
});

// Otherwise a blacklisted payer could cause a call to the chain with every payment.
const RECHECK_MS = 30_000;

/** Takes no new payment while there is a reason against it; what was handed over is still followed up. */
export function guarded(
  settlement: Settlement,
  chain: ChainWatch,
  refusal: () => Promise<SettlerFault | null>,
): Settlement {
  let checkedMs = Number.NEGATIVE_INFINITY;
  /** Where the payee is the blacklisted one of the two, the payer is not blamed. */
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
      if (reason !== null) return notSent(reason);
      const end = await settlement.settle(order, handover);
      return (await isOurPayee(end)) ? notSent('payee_blacklisted') : end;
    },
    async reconcile(order, transaction, handover) {
      return settlement.reconcile(order, transaction, (await refusal()) === null ? handover : null);
    },
  };
}
