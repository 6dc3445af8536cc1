import { keccak256 } from 'viem/utils';
import type { WitnessParts } from '../chain/nonce-use.ts';
import { pause } from '../chain/poll.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';

/**
 * Protects against accounts that pass every simulation and then revert, so that they cost no gas again: the payer is
 * held for a while, and accounts with the same code, which honest people share, take turns.
 */
export type PayerHolds = {
  /**
   * A transaction for this order reverted although it had been proven. Its payer is held until `judge` finds that the
   * revert was not the payer's fault; null while that is unknown. A second call for the same revert does nothing.
   */
  note(order: Order, transaction: Hex, judge: () => Promise<boolean | null>): void;
  /** Whether this order failed in this transaction through its payer's fault. */
  isGuilty(order: Order, transaction: Hex): Promise<boolean>;
  /** Whether this payer has to wait. */
  isHeld(payer: Hex): Promise<boolean>;
  /** Runs `work`, one at a time for one code where an account of it reverted; null when its turn came too late. */
  inTurn<Result>(order: Order, work: () => Promise<Result>): Promise<Result | null>;
};

// How long a payer waits after a revert.
const HELD_MS = 600_000;
// How long an account waits for its turn.
const TURN_MS = 20_000;
const MAX_WAITING = 256;
// A revert that could not be judged is judged again when the payer returns after this long.
const JUDGE_AGAIN_MS = 2_000;
// Each entry has cost its author a funded account; beyond this the hourly gas budget protects.
const MAX_ENTRIES = 10_000;
// The code of an account that delegates to a contract (EIP-7702): this, then the address of the contract.
const DELEGATED = '0xef0100';
const NO_CODE = '0x';

type Hold = {
  readonly until: number;
  readonly judge: () => Promise<boolean | null>;
  /** The latest judgement, perhaps still running, and when it began. */
  judged: Promise<boolean | null>;
  judgedAt: number;
};
type Code = { readonly isDelegated: boolean; until: number; busy: Promise<unknown> | null; waiting: number };

export function payerHolds({ rpc, now }: Pick<WitnessParts, 'rpc' | 'now'>): PayerHolds {
  const payers = new Map<Hex, Hold>();
  const codes = new Map<Hex, Code>();
  const noted = new Map<string, () => Promise<boolean | null>>();

  const codeOf = (payer: Hex): Promise<Hex> =>
    rpc.call<Hex>('eth_getCode', [payer, 'latest']).catch(() => NO_CODE);

  /** The code of this order's payer, if accounts with it take turns. Requests it only where that is possible. */
  async function slowed({ payment, signedBy }: Order): Promise<Code | undefined> {
    forgetOver(codes, ({ until }) => until < now());
    const mayBe = [...codes.values()].some(({ isDelegated }) => signedBy === 'wallet' || isDelegated);
    if (!mayBe) return undefined;
    return codes.get(keccak256(await codeOf(payment.authorization.from)));
  }

  async function slowDown(payer: Hex, until: number): Promise<void> {
    const code = await codeOf(payer);
    if (code === NO_CODE) return;
    const hash = keccak256(code);
    const isDelegated = code.startsWith(DELEGATED);
    const known = codes.get(hash) ?? { isDelegated, until, busy: null, waiting: 0 };
    keepNewest(codes, [hash, Object.assign(known, { until })], MAX_ENTRIES);
  }

  async function judged(
    payer: Hex,
    { judge, until }: Pick<Hold, 'judge' | 'until'>,
  ): Promise<boolean | null> {
    const isGuilty = await judge().catch(() => null);
    if (isGuilty === true) await slowDown(payer, until);
    return isGuilty;
  }

  return {
    note({ payment }, transaction, judge) {
      const failure = failureOf(payment, transaction);
      if (noted.has(failure)) return;
      const { from } = payment.authorization;
      const until = now() + HELD_MS;
      forgetOver(payers, (hold) => hold.until < now());
      const earlier = payers.get(from);
      // A payer held for one revert is not released because of another.
      let mine: boolean | null = null;
      const both = async () => {
        const before = earlier === undefined ? false : ((await earlier.judged) ?? (await earlier.judge()));
        mine = await judge();
        return before === true || mine === false ? before : mine;
      };
      const hold = { judge: both, until, judged: judged(from, { judge: both, until }), judgedAt: now() };
      keepNewest(payers, [from, hold], MAX_ENTRIES);
      keepNewest(noted, [failure, () => hold.judged.then(() => mine)], MAX_ENTRIES);
    },
    isGuilty: async ({ payment }, transaction) =>
      (await noted.get(failureOf(payment, transaction))?.()) === true,
    async isHeld(payer) {
      const hold = payers.get(payer);
      if (hold === undefined || hold.until <= now()) return false;
      let isGuilty = await hold.judged;
      if (isGuilty === null && now() - hold.judgedAt >= JUDGE_AGAIN_MS) {
        Object.assign(hold, { judged: judged(payer, hold), judgedAt: now() });
        isGuilty = await hold.judged;
      }
      if (isGuilty === false && payers.get(payer) === hold) payers.delete(payer);
      // Another payment may have reverted in between.
      return isGuilty !== false || payers.has(payer);
    },
    async inTurn(order, work) {
      const code = await slowed(order);
      return code === undefined ? work() : alone(code, work);
    },
  };
}

/** Waits for the turn of accounts with one code, then runs `work`. */
async function alone<Result>(code: Code, work: () => Promise<Result>): Promise<Result | null> {
  if (code.waiting >= MAX_WAITING) return null;
  const until = performance.now() + TURN_MS;
  code.waiting += 1;
  try {
    while (code.busy !== null) {
      const leftMs = until - performance.now();
      if (leftMs <= 0) return null;
      await Promise.race([code.busy, pause(leftMs)]);
    }
  } finally {
    code.waiting -= 1;
  }
  const working = work();
  code.busy = working.catch(() => undefined);
  try {
    return await working;
  } finally {
    code.busy = null;
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
