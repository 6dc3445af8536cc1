import { watchChain } from '../chain/chain-watch.ts';
import { type Rpc, rpcOver } from '../chain/rpc.ts';
import { type FacilitatorChoice, facilitatorOf } from '../facilitator/known-facilitators.ts';
import { createFailover, type SettlerReport } from '../failover.ts';
import type { Settlement } from '../settlement.ts';
import type { SettlerHealth } from '../settler-watch.ts';
import {
  facilitatorMember,
  localMember,
  type Member,
  type MemberParts,
  type SettlersSettings,
} from './members.ts';

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | FacilitatorChoice;

export type Settlers = {
  readonly settlement: Settlement;
  /** The health of the settlers, in order; from background checks and from payments. */
  health(): readonly SettlerHealth[];
  /** The nodes of the chain, for other parts of the service; null without any. */
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
    const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
    return facilitatorMember(name, facilitatorOf(choice, settings), parts);
  });
  const onSettler = (report: SettlerReport) => {
    settlers.find(({ name }) => name === report.settler)?.watch.note(report);
    settings.onSettler?.(report);
  };
  return {
    settlement: createFailover({ settlers, isOneChain: chainAccess !== null, now, onSettler }),
    health: () => settlers.map(healthOf),
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
