import type { CatalogueStatus } from '../facilitator/catalogue-status.ts';
import { facilitatorHttp } from '../facilitator/http.ts';
import type { Facilitator } from '../facilitator/known-facilitators.ts';
import { watchSupported } from '../facilitator/supported.ts';
import { guarded, lazySettlement } from './guarded.ts';
import type { Member, MemberParts } from './member.ts';

const SUPPORTED_DEADLINE_MS = 10_000;
// How long a settlement is looked for on the chain, and what a block more takes.
const PATIENCE_MS = 4_000;
const BLOCK_MS = 2_000;

/** A settler that hands payments to a facilitator. */
export function facilitatorMember(name: string, facilitator: Facilitator, parts: MemberParts): Member {
  const { terms, now, onHealth, ground } = parts;
  const loading = settlementOf(name, facilitator, parts);
  const http = facilitatorHttp(facilitator);
  const watch = watchSupported({
    settler: name,
    network: terms.network,
    now,
    onChange: onHealth,
    ask: () => http.get('/supported', SUPPORTED_DEADLINE_MS),
    ...(ground && { askChain: ground.chain.check }),
  });
  // Reported where it is used; until then it must not end the process.
  loading.catch(() => undefined);
  const settlement = lazySettlement(() => loading);
  if (ground === null) return { name, watch, settlement };
  const { chain } = ground;
  const fault = () => {
    const reason = chain.fault();
    return reason === null ? null : { reason };
  };
  return { name, watch, fault, settlement: guarded(settlement, chain, chain.refusal) };
}

async function settlementOf(name: string, facilitator: Facilitator, parts: MemberParts) {
  const { ground, now, confirmations, onCatalogueStatus } = parts;
  const { createFacilitatorSettler } = await import('../facilitator/facilitator-settler.ts');
  return createFacilitatorSettler({
    ...facilitator,
    rpc: ground?.rpc ?? null,
    now,
    confirmations,
    ...(confirmations > 0 && { patienceMs: PATIENCE_MS + Math.min(confirmations, 8) * BLOCK_MS }),
    onCatalogueStatus: (listing: CatalogueStatus) => onCatalogueStatus?.(name, listing),
  });
}
