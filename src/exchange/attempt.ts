import { outsideWindow } from '../payments/requirements.ts';
import type { NotSent, Order, Refused, Settled, Unknown } from '../payments/settlement.ts';
import type { Claim, Opened } from './claims.ts';
import { ended } from './ended.ts';
import type { ConflictCode, Outcome, Receipt } from './outcome.ts';
import type { Marks, Purchase, PurchaseParts } from './purchase.ts';

// A lost reply may be collected this long after the authorization itself has run out.
const COLLECT_SECONDS = 600;
const RETRY_SECONDS = 2;

/** Takes one purchase from its claim to its end. Exclusive for its key within this process. */
export async function attempt(purchase: Purchase, marks: Marks, parts: PurchaseParts): Promise<Outcome> {
  const { claims, now } = parts;
  const outside = outsideWindow(purchase.payment, Math.floor(now() / 1000));
  if (outside !== null) {
    // Too late to pay, never too late to collect what was paid for.
    const found = await claims.find(marks.key);
    if (found.kind === 'absent') {
      const none = ended(purchase.operation.run(purchase.input, { today: purchase.today }));
      return none ?? { state: 'challenged', reason: outside, receipt: null };
    }
    return resume(purchase, marks, parts, found);
  }
  const fresh: Claim = {
    state: 'open',
    request: marks.request,
    signature: marks.signature,
    today: purchase.today,
    transaction: null,
    expires: Number(purchase.payment.authorization.validBefore) + COLLECT_SECONDS,
  };
  const opened = await claims.open(marks.key, fresh);
  return opened.kind === 'opened'
    ? begin(purchase, marks, parts, fresh)
    : resume(purchase, marks, parts, opened);
}

/** First sight of an authorization: answer, then settle. */
async function begin(purchase: Purchase, marks: Marks, parts: PurchaseParts, claim: Claim): Promise<Outcome> {
  const { claims, settlement } = parts;
  const { operation, input } = purchase;
  let handedOver = claim;
  try {
    const answer = operation.run(input, { today: claim.today });
    if (answer.kind !== 'answer') {
      await claims.drop(marks.key);
      return ended(answer) as Outcome;
    }
    const result = await settlement.settle(await orderOf(purchase, parts), async (transaction) => {
      handedOver = { ...claim, state: 'sent', transaction };
      return claims.save(marks.key, handedOver);
    });
    return await conclude(purchase, marks, parts, { claim: handedOver, result, body: answer.body });
  } catch (error) {
    // A claim for which something was sent stays: its end is found out by the next try.
    if (handedOver.state === 'open') await claims.drop(marks.key);
    throw error;
  }
}

/** Seen before: the same request gets its end, another request gets nothing. */
async function resume(
  purchase: Purchase,
  marks: Marks,
  parts: PurchaseParts,
  found: Opened,
): Promise<Outcome> {
  if (found.kind !== 'held') return { state: 'unavailable', retryAfterSeconds: RETRY_SECONDS };
  const { claim } = found;
  if (claim.request !== marks.request || claim.signature !== marks.signature)
    return conflict('payment_already_used', USED_DETAIL, null);
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return ended(answer) as Outcome;
  const { body } = answer;
  switch (claim.state) {
    case 'settled':
      return { state: 'settled', body, receipt: success(purchase, claim) };
    case 'open':
      return waiting(purchase, claim);
    // A void one is looked at again: should the chain know better, the buyer gets what was paid for.
    case 'void':
    case 'sent': {
      const order = await orderOf(purchase, parts);
      let latest: Claim = { ...claim, state: 'sent' };
      const result = await parts.settlement.reconcile(order, claim.transaction, async (transaction) => {
        latest = { ...latest, transaction };
        return parts.claims.save(marks.key, latest);
      });
      return conclude(purchase, marks, parts, { claim: latest, result, body });
    }
  }
}

type Conclusion = {
  readonly claim: Claim;
  readonly result: Settled | Refused | Unknown | NotSent;
  readonly body: unknown;
};

async function conclude(
  purchase: Purchase,
  marks: Marks,
  { claims }: PurchaseParts,
  { claim, result, body }: Conclusion,
): Promise<Outcome> {
  switch (result.state) {
    case 'settled': {
      const settled: Claim = { ...claim, state: 'settled', transaction: result.transaction };
      // Unconfirmed is fine: the claim then says sent, and the next try finds the transaction.
      await claims.save(marks.key, settled);
      return { state: 'settled', body, receipt: success(purchase, settled) };
    }
    case 'refused':
      if (claim.state === 'sent') {
        await claims.save(marks.key, { ...claim, state: 'void' });
        return conflict('rejected_or_not_received', VOID_DETAIL, failure(purchase, claim, result.reason));
      }
      await claims.drop(marks.key);
      return { state: 'challenged', reason: result.reason, receipt: failure(purchase, claim, result.reason) };
    case 'not_sent':
      await claims.drop(marks.key);
      return { state: 'unavailable', retryAfterSeconds: RETRY_SECONDS };
    case 'unknown':
      return waiting(purchase, { ...claim, transaction: result.transaction ?? claim.transaction });
  }
}

async function orderOf(purchase: Purchase, { claims }: PurchaseParts): Promise<Order> {
  const { payment, requirements, resource } = purchase;
  return { payment, requirements, resource, usedSince: await claims.completeSince() };
}

const USED_DETAIL =
  'This payment was already presented for another request. It was not charged again. Sign a new authorization for this request.';
const VOID_DETAIL =
  'The authorization ended without moving money: it expired unused or was reverted. Nothing was charged. Sign a new one.';
const WAITING_DETAIL =
  'This payment was handed over and its result is not known yet. Repeat the identical request with the same payment; do not sign a new one. You are charged once at most.';

function waiting(purchase: Purchase, claim: Claim): Outcome {
  const receipt = failure(purchase, claim, 'settlement_pending');
  return { ...conflict('waiting', WAITING_DETAIL, receipt), retryAfterSeconds: RETRY_SECONDS };
}

function conflict(code: ConflictCode, detail: string, receipt: Receipt | null) {
  return { state: 'conflict', code, detail, receipt, retryAfterSeconds: null as number | null } as const;
}

function success({ payment, requirements }: Purchase, claim: Claim): Receipt {
  const { network, amount } = requirements;
  const { transaction } = claim;
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
