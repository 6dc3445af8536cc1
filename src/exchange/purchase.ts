import type { Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { End, Order } from '../payments/settlement.ts';
import type { Extensions } from '../payments/x402/challenge.ts';
import type { Hex, Payment } from '../payments/x402/payment.ts';
import type { Requirements, ResourceInfo } from '../payments/x402/requirements.ts';
import { bought, digest, requestHash } from './request-hash.ts';

/** A paid call whose input is valid and whose payment matches what is required. */
export type Purchase = {
  readonly operation: Operation;
  readonly input: unknown;
  readonly today: Day;
  readonly payment: Payment;
  /** The client's own name for the purchase: repeating it with a new authorization does not pay twice. */
  readonly name: string | null;
  readonly requirements: Requirements;
  readonly resource: ResourceInfo;
  readonly extensions: Extensions;
  /** Whom limits count. */
  readonly caller: string;
  /** Our own name for the request, for logs. */
  readonly requestId?: string | null;
  /** When it was asked for, by the clock of `performance`. */
  readonly askedAtMs?: number;
};

/** How a purchase came out, whenever that is found out; for logs and books. Nothing of a caller is in it. */
export type PurchaseEnd = {
  readonly operation: string;
  /** `conflict`: another request has what was paid for. */
  readonly outcome: End['state'] | 'conflict';
  readonly reason: string | null;
  readonly transaction: Hex | null;
  /** The price in atomic USDC. */
  readonly amount: string;
  readonly requestId: string | null;
  readonly durationMs: number;
};

/** A purchase whose payment its payer signed, to the last field. */
export type SignedPurchase = Purchase & { readonly signedBy: Order['signedBy'] };

/** What identifies a purchase in a claim: the authorization, and digests of the request and of the signature. */
export type PurchaseKeys = {
  readonly key: string;
  readonly request: string;
  readonly signature: string;
  /** What two presentations of one payment for one request share. */
  readonly twin: string;
  /** Digest of the answer's own form: in another form it is the same purchase, but not the same answer. */
  readonly answer: string;
  /** Digest of the client's name for the purchase, scoped to the payer; null without one. */
  readonly name: string | null;
};

/** Under which an authorization is claimed; payer and nonce in lower case. */
export const claimKey = (
  { network, asset }: Pick<Requirements, 'network' | 'asset'>,
  { from, nonce }: Pick<Payment['authorization'], 'from' | 'nonce'>,
): string => `${network}:${asset.toLowerCase()}:${from}:${nonce}`;

/** What identifies a purchase. */
export function keysOf({
  operation,
  input,
  payment,
  name,
  requirements,
  signedBy,
}: SignedPurchase): PurchaseKeys {
  const { from, nonce, validAfter, validBefore } = payment.authorization;
  // Of a key the signature fits these fields alone; an account with code may call it its own over any. Payee and
  // amount are ours in both.
  const signed = signedBy === 'key' ? payment.signature : [validAfter, validBefore, payment.signature].join();
  const key = claimKey(requirements, { from, nonce });
  const request = requestHash(operation.name, bought(input, operation.form));
  const signature = digest(signed);
  return {
    key,
    request,
    signature,
    twin: `${key}:${request}:${signature}`,
    answer: requestHash(operation.name, input),
    name: name === null ? null : digest(`${requirements.network}:${from}:${name}`),
  };
}
