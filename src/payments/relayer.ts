import { privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import { createGasPrice, type Fees } from './gas-price.ts';
import { createNonces } from './nonces.ts';
import type { Hex } from './payment.ts';
import { type Call, careOnce, type Outstanding } from './relayer-care.ts';
import type { Rpc } from './rpc.ts';

/** A signed transaction, its hash known before it is sent. */
export type SignedTransaction = { readonly raw: Hex; readonly hash: Hex; readonly nonce: number };

export type Relayer = {
  readonly address: Hex;
  /**
   * Signs a call with the next nonce and hands it to `send` while no other transaction takes a nonce, so sends
   * start in order. When `send` resolves to null the nonce is free again. Throws RpcFailure or GasTooDear.
   */
  sign<Sent>(call: Call, send: (signed: SignedTransaction) => Promise<Sent | null>): Promise<Sent | null>;
  /** The transaction with this nonce is on the chain. */
  mined(nonce: number): void;
  /** The transaction with this nonce was certainly not taken by any node. */
  unsent(nonce: number): void;
  /** The transaction with this nonce offered too little for gas and was not taken. */
  tooCheap(nonce: number): void;
  /** The node says that this nonce is not ours to use; it is asked before the next one. */
  taken(nonce: number): void;
  /** Looks after nothing any more. */
  stop(): void;
};

export type RelayerParts = {
  readonly key: Hex;
  readonly chainId: number;
  readonly rpc: Rpc;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Above this nothing is signed. */
  readonly maxFeePerGasWei: bigint;
  /** How often transactions without an end are looked after, and when they are sent again or at a better price. */
  readonly careMs?: number;
  readonly resendAfterMs?: number;
  readonly bumpAfterMs?: number;
  readonly onLowBalance?: () => void;
};

const CARE_MS = 2_000;

/** The account that pays the gas: one nonce after the other, and none left behind. */
export function createRelayer(parts: RelayerParts): Relayer {
  const { chainId, rpc, now } = parts;
  const account = privateKeyToAccount(parts.key);
  const nonces = createNonces();
  const outstanding = new Map<number, Outstanding>();
  const gas = createGasPrice({ ...parts, account: account.address });
  const signed = (call: Call, nonce: number, fees: Fees): Promise<Hex> =>
    account.signTransaction({ ...call, ...fees, nonce, chainId, type: 'eip1559' });
  let turn: Promise<unknown> = Promise.resolve();
  let caring: NodeJS.Timeout | null = null;

  async function signNext<Sent>(
    call: Call,
    send: (signed: SignedTransaction) => Promise<Sent | null>,
  ): Promise<Sent | null> {
    const fees = await gas.current();
    if (nonces.isStale())
      nonces.learn(Number(await rpc.call<Hex>('eth_getTransactionCount', [account.address, 'pending'])));
    const nonce = nonces.take();
    let sent: Sent | null = null;
    try {
      const raw = await signed(call, nonce, fees);
      outstanding.set(nonce, { call, fees, raws: [raw], at: now() });
      sent = await send({ raw, hash: keccak256(raw), nonce });
      return sent;
    } finally {
      if (sent === null) end(nonce, 'giveBack');
    }
  }

  /** Looks after what has no end yet, for as long as there is any. */
  function care(): void {
    if (caring !== null || (outstanding.size === 0 && nonces.gaps().length === 0)) return;
    caring = setTimeout(() => {
      const round = turn.then(() =>
        careOnce({ ...parts, address: account.address, gas, nonces, outstanding, sign: signed }),
      );
      // A round that no node answered is tried again like any other.
      turn = round.catch(() => undefined);
      void turn.then(() => {
        caring = null;
        care();
      });
    }, parts.careMs ?? CARE_MS);
    caring.unref();
  }

  function end(nonce: number, how: 'spend' | 'giveBack'): void {
    outstanding.delete(nonce);
    nonces[how](nonce);
    care();
  }

  return {
    address: account.address.toLowerCase() as Hex,
    sign(call, send) {
      const mine = turn.then(() => signNext(call, send));
      turn = mine.then(care, () => undefined);
      return mine;
    },
    mined: (nonce) => end(nonce, 'spend'),
    unsent: (nonce) => end(nonce, 'giveBack'),
    tooCheap(nonce) {
      gas.forget();
      end(nonce, 'giveBack');
    },
    taken(nonce) {
      end(nonce, 'spend');
      nonces.doubt();
    },
    stop() {
      if (caring !== null) clearTimeout(caring);
    },
  };
}
