import type { Hex } from '../payments/x402/payment.ts';
import type { Claim, Down, Named, Opened } from './claims/claims.ts';
import { earlierPurchase } from './idempotency.ts';
import type { Attempt } from './parts.ts';

/** What one attempt holds while it sells: its claim, its client's name for the purchase, and a slot of its payer. */
export type Holding = {
  /** Takes a slot for a payment that is proven, once; false when none is free. */
  takeSlot(): boolean;
  giveSlotBack(): void;
  /** Takes claim and name; false when either is another's, or cannot be had. */
  claim(): Promise<boolean>;
  /** Remembers what is about to be handed over; false when that could not be saved, and nothing may be sent. */
  sent(transaction: Hex | null): Promise<boolean>;
  state(): Held;
};

export type Held = {
  /** As it was saved last. */
  readonly claim: Claim;
  /** What came of taking it; null before it was tried. */
  readonly opened: Opened | null;
  /** What the name stands for when that is another claim; null when it is this one's, or was not asked for. */
  readonly earlier: Named | Down | null;
};

export function holdingOf(
  { purchase, keys, shared }: Attempt,
  { fresh, opened }: { readonly fresh: Claim; readonly opened: Opened | null },
): Holding {
  const { claims, slots } = shared;
  const payer = purchase.payment.authorization.from;
  let held: Held = { claim: fresh, opened, earlier: null };
  let hasSlot = false;
  return {
    takeSlot() {
      hasSlot ||= slots.take(payer);
      return hasSlot;
    },
    giveSlotBack() {
      if (hasSlot) slots.release(payer);
      hasSlot = false;
    },
    async claim() {
      const taken = held.opened ?? (await claims.open(keys.key, fresh));
      held = { ...held, opened: taken };
      if (taken.kind !== 'opened') return false;
      const earlier = await earlierPurchase({ keys, shared }, fresh);
      held = { ...held, earlier };
      return earlier === null;
    },
    async sent(transaction) {
      held = { ...held, claim: { ...fresh, state: 'sent', transaction } };
      return (await claims.save(keys.key, held.claim)) === 'saved';
    },
    state: () => held,
  };
}
