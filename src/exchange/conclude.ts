import type { NotSent, Refused, Settled, Unknown } from '../payments/settlement.ts';
import type { Claim } from './claims.ts';
import { ended } from './ended.ts';
import type { ConflictCode, Outcome, Receipt } from './outcome.ts';
import type { Marks, Purchase, PurchaseParts } from './purchase.ts';

const RETRY_SECONDS = 2;
/** A lost reply may be collected this long after the authorization itself has run out. */
export const COLLECT_SECONDS = 600;
export const UNAVAILABLE: Outcome = { state: 'unavailable', retryAfterSeconds: RETRY_SECONDS };

type Conclusion = {
  readonly claim: Claim;
  readonly result: Settled | Refused | Unknown | NotSent;
  readonly body: unknown;
};

/** Remembers how settling ended, then says so. */
export async function conclude(
  purchase: Purchase,
  marks: Marks,
  { claims }: PurchaseParts,
  { claim, result, body }: Conclusion,
): Promise<Outcome> {
  switch (result.state) {
    case 'settled': {
      const settled: Claim = { ...claim, state: 'settled', transaction: result.transaction };
      const isSaved = await claims.save(marks.key, settled);
      // Unconfirmed is fine for a sent claim: the next try finds the transaction. An open one, whose payment somebody
      // else submitted, may meanwhile be another request's.
      if (!isSaved && claim.state === 'open') return waiting(purchase, settled);
      return { state: 'settled', body, receipt: receiptOf(purchase, settled) };
    }
    case 'refused':
      if (claim.state === 'sent') {
        // Unconfirmed, another instance may know better: only what stands in the claim is final.
        return (await claims.save(marks.key, { ...claim, state: 'void' }))
          ? rejected(purchase, claim, result.reason)
          : waiting(purchase, claim);
      }
      await claims.drop(marks.key);
      return { state: 'challenged', reason: result.reason, receipt: failure(purchase, claim, result.reason) };
    case 'not_sent':
      await claims.drop(marks.key);
      return UNAVAILABLE;
    case 'unknown':
      return waiting(purchase, { ...claim, transaction: result.transaction ?? claim.transaction });
  }
}

/** The answer of a settled claim, worked out again for the day it was bought. */
export function answered(purchase: Purchase, claim: Claim): Outcome {
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return ended(answer) as Outcome;
  return { state: 'settled', body: answer.body, receipt: receiptOf(purchase, claim) };
}

export const USED_DETAIL =
  'This payment was already presented for another request. It was not charged again. Sign a new authorization for this request.';
export const REUSED_DETAIL =
  'This payer used the same idempotency key for another request. Nothing was charged. Use a key of its own for each purchase.';
const VOID_DETAIL =
  'The authorization ended without moving money: it expired unused or was reverted. Nothing was charged. Sign a new one.';
const WAITING_DETAIL =
  'This payment was handed over and its result is not known yet. Repeat the identical request with the same payment; do not sign a new one. You are charged once at most.';

/** Ended without moving money, as far as the chain shows. */
export function rejected(purchase: Purchase, claim: Claim, reason: string | null): Outcome {
  const receipt = reason === null ? null : failure(purchase, claim, reason);
  return conflict('rejected_or_not_received', VOID_DETAIL, receipt);
}

export function waiting(purchase: Purchase, claim: Claim): Outcome {
  const receipt = failure(purchase, claim, 'settlement_pending');
  return { ...conflict('waiting', WAITING_DETAIL, receipt), retryAfterSeconds: RETRY_SECONDS };
}

export function conflict(code: ConflictCode, detail: string, receipt: Receipt | null) {
  return { state: 'conflict', code, detail, receipt, retryAfterSeconds: null as number | null } as const;
}

/** The receipt of a settled claim. */
function receiptOf({ payment, requirements }: Purchase, { transaction }: Claim): Receipt {
  const { network, amount } = requirements;
  if (transaction === null) throw new Error('A settled claim names its transaction');
  return { success: true, transaction, network, payer: payment.authorization.from, amount };
}

function failure({ payment, requirements }: Purchase, claim: Claim, errorReason: string): Receipt {
  return {
    success: false,
    errorReason,
    transaction: claim.transaction ?? '',
    network: requirements.network,
    payer: payment.authorization.from,
  };
}
