import { pause, type WitnessParts } from '../chain/chain-witness.ts';
import type { CodeDigest } from '../chain/proof.ts';
import { balanceCall } from '../chain/usdc.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';

// Limits what a payer can cost us (decision 0012). The first half keeps the pending payments of a payer within the
// payer's balance, and the second half holds payers whose payments revert.

/**
 * Keeps the pending payments of one payer within the payer's balance. If the balance covers only one of two payments,
 * the second one would revert at our cost. A payer may have one more pending payment than it has paid for; the count
 * restarts after an hour without a settled payment. If all of them revert at once, the payer costs us little more than
 * it has paid for.
 */
export type PayerFunds = {
  /** Call this before an order is proven, so that other orders of the payer that end during the proof are noticed. */
  enter(order: Order): FundsReservation;
};

export type FundsReservation = {
  /**
   * Called once the order is proven: reserves its value. `short`: the money went to other orders of the payer. `busy`:
   * the money is reserved for other orders, none of which ended in time, or the balance is unknown.
   */
  hold(): Promise<'held' | 'short' | 'busy'>;
  /** Called when the order can no longer move money, whatever its result. A second call does nothing. */
  leave(hasSettled: boolean): void;
};

type Payer = {
  /** Orders that have entered and not left yet. */
  orders: number;
  /** Orders whose value is reserved, and the reserved sum in atomic units. */
  underWay: number;
  total: bigint;
  /** The payer's balance, requested once after each end of an order. */
  balance: Promise<bigint | null> | null;
  /** How many reservations have ended. */
  ends: number;
  /** Resolves when the next order ends. */
  next: Promise<void>;
  ended: () => void;
};

const PATIENCE_MS = 20_000;
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

export function payerFunds({ rpc, now }: Pick<WitnessParts, 'rpc' | 'now'>): PayerFunds {
  const payers = new Map<Hex, Payer>();
  const settled = settledWithin(REMEMBERED_MS, now);

  /** The payer's balance; null when it is unknown. */
  async function balanceOf({ payment, requirements }: Order): Promise<bigint | null> {
    const call = { to: requirements.asset, data: balanceCall(payment.authorization.from) };
    return rpc
      .call<Hex>('eth_call', [call, 'latest'], { bytes: 32 })
      .then(BigInt)
      .catch(() => null);
  }

  /** The balance since the last end: one from before it may include money that has left. null when it is unknown. */
  async function currentBalance(payer: Payer, order: Order): Promise<bigint | null> {
    for (;;) {
      payer.balance ??= balanceOf(order);
      const asked = payer.balance;
      const balance = await asked;
      if (asked !== payer.balance) continue;
      if (balance === null) payer.balance = null;
      return balance;
    }
  }

  function reserve(payer: Payer, order: Order): 'held' {
    payer.underWay += 1;
    payer.total += order.payment.authorization.value;
    return 'held';
  }

  /**
   * Reserves the value of an order if the balance covers it in addition to what is already reserved; `later` if that
   * depends on a pending order. Nothing may happen between the last check and the reservation.
   */
  async function tryHold(payer: Payer, order: Order): Promise<'held' | 'short' | 'busy' | 'later'> {
    const { from, value } = order.payment.authorization;
    const mayHaveOneMore = () => payer.underWay <= settled.count(from);
    if (!mayHaveOneMore()) return 'later';
    const balance = await currentBalance(payer, order);
    const isEnough = balance !== null && balance >= payer.total + value;
    if (isEnough && mayHaveOneMore()) return reserve(payer, order);
    // A payer whose balance is unknown waits for orders that may be using it.
    if (payer.underWay > 0) return 'later';
    return balance === null ? 'busy' : 'short';
  }

  /**
   * Waits until the value of an order can be reserved; `provenAt` is the number of orders that had ended before its
   * proof began.
   */
  async function hold(payer: Payer, order: Order, provenAt: number): Promise<'held' | 'short' | 'busy'> {
    const until = performance.now() + PATIENCE_MS;
    // If nothing is reserved and nothing has ended since, the proof has shown that the balance is enough.
    while (payer.underWay > 0 || payer.ends !== provenAt) {
      const end = await tryHold(payer, order);
      if (end !== 'later') return end;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return 'busy';
      await Promise.race([payer.next, pause(leftMs)]);
    }
    return reserve(payer, order);
  }

  return {
    enter(order) {
      const { from, value } = order.payment.authorization;
      const payer = payers.get(from) ?? {
        orders: 0,
        underWay: 0,
        total: 0n,
        balance: null,
        ends: 0,
        ...signal(),
      };
      payers.set(from, payer);
      payer.orders += 1;
      const provenAt = payer.ends;
      let standing: 'entered' | 'held' | 'left' = 'entered';
      return {
        async hold() {
          const end = await hold(payer, order, provenAt);
          if (end === 'held') standing = 'held';
          return end;
        },
        leave(hasSettled) {
          const was = standing;
          standing = 'left';
          if (was === 'left') return;
          payer.orders -= 1;
          if (payer.orders === 0) payers.delete(from);
          if (was !== 'held') return;
          if (hasSettled) settled.add(from);
          payer.underWay -= 1;
          payer.total -= value;
          payer.ends += 1;
          payer.balance = null;
          payer.ended();
          Object.assign(payer, signal());
        },
      };
    },
  };
}

