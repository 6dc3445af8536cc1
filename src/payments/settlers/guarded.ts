import type { ChainWatch } from '../chain/chain-watch.ts';
import { type End, notSent, type Settlement } from '../settlement.ts';
import type { SettlerFault } from '../settler-watch.ts';

/** A settlement whose code loads while free routes and challenges are answered. Later calls may get another. */
export const lazySettlement = (loading: () => Promise<Settlement>): Settlement => ({
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
