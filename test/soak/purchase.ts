import { createHash } from 'node:crypto';
import type { Hex } from 'viem';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import {
  paymentHeader,
  requirementsFor,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';
import type { Asked, Product } from './products.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A buyer's reply, with the authorization and the request. */
export type Reply = {
  readonly atMs: number;
  readonly at: string;
  readonly nonce: Hex;
  readonly asked: Asked;
  /** 0: no reply. */
  readonly status: number;
  /** The problem's code, and for a challenge its reason. */
  readonly code: string;
  readonly transaction: Hex | null;
  /** SHA-256 of the body. */
  readonly digest: string;
};

export type Purchase = {
  readonly index: number;
  readonly style: string;
  readonly product: Product;
  readonly asked: Asked;
  /** Another request of the same price, for attempts to get it with the same payment. */
  readonly other: Asked;
  readonly buyer: DevAccount;
  /** The payer: the buyer, or a contract wallet of the buyer. */
  readonly from: Hex;
  /** The buyer's idempotency key for the purchase, and how it is sent. */
  readonly name: { readonly text: string; readonly as: 'Idempotency-Key' | 'payment-identifier' } | null;
  /** Every authorization that was signed for the purchase. */
  readonly signed: SignedPayment[];
  readonly replies: Reply[];
  /** The decoy payments that were presented, by nonce: the kind of deception. */
  readonly decoys: Map<Hex, string>;
  /** Other buyers' purchases that are paid in the same transaction. */
  readonly companions: readonly Purchase[];
};

const REPLY_MS = 40_000;
// If a payment was lost with its process and its buyer did not keep it, its result is known only after it has
// expired.
const NAMED_SECONDS = 40;

/** Signs an authorization for a purchase, as required or with differences. */
export async function sign(
  { chain }: World,
  purchase: Purchase,
  random: Random,
  options: Partial<Parameters<typeof signAuthorization>[0]> = {},
): Promise<SignedPayment> {
  const { buyer, from, name, product } = purchase;
  const payment = await signAuthorization({
    buyer,
    accepted: requirementsFor(chain.payee, product.price),
    ...(name?.as === 'payment-identifier' && {
      extensions: { 'payment-identifier': { info: { required: false, id: name.text } } },
    }),
    ...options,
    authorization: {
      from,
      nonce: random.hex(32),
      ...(name !== null && { validBefore: `${Math.floor(Date.now() / 1000) + NAMED_SECONDS}` }),
      ...options.authorization,
    },
  });
  purchase.signed.push(payment);
  return payment;
}

/** Presents a payment at one instance; with `abortMs`, hangs up early. Records the reply. */
export async function present(
  at: { readonly name: string; readonly url: string },
  purchase: Purchase,
  payment: SignedPayment,
  { asked = purchase.asked, abortMs = REPLY_MS }: { asked?: Asked; abortMs?: number } = {},
): Promise<Reply> {
  const { name } = purchase;
  const heard = await ask(`${at.url}${asked.path}`, {
    method: asked.body === null ? 'GET' : 'POST',
    headers: {
      'payment-signature': paymentHeader(payment),
      ...(asked.body !== null && { 'content-type': 'application/json' }),
      ...(name?.as === 'Idempotency-Key' && { 'idempotency-key': name.text }),
    },
    ...(asked.body !== null && { body: JSON.stringify(asked.body) }),
    signal: AbortSignal.timeout(abortMs),
  });
  const nonce = payment.payload.authorization.nonce;
  const reply = { atMs: Math.round(performance.now()), at: at.name, nonce, asked, ...heard };
  purchase.replies.push(reply);
  return reply;
}

type Heard = Pick<Reply, 'status' | 'code' | 'transaction' | 'digest'>;

async function ask(url: string, init: RequestInit): Promise<Heard> {
  try {
    const response = await fetch(url, init);
    const body = await response.text();
    const receipt = response.headers.get('payment-response');
    const { transaction } = receipt
      ? JSON.parse(Buffer.from(receipt, 'base64').toString())
      : { transaction: null };
    const { code = '', error = '' } = response.status === 200 ? {} : JSON.parse(body);
    const digest = createHash('sha256').update(body).digest('hex');
    return { status: response.status, code: error || code, transaction: transaction || null, digest };
  } catch (error) {
    return { status: 0, code: error instanceof Error ? error.name : '', transaction: null, digest: '' };
  }
}
