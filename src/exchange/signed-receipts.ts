import type { Operation } from '../catalog/operation.ts';
import type { ReceiptSigner } from '../payments/x402/receipt-signer.ts';
import type { Exchange } from './exchange.ts';
import type { Outcome } from './outcome.ts';

export type SignedReceiptParts = {
  readonly signer: ReceiptSigner;
  /** What a paid operation is called in its challenge: no receipt names what a caller sent. */
  readonly resourceUrlOf: (operation: Operation) => string;
  readonly onBug: (operation: string, error: unknown) => void;
};

/** An exchange whose receipts are signed. What was paid for is answered without one should the signing fail. */
export function withSignedReceipts(exchange: Exchange, parts: SignedReceiptParts): Exchange {
  const { signer, resourceUrlOf, onBug } = parts;
  const signed = async (operation: Operation, outcome: Outcome): Promise<Outcome> => {
    if (outcome.state !== 'settled' || outcome.claimedAt === undefined || !outcome.receipt.success)
      return outcome;
    const { receipt, claimedAt } = outcome;
    const { network, payer, transaction } = receipt;
    try {
      const resourceUrl = resourceUrlOf(operation);
      const extensions = await signer.sign({ network, payer, transaction, resourceUrl, issuedAt: claimedAt });
      return { ...outcome, receipt: { ...receipt, extensions } };
    } catch (error) {
      onBug(operation.name, error);
      return outcome;
    }
  };
  return {
    call(call) {
      const outcome = exchange.call(call);
      // What is there at once was not paid for.
      return outcome instanceof Promise ? outcome.then((end) => signed(call.operation, end)) : outcome;
    },
  };
}
