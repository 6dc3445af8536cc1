import { type ChainWatch, silenceOf, watchChain } from '../chain/chain-watch.ts';
import { type Rpc, type RpcPool, type RpcReport, rpcOver } from '../chain/rpc.ts';
import { createFacilitatorSettler } from '../facilitator/facilitator-settler.ts';
import { facilitatorHttp } from '../facilitator/http.ts';
import {
  type Facilitator,
  type FacilitatorSettings,
  facilitatorOf,
  type SettlerChoice,
  settlerName,
} from '../facilitator/known-facilitators.ts';
import { supportedFault } from '../facilitator/messages.ts';
import {
  createFailover,
  type SettlerFault,
  type SettlerHealth,
  type SettlerReport,
  type SettlerWatch,
  watchSettler,
} from '../failover.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI, type Payer, readFunds, worstOfSale } from '../local/gas.ts';
import { createLocalSettler } from '../local/local-settler.ts';
import { createRelayer, type Relayer } from '../local/relayer.ts';
import { type End, notSent, type Settlement } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Terms } from '../x402/requirements.ts';

export type Settlers = {
  readonly settlement: Settlement;
  /** The health of the settlers, in order; from background checks and from payments. */
  health(): readonly SettlerHealth[];
  /** Starts those background checks whose last result is some seconds old, or a minute for a settler without a fault. */
  checkSoon(): void;
  /** The nodes of the chain, for other parts of the service; null if there are none. */
  rpc(): Promise<Rpc | null>;
  /** Whether each node, in order of preference, is in use: known to be of the right chain and up to date. */
  nodesInUse(): readonly boolean[];
  /** Stops all background checks. */
  stop(): void;
};

