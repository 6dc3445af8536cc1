import type { Claim, Down, Named } from './claims/claims.ts';
import type { Outcome } from './outcome.ts';
import type { Attempt } from './parts.ts';
import { answered, conflict, REUSED_DETAIL, UNAVAILABLE } from './purchase-outcomes.ts';
import { lookForEnd } from './resume.ts';

/** Whether the client already used its name for this purchase with another authorization; null when it did not. */
export async function earlierPurchase(
  { keys, shared: { claims } }: Omit<Attempt, 'purchase'>,
  { validBefore }: Claim,
): Promise<Named | Down | null> {
  if (keys.name === null) return null;
  const named = await claims.name(keys.name, { claim: keys.key, request: keys.request }, validBefore);
  return 'kind' in named || named.claim !== keys.key ? named : null;
}

/**
 * How a purchase ends whose name is bound to one with another authorization; null where the name is free. It is asked
 * first, before this authorization costs a call to a node or waits for money that the other may take.
 */
export async function purchaseUnderName(attempt: Attempt): Promise<Outcome | null> {
  const { purchase, keys, shared } = attempt;
  if (keys.name === null) return null;
  const named = await shared.claims.named(keys.name);
  if (named === null || ('claim' in named && named.claim === keys.key)) return null;
  if ('kind' in named) return UNAVAILABLE;
  const found = await shared.claims.find(named.claim);
  if (found.kind === 'down') return UNAVAILABLE;
  if (found.kind === 'absent' || found.claim.state === 'void') return null;
  const outcome = await collectEarlier(attempt, named);
  // A wallet had to be asked whether it signed this one.
  if (purchase.signedBy === 'wallet' && outcome.state === 'settled')
    await shared.unproven.turnedAway(purchase.caller);
  return outcome;
}

/** A client that lost the reply and signed anew gets what the first authorization bought; the new one is not used. */
export async function collectEarlier(attempt: Attempt, earlier: Named | Down): Promise<Outcome> {
  const { purchase, keys, shared } = attempt;
  if ('kind' in earlier) return UNAVAILABLE;
  if (earlier.request !== keys.request) return conflict('idempotency_key_reused', REUSED_DETAIL, null);
  const found = await shared.claims.find(earlier.claim);
  if (found.kind !== 'held') return UNAVAILABLE;
  const { claim } = found;
  switch (claim.state) {
    case 'settled':
      return answered(purchase, claim);
    // Its name is free again by now.
    case 'void':
      return UNAVAILABLE;
    case 'open':
    case 'sent':
      return lookForEnd({ purchase, keys: { ...keys, key: earlier.claim }, shared }, claim);
  }
}
