/**
 * How many of our transactions may be in flight at once, and the order in which payments wait for a place among them.
 * Nodes keep only so many pending transactions of one sender (16 is common) and refuse or drop the others, so the
 * number is learned: it starts at 64, is halved when a node has no room, and grows by one for each transaction that is
 * mined while it is reached.
 */
export type InFlight = {
  /**
   * Waits in order for a place, at most `forMs`. Call the returned function once the transaction is among the pending
   * ones, or will not be; null when the time is over. `isNext`: it had a place in vain and goes to the front.
   */
  enter(wait: { readonly forMs: number; readonly isNext?: boolean }): Promise<(() => void) | null>;
  /** Whether so many are pending that a node may have no room for the next one: its answer is awaited before another. */
  isCrowded(): boolean;
  /** Whether a transaction that has a place is about to be signed. */
  isOneComing(): boolean;
  /** A node refused or dropped the transaction with this nonce. Of those sent together, only the first one counts. */
  noRoom(nonce: number): void;
  /** A pending transaction has ended: its place is free. */
  ended(isMined: boolean): void;
  /** Gives out places, where there are any now. */
  look(): void;
  /** How many may be in flight now. */
  limit(): number;
  /** Whether a node has had no room lately. */
  isLimited(): boolean;
};

const START = 64;
// Every node keeps so many pending transactions of one sender.
const CROWD = 8;

type Waiting = { readonly timer: NodeJS.Timeout; readonly admit: () => void };

/** `pending` holds the transactions in flight by nonce; `isParked` says of one that the node had no room for it. */
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
   * What comes later must not take a place at the node before what it had no room for, since it would wait there for
   * the lower nonce. So in a crowd one goes after the other.
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
      // The one that has ended is no longer among the pending ones.
      if (isMined && pending.size + 1 + coming >= limit) limit = Math.min(start, limit + 1);
      admit();
    },
    look: admit,
    limit: () => limit,
    isLimited: () => limit < start,
  };
}
