import { keccak256 } from 'viem/utils';
import type { Rpc } from '../chain/rpc.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';

/**
 * What keeps an account that passes every simulation and then reverts from costing gas again: its payer pays nothing
 * for a while, and accounts with the same code, which honest people share, go one at a time.
 */
export type HoldBacks = {
  /**
   * A transaction for this order reverted although it had been proven. Its payer waits from then on, until `judge` says
   * that the revert was not the payer's doing; null while nobody can say. Told again of the same one, it does nothing.
   */
  note(order: Order, transaction: Hex, judge: () => Promise<boolean | null>): void;
  /** Whether this order was shown to have failed in this transaction by its payer's doing. */
  isGuilty(order: Order, transaction: Hex): Promise<boolean>;
  /** Whether this payer has to wait. */
  isHeld(payer: Hex): Promise<boolean>;
  /** Works, alone among accounts with the same code where one of them reverted; null when its turn did not come in time. */
  inTurn<Result>(order: Order, work: () => Promise<Result>): Promise<Result | null>;
};

export type HoldBackParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long a payer waits after a revert. */
  readonly heldMs?: number;
  /** How long an account waits for its turn. */
  readonly turnMs?: number;
};

const HELD_MS = 600_000;
const TURN_MS = 20_000;
const MAX_WAITING = 256;
// What could not be judged is judged again when the payer comes again, after so long.
const JUDGE_AGAIN_MS = 2_000;
// Each entry has cost whoever caused it a funded account; beyond this the hourly gas budget holds.
const MAX_ENTRIES = 10_000;
// An account of a key that lets a contract act for it (EIP-7702) has this code, then the contract's address.
const DELEGATED = '0xef0100';
const NO_CODE = '0x';

type Hold = {
  readonly until: number;
  readonly judge: () => Promise<boolean | null>;
  /** The judgement under way or the last one, and when it was begun. */
  judged: Promise<boolean | null>;
  judgedAt: number;
};
type Code = { readonly isDelegated: boolean; until: number; busy: Promise<unknown> | null; waiting: number };

export function holdBacks({ rpc, now, heldMs = HELD_MS, turnMs = TURN_MS }: HoldBackParts): HoldBacks {
  const payers = new Map<Hex, Hold>();
  const codes = new Map<Hex, Code>();
  const noted = new Map<string, () => Promise<boolean | null>>();

  const codeOf = (payer: Hex): Promise<Hex> =>
    rpc.call<Hex>('eth_getCode', [payer, 'latest']).catch(() => NO_CODE);

  /** The code of this order's payer, if accounts with it go one at a time. Asks only where there may be one. */
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
    keep(codes, hash, Object.assign(known, { until }));
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
      const until = now() + heldMs;
      forgetOver(payers, (hold) => hold.until < now());
      const earlier = payers.get(from);
      // Who is held for one is not let go for another.
      let mine: boolean | null = null;
      const both = async () => {
        const before = earlier === undefined ? false : ((await earlier.judged) ?? (await earlier.judge()));
        mine = await judge();
        return before === true || mine === false ? before : mine;
      };
      const hold = { judge: both, until, judged: judged(from, { judge: both, until }), judgedAt: now() };
      keep(payers, from, hold);
      keep(noted, failure, () => hold.judged.then(() => mine));
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
      // Another one may have reverted meanwhile.
      return isGuilty !== false || payers.has(payer);
    },
    async inTurn(order, work) {
      const code = await slowed(order);
      if (code === undefined) return work();
      return alone(code, turnMs, work);
    },
  };
}

/** Waits for the turn of accounts with one code, then works. */
async function alone<Result>(
  code: Code,
  turnMs: number,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (code.waiting >= MAX_WAITING) return null;
  const until = performance.now() + turnMs;
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

/** A transaction may settle many orders, and fail some of them. */
const failureOf = ({ authorization: { from, nonce } }: Order['payment'], transaction: Hex): string =>
  `${transaction}:${from}:${nonce}`;

function keep<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > MAX_ENTRIES) for (const oldest of entries.keys()) return void entries.delete(oldest);
}

function forgetOver<Value>(entries: Map<Hex, Value>, isOver: (value: Value) => boolean): void {
  // In the order in which they began, which is the order in which they end.
  for (const [key, value] of entries) {
    if (!isOver(value)) return;
    entries.delete(key);
  }
}

const pause = (forMs: number) => new Promise<void>((resolve) => setTimeout(resolve, forMs).unref());
