import type { Settlement } from '../payments/settlement.ts';
import type { Signing } from '../payments/x402/signature.ts';
import type { Claims } from './claims/claims.ts';
import type { FirstSights } from './first-sights.ts';
import type { Looks } from './looks.ts';
import type { PurchaseEnd, PurchaseKeys, SignedPurchase } from './purchase.ts';
import type { Slots } from './slots.ts';
import type { Unproven } from './unproven.ts';

/** Called with an internal fault and the id of its request; never with what the caller sent. */
export type OnBug = (operation: string, error: unknown, requestId?: string | null) => void;

/** What a purchase is taken to its end with. */
export type PurchaseParts = {
  readonly claims: Claims;
  readonly settlement: Settlement;
  readonly signing: Signing;
  readonly unproven: Unproven;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onBug: OnBug;
  readonly onEnd?: ((end: PurchaseEnd) => void) | undefined;
};

/** What all purchases of a process share. */
export type Shared = PurchaseParts & {
  readonly slots: Slots;
  readonly looks: Looks;
  readonly firstSights: FirstSights;
};

/** One try of this process to take a purchase to its end. */
export type Attempt = {
  readonly purchase: SignedPurchase;
  readonly keys: PurchaseKeys;
  readonly shared: Shared;
};
