/**
 * How many of our transactions may be in flight at once, and the order in which payments wait for a slot. Nodes keep
 * only a certain number of pending transactions from one sender (often 16) and refuse or drop the others, so this limit
 * is learned. It starts at 64 and is halved when a node has no room. While as many are in flight as it allows, it grows
 * by one for each mined transaction.
 */
export type InFlight = {
  /**
   * Waits in order for a slot, for at most `forMs`. Call the returned function once the transaction is pending or
   * cannot become pending; null if the time is up. `isNext`: a node had no room for its transaction, so it goes to the
   * front.
   */
  enter(wait: { readonly forMs: number; readonly isNext?: boolean }): Promise<(() => void) | null>;
  /** Whether a node may have no room for another transaction, so that the next send must wait for its answer. */
  isCrowded(): boolean;
  /** Whether a transaction with a slot is about to be signed. */
  isOneComing(): boolean;
  /**
   * A node refused or dropped the transaction with this nonce. Of transactions sent together, only the first counts.
   */
  noRoom(nonce: number): void;
  /** A pending transaction has ended: its slot is free. */
  ended(isMined: boolean): void;
  /** Gives out free slots. */
  look(): void;
  /** How many may be in flight now. */
  limit(): number;
  /** Whether a node has had no room lately. */
  isLimited(): boolean;
};

const START = 64;
// Every node keeps this many pending transactions from one sender.
const CROWD = 8;

type Waiting = { readonly timer: NodeJS.Timeout; readonly admit: () => void };

/** `pending` holds the transactions in flight by nonce. `isParked`: the node had no room for a transaction. */
export function createInFlight(
  pending: ReadonlyMap<number, { readonly isParked: boolean }>,
  start = START,
): InFlight {
  const waiting: Waiting[] = [];
  let limit = start;
  let coming = 0;
  // Transactions up to this nonce were sent before the limit was last halved.
  let halvedAt = -1;

  /**
   * A later nonce must not take the node's last place before a parked one, because it would wait there for the lower
   * nonce. With many pending, transactions therefore go one after another.
   */
  const hasRoom = () =>
    pending.size + coming < limit &&
    (coming === 0 || pending.size + coming < CROWD) &&
    ![...pending.values()].some(({ isParked }) => isParked);

  function admit(): void {
    while (hasRoom()) {
      const next = waiting.shift();
      if (next === undefined) return;
      clearTimeout(next.timer);
      coming += 1;
      next.admit();
    }
  }

  function leaver(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      coming -= 1;
      admit();
    };
  }

  return {
    enter: ({ forMs, isNext = false }) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(entry), 1);
          resolve(null);
        }, forMs).unref();
        const entry: Waiting = { timer, admit: () => resolve(leaver()) };
        if (isNext) waiting.unshift(entry);
        else waiting.push(entry);
        admit();
      }),
    isCrowded: () => pending.size > CROWD,
    isOneComing: () => coming > 0,
    noRoom(nonce) {
      if (nonce <= halvedAt) return;
      limit = Math.max(1, Math.floor(limit / 2));
      halvedAt = Math.max(nonce, ...pending.keys());
    },
    ended(isMined) {
      // The transaction that ended is no longer among the pending ones.
      if (isMined && pending.size + 1 + coming >= limit) limit = Math.min(start, limit + 1);
      admit();
    },
    look: admit,
    limit: () => limit,
    isLimited: () => limit < start,
  };
}
