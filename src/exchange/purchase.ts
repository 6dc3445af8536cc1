import { createHash } from 'node:crypto';
import type { Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { End, Order } from '../payments/settlement.ts';
import type { Extensions } from '../payments/x402/challenge.ts';
import type { Hex, Payment } from '../payments/x402/payment.ts';
import { claimKey, type Requirements, type ResourceInfo } from '../payments/x402/requirements.ts';

/** A paid call with valid input and a payment that matches the requirements. */
export type Purchase = {
  readonly operation: Operation;
  readonly input: unknown;
  readonly today: Day;
  readonly payment: Payment;
  /** The client's own name for the purchase: with it, a new authorization does not pay twice. */
  readonly name: string | null;
  readonly requirements: Requirements;
  readonly resource: ResourceInfo;
  readonly extensions: Extensions;
  /** The caller that the limits count. */
  readonly caller: string;
  /** The service's id of the request, for logs. */
  readonly requestId?: string | null;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly askedAtMs?: number;
};

/** A purchase whose payer has signed every field of the payment. */
export type SignedPurchase = Purchase & { readonly signedBy: Order['signedBy'] };

/** The result of a purchase, for logs and books. It contains no data from a caller. */
export type PurchaseEnd = {
  readonly operation: string;
  /** `conflict`: the payment paid for another request. */
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
  /** Digest of the request including its form: another form is the same purchase, but a different answer. */
  readonly answer: string;
  /** Digest of the client's name for the purchase, scoped to the payer; null without one. */
  readonly name: string | null;
};

/** What identifies a purchase. */
export function keysOf(purchase: SignedPurchase): PurchaseKeys {
  const { operation, input, payment, name, requirements, signedBy } = purchase;
  const { from, nonce, validAfter, validBefore } = payment.authorization;
  // A signature made with a key is valid only for these fields. An account with code may accept one signature for any
  // fields, so the digest also covers the validity window. Payee and amount are ours in both cases.
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

/**
 * SHA-256 in hex of an operation's name and its validated input with defaults: an HTTP request and the same MCP call
 * have the same digest.
 */
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

/** Sorts keys and distinguishes bigints from strings, so that equal inputs have equal text. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, canonical(part)]),
  );
}
