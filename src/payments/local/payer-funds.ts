import type { Rpc } from '../chain/rpc.ts';
import { balanceCall } from '../chain/usdc.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';

/**
 * Sees to it that what one payer has under way never exceeds what the payer holds, for of two payments with money for
 * one the second would revert at our cost; nor, in number, what the payer has paid for within the hour and one more,
 * so that whoever reverts all at once costs no more than they have paid for before.
 */
export type PayerFunds = {
  /** Before an order is proven: from then on every end of another order of its payer counts. */
  enter(order: Order): Share;
};

export type Share = {
  /**
   * Once the order is proven: sets its value aside. `short`: the money went to others of the payer. `busy`: it is set
   * aside for others, and none of them ended in time, or nobody can say what the payer holds.
   */
  hold(): Promise<'held' | 'short' | 'busy'>;
  /** When nothing of the order can take money any more, however it ended; told again, it does nothing. */
  leave(hasSettled: boolean): void;
};

type Payer = {
  /** Orders that have entered and not left. */
  orders: number;
  /** Orders that have their value set aside, and all of it in atomic units. */
  underWay: number;
  total: bigint;
  /** What the payer holds, asked once for all since the last end. */
  balance: Promise<bigint | null> | null;
  /** How many have ended that had their value set aside. */
  ends: number;
  /** Resolves at the next end. */
  next: Promise<void>;
  ended: () => void;
};

const PATIENCE_MS = 20_000;
const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

export type PayerFundsParts = {
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

export function payerFunds({ rpc, now }: PayerFundsParts): PayerFunds {
  const payers = new Map<Hex, Payer>();
  const settled = settledWithin(REMEMBERED_MS, now);

  /** What the payer holds; null when nobody can say. */
  async function balanceOf({ payment, requirements }: Order): Promise<bigint | null> {
    const call = { to: requirements.asset, data: balanceCall(payment.authorization.from) };
    return rpc
      .call<Hex>('eth_call', [call, 'latest'], { bytes: 32 })
      .then(BigInt)
      .catch(() => null);
  }

  /** A proof that no other order of the payer has come between is all that the first one needs. */
  async function hold(payer: Payer, order: Order, provenAt: number): Promise<'held' | 'short' | 'busy'> {
    const { from, value } = order.payment.authorization;
    const until = performance.now() + PATIENCE_MS;
    while (payer.underWay > 0 || payer.ends !== provenAt) {
      if (payer.underWay <= settled.count(from)) {
        payer.balance ??= balanceOf(order);
        const asked = payer.balance;
        const held = await asked;
        // Asked before the last end, it may still count what has left since.
        if (asked !== payer.balance) continue;
        if (held === null) payer.balance = null;
        // Whoever is not known to have the money waits for those who may be using it.
        const isEnough = held !== null && held >= payer.total + value;
        if (payer.underWay <= settled.count(from) && isEnough) break;
        if (payer.underWay === 0) return held === null ? 'busy' : 'short';
      }
      const leftMs = until - performance.now();
      if (leftMs <= 0) return 'busy';
      await Promise.race([payer.next, pause(leftMs)]);
    }
    payer.underWay += 1;
    payer.total += value;
    return 'held';
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

/** How often each payer has paid since the last pause of so long. */
function settledWithin(forMs: number, now: () => number) {
  const counts = new Map<Hex, { count: number; at: number }>();
  const count = (payer: Hex): number => {
    const known = counts.get(payer);
    return known !== undefined && now() - known.at < forMs ? known.count : 0;
  };
  return {
    count,
    add(payer: Hex): void {
      const next = count(payer) + 1;
      counts.delete(payer);
      counts.set(payer, { count: next, at: now() });
      if (counts.size > MAX_REMEMBERED) for (const oldest of counts.keys()) return void counts.delete(oldest);
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
