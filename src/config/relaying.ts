import type { Reading } from './reading.ts';

// The receipt of more would be longer than what is read of one.
const MAX_TOGETHER = 32;

/** How the settler of our own uses its account. */
export interface Relaying {
  /** How many transactions the account may have without an end. */
  readonly maxOutstanding: number;
  /** How many payments one transaction settles at most, where many wait; 1 for none together. */
  readonly maxTogether: number;
}

export const readRelaying = (reading: Reading): Relaying => ({
  maxOutstanding: reading.whole('MAX_OUTSTANDING_TRANSACTIONS', 1, 512),
  maxTogether: reading.whole('MAX_PAYMENTS_PER_TRANSACTION', 1, MAX_TOGETHER),
});
