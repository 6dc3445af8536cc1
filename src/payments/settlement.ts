import type { Extensions } from './x402/challenge.ts';
import type { Hex, Payment } from './x402/payment.ts';
import type { Requirements, ResourceInfo } from './x402/requirements.ts';

/** The money is with the payee: `transaction` moved it. */
export type Settled = { readonly state: 'settled'; readonly transaction: Hex; readonly payer: Hex };
/**
 * No money moved. Before handover, nothing was done with the authorization. After handover, the chain proves that it
 * can move no more money. `reason` is an x402 code.
 */
export type Refused = { readonly state: 'refused'; readonly reason: string };
/** The authorization was sent, but the result is not known yet. */
export type Unknown = { readonly state: 'unknown'; readonly transaction: Hex | null };
/** The authorization was sent, and then declined or reverted. Anyone who has it can use it until it expires. */
export type Declined = {
  readonly state: 'declined';
  readonly reason: string;
  readonly transaction: Hex | null;
};
/** Nothing was sent: no settler could be reached, or the handover was canceled. */
export type NotSent = { readonly state: 'not_sent'; readonly reason: string };

export const settled = ({ payment }: Order, transaction: Hex): Settled => ({
  state: 'settled',
  transaction,
  payer: payment.authorization.from,
});
export const refused = (reason: string): Refused => ({ state: 'refused', reason });
export const unknown = (transaction: Hex | null): Unknown => ({ state: 'unknown', transaction });
export const declined = (reason: string, transaction: Hex | null = null): Declined => ({
  state: 'declined',
  reason,
  transaction,
});
export const notSent = (reason: string): NotSent => ({ state: 'not_sent', reason });

export type Order = {
  readonly payment: Payment;
  /** Ours, never the client's copy. */
  readonly requirements: Requirements;
  /** The product of the payment, as our challenge names it: the same for every caller. */
  readonly resource: ResourceInfo;
  /** What our challenge tells catalogs. It replaces client data under the same names. */
  readonly extensions: Extensions;
  /** Unix seconds: an authorization that was used on the chain earlier was not used for this request. */
  readonly usedSince: number;
  /** The signer: the payer's own key, or an account with code that verifies its own signatures. */
  readonly signedBy: 'key' | 'wallet';
  /** The id of the request, for logs. */
  readonly requestId?: string | null;
};

/** Called during a settlement. If one of these calls returns false, the settler sends nothing. */
export type Handover = {
  /** The authorization is proven: the asset would accept it now. Nothing is signed or sent yet. */
  proven(): Promise<boolean>;
  /** Called directly before handover, with the transaction hash if it is already known. */
  sending(transaction: Hex | null): Promise<boolean>;
};

/**
 * The order after handover: from then on any use of the authorization counts for this request. It is not compared
 * with `usedSince`, because a block's clock may be behind, and claims may have been lost in the meantime.
 */
export const handedOver = (order: Order): Order => ({ ...order, usedSince: 0 });

/**
 * The result of an authorization that a third party submitted before this service saw it. With too few confirmations,
 * it is remembered like one that was sent here.
 */
export async function submittedElsewhere(
  end: Settled | Refused | Unknown | null,
  handover: Handover,
): Promise<End> {
  if (end === null) return notSent('unclear');
  if (end.state !== 'unknown') return end;
  const isRemembered = (await handover.proven()) && (await handover.sending(end.transaction));
  return isRemembered ? end : notSent('stopped');
}

/** The end of an authorization that has expired unused. */
export const EXPIRED = refused('invalid_exact_evm_payload_authorization_valid_before');
/** The end of an authorization whose nonce is spent. */
export const USED = refused('invalid_exact_evm_nonce_already_used');

/**
 * Whether the chain has shown that an authorization is final. This does not hold for the `refused` that `settle`
 * returns, which says nothing about earlier sends.
 */
export const isFinal = (verdict: { readonly state: string }): verdict is Settled | Refused =>
  verdict.state === 'settled' || verdict.state === 'refused';

export type End = Settled | Refused | Declined | Unknown | NotSent;

/**
 * Settles authorizations. Never throws: a failure of any party gives `unknown` or `not_sent`.
 * @example const end = await settlement.settle(order, { proven: takeClaim, sending: rememberTransaction }); if
 *   (end.state === 'settled') deliver(answer, end.transaction); else if (end.state === 'unknown') later(() =>
 *   settlement.reconcile(order, end.transaction, handover));
 */
export type Settlement = {
  settle(order: Order, handover: Handover): Promise<End>;
  /**
   * Finds the result of a sent authorization, and sends it again if it was lost. Because of its nonce, the chain
   * accepts it at most once. `refused` only if it can move no more money. Without `handover` it only reads, and does
   * not use the order's signature.
   */
  reconcile(order: Order, transaction: Hex | null, handover: Handover | null): Promise<Exclude<End, NotSent>>;
  /** Whether the payer, an account with code, accepts this signature, asked as USDC asks; null without an answer. */
  isWalletSigned(order: Order, digest: Uint8Array): Promise<boolean | null>;
  /** Why no new payment is accepted at the moment; null if one may be. `settle` then also refuses. */
  refusal?(): Promise<string | null>;
};
