import { reasonDetail } from '../payments/x402/reasons.ts';
import type { Claim } from './claims/claims.ts';
import { type ConflictCode, type Outcome, type Receipt, withoutAnswer } from './outcome.ts';
import type { Purchase } from './purchase.ts';

const RETRY_SECONDS = 2;
export const UNAVAILABLE: Outcome = { state: 'unavailable', retryAfterSeconds: RETRY_SECONDS };

/** A payment of this payer reverted a while ago: it may still be paid, so the buyer must not be asked to sign anew. */
export const ON_HOLD: Outcome = {
  state: 'unavailable',
  retryAfterSeconds: 60,
  detail:
    'A payment of this payer was found good and then failed on the chain, so no payment of this payer is sent for up to ten minutes. This request sent nothing and charged nothing.',
};

/**
 * No node gave an answer that counts, perhaps because of how the payment was made, or more is presented than its payer
 * holds money or its kind of account has gas for: counted by the limit like a refusal.
 */
export const UNSAID: Outcome = { ...UNAVAILABLE };

/** Nothing was handed over, for a fault of the payment. */
export function refused(purchase: Purchase, reason: string): Outcome & { state: 'challenged' } {
  return { state: 'challenged', reason, receipt: failure(purchase, { transaction: null }, reason) };
}

/** The answer of a settled claim, worked out again for the day it was bought. */
export function answered(purchase: Purchase, claim: Claim): Outcome {
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return withoutAnswer(answer);
  return sold(purchase, claim, answer.body);
}

/** The answer with its receipt. */
export function sold(purchase: Purchase, claim: Claim, body: unknown): Outcome {
  const { claimedAt } = claim;
  const receipt = receiptOf(purchase, claim);
  return { state: 'settled', body, receipt, ...(claimedAt !== undefined && { claimedAt }) };
}

export const USED_DETAIL =
  'This payment was already presented for another request. It was not charged again. Sign a new authorization for this request.';
export const REUSED_DETAIL =
  'This payer used the same idempotency key for another request. This request charged nothing. Use a key of its own for each purchase.';
const VOID_DETAIL =
  'The authorization can move no money any more: it ran out unused, was canceled, or was used, and not shown to have paid for this request. Look at the transfers of your account, then sign a new one.';

/** Until when an authorization can be used, and when the last word on it is spoken, if anybody can be asked. */
function until({ payment }: Purchase): string {
  const end = new Date(Number(payment.authorization.validBefore) * 1000).toISOString();
  return `It can be used until ${end}. A few minutes later the same request tells the end: the answer if the payment went through, else to sign anew. If it still says this then, look whether your account has paid before you sign anew.`;
}

/** Can move no money any more, by evidence of the chain. */
export function rejected(purchase: Purchase, claim: Claim, reason: string | null): Outcome {
  const receipt = reason === null ? null : failure(purchase, claim, reason);
  return conflict('rejected_or_not_received', VOID_DETAIL, receipt);
}

/** Handed over, and its end not known. */
export function waiting(purchase: Purchase, claim: Claim): Outcome {
  const why = 'This payment was handed over and its result is not known yet.';
  return undecided(purchase, claim, why);
}

/** Another presentation of the same payment is being worked on, and nothing was sent for it yet. */
export function underWay(purchase: Purchase, claim: Claim): Outcome {
  return undecided(purchase, claim, 'This payment is being worked on.');
}

/** Handed over and declined, while the authorization can still be submitted by others. */
export function declined(purchase: Purchase, claim: Claim, reason: string): Outcome {
  const why = `This payment was handed over and did not go through: ${reasonDetail(reason)} No money has moved so far.`;
  return undecided(purchase, claim, why);
}

function undecided(purchase: Purchase, claim: Claim, why: string): Outcome {
  const detail = `${why} Repeat the identical request with the same payment; do not sign a new one. You are charged once at most. ${until(purchase)}`;
  const receipt = failure(purchase, claim, 'settlement_pending');
  return { ...conflict('waiting', detail, receipt), retryAfterSeconds: RETRY_SECONDS };
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

function failure(
  { payment, requirements }: Purchase,
  claim: Pick<Claim, 'transaction'>,
  errorReason: string,
): Receipt {
  return {
    success: false,
    errorReason,
    transaction: claim.transaction ?? '',
    network: requirements.network,
    payer: payment.authorization.from,
  };
}
