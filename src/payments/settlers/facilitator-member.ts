import type { CatalogueStatus } from '../facilitator/catalogue-status.ts';
import { facilitatorHttp } from '../facilitator/http.ts';
import type { Facilitator } from '../facilitator/known-facilitators.ts';
import { watchSupported } from '../facilitator/supported.ts';
import { guarded, lazySettlement } from './guarded.ts';
import type { Member, MemberParts } from './member.ts';

const SUPPORTED_DEADLINE_MS = 10_000;
// How long the chain is polled for a settlement, and the time of one more block.
const PATIENCE_MS = 4_000;
const BLOCK_MS = 2_000;

/** A settler that hands payments to a facilitator. */
export function facilitatorMember(name: string, facilitator: Facilitator, parts: MemberParts): Member {
  const { terms, now, onHealth, chainAccess } = parts;
  const loading = settlementOf(name, facilitator, parts);
  const http = facilitatorHttp(facilitator);
  const watch = watchSupported({
    settler: name,
    network: terms.network,
    now,
    onChange: onHealth,
    ask: () => http.get('/supported', SUPPORTED_DEADLINE_MS),
    ...(chainAccess && { askChain: chainAccess.chain.check }),
  });
  // Reported where it is used; an early rejection must not end the process.
  loading.catch(() => undefined);
  const settlement = lazySettlement(() => loading);
  if (chainAccess === null) return { name, watch, settlement };
  const { chain } = chainAccess;
  const fault = () => {
    const reason = chain.fault();
    return reason === null ? null : { reason };
  };
  return { name, watch, fault, settlement: guarded(settlement, chain, chain.refusal) };
}

async function settlementOf(name: string, facilitator: Facilitator, parts: MemberParts) {
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
