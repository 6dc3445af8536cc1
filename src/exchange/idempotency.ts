import type { Claim, Down, Named } from './claims/claims.ts';
import type { Outcome } from './outcome.ts';
import type { PurchaseParts, Shared } from './parts.ts';
import type { PurchaseKeys, SignedPurchase } from './purchase.ts';
import { answered, conflict, REUSED_DETAIL, UNAVAILABLE } from './purchase-outcomes.ts';
import { lookForEnd } from './resume.ts';

/** Whether the client already used its name for this purchase with another authorization; null when it did not. */
export async function earlierPurchase(
  keys: PurchaseKeys,
  { claims }: PurchaseParts,
  { validBefore }: Claim,
): Promise<Named | Down | null> {
  if (keys.name === null) return null;
  const named = await claims.name(keys.name, { claim: keys.key, request: keys.request }, validBefore);
  return 'kind' in named || named.claim !== keys.key ? named : null;
}

/**
 * How a purchase ends whose name stands for one that was begun with another authorization: known before this one costs
 * a question to a node, or waits for the money that the other may take. null where the name is free.
 */
export async function purchaseUnderName(
  purchase: SignedPurchase,
  keys: PurchaseKeys,
  shared: Shared,
): Promise<Outcome | null> {
  if (keys.name === null) return null;
  const named = await shared.claims.named(keys.name);
  if (named === null || ('claim' in named && named.claim === keys.key)) return null;
  if ('kind' in named) return UNAVAILABLE;
  const found = await shared.claims.find(named.claim);
  if (found.kind === 'down') return UNAVAILABLE;
  if (found.kind === 'absent' || found.claim.state === 'void') return null;
  const outcome = await collectEarlier(purchase, keys, shared, named);
  // A wallet had to be asked whether it signed this one.
  if (purchase.signedBy === 'wallet' && outcome.state === 'settled')
    await shared.unproven.turnedAway(purchase.caller);
  return outcome;
}

/** A client that lost our reply and signed anew gets what the first authorization bought; the new one is not used. */
export async function collectEarlier(
  purchase: SignedPurchase,
  keys: PurchaseKeys,
  shared: Shared,
  earlier: Named | Down,
): Promise<Outcome> {
  const { claims } = shared;
  if ('kind' in earlier) return UNAVAILABLE;
  if (earlier.request !== keys.request) return conflict('idempotency_key_reused', REUSED_DETAIL, null);
  const found = await claims.find(earlier.claim);
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
      return lookForEnd(purchase, { ...keys, key: earlier.claim }, shared, claim);
  }
}