/** All settlers of a list as one, in order. Throws if a settler lacks a required setting. Makes no calls. */
export function settlersOf(choices: readonly SettlerChoice[], settings: SettlersSettings): Settlers {
  const { rpcUrls, terms, now, onLook, onRpc } = settings;
  const rpc = rpcUrls.length === 0 ? null : rpcOver(rpcUrls, now, onRpc);
  const chainAccess = rpc && { rpc, chain: watchChain({ rpc, terms, now, onLook }) };
  const parts: MemberParts = { ...settings, chainAccess };
  const settlers = choices.map((choice, index): Member => {
    if (choice.kind === 'embedded' || choice.kind === 'local') return localMember(choice.kind, parts);
    return facilitatorMember(settlerName(choice, index), facilitatorOf(choice, settings), parts);
  });
  const onSettler = (report: SettlerReport) => {
    settlers.find(({ name }) => name === report.settler)?.watch.note(report);
    settings.onSettler?.(report);
  };
  return {
    settlement: createFailover({ settlers, isOneChain: chainAccess !== null, now, onSettler }),
    health: () => settlers.map(healthOf),
    checkSoon() {
      chainAccess?.chain.lookSoon();
      for (const { watch } of settlers) watch.askSoon();
    },
    nodesInUse: () => (chainAccess?.rpc.nodes ?? []).map((node) => !node.isAside()),
    async rpc() {
      // No node is used before it has been identified.
      await chainAccess?.chain.refusal();
      return chainAccess?.rpc ?? null;
    },
    stop() {
      chainAccess?.chain.stop();
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

/** The ownership of the relayer key, which only one process may use at a time. */
export type KeyOwnership = {
  /** Whether the key may be used now. Sends no request. */
  mayUse(): boolean;
  /**
   * Calls the listener with true when this process gets the key, and with false when another process has it. A short
   * time in which the key must not be used is not reported.
   */
  onChange(listener: (isOurs: boolean) => void): void;
};

/** The lowest and the highest price, in atomic USDC. */
export type PriceRange = { readonly lowest: string; readonly highest: string };

/** What all settlers need. URLs and keys are secrets and stay inside this folder. */
export type SettlersSettings = FacilitatorSettings & {
  /** If there is at least one, hosted settlers are checked against the chain. */
  readonly rpcUrls: readonly string[];
  /** The relayer key of `embedded` and `local`. */
  readonly key: Hex | null;
  /** Tells whether the key may be used; by default, it belongs only to this process. */
  readonly ownership?: KeyOwnership | undefined;
  /** Asset, network and payee. */
  readonly terms: Terms;
  /** The prices of the products. */
  readonly prices: PriceRange;
  /** Maximum wei for gas for each cent sold, and in an hour. */
  readonly gasWeiPerCent: bigint;
  readonly gasBudgetWeiPerHour: bigint;
  /** Blocks on top of a transfer before it counts. */
  readonly confirmations: number;
  /** Whether other processes share the claims. */
  readonly isShared?: boolean | undefined;
  /** For logs: a settler has reported on a payment, which may still be pending. */
  readonly onSettler?: (report: SettlerReport) => void;
  /** A settler became able or unable to take payments. */
  readonly onHealth?: (health: SettlerHealth) => void;
  /** The chain was checked, so its state may have changed. */
  readonly onLook?: () => void;
  /** The funds of our own settler's account were read; null if its key is used elsewhere. */
  readonly onFunds?: (settler: string, funds: Funds | null) => void;
  /** A node has answered a call, or failed to. */
  readonly onRpc?: (report: RpcReport) => void;
};

/** One settler of the list. */
export type Member = {
  readonly name: string;
  readonly settlement: Settlement;
  readonly watch: SettlerWatch;
  /** Why the settler cannot take payments, beyond what its watch knows. */
  fault?(): Pick<SettlerHealth, 'reason' | 'isPartial'> | null;
  stop?(): void;
};

/** The parts of a member; `chainAccess` is null without nodes. */
export type MemberParts = SettlersSettings & {
  readonly chainAccess: { readonly rpc: RpcPool; readonly chain: ChainWatch } | null;
};

/** A relayer, and the settlement that uses it. */
type Local = { readonly relayer: Relayer; readonly settlement: Settlement };

/**
 * A settler with its own account. Each time the process gets the key, it starts fresh, as after a restart; without the
 * key it only reads. Throws without a key or nodes.
 */
function localMember(name: string, parts: MemberParts): Member {
  const { key, ownership, terms, now, gasBudgetWeiPerHour, onHealth, chainAccess } = parts;
  if (key === null || chainAccess === null) throw new Error('A settler lacks its key or its nodes');
  const { rpc, chain } = chainAccess;
  const tellFunds = (funds: Funds | null) => parts.onFunds?.(name, funds);
  let isOurs = ownership === undefined;
  const mayUseNow = () => isOurs && (ownership?.mayUse() ?? true);
  let local = open();

  function open(): Local {
    // Once the key was gained or lost, nothing from an earlier period uses it again.
    const mayUse = (): boolean => local === own && mayUseNow();
    const { chainId } = terms;
    const limits = { maxFeePerGasWei: MAX_FEE_PER_GAS_WEI, gasBudgetWeiPerHour };
    const relayer = createRelayer({ key: key as Hex, mayUse, chainId, rpc, now, ...limits });
    const own: Local = { relayer, settlement: createLocalSettler({ ...parts, rpc, relayer }) };
    return own;
  }

  chain.onBaseFee((wei) => local.relayer.gas.saw(wei));
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const { relayer } = local;
      const fault = await chain.check();
      if (fault !== null || !relayer.mayUse()) return fault;
      try {
        const funds = await readFunds(rpc, relayer.address);
        if (relayer.mayUse()) tellFunds(funds);
        return funds.settlements < 1n ? 'no_gas_money' : null;
      } catch (error) {
        return silenceOf(error);
      }
    },
  });
  ownership?.onChange((isOursNow) => {
    if (isOursNow === isOurs) return;
    isOurs = isOursNow;
    // The next holder of the key follows what was sent, as after a crash.
    local.relayer.stop();
    local = open();
    tellFunds(null);
    watch.askAgain();
  });
  const fault = (): SettlerFault | null =>
    chain.fault() ?? (mayUseNow() ? local.relayer.fault() : 'relayer_in_use');
  const settlement: Settlement = {
    settle: (order, handover) => local.settlement.settle(order, handover),
    reconcile: (order, hash, handover) => local.settlement.reconcile(order, hash, handover),
    isWalletSigned: (order, digest) => local.settlement.isWalletSigned(order, digest),
  };
  return {
    name,
    watch,
    fault() {
      const reason = fault() ?? chain.silence();
      return reason === null ? gasFaultNow(local.relayer, chain, parts) : { reason };
    },
    stop: () => local.relayer.stop(),
    settlement: guarded(settlement, chain, async () => (await chain.refusal()) ?? fault()),
  };
}

