import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import { lacksMethod, type Rejection, rejectionOf } from '../chain/rpc-verdicts.ts';
import type { Hex } from '../x402/payment.ts';
import type { SignedVersion } from './relayer-account.ts';

const SYNC_DEADLINE_MS = 10_000;

export type { Rejection };
export type Reply = { kind: 'sent'; receipt: RpcReceipt | null } | { kind: Rejection };

/** Broadcasts raw bytes, waiting for the receipt where the node can (EIP-7966). Sending the same bytes twice is safe. */
export function broadcaster(rpc: Rpc): (signed: SignedVersion) => Promise<Reply> {
  let hasSync = true;
  const sentOnly = async (raw: Hex): Promise<Reply> => {
    await rpc.call('eth_sendRawTransaction', [raw], { sends: true });
    return SENT;
  };
  return async ({ raw, hash }) => {
    try {
      if (!hasSync) return await sentOnly(raw);
      const receipt = await rpc.call<RpcReceipt>('eth_sendRawTransactionSync', [raw], {
        deadlineMs: SYNC_DEADLINE_MS,
        sends: true,
      });
      // A receipt of another transaction is none of ours.
      return receipt.transactionHash.toLowerCase() === hash ? { kind: 'sent', receipt } : SENT;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (hasSync && error.kind !== 'unclear' && lacksMethod(error)) {
        hasSync = false;
        return sentOnly(raw).catch(classify);
      }
      return classify(error);
    }
  };
}

const SENT: Reply = { kind: 'sent', receipt: null };

function classify(error: unknown): Reply {
  if (!(error instanceof RpcFailure)) throw error;
  if (error.kind === 'unreached') return { kind: 'not_sent' };
  const end = error.kind === 'answered' ? rejectionOf(error) : null;
  // Anything uncertain may have been accepted.
  return end === null || end === 'taken' ? SENT : { kind: end };
}
