import type { End } from '../payments/settlement.ts';
import type { Claim } from './claims/claims.ts';
import { letGo, type Made } from './let-go.ts';
import type { Outcome } from './outcome.ts';
import type { Attempt } from './parts.ts';
import type { Purchase, PurchaseEnd } from './purchase.ts';
import {
  conflict,
  declined,
  ON_HOLD,
  refused,
  rejected,
  sold,
  UNAVAILABLE,
  UNSAID,
  USED_DETAIL,
  waiting,
} from './purchase-outcomes.ts';

type Conclusion = Pick<Made, 'claim'> &
  Partial<Made> & {
    readonly result: End;
    readonly body: unknown;
  };

// A node was asked for each try, which its caller could repeat without end.
const COSTS_A_CALL = new Set(['unclear', 'payer_busy', 'wallet_gas_budget_spent']);

/** Saves how settling ended, then turns it into an outcome. */
export async function conclude(
  attempt: Attempt,
  { claim, opened = null, result, body }: Conclusion,
): Promise<Outcome> {
  const { purchase, keys } = attempt;
  const { claims, now, onEnd } = attempt.shared;
  const report = (outcome: PurchaseEnd['outcome']) => onEnd?.(endOf(purchase, result, outcome));
  if (result.state !== 'settled') report(result.state);
  switch (result.state) {
    case 'settled': {
      const { transaction } = result;
      const settled: Claim = { ...claim, state: 'settled', transaction, readyAt: Math.floor(now() / 1000) };
      const saved = await claims.save(keys.key, settled);
      const isSold = saved === 'saved' || (saved === 'unconfirmed' && claim.state !== 'open');
      report(isSold ? 'settled' : saved === 'conflict' ? 'conflict' : 'unknown');
      // The store lost this claim meanwhile, and another request holds it: the one transfer pays for that request.
      if (saved === 'conflict') return conflict('payment_already_used', USED_DETAIL, null);
      // Unconfirmed is fine for a sent claim: the next try finds the transaction. An open one, whose payment someone
      // else submitted, may meanwhile be another request's.
      if (saved === 'unconfirmed' && claim.state === 'open') return waiting(purchase, settled);
      return sold(purchase, settled, body);
    }
    case 'refused':
      if (claim.state === 'sent') {
        // Where the save is unconfirmed, another instance may have saved another end: only the claim's state is final.
        return (await claims.save(keys.key, { ...claim, state: 'void' })) === 'saved'
          ? rejected(purchase, claim, result.reason)
          : waiting(purchase, claim);
      }
      await claims.drop(keys.key);
      return refused(purchase, result.reason);
    case 'not_sent':
      await letGo(attempt, { claim, opened });
      if (COSTS_A_CALL.has(result.reason)) return UNSAID;
      return result.reason === 'payer_on_hold' ? ON_HOLD : UNAVAILABLE;
    case 'declined':
    case 'unknown': {
      const sent = { ...claim, transaction: result.transaction ?? claim.transaction };
      return result.state === 'declined' ? declined(purchase, sent, result.reason) : waiting(purchase, sent);
    }
  }
}

function endOf(purchase: Purchase, result: End, outcome: PurchaseEnd['outcome']): PurchaseEnd {
  return {
    operation: purchase.operation.name,
    outcome,
    reason: 'reason' in result ? result.reason : null,
    transaction: 'transaction' in result ? result.transaction : null,
    amount: purchase.requirements.amount,
    requestId: purchase.requestId ?? null,
    durationMs: performance.now() - (purchase.askedAtMs ?? performance.now()),
  };
}