export type SaleParts = {
  readonly baseFeeWei: bigint;
  readonly prices: PriceRange;
  readonly limits: Parameters<typeof worstOfSale>[2];
  /** Whether the budget refuses a payment of this kind with this worst-case gas cost. */
  readonly isSpent: (worstWei: bigint, payer: Payer) => boolean;
};

/**
 * The fault if gas is too expensive, or its budget spent, for some product; null if all can be sold. It is partial if
 * another product can still be sold. Nearly all buyers are plain payers, so a fault that refuses all of them is not
 * partial, whether or not accounts with code could still pay.
 */
export function gasFault({
  baseFeeWei,
  prices,
  limits,
  isSpent,
}: SaleParts): Pick<SettlerHealth, 'reason' | 'isPartial'> | null {
  const salesTo = (payer: Payer) =>
    [prices.lowest, prices.highest].map((amount) => {
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

const gasFaultNow = (relayer: Relayer, chain: ChainWatch, { prices, gasWeiPerCent }: MemberParts) =>
  gasFault({
    baseFeeWei: relayer.gas.known() ?? chain.baseFeeWei() ?? 0n,
    prices,
    limits: {
      gasWeiPerCent,
      maxFeePerGasWei: MAX_FEE_PER_GAS_WEI,
      dataFeeWei: relayer.gas.dataFeeWei,
    },
    isSpent: relayer.isSpent,
  });

const SUPPORTED_DEADLINE_MS = 10_000;
// How long the chain is polled for a settlement, including one more block.
const PATIENCE_MS = 4_000;
const BLOCK_MS = 2_000;

/** A settler that passes payments to a facilitator. */
function facilitatorMember(name: string, facilitator: Facilitator, parts: MemberParts): Member {
  const { terms, now, confirmations, onHealth, chainAccess } = parts;
  const http = facilitatorHttp(facilitator);
  const settlement = createFacilitatorSettler({
    ...facilitator,
    rpc: chainAccess?.rpc ?? null,
    now,
    confirmations,
    ...(confirmations > 0 && { patienceMs: PATIENCE_MS + Math.min(confirmations, 8) * BLOCK_MS }),
  });
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const supported = await http.get('/supported', SUPPORTED_DEADLINE_MS);
      return supportedFault(supported, terms.network) ?? (await chainAccess?.chain.check()) ?? null;
    },
  });
  if (chainAccess === null) return { name, watch, settlement };
  const { chain } = chainAccess;
  const fault = () => {
    const reason = chain.fault() ?? chain.silence();
    return reason === null ? null : { reason };
  };
  return { name, watch, fault, settlement: guarded(settlement, chain, chain.refusal) };
}

// Without this, a blacklisted payer could cause a call to the chain with every payment.
const RECHECK_MS = 30_000;

/** Accepts no new payment while there is a reason against it; sent payments are still followed. */
export function guarded(
  settlement: Settlement,
  chain: ChainWatch,
  refusal: () => Promise<SettlerFault | null>,
): Settlement {
  let checkedMs = Number.NEGATIVE_INFINITY;
  /** If the payee is the blacklisted account, the payer is not to blame. */
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
