import type { ChainWatch } from '../chain/chain-watch.ts';
import type { RpcPool, RpcReport } from '../chain/rpc.ts';
import type { CatalogueStatus } from '../facilitator/catalogue-status.ts';
import type { FacilitatorSettings } from '../facilitator/known-facilitators.ts';
import type { SettlerReport } from '../failover.ts';
import type { PriceRange } from '../local/funds-check.ts';
import type { Funds } from '../local/relayer-funds.ts';
import type { RelayerLease } from '../local/relayer-term.ts';
import type { Settlement } from '../settlement.ts';
import type { SettlerHealth, SettlerWatch } from '../settler-watch.ts';
import type { Hex } from '../x402/payment.ts';
import type { Terms } from '../x402/requirements.ts';

/** What all settlers need. URLs and keys are secrets and stay inside this folder. */
export type SettlersSettings = FacilitatorSettings & {
  /** Hosted settlers are checked against the chain when there is at least one. */
  readonly rpcUrls: readonly string[];
  /** For `embedded` and `local`: the first one, or the one that is leased. */
  readonly keys: readonly Hex[];
  /** Which of the keys this process may use, and for how long; the first one for ever when left out. */
  readonly lease?: RelayerLease | undefined;
  /** What is paid, where and to whom. */
  readonly terms: Terms;
  /** What is sold. */
  readonly prices: PriceRange;
  /** What may be spent on gas for each cent that is sold, and in an hour, in wei. */
  readonly gasWeiPerCent: bigint;
  readonly gasBudgetWeiPerHour: bigint;
  /** How many transactions our own account may have without an end. */
  readonly maxOutstanding?: number | undefined;
  /** How many payments one transaction of it settles at most. */
  readonly maxTogether?: number | undefined;
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
  /** What the account of a settler of our own could pay for was seen; null when it has none any more. */
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

/** Access to the chain behind all settlers: its nodes and its state. */
export type ChainAccess = { readonly rpc: RpcPool; readonly chain: ChainWatch };
/** What a member is made of. */
export type MemberParts = SettlersSettings & { readonly chainAccess: ChainAccess | null };
