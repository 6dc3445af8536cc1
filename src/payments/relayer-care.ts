import type { Fees, GasPrice } from './gas-price.ts';
import type { Nonces } from './nonces.ts';
import type { Hex } from './payment.ts';
import { type Rpc, RpcFailure } from './rpc.ts';

/** What a transaction does, without who pays for it. */
export type Call = { readonly to: Hex; readonly data: Hex; readonly gas: bigint };
export type Outstanding = {
  readonly call: Call;
  readonly fees: Fees;
  /** Every form it was signed in, the newest last. */
  readonly raws: readonly Hex[];
  /** When it was first sent, in milliseconds since the epoch. */
  readonly at: number;
};

export type CareParts = {
  readonly rpc: Rpc;
  readonly gas: GasPrice;
  readonly nonces: Nonces;
  readonly outstanding: Map<number, Outstanding>;
  readonly address: Hex;
  readonly sign: (call: Call, nonce: number, fees: Fees) => Promise<Hex>;
  readonly now: () => number;
  readonly resendAfterMs?: number | undefined;
  readonly bumpAfterMs?: number | undefined;
};

const MAX_BUMPS = 5;
const TRANSFER_GAS = 21_000n;

/**
 * One round of looking after transactions without an end: the same bytes again, after a while the same call at a
 * better price, and an empty transaction into a gap that stops later ones. Throws RpcFailure when no node answers.
 */
export async function careOnce(parts: CareParts): Promise<void> {
  const { rpc, nonces, outstanding, address } = parts;
  const count = Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'latest']));
  nonces.spendBelow(count);
  for (const nonce of outstanding.keys()) if (nonce < count) outstanding.delete(nonce);
  for (const [nonce, waiting] of outstanding) await push(parts, nonce, waiting);
  const last = Math.max(-1, ...outstanding.keys());
  for (const gap of nonces.gaps()) if (gap < last) await fill(parts, gap);
}

async function push(parts: CareParts, nonce: number, waiting: Outstanding): Promise<void> {
  const { now, gas, sign, outstanding, resendAfterMs = 4_000, bumpAfterMs = 15_000 } = parts;
  const { call, raws, fees, at } = waiting;
  const age = now() - at;
  const mayBump = age > bumpAfterMs * raws.length && raws.length <= MAX_BUMPS;
  const price = mayBump ? await gas.bumped(fees) : null;
  if (price === null) {
    if (age > resendAfterMs) await resend(parts, raws.at(-1) as Hex);
    return;
  }
  const raw = await sign(call, nonce, price);
  outstanding.set(nonce, { ...waiting, fees: price, raws: [...raws, raw] });
  await resend(parts, raw);
}

async function fill(parts: CareParts, gap: number): Promise<void> {
  const { nonces, gas, sign, outstanding, address, now } = parts;
  const fees = await gas.current();
  const nonce = nonces.take();
  // Free nonces are taken lowest first, so this is the gap unless it was closed meanwhile.
  if (nonce !== gap) return nonces.giveBack(nonce);
  const call: Call = { to: address, data: '0x', gas: TRANSFER_GAS };
  const raw = await sign(call, nonce, fees);
  outstanding.set(nonce, { call, fees, raws: [raw], at: now() });
  await resend(parts, raw);
}

async function resend({ rpc }: CareParts, raw: Hex): Promise<void> {
  try {
    await rpc.call('eth_sendRawTransaction', [raw], { sends: true });
  } catch (error) {
    // Known, mined, or not reachable now: the next round finds out.
    if (!(error instanceof RpcFailure)) throw error;
  }
}
