import { size } from 'viem/utils';
import type { Fees, GasLimit } from '../chain/gas.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import type { Hex } from '../x402/payment.ts';
import type { Cost, GasLedger, Payer } from './gas-ledger.ts';
import type { GasPrice } from './gas-price.ts';
import type { Nonces } from './nonces.ts';
import type { Places } from './places.ts';

/** What a transaction does, without who pays for it. gas × maxFeePerGas never passes `ceilingWei`, bumps included. */
export type Call = GasLimit & {
  readonly to: Hex;
  readonly data: Hex;
  /** Whose payment it settles: `plain` when left out. */
  readonly payer?: Payer | undefined;
  /** Of those that it settles at once, how many failed in it; left out for one alone. */
  readonly failures?:
    | ((receipt: RpcReceipt) => { readonly failed: number; readonly all: number })
    | undefined;
  /** Told when a transaction with its nonce is on the chain, and once more should the chain forget it; `null` by what. */
  readonly onEnd?: ((receipt: RpcReceipt | null) => void) | undefined;
};
export type Form = { readonly raw: Hex; readonly hash: Hex };
export type Outstanding = {
  readonly call: Call;
  readonly fees: Fees;
  /** Every form it was signed in, the newest last. */
  readonly forms: readonly Form[];
  /** When it was first sent, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether it may be sent: before, its sender may still call it off. */
  isSent: boolean;
  /** Whether its bytes were sent again. */
  isResent?: boolean;
};

/** What an account knows of its own transactions, by nonce. */
export type Book = {
  readonly gas: GasPrice;
  readonly ledger: GasLedger;
  readonly nonces: Nonces;
  readonly outstanding: Map<number, Outstanding>;
  readonly places: Places;
  /** Those that were on the chain last, in case it forgets them. */
  readonly past: Map<number, Outstanding>;
  /** The hashes of every form that was signed for the call of a hash, also of what has ended long ago. */
  readonly signed: Map<Hex, readonly Hex[]>;
};

/** How many transactions that were on the chain are kept. */
export const MAX_PAST = 512;
// More than an hour's budget pays for while gas is cheap: what still waits for its answer is among them.
const MAX_SIGNED = 50_000;

/** What a mined transaction has cost. */
function costOf({ failures }: Call, receipt: RpcReceipt): Cost {
  const { status, gasUsed, effectiveGasPrice, l1Fee } = receipt;
  const costWei = BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee ?? 0);
  if (failures === undefined) return { costWei, isReverted: status === '0x0' };
  const { failed, all } = failures(receipt);
  return { costWei, isReverted: status === '0x0', lostWei: (costWei * BigInt(failed)) / BigInt(all) };
}

/** What a transaction costs at most, as far as a rollup's fee for its data is known. */
export const worstOf = (
  { gas }: Pick<Book, 'gas'>,
  { call, fees }: { readonly call: GasLimit; readonly fees: Fees },
): bigint => call.gas * fees.maxFeePerGas + gas.dataFeeWei(size(call.data));

/** Remembers all forms of one call as our own. */
export function noteForms({ signed }: Pick<Book, 'signed'>, forms: readonly Form[]): void {
  const hashes = forms.map(({ hash }) => hash);
  for (const hash of hashes) {
    signed.delete(hash);
    signed.set(hash, hashes);
  }
  for (const oldest of signed.keys()) {
    if (signed.size <= MAX_SIGNED) return;
    signed.delete(oldest);
  }
}

/** What was sent and has no end yet, lowest nonce first. */
export const sentOf = ({ outstanding }: Book): (readonly [number, Outstanding])[] =>
  [...outstanding].filter(([, { isSent }]) => isSent).sort(([a], [b]) => a - b);

/** The transaction with this nonce is on the chain; null where nobody shows its receipt. */
export function ended(
  { gas, ledger, nonces, outstanding, places, past }: Book,
  nonce: number,
  receipt: RpcReceipt | null,
): void {
  const entry = outstanding.get(nonce);
  if (entry === undefined) return;
  outstanding.delete(nonce);
  nonces.spend(nonce);
  ledger.book(nonce, receipt === null ? undefined : costOf(entry.call, receipt));
  if (receipt !== null) gas.paidForData(entry.call.data, BigInt(receipt.l1Fee ?? 0));
  entry.call.onEnd?.(receipt);
  places.look();
  past.delete(nonce);
  past.set(nonce, entry);
  if (past.size > MAX_PAST) for (const oldest of past.keys()) return void past.delete(oldest);
}

/** Nothing of this nonce can be mined; `nonce` says whether it is ours again or somebody else's. */
export function forgotten(
  { ledger, nonces, outstanding, places }: Book,
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
  places.look();
}
