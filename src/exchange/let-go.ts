import type { Claim, Opened } from './claims/claims.ts';
import type { Attempt } from './parts.ts';

/** A claim, and what came of making it in this attempt; null when another attempt has made it. */
export type Made = { readonly claim: Claim; readonly opened: Opened | null };

/**
 * Lets go of a claim for which nothing was sent, while nothing was found out about its payment. One that was taken over
 * stays: it says since when the payment was used for nothing else, which the buyer needs if somebody has submitted it.
 */
export function letGo({ keys, shared }: Attempt, { claim, opened }: Made): Promise<void> {
  const isTakenOver = opened?.kind === 'opened' && opened.usedSince !== undefined;
  return isTakenOver && claim.state === 'open' ? shared.claims.leave(keys.key) : shared.claims.drop(keys.key);
}
