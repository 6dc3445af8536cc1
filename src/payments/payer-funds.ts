import type { Hex } from './payment.ts';
import type { Rpc } from './rpc.ts';
import type { Order } from './settlement.ts';
import { balanceCall } from './usdc.ts';

/**
 * Sees to it that what one payer has under way never exceeds what the payer holds: of two payments with money for one,
 * the second would revert at our cost.
 */
export type PayerFunds = {
  /** Works while the value of the order is set aside; null, without working, when no room came up in time. */
  during<Result>(order: Order, work: () => Promise<Result>): Promise<Result | null>;
};

type Payer = {
  /** Orders that are under way or wait for room. */
  orders: number;
  /** Atomic units under way. */
  total: bigint;
  /** What the payer holds, asked once for all that wait since the last end. */
  balance: Promise<bigint> | null;
  /** Resolves at the next end. */
  next: Promise<void>;
  ended: () => void;
};

const PATIENCE_MS = 20_000;

export function payerFunds(rpc: Rpc, patienceMs = PATIENCE_MS): PayerFunds {
  const payers = new Map<Hex, Payer>();

  /** What the payer holds; nothing when nobody can say, so that one order goes after the other. */
  const balanceOf = ({ payment, requirements }: Order): Promise<bigint> =>
    rpc
      .call<Hex>(
        'eth_call',
        [{ to: requirements.asset, data: balanceCall(payment.authorization.from) }, 'latest'],
        { bytes: 32 },
      )
      .then(BigInt)
      .catch(() => 0n);

  /** Sets the value aside; false when no room came up in time. A payer with nothing under way needs no question. */
  async function take(payer: Payer, order: Order): Promise<boolean> {
    const { value } = order.payment.authorization;
    const until = performance.now() + patienceMs;
    while (payer.total > 0n) {
      payer.balance ??= balanceOf(order);
      const asked = payer.balance;
      const held = await asked;
      // Asked before the last end, it may still count what has left since.
      if (payer.total === 0n || (asked === payer.balance && held >= payer.total + value)) break;
      if (asked !== payer.balance) continue;
      const leftMs = until - performance.now();
      if (leftMs <= 0) return false;
      await Promise.race([payer.next, pause(leftMs)]);
    }
    payer.total += value;
    return true;
  }

  return {
    async during(order, work) {
      const { from, value } = order.payment.authorization;
      const payer = payers.get(from) ?? { orders: 0, total: 0n, balance: null, ...signal() };
      payers.set(from, payer);
      payer.orders += 1;
      try {
        if (!(await take(payer, order))) return null;
        try {
          return await work();
        } finally {
          payer.total -= value;
          payer.balance = null;
          payer.ended();
          Object.assign(payer, signal());
        }
      } finally {
        payer.orders -= 1;
        if (payer.orders === 0) payers.delete(from);
      }
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

const pause = (forMs: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, forMs)).unref());
