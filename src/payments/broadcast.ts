import type { Hex } from './payment.ts';
import { type Rpc, RpcFailure } from './rpc.ts';

const SYNC_DEADLINE_MS = 10_000;

/** Why a node did not take a transaction: nothing of it can be mined. */
export type Declined = 'stale_nonce' | 'too_cheap' | 'not_sent';
export type Reply = { kind: 'sent'; receipt: unknown } | { kind: Declined };

/** Broadcasts raw bytes, waiting for the receipt where the node can (EIP-7966). Sending the same bytes twice is safe. */
export function broadcaster(rpc: Rpc): (raw: Hex) => Promise<Reply> {
  let hasSync = true;
  const sentOnly = async (raw: Hex): Promise<Reply> => {
    await rpc.call('eth_sendRawTransaction', [raw], { sends: true });
    return { kind: 'sent', receipt: null };
  };
  return async (raw) => {
    try {
      if (!hasSync) return await sentOnly(raw);
      const receipt = await rpc.call('eth_sendRawTransactionSync', [raw], {
        deadlineMs: SYNC_DEADLINE_MS,
        sends: true,
      });
      return { kind: 'sent', receipt };
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (hasSync && lacksMethod(error)) {
        hasSync = false;
        return sentOnly(raw).catch(classify);
      }
      return classify(error);
    }
  };
}

/** Whether a node refused a call because it does not know the method. */
export const lacksMethod = ({ code, said }: RpcFailure): boolean =>
  code === -32601 || /method .*(not (found|supported|exist|available)|unsupported)/i.test(said);

function classify(error: unknown): Reply {
  if (!(error instanceof RpcFailure)) throw error;
  if (error.kind === 'unreached') return { kind: 'not_sent' };
  if (error.kind === 'unclear') return { kind: 'sent', receipt: null };
  if (/already known|already imported|already in pool/i.test(error.said))
    return { kind: 'sent', receipt: null };
  if (/nonce|replacement/i.test(error.said)) return { kind: 'stale_nonce' };
  if (/less than block base fee|fee cap|max fee per gas|underpriced/i.test(error.said))
    return { kind: 'too_cheap' };
  if (/insufficient funds|intrinsic gas/i.test(error.said)) return { kind: 'not_sent' };
  // Timeouts of the synchronous call and everything unheard of: it may have been taken.
  return { kind: 'sent', receipt: null };
}
