import type { WitnessParts } from '../chain/nonce-use.ts';
import { pause } from '../chain/poll.ts';
import type { CodeDigest } from '../chain/proof.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';

/**
 * Protects against accounts that pass every simulation and then revert, so that they cost no gas again: the payer is
 * held for a while, and accounts with the same code, which honest people share, take turns.
 */
export type PayerHolds = {
  /**
   * A transaction for this order reverted although it had been proven with this code of its payer. The payer is held,
   * and accounts with that code take turns, until `judge` finds that the revert was not the payer's fault. A second
   * call for the same revert does nothing.
   */
  note(order: Order, revert: Revert, judge: () => Promise<Judgement>): void;
  /** Whether this order failed in this transaction through its payer's fault. */
  isGuilty(order: Order, transaction: Hex): Promise<boolean>;
  /** Whether this payer has to wait. */
  isHeld(payer: Hex): Promise<boolean>;
  /** Runs `work`, one at a time for one code while an account of it is held; null when its turn came too late. */
  inTurn<Result>(code: CodeDigest | null, work: () => Promise<Result>): Promise<Result | null>;
};

export type Revert = { readonly transaction: Hex; readonly code: CodeDigest | null };
/** `isGuilty` is null while no node can tell; `code` is what the payer's account ran when the payment reverted. */
export type Judgement = { readonly isGuilty: boolean | null; readonly code: CodeDigest | null };

// How long a payer waits after a revert.
const HELD_MS = 600_000;
// How long an account waits for its turn.
const TURN_MS = 20_000;
const MAX_WAITING = 256;
// A revert that could not be judged is judged again when the payer returns after this long.
const JUDGE_AGAIN_MS = 2_000;
// Each entry has cost its author a funded account; beyond this the hourly gas budget protects.
const MAX_ENTRIES = 10_000;

type Hold = {
  readonly until: number;
  readonly judge: () => Promise<boolean | null>;
  /** The code that made its payment revert, as far as it is known. */
  code: CodeDigest | null;
  /** The latest judgement, perhaps still running, and when it began. */
  judged: Promise<boolean | null>;
  judgedAt: number;
};
/** Who uses the turn of one code, and how many wait for it. */
type Turns = { busy: Promise<unknown> | null; waiting: number };

const UNKNOWN = Promise.resolve(null);
const UNCLEAR: Judgement = { isGuilty: null, code: null };

export function payerHolds({ now }: Pick<WitnessParts, 'now'>): PayerHolds {
  const payers = new Map<Hex, Hold>();
  const turns = new Map<CodeDigest, Turns>();
  const noted = new Map<string, () => Promise<boolean | null>>();

  /** Whether an account with this code is held. */
  function isSlowed(code: CodeDigest): boolean {
    forgetOver(payers, ({ until }) => until < now());
    return [...payers.values()].some((hold) => hold.code === code);
  }

  /** Judges a hold, and ends it when its payer proves to be innocent. */
  function judgeNow(payer: Hex, hold: Hold): void {
    hold.judgedAt = now();
    hold.judged = hold.judge().then((isGuilty) => {
      if (isGuilty === false && payers.get(payer) === hold) payers.delete(payer);
      return isGuilty;
    });
  }

  return {
    note({ payment }, { transaction, code }, judge) {
      const failure = failureOf(payment, transaction);
      if (noted.has(failure)) return;
      const { from } = payment.authorization;
      forgetOver(payers, ({ until }) => until < now());
      const earlier = payers.get(from);
      // A payer held for one revert is not released because of another.
      let mine: boolean | null = null;
      const both = async () => {
        const before = earlier === undefined ? false : ((await earlier.judged) ?? (await earlier.judge()));
        const judgement = await judge().catch(() => UNCLEAR);
        mine = judgement.isGuilty;
        hold.code ??= judgement.code;
        return before === true || mine === false ? before : mine;
      };
      const hold: Hold = {
        judge: both,
        until: now() + HELD_MS,
        code: code ?? earlier?.code ?? null,
        judged: UNKNOWN,
        judgedAt: now(),
      };
      keepNewest(payers, [from, hold], MAX_ENTRIES);
      judgeNow(from, hold);
      keepNewest(noted, [failure, () => hold.judged.then(() => mine)], MAX_ENTRIES);
    },
    isGuilty: async ({ payment }, transaction) =>
      (await noted.get(failureOf(payment, transaction))?.()) === true,
    async isHeld(payer) {
      const hold = payers.get(payer);
      if (hold === undefined || hold.until <= now()) return false;
      const isGuilty = await hold.judged;
      if (isGuilty === null && now() - hold.judgedAt >= JUDGE_AGAIN_MS) {
        judgeNow(payer, hold);
        await hold.judged;
      }
      // Another payment may have reverted in between.
      return payers.has(payer);
    },
    inTurn: (code, work) => (code === null || !isSlowed(code) ? work() : alone(turns, code, work)),
  };
}

/** Waits for the turn of accounts with one code, then runs `work`. */
async function alone<Result>(
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
  // Entries end in the order in which they were added.
  for (const [key, value] of entries) {
    if (!isOver(value)) return;
    entries.delete(key);
  }
}
