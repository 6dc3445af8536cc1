import { createHash } from 'node:crypto';
import type { Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { End, Order } from '../payments/settlement.ts';
import type { Extensions } from '../payments/x402/challenge.ts';
import type { Hex, Payment } from '../payments/x402/payment.ts';
import type { Requirements, ResourceInfo } from '../payments/x402/requirements.ts';

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
  /** Whom the limits count. */
  readonly caller: string;
  /** Our own name for the request, for logs. */
  readonly requestId?: string | null;
  /** When the request came, by the clock of `performance`. */
  readonly askedAtMs?: number;
};

/** A purchase whose payment its payer signed, to the last field. */
export type SignedPurchase = Purchase & { readonly signedBy: Order['signedBy'] };

/** How a purchase ended, whenever that is found out; for logs and books. It holds nothing that a caller sent. */
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

/** Called with an internal fault and the id of its request; never with what the caller sent. */
export type OnBug = (operation: string, error: unknown, requestId?: string | null) => void;

/** What identifies a purchase in a claim: the authorization, and digests of the request and of the signature. */
export type PurchaseKeys = {
  readonly key: string;
  readonly request: string;
  readonly signature: string;
  /** Shared by all presentations of one payment for one request. */
  readonly twin: string;
  /** Digest of the answer in its own form: another form is the same purchase, but not the same answer. */
  readonly answer: string;
  /** Digest of the client's name for the purchase, scoped to the payer; null without one. */
  readonly name: string | null;
};

/** The key under which an authorization is claimed; payer and nonce in lower case. */
export const claimKey = (
  { network, asset }: Pick<Requirements, 'network' | 'asset'>,
  { from, nonce }: Pick<Payment['authorization'], 'from' | 'nonce'>,
): string => `${network}:${asset.toLowerCase()}:${from}:${nonce}`;

/** What identifies a purchase. */
export function keysOf(purchase: SignedPurchase): PurchaseKeys {
  const { operation, input, payment, name, requirements, signedBy } = purchase;
  const { from, nonce, validAfter, validBefore } = payment.authorization;
  // A key's signature fits these fields alone. An account with code may accept one signature for any fields, so its
  // window is part of the digest; payee and amount are ours in both cases.
  const signed = signedBy === 'key' ? payment.signature : [validAfter, validBefore, payment.signature].join();
  const key = claimKey(requirements, { from, nonce });
  const request = requestHash(operation.name, withoutForm(input, operation.form));
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

/** SHA-256 in hex of an operation's name and its validated input, defaults filled in: HTTP and MCP twins hash alike. */
export function requestHash(operationName: string, input: unknown): string {
  return digest(`${operationName}\n${JSON.stringify(canonical(input))}`);
}

/** What is bought: the input without the field that only shapes its answer. */
export function withoutForm(input: unknown, form: string | null): unknown {
  if (form === null || typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== form));
}

/** SHA-256 of a text in hex. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keys sorted, bigints told apart from strings: equal inputs have equal text. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, canonical(part)]),
  );
}
