import { privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import type { Hex } from './payment.ts';
import type { Rpc } from './rpc.ts';

/** A signed transaction, its hash known before it is sent. */
export type SignedTransaction = { readonly raw: Hex; readonly hash: Hex; readonly nonce: number };

export type Relayer = {
  readonly address: Hex;
  /**
   * Signs a call with the next nonce and hands it to `send` while no other transaction takes a nonce, so sends
   * start in order. When `send` resolves to null the nonce is free again. Throws RpcFailure.
   */
  sign<Sent>(
    call: { to: Hex; data: Hex; gas: bigint },
    send: (signed: SignedTransaction) => Promise<Sent | null>,
  ): Promise<Sent | null>;
  /** The node knows better which nonce is next; ask it before the next signature. */
  resync(): void;
};

/** The price of gas is over the ceiling: nothing is signed until it falls. */
export class GasTooDear extends Error {}

const FEE_AGE_MS = 30_000;
const TIP_WEI = 1_000_000n;

export function createRelayer({
  key,
  chainId,
  rpc,
  now,
  maxFeePerGasWei,
}: {
  key: Hex;
  chainId: number;
  rpc: Rpc;
  now: () => number;
  maxFeePerGasWei: bigint;
}): Relayer {
  const account = privateKeyToAccount(key);
  let nextNonce: number | null = null;
  let fees: { maxFeePerGas: bigint; at: number } | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  async function currentFee(): Promise<bigint> {
    if (fees === null || now() - fees.at > FEE_AGE_MS) {
      const block = await rpc.call<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]);
      // Room for the base fee to double twice while the transaction waits.
      fees = { maxFeePerGas: BigInt(block.baseFeePerGas ?? '0x0') * 4n + TIP_WEI, at: now() };
    }
    if (fees.maxFeePerGas > maxFeePerGasWei) throw new GasTooDear();
    return fees.maxFeePerGas;
  }

  async function signNext<Sent>(
    call: { to: Hex; data: Hex; gas: bigint },
    send: (signed: SignedTransaction) => Promise<Sent | null>,
  ): Promise<Sent | null> {
    const maxFeePerGas = await currentFee();
    nextNonce ??= Number(await rpc.call<Hex>('eth_getTransactionCount', [account.address, 'pending']));
    const nonce = nextNonce;
    const transaction = {
      ...call,
      nonce,
      chainId,
      maxFeePerGas,
      maxPriorityFeePerGas: TIP_WEI,
      type: 'eip1559' as const,
    };
    const raw = await account.signTransaction(transaction);
    const sent = await send({ raw, hash: keccak256(raw), nonce });
    if (sent !== null) nextNonce = nonce + 1;
    return sent;
  }

  return {
    address: account.address.toLowerCase() as Hex,
    sign(call, send) {
      const mine = turn.then(() => signNext(call, send));
      turn = mine.catch(() => undefined);
      return mine;
    },
    resync() {
      nextNonce = null;
    },
  };
}
