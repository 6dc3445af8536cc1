import type { Extensions } from './x402/challenge.ts';
import type { Hex, Payment } from './x402/payment.ts';
import type { Requirements, ResourceInfo } from './x402/requirements.ts';

/** The money is with the payee: `transaction` moved it. */
export type Settled = { readonly state: 'settled'; readonly transaction: Hex; readonly payer: Hex };
/**
 * No money moved. Before it was handed over, nothing was done with the authorization; after that it can never move
 * money any more, by evidence of the chain. `reason` is an x402 code.
 */
export type Refused = { readonly state: 'refused'; readonly reason: string };
/** The authorization was handed over and its end is not known yet. */
export type Unknown = { readonly state: 'unknown'; readonly transaction: Hex | null };
/** It was handed over and declined, or reverted. Whoever holds the authorization can still use it until it expires. */
export type Declined = {
  readonly state: 'declined';
  readonly reason: string;
  readonly transaction: Hex | null;
};
/** Nothing was handed over: no settler could be reached, or `beforeSending` said no. */
export type NotSent = { readonly state: 'not_sent'; readonly reason: string };

export const unknown = (transaction: Hex | null): Unknown => ({ state: 'unknown', transaction });
export const notSent = (reason: string): NotSent => ({ state: 'not_sent', reason });

export type Order = {
  readonly payment: Payment;
  /** Ours, never the client's copy. */
  readonly requirements: Requirements;
  /** What is paid for, as our challenge names it: the same for every caller. */
  readonly resource: ResourceInfo;
  /** What our challenge says of it to catalogues; goes before what a client says under the same names. */
  readonly extensions: Extensions;
  /** Unix seconds: an authorization used on chain before then was not used for this request. */
  readonly usedSince: number;
  /** Who signed: the key of the payer itself, or an account with code in its own way. */
  readonly signedBy: 'key' | 'wallet';
  /** Our own name for the request, for logs. */
  readonly requestId?: string | null;
};

/** Called on the way of a settlement; nothing is sent once one returns false. */
export type Handover = {
  /** The authorization is proven: the asset would take it now. Nothing is signed or sent yet. */
  proven(): Promise<boolean>;
  /** Just before it is handed over, with the transaction hash where it is known by then. */
  sending(transaction: Hex | null): Promise<boolean>;
};

/**
 * The order of an authorization that was handed over for it: whenever it was used since, it was used for this request.
 * A block's clock may be behind ours, and a memory that was complete then may have been lost since.
 */
export const handedOver = (order: Order): Order => ({ ...order, usedSince: 0 });

/**
 * The end when another party had submitted the authorization before its first sight: what is not as deep as it has to
 * be is remembered as what was handed over is.
 */
export async function submittedElsewhere(
  end: Settled | Refused | Unknown | null,
  handover: Handover,
): Promise<End> {
  if (end === null) return { state: 'not_sent', reason: 'unclear' };
  if (end.state !== 'unknown') return end;
  const isRemembered = (await handover.proven()) && (await handover.sending(end.transaction));
  return isRemembered ? end : { state: 'not_sent', reason: 'stopped' };
}

export type End = Settled | Refused | Declined | Unknown | NotSent;

/**
 * Turns authorizations into money. Never throws: a broken party ends in `unknown` or `not_sent`.
 * @example
 * const end = await settlement.settle(order, { proven: takeClaim, sending: rememberTransaction });
 * if (end.state === 'settled') deliver(answer, end.transaction);
 * else if (end.state === 'unknown') later(() => settlement.reconcile(order, end.transaction, handover));
 */
export type Settlement = {
  settle(order: Order, handover: Handover): Promise<End>;
  /**
   * Finds out how an authorization that was handed over ended, and hands it over again where it was lost:
   * its nonce lets the chain take it once at most. `refused` only when it can never move money any more.
   * Without `handover` it only looks, and the order's signature plays no part.
   */
  reconcile(order: Order, transaction: Hex | null, handover: Handover | null): Promise<Exclude<End, NotSent>>;
  /**
   * Whether the payer, an account with code, calls the signature over this digest its own, asked as USDC asks it.
   * null when no node could be asked.
   */
  isWalletSigned(order: Order, digest: Uint8Array): Promise<boolean | null>;
  /** Why no new payment is taken at the moment, whatever it is; null when one may be. `settle` refuses then too. */
  refusal?(): Promise<string | null>;
};
