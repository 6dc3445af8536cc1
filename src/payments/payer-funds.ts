import type { Hex } from './payment.ts';
import type { Rpc } from './rpc.ts';
import type { Order } from './settlement.ts';
import { balanceCall } from './usdc.ts';

/**
 * Sees to it that what one payer has under way never exceeds what the payer holds: of two payments with money for one,
 * the second would revert at our cost.
 */
export type PayerFunds = {
  /** Before an order is proven: from then on every end of another order of its payer counts. */
  enter(order: Order): Share;
};

export type Share = {
  /**
   * Once the order is proven: sets its value aside. `short`: the money went to others of the payer. `busy`: it is set
   * aside for others, and none of them ended in time.
   */
  hold(): Promise<'held' | 'short' | 'busy'>;
  /** At the end, however it came. */
  leave(): void;
};

type Payer = {
  /** Orders that have entered and not left. */
  orders: number;
  /** Atomic units set aside. */
  total: bigint;
  /** What the payer holds, asked once for all since the last end. */
  balance: Promise<bigint> | null;
  /** How many have ended that had their value set aside. */
  ends: number;
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

  /** A proof that no other order of the payer has come between is all that the first one needs. */
  async function hold(payer: Payer, order: Order, provenAt: number): Promise<'held' | 'short' | 'busy'> {
    const { value } = order.payment.authorization;
    const until = performance.now() + patienceMs;
    while (payer.total > 0n || payer.ends !== provenAt) {
      payer.balance ??= balanceOf(order);
      const asked = payer.balance;
      const held = await asked;
      // Asked before the last end, it may still count what has left since.
      if (asked !== payer.balance) continue;
      if (held >= payer.total + value) break;
      if (payer.total === 0n) return 'short';
      const leftMs = until - performance.now();
      if (leftMs <= 0) return 'busy';
      await Promise.race([payer.next, pause(leftMs)]);
    }
    payer.total += value;
    return 'held';
  }

  return {
    enter(order) {
      const { from, value } = order.payment.authorization;
      const payer = payers.get(from) ?? { orders: 0, total: 0n, balance: null, ends: 0, ...signal() };
      payers.set(from, payer);
      payer.orders += 1;
      const provenAt = payer.ends;
      let hasHeld = false;
      return {
        async hold() {
          const end = await hold(payer, order, provenAt);
          hasHeld = end === 'held';
          return end;
        },
        leave() {
          payer.orders -= 1;
          if (payer.orders === 0) payers.delete(from);
          if (!hasHeld) return;
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

function signal(): Pick<Payer, 'next' | 'ended'> {
  let ended = () => {};
  const next = new Promise<void>((resolve) => {
    ended = resolve;
  });
  return { next, ended };
}

const pause = (forMs: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, forMs)).unref());
