import type { WitnessParts } from '../chain/nonce-use.ts';
import { pause } from '../chain/poll.ts';
import { balanceCall } from '../chain/usdc.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';

/**
 * Keeps the pending payments of one payer within the payer's balance: of two payments with money for one, the second
 * would revert at our cost. Their number is limited to one more than the payer has paid for within the hour, so that
 * somebody who reverts all at once costs no more than they have paid for.
 */
export type PayerFunds = {
  /** Called before an order is proven: from then on every end of another order of its payer counts. */
  enter(order: Order): FundsReservation;
};

export type FundsReservation = {
  /**
   * Called once the order is proven: reserves its value. `short`: the money went to other orders of the payer.
   * `busy`: it is reserved for others and none of them ended in time, or the balance is unknown.
   */
  hold(): Promise<'held' | 'short' | 'busy'>;
  /** Called when the order can move no money any more, however it ended; a second call does nothing. */
  leave(hasSettled: boolean): void;
};

type Payer = {
  /** Orders that have entered and not left yet. */
  orders: number;
  /** Orders whose value is reserved, and the sum of it in atomic units. */
  underWay: number;
  total: bigint;
  /** The payer's balance, requested once since the last end. */
  balance: Promise<bigint | null> | null;
  /** How many reservations have ended. */
  ends: number;
  /** Resolves at the next end. */
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

  /** The first order needs no more than a proof with no other end in between. */
  async function hold(payer: Payer, order: Order, provenAt: number): Promise<'held' | 'short' | 'busy'> {
    const { from, value } = order.payment.authorization;
    const until = performance.now() + PATIENCE_MS;
    while (payer.underWay > 0 || payer.ends !== provenAt) {
      if (payer.underWay <= settled.count(from)) {
        payer.balance ??= balanceOf(order);
        const asked = payer.balance;
        const held = await asked;
        // A balance from before the last end may still include what has left since.
        if (asked !== payer.balance) continue;
        if (held === null) payer.balance = null;
        // A payer whose balance is unknown waits for orders that may be using it.
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

/** Counts each payer's settled payments; the count starts again after a pause of this length. */
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
