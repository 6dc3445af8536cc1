import { size } from 'viem/utils';
import type { Fees, GasLimit } from '../chain/gas.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Hex } from '../x402/payment.ts';
import type { Cost, GasLedger, Payer } from './gas-ledger.ts';
import type { GasPrice } from './gas-price.ts';
import type { Nonces } from './nonces.ts';
import type { PendingSlots } from './pending-slots.ts';

/** What a transaction does. gas × maxFeePerGas never exceeds `ceilingWei`, replacements included. */
export type Call = GasLimit & {
  readonly to: Hex;
  readonly data: Hex;
  /** Whose payment it settles: `plain` when left out. */
  readonly payer?: Payer | undefined;
  /** How many of its payments failed, where it settles several. */
  readonly failures?:
    | ((receipt: RpcReceipt) => { readonly failed: number; readonly all: number })
    | undefined;
  /**
   * Called when a transaction with its nonce is mined, and again when one is mined after the chain had forgotten the
   * first; null when it is unknown which one.
   */
  readonly onEnd?: ((receipt: RpcReceipt | null) => void) | undefined;
};
/** Raw bytes and their hash. */
export type SignedVersion = { readonly raw: Hex; readonly hash: Hex };
export type Outstanding = {
  readonly call: Call;
  readonly fees: Fees;
  /** Every version that was signed, the newest last. */
  readonly versions: readonly SignedVersion[];
  /** When it was first sent, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether it may have been sent; before that it can still be called off. */
  isSent: boolean;
  /** Whether its bytes were sent again. */
  isResent?: boolean;
};

/** What an account knows of its own transactions, by nonce. */
export type RelayerAccount = {
  readonly gas: GasPrice;
  readonly ledger: GasLedger;
  readonly nonces: Nonces;
  readonly outstanding: Map<number, Outstanding>;
  readonly slots: PendingSlots;
  /** The latest mined ones, in case the chain forgets them. */
  readonly past: Map<number, Outstanding>;
  /** The hashes of all versions of a call by each of its hashes, also of calls that ended long ago. */
  readonly signed: Map<Hex, readonly Hex[]>;
};

/** How many mined transactions are kept. */
export const MAX_PAST = 512;
// More than an hour's budget pays for while gas is cheap, so pending answers are among them.
const MAX_SIGNED = 50_000;

/** What a mined transaction has cost. */
function costOf({ failures }: Call, receipt: RpcReceipt): Cost {
  const { status, gasUsed, effectiveGasPrice, l1Fee } = receipt;
  const costWei = BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee ?? 0);
  const transaction = receipt.transactionHash.toLowerCase() as Hex;
  const cost = { transaction, costWei, isReverted: status === '0x0' };
  if (failures === undefined) return cost;
  const { failed, all } = failures(receipt);
  return { ...cost, lostWei: (costWei * BigInt(failed)) / BigInt(all) };
}

/** The worst-case cost of a transaction, as far as the rollup's data fee is known. */
export const worstOf = (
  { gas }: Pick<RelayerAccount, 'gas'>,
  { call, fees }: { readonly call: GasLimit; readonly fees: Fees },
): bigint => call.gas * fees.maxFeePerGas + gas.dataFeeWei(size(call.data));

/** Remembers all versions of one call as our own. */
export function noteVersions(
  { signed }: Pick<RelayerAccount, 'signed'>,
  versions: readonly SignedVersion[],
): void {
  const hashes = versions.map(({ hash }) => hash);
  for (const hash of hashes) keepNewest(signed, [hash, hashes], MAX_SIGNED);
}

/** What was sent and has no end yet, lowest nonce first. */
export const sentOf = ({ outstanding }: RelayerAccount): (readonly [number, Outstanding])[] =>
  [...outstanding].filter(([, { isSent }]) => isSent).sort(([a], [b]) => a - b);

/** The transaction with this nonce is mined; `receipt` is null when no node shows it. */
export function ended(
  { gas, ledger, nonces, outstanding, slots, past }: RelayerAccount,
  nonce: number,
  receipt: RpcReceipt | null,
): void {
  const entry = outstanding.get(nonce);
  if (entry === undefined) return;
  outstanding.delete(nonce);
  nonces.spend(nonce);
  ledger.record(nonce, receipt === null ? undefined : costOf(entry.call, receipt));
  if (receipt !== null) gas.paidForData(entry.call.data, BigInt(receipt.l1Fee ?? 0));
  entry.call.onEnd?.(receipt);
  slots.look();
  keepNewest(past, [nonce, entry], MAX_PAST);
}

/** Nothing with this nonce can be mined; `how` says whether the nonce is ours again or used by somebody else. */
export function forgotten(
  { ledger, nonces, outstanding, slots }: RelayerAccount,
  nonce: number,
  how: 'free' | 'taken',
): void {
  outstanding.delete(nonce);
  ledger.release(nonce);
  if (how === 'free') nonces.giveBack(nonce);
  else {
    nonces.spend(nonce);
    nonces.doubt();
  }
  slots.look();
}
