import type { ChainWatch } from '../chain/chain-watch.ts';
import type { End, Settlement } from '../settlement.ts';
import type { SettlerFault } from '../settler-watch.ts';

/**
 * A settlement that loads while the service already answers, for free routes and challenges need none of it; later
 * payments may meet another one.
 */
export const lazySettlement = (loading: () => Promise<Settlement>): Settlement => ({
  settle: async (order, handover) => (await loading()).settle(order, handover),
  reconcile: async (order, hash, handover) => (await loading()).reconcile(order, hash, handover),
  isWalletSigned: async (order, digest) => (await loading()).isWalletSigned(order, digest),
});

// A blacklisted payer could otherwise cause a call to the chain with every payment.
const RECHECK_MS = 30_000;

/** Takes no new payment while there is a reason not to; what was handed over is found out all the same. */
export function guarded(
  settlement: Settlement,
  chain: ChainWatch,
  refusal: () => Promise<SettlerFault | null>,
): Settlement {
  let checkedMs = Number.NEGATIVE_INFINITY;
  /** The payee may be the blacklisted one of the two: then the payer is not blamed. */
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
