import { toHex } from 'viem/utils';
import { feesInHex } from '../chain/gas.ts';
import { callsTogether, isOfMany, MULTICALL, successesIn } from '../chain/multicall.ts';
import type { Proven } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import { movesMoney } from '../chain/usdc.ts';
import type { Order } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Call, Relayer } from './relayer.ts';

/** The result of one of our transactions for an order: whether it moved the money, and its hash if it did not. */
export type OnEnd = (end: { readonly isPaid: boolean; readonly reverted: Hex | null }) => void;
/** A proven order and its listener. */
export type Member = { readonly order: Order; readonly proven: Proven; readonly onEnd: OnEnd };
type Bounds = Required<Pick<Call, 'ceilingWei' | 'payer'>>;

// Each further plain signature needs some 45,000; unused gas is not paid for.
const GAS_EACH = 100_000n;
const GAS_FOR_ALL = 40_000n;

/** The call that settles one order alone. */
export const singleCall = ({ order, proven: { data, gas }, onEnd }: Member, bounds: Bounds): Call => ({
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
export function batchCall(members: readonly Member[], bounds: Bounds, onReverted: () => void): Call {
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

/** Which orders the batch would settle now; null when the answer has another shape. Throws what `fees` throws. */
export async function simulateBatch(
  rpc: Rpc,
  relayer: Relayer,
  call: Call,
  count: number,
): Promise<readonly boolean[] | null> {
  const { to, data, gas } = call;
  const fees = feesInHex(await relayer.fees(call, call.payer));
  const simulated = { from: relayer.address, to, data, gas: toHex(gas), ...fees };
  return successesIn(await rpc.call<Hex>('eth_call', [simulated, 'latest']), count);
}

function isPaidBy({ status, logs }: RpcReceipt, { payment, requirements }: Order): boolean {
  try {
    return status === '0x1' && movesMoney(logs, requirements.asset, payment.authorization) === true;
  } catch {
    // A log of another shape than the asset's.
    return false;
  }
}

function endOf(order: Order, receipt: RpcReceipt | null): Parameters<OnEnd>[0] {
  if (receipt === null) return { isPaid: false, reverted: null };
  const isPaid = isPaidBy(receipt, order);
  // An empty transaction in its place counts as a failure of nobody.
  const hasFailed = receipt.status === '0x0' || (!isPaid && isOfMany(receipt));
  return { isPaid, reverted: hasFailed ? (receipt.transactionHash.toLowerCase() as Hex) : null };
}
