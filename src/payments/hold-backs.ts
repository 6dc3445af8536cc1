import { keccak256 } from 'viem/utils';
import type { Hex } from './payment.ts';
import type { Rpc } from './rpc.ts';
import type { Order } from './settlement.ts';

/**
 * What keeps an account that passes every simulation and then reverts from costing gas again: its payer pays nothing
 * for a while, and accounts with the same code, which honest people share, go one at a time.
 */
export type HoldBacks = {
  /** A transaction for this order reverted although it had been proven. */
  note(order: Order): Promise<void>;
  /** Whether this payer has to wait. */
  isHeld(payer: Hex): boolean;
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
// Each entry has cost whoever caused it a funded account; beyond this the hourly gas budget holds.
const MAX_ENTRIES = 10_000;
// An account of a key that lets a contract act for it (EIP-7702) has this code, then the contract's address.
const DELEGATED = '0xef0100';
const NO_CODE = '0x';

type Code = { readonly isDelegated: boolean; until: number; busy: Promise<unknown> | null };

export function holdBacks({ rpc, now, heldMs = HELD_MS, turnMs = TURN_MS }: HoldBackParts): HoldBacks {
  const payers = new Map<Hex, number>();
  const codes = new Map<Hex, Code>();

  const codeOf = (payer: Hex): Promise<Hex> =>
    rpc.call<Hex>('eth_getCode', [payer, 'latest']).catch(() => NO_CODE);

  /** The code of this order's payer, if accounts with it go one at a time. Asks only where there may be one. */
  async function slowed({ payment, signedBy }: Order): Promise<Code | undefined> {
    forgetOver(codes, ({ until }) => until < now());
    const mayBe = [...codes.values()].some(({ isDelegated }) => signedBy === 'wallet' || isDelegated);
    if (!mayBe) return undefined;
    return codes.get(keccak256(await codeOf(payment.authorization.from)));
  }

  return {
    async note({ payment }) {
      const { from } = payment.authorization;
      const until = now() + heldMs;
      forgetOver(payers, (end) => end < now());
      keep(payers, from, until);
      const code = await codeOf(from);
      if (code === NO_CODE) return;
      const hash = keccak256(code);
      const known = codes.get(hash) ?? { isDelegated: code.startsWith(DELEGATED), until, busy: null };
      keep(codes, hash, Object.assign(known, { until }));
    },
    isHeld: (payer) => (payers.get(payer) ?? 0) > now(),
    async inTurn(order, work) {
      const code = await slowed(order);
      if (code === undefined) return work();
      const until = performance.now() + turnMs;
      while (code.busy !== null) {
        const leftMs = until - performance.now();
        if (leftMs <= 0) return null;
        await Promise.race([code.busy, pause(leftMs)]);
      }
      const working = work();
      code.busy = working.catch(() => undefined);
      try {
        return await working;
      } finally {
        code.busy = null;
      }
    },
  };
}

function keep<Value>(entries: Map<Hex, Value>, key: Hex, value: Value): void {
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