/** Counts each payer's settled payments. The count starts again after a pause of this length. */
function settledWithin(forMs: number, now: () => number) {
  const counts = new Map<Hex, { count: number; at: number }>();
  const count = (payer: Hex): number => {
    const known = counts.get(payer);
    return known !== undefined && now() - known.at < forMs ? known.count : 0;
  };
  return {
    count,
    add(payer: Hex): void {
      keepNewest(counts, [payer, { count: count(payer) + 1, at: now() }], MAX_REMEMBERED);
    },
  };
}

function signal(): Pick<Payer, 'next' | 'ended'> {
  let ended = () => {};
  const next = new Promise<void>((resolve) => {
    ended = resolve;
  });
  return { next, ended };
}

/**
 * Protects against accounts that pass every simulation and then revert, so that they cause no further gas costs. The
 * payer is held for a while, and accounts with the same code, which honest people share, take turns.
 */
export type PayerHolds = {
  /**
   * A transaction for this order reverted although it had been proven with this code of its payer. The payer is held,
   * and accounts with that code take turns, until `judge` finds that the revert was not the payer's fault. A second
   * call for the same revert does nothing.
   */
  note(order: Order, revert: Revert, judge: () => Promise<Judgment>): void;
  /** Whether this order failed in this transaction because of its payer. */
  isAtFault(order: Order, transaction: Hex): Promise<boolean>;
  /** Whether this payer has to wait. */
  isHeld(payer: Hex): Promise<boolean>;
  /** Runs `work`, one at a time for one code while an account of it is held; null when its turn came too late. */
  serialize<Result>(code: CodeDigest | null, work: () => Promise<Result>): Promise<Result | null>;
};

export type Revert = { readonly transaction: Hex; readonly code: CodeDigest | null };
/** `isAtFault` is null while no node can tell; `code` is the code of the payer's account when the payment reverted. */
export type Judgment = { readonly isAtFault: boolean | null; readonly code: CodeDigest | null };

// How long a payer waits after a revert.
const HELD_MS = 600_000;
// How long an account waits for its turn.
const TURN_MS = 20_000;
const MAX_WAITING = 256;
// If a revert could not be judged, it is judged again when the payer returns after this long.
const JUDGE_AGAIN_MS = 2_000;
// Each entry costs an attacker a funded account. Beyond this number, the hourly gas budget limits the loss.
const MAX_ENTRIES = 10_000;

/** A transaction of a payer that reverted, and the latest judgment of it, perhaps still running. */
type Noted = { readonly judge: () => Promise<Judgment>; isAtFault: Promise<boolean | null> };
type Hold = {
  readonly until: number;
  /** The payer is held for as long as one of these reverts is or may be the payer's fault. */
  readonly reverts: readonly Noted[];
  /** The code that made the payer's payment revert, if it is known. */
  code: CodeDigest | null;
  /** When the latest judgment began. */
  judgedAt: number;
};
/** The account that uses the turn of one code, and how many wait for it. */
type Turns = { busy: Promise<unknown> | null; waiting: number };

const UNKNOWN = Promise.resolve(null);
const UNCLEAR: Judgment = { isAtFault: null, code: null };

