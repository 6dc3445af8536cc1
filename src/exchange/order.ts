import type { Order } from '../payments/settlement.ts';
import type { Attempt } from './parts.ts';
import type { SignedPurchase } from './purchase.ts';

// Only this service has an authorization before its first sight, except for the time that a request takes to arrive.
const SEEN_AFTER_SECONDS = 120;

/**
 * An order that was not handed over yet: a use from long before its first sight was for something else. null while the
 * claims cannot be read: without them nothing may be sold.
 */
export async function freshOrder(
  { purchase, shared: { claims, now } }: Attempt,
  { heldSince, firstSight }: { heldSince?: number | undefined; firstSight?: number | undefined } = {},
): Promise<Order | null> {
  const since = await claims.completeSince();
  if (since === null) return null;
  const sight =
    Math.min(Math.floor(now() / 1000), firstSight ?? Number.POSITIVE_INFINITY) - SEEN_AFTER_SECONDS;
  // If claims were lost since the first sight, the payment may have bought an answer already.
  const usedSince = Math.min(Math.max(since, sight), heldSince ?? Number.POSITIVE_INFINITY);
  return orderOf(purchase, usedSince);
}

/** The order of a purchase; uses before `usedSince` (Unix seconds) were for something else. */
export function orderOf(
  { payment, requirements, resource, extensions, signedBy, requestId }: SignedPurchase,
  usedSince: number,
): Order {
  return { payment, requirements, resource, extensions, signedBy, usedSince, requestId: requestId ?? null };
}
