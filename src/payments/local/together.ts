import { callsTogether, isOfMany, MULTICALL, successesIn } from '../chain/multicall.ts';
import type { Proven } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import { movesMoney } from '../chain/usdc.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Call, Relayer } from './relayer.ts';

/** What came of one of our transactions for an order: whether it moved the money, and its hash if it did not. */
export type OnEnd = (end: { readonly isPaid: boolean; readonly reverted: Hex | null }) => void;
/** An order that is proven, and who is told of its ends. */
export type Member = { readonly order: Order; readonly proven: Proven; readonly onEnd: OnEnd };
type Bounds = Required<Pick<Call, 'ceilingWei' | 'payer'>>;

// A plain signature needs some 45,000 beside the first; more is paid for by nobody unless somebody takes it.
const GAS_EACH = 100_000n;
const GAS_FOR_ALL = 40_000n;

/** The call that settles one order alone. */
export const callAlone = ({ order, proven: { data, gas }, onEnd }: Member, bounds: Bounds): Call => ({
  to: order.requirements.asset,
  data,
  gas,
  ...bounds,
  onEnd: (receipt) => onEnd(endOf(order, receipt)),
});

/**
 * The call that settles orders of one price together, each whether or not the others succeed. Each may cost what it
 * may cost alone. `onReverted` is told when it failed as a whole.
 */
export function callForAll(members: readonly Member[], bounds: Bounds, onReverted: () => void): Call {
  const all = members.length;
  const target = (members[0] as Member).order.requirements.asset;
  return {
    to: MULTICALL,
    data: callsTogether(
      target,
      members.map(({ proven }) => proven.data),
    ),
    gas: GAS_FOR_ALL + GAS_EACH * BigInt(all),
    ceilingWei: bounds.ceilingWei * BigInt(all),
    payer: bounds.payer,
    failures: (receipt) => ({
      all,
      failed: members.filter(({ order }) => !isPaidBy(receipt, order)).length,
    }),
    onEnd(receipt) {
      if (receipt?.status === '0x0') onReverted();
      for (const { order, onEnd } of members) onEnd(endOf(order, receipt));
    },
  };
}

/** Which orders a call for all would settle now; null when the answer is none to that. Throws what `fees` throws. */
export async function rehearsed(
  rpc: Rpc,
  relayer: Relayer,
  call: Call,
  count: number,
): Promise<readonly boolean[] | null> {
  const { to, data, gas } = call;
  const { maxFeePerGas, maxPriorityFeePerGas } = await relayer.fees(call, call.payer);
  const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
  const asked = {
    from: relayer.address,
    to,
    data,
    gas: hex(gas),
    maxFeePerGas: hex(maxFeePerGas),
    maxPriorityFeePerGas: hex(maxPriorityFeePerGas),
  };
  return successesIn(await rpc.call<Hex>('eth_call', [asked, 'latest']), count);
}

function isPaidBy({ status, logs }: RpcReceipt, { payment, requirements }: Order): boolean {
  try {
    return status === '0x1' && movesMoney(logs, requirements.asset, payment.authorization) === true;
  } catch {
    // A log in a shape that none of the asset has.
    return false;
  }
}

function endOf(order: Order, receipt: RpcReceipt | null): Parameters<OnEnd>[0] {
  if (receipt === null) return { isPaid: false, reverted: null };
  const isPaid = isPaidBy(receipt, order);
  // An empty transaction in its place has failed nobody.
  const hasFailed = receipt.status === '0x0' || (!isPaid && isOfMany(receipt));
  return { isPaid, reverted: hasFailed ? (receipt.transactionHash.toLowerCase() as Hex) : null };
}