export function payerHolds({ now }: Pick<WitnessParts, 'now'>): PayerHolds {
  const payers = new Map<Hex, Hold>();
  const turns = new Map<CodeDigest, Turns>();
  const noted = new Map<string, Noted>();

  /** Whether an account with this code is held. */
  function isSlowed(code: CodeDigest): boolean {
    forgetOver(payers, ({ until }) => until < now());
    return [...payers.values()].some((hold) => hold.code === code);
  }

  /** Judges every revert of a hold that has no judgment yet, and ends the hold if none was the payer's fault. */
  function judge(payer: Hex, hold: Hold): void {
    hold.judgedAt = now();
    for (const revert of hold.reverts)
      revert.isAtFault = revert.isAtFault.then(async (known) => {
        if (known !== null) return known;
        const judgment = await revert.judge().catch(() => UNCLEAR);
        hold.code ??= judgment.code;
        return judgment.isAtFault;
      });
    void verdictOn(hold).then((isAtFault) => {
      if (isAtFault === false && payers.get(payer) === hold) payers.delete(payer);
    });
  }

  return {
    note({ payment }, { transaction, code }, judgeRevert) {
      const failure = failureOf(payment, transaction);
      if (noted.has(failure)) return;
      const { from } = payment.authorization;
      forgetOver(payers, ({ until }) => until < now());
      const earlier = payers.get(from);
      const revert: Noted = { judge: judgeRevert, isAtFault: UNKNOWN };
      const hold: Hold = {
        until: now() + HELD_MS,
        // A payer held for one revert is not released because of another.
        reverts: [...(earlier?.reverts ?? []), revert],
        code: code ?? earlier?.code ?? null,
        judgedAt: now(),
      };
      keepNewest(payers, [from, hold], MAX_ENTRIES);
      keepNewest(noted, [failure, revert], MAX_ENTRIES);
      judge(from, hold);
    },
    isAtFault: async ({ payment }, transaction) =>
      (await noted.get(failureOf(payment, transaction))?.isAtFault) === true,
    async isHeld(payer) {
      const hold = payers.get(payer);
      if (hold === undefined || hold.until <= now()) return false;
      if ((await verdictOn(hold)) === null && now() - hold.judgedAt >= JUDGE_AGAIN_MS) {
        judge(payer, hold);
        await verdictOn(hold);
      }
      // Another payment may have reverted in between.
      return payers.has(payer);
    },
    serialize: (code, work) => (code === null || !isSlowed(code) ? work() : oneAtATime(turns, code, work)),
  };
}

/** Whether one of the reverts of a hold was the payer's fault; null while that is unknown. */
async function verdictOn({ reverts }: Hold): Promise<boolean | null> {
  const verdicts = await Promise.all(reverts.map(({ isAtFault }) => isAtFault));
  if (verdicts.includes(true)) return true;
  return verdicts.includes(null) ? null : false;
}

/**
 * Runs `work` for one account at a time among the accounts with the same code; null if too many wait already, or if
 * its turn does not come in time.
 */
async function oneAtATime<Result>(
  turns: Map<CodeDigest, Turns>,
  code: CodeDigest,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const turn = turns.get(code) ?? { busy: null, waiting: 0 };
  turns.set(code, turn);
  if (turn.waiting >= MAX_WAITING) return null;
  const until = performance.now() + TURN_MS;
  turn.waiting += 1;
  try {
    while (turn.busy !== null) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return null;
      await Promise.race([turn.busy, pause(leftMs)]);
    }
  } finally {
    turn.waiting -= 1;
  }
  const working = work();
  turn.busy = working.catch(() => undefined);
  try {
    return await working;
  } finally {
    turn.busy = null;
    if (turn.waiting === 0) turns.delete(code);
  }
}

/** Key of a failed payment: one transaction may settle many orders and fail some of them. */
const failureOf = ({ authorization: { from, nonce } }: Order['payment'], transaction: Hex): string =>
  `${transaction}:${from}:${nonce}`;

function forgetOver<Value>(entries: Map<Hex, Value>, isOver: (value: Value) => boolean): void {
  // Entries expire in the order in which they were added.
  for (const [key, value] of entries) {
    if (!isOver(value)) return;
    entries.delete(key);
  }
}
