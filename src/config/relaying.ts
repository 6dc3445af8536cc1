import type { Reading } from './reading.ts';

// The receipt of more payments would exceed the longest that is read.
const MAX_TOGETHER = 32;

/** How the local settler uses its account. */
export type Relaying = {
  /** How many transactions the account may have pending. */
  readonly maxOutstanding: number;
  /** How many waiting payments one transaction settles at most; 1 for no batches. */
  readonly maxTogether: number;
};

export const readRelaying = (reading: Reading): Relaying => ({
  maxOutstanding: reading.whole('MAX_OUTSTANDING_TRANSACTIONS', 1, 512),
  maxTogether: reading.whole('MAX_PAYMENTS_PER_TRANSACTION', 1, MAX_TOGETHER),
});
