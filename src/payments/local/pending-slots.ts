/** Limits the pending transactions of an account: nodes keep only so many of one sender and reject others. */
export type PendingSlots = {
  /**
   * Takes a slot for a transaction that is about to be signed; null when none is free. The caller calls the
   * returned function as soon as the transaction is among the outstanding ones, or will not be.
   */
  take(): (() => void) | null;
  /** Whether over half of the slots are taken. */
  isScarce(): boolean;
  /** Whether a transaction that has a slot is about to be signed. */
  isOneComing(): boolean;
  /** Called whenever slots may have become free. */
  onFree(listener: () => void): void;
  /** Something outstanding has ended: listeners look for free slots. */
  look(): void;
};

/** As many as nodes keep of one sender by default. */
export const MAX_OUTSTANDING = 16;

export function createPendingSlots(most: number, outstanding: ReadonlyMap<number, unknown>): PendingSlots {
  const listeners: (() => void)[] = [];
  let coming = 0;
  const look = () => {
    for (const listener of listeners) listener();
  };
  return {
    take() {
      if (outstanding.size + coming >= most) return null;
      coming += 1;
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        coming -= 1;
        look();
      };
    },
    isScarce: () => 2 * (outstanding.size + coming) > most,
    isOneComing: () => coming > 0,
    onFree: (listener) => void listeners.push(listener),
    look,
  };
}
