import { createHash } from 'node:crypto';
import type { Answer, Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import type { End, Order } from '../payments/settlement.ts';
import type { Extensions } from '../payments/x402/challenge.ts';
import type { Hex, Payment } from '../payments/x402/payment.ts';
import { reasonDetail } from '../payments/x402/reasons.ts';
import { claimKey, type Requirements, type ResourceInfo } from '../payments/x402/requirements.ts';
import type { Claim } from './claims/claims.ts';

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
  readonly requestId: string | null;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly askedAtMs: number;
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
  if (form === null) return input;
  return Object.fromEntries(Object.entries(input as object).filter(([name]) => name !== form));
}

/** SHA-256 of a text in hex. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Sorts keys and distinguishes bigints from strings, so that equal inputs have equal text. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, canonical(fields[name])]));
}

type PaidReceipt = {
  readonly success: true;
  readonly transaction: Hex;
  readonly network: string;
  readonly payer: Hex;
  readonly amount: string;
  /** The signed receipt, if receipts are signed. */
  readonly extensions?: Readonly<Record<string, unknown>>;
};

/** x402 v2 settlement receipt, as PAYMENT-RESPONSE carries it. */
export type Receipt =
  | PaidReceipt
  | {
      readonly success: false;
      readonly errorReason: string;
      readonly transaction: Hex | '';
      readonly network: string;
      readonly payer: Hex;
    };

export type ConflictCode =
  | 'waiting'
  | 'rejected_or_not_received'
  | 'analysis_failed'
  | 'payment_already_used'
  | 'idempotency_key_reused';

/** Every outcome of a call; surfaces are an exhaustive switch over `state`. */
export type Outcome =
  /** 400: never charged. */
  | {
      readonly state: 'rejected';
      readonly code: 'invalid_input' | 'invalid_payment';
      readonly faults: readonly Fault[];
    }
  /** 402: what to pay, and why the payment was rejected. */
  | {
      readonly state: 'challenged';
      readonly reason: string;
      readonly receipt: Receipt | null;
      /** Notes of the operation for the buyer of this input, before payment. */
      readonly beforePaying?: Readonly<Record<string, unknown>>;
    }
  /** 200, free. */
  | { readonly state: 'served'; readonly body: unknown }
  /** 200, paid: the receipt names the transaction. */
  | {
      readonly state: 'settled';
      readonly body: unknown;
      readonly receipt: PaidReceipt;
      /** Unix seconds at which the payment was claimed; the same each time the answer is collected. */
      readonly claimedAt?: number;
    }
  /** 409: no (second) charge. */
  | {
      readonly state: 'conflict';
      readonly code: ConflictCode;
      readonly detail: string;
      readonly receipt: Receipt | null;
      readonly retryAfterSeconds: number | null;
    }
  /** 404: unknown or withdrawn. */
  | { readonly state: 'missing'; readonly detail: string }
  /**
   * 429: too many payments of this caller were refused, or its `freeRequests` a minute are used up. The request was not
   * read.
   */
  | { readonly state: 'limited'; readonly retryAfterSeconds: number; readonly freeRequests?: number }
  /** 503: this attempt sent nothing. `isRefusal`: it counts against the caller as a refused payment does. */
  | {
      readonly state: 'unavailable';
      readonly retryAfterSeconds: number;
      readonly detail?: string;
      readonly isRefusal?: true;
    }
  /** 500: an internal fault; nothing was settled. */
  | { readonly state: 'failed' };

/** The outcome of a run without an answer; null if there is an answer. */
export function withoutAnswer(answer: Exclude<Answer<unknown>, { kind: 'answer' }>): Outcome;
export function withoutAnswer(answer: Answer<unknown>): Outcome | null;
export function withoutAnswer(answer: Answer<unknown>): Outcome | null {
  switch (answer.kind) {
    case 'answer':
      return null;
    case 'invalid':
      return { state: 'rejected', code: 'invalid_input', faults: answer.faults };
    case 'not_found':
      return { state: 'missing', detail: answer.detail };
    case 'no_answer':
      return {
        state: 'conflict',
        code: 'analysis_failed',
        detail: answer.detail,
        receipt: null,
        retryAfterSeconds: null,
      };
  }
}

const RETRY_SECONDS = 2;
export const UNAVAILABLE = { state: 'unavailable', retryAfterSeconds: RETRY_SECONDS } satisfies Outcome;

/** A payment of this payer reverted recently. It may still settle, so the buyer must not be asked to sign again. */
export const ON_HOLD: Outcome = {
  state: 'unavailable',
  isRefusal: true,
  retryAfterSeconds: 60,
  detail:
    'A payment from this payer passed the checks and then failed on the chain, so the service sends no payments from this payer for up to ten minutes. This attempt sent and charged nothing.',
};

/**
 * A 503 that counts as a refusal: no node gave a usable answer, perhaps because of the payment itself, or the payer
 * presented more than its balance or the gas for its kind of account covers.
 */
export const UNDECIDED: Outcome = { ...UNAVAILABLE, isRefusal: true };

/** 402: the payment was refused, and nothing was sent. */
export function refused(purchase: Purchase, reason: string): Outcome & { state: 'challenged' } {
  return { state: 'challenged', reason, receipt: failure(purchase, { transaction: null }, reason) };
}

/** The answer of a settled claim, computed again for the day it was bought. */
export function answered(purchase: Purchase, claim: Claim): Outcome {
  const answer = purchase.operation.run(purchase.input, { today: claim.today });
  if (answer.kind !== 'answer') return withoutAnswer(answer);
  return sold(purchase, claim, answer.body);
}

/** The answer with its receipt. */
export function sold(purchase: Purchase, claim: Claim, body: unknown): Outcome {
  const { claimedAt } = claim;
  const receipt = receiptOf(purchase, claim);
  return { state: 'settled', body, receipt, ...(claimedAt !== undefined && { claimedAt }) };
}

export const USED_DETAIL =
  'This payment was already sent with a different request. It was not charged again. Sign a new authorization for this request.';
export const REUSED_DETAIL =
  'This payer used the same idempotency key for a different request. Nothing was charged for this request. Use a new key for each purchase.';
const VOID_DETAIL =
  'The authorization can no longer move money: it expired unused, was canceled, or was used and nothing shows that it paid for this request. Check whether your account has paid, then sign a new one.';

/** The time until which an authorization can be used and after which its result is certain. */
function until({ payment }: Purchase): string {
  const end = new Date(Number(payment.authorization.validBefore) * 1000).toISOString();
  return `The payment is valid until ${end}. Repeat the same request a few minutes after that to learn the result: you get the answer if the payment went through, otherwise an error that tells you to sign again. If you still get this message then, check whether your account has paid before you sign again.`;
}

/** 409: the chain shows that the payment can move no more money. */
export function voided(purchase: Purchase, claim: Claim, reason: string | null): Outcome {
  const receipt = reason === null ? null : failure(purchase, claim, reason);
  return conflict('rejected_or_not_received', VOID_DETAIL, receipt);
}

/** 409: sent, but the result is unknown. */
export function waiting(purchase: Purchase, claim: Claim): Outcome {
  const why = 'This payment was submitted, and its result is not known yet.';
  return undecided(purchase, claim, why);
}

/** 409: another request with the same payment is in progress, and nothing was sent for it yet. */
export function underWay(purchase: Purchase, claim: Claim): Outcome {
  return undecided(purchase, claim, 'This payment is being processed.');
}

/** 409: the payment was sent and declined, but third parties can still submit the authorization. */
export function notGoneThrough(purchase: Purchase, claim: Claim, reason: string): Outcome {
  const why = `This payment was submitted but did not go through: ${reasonDetail(reason)} No money has moved so far.`;
  return undecided(purchase, claim, why);
}

function undecided(purchase: Purchase, claim: Claim, why: string): Outcome {
  const detail = `${why} Repeat the identical request with the same payment; do not sign a new one. You are charged at most once. ${until(purchase)}`;
  const receipt = failure(purchase, claim, 'settlement_pending');
  return { ...conflict('waiting', detail, receipt), retryAfterSeconds: RETRY_SECONDS };
}

export function conflict(code: ConflictCode, detail: string, receipt: Receipt | null) {
  return { state: 'conflict', code, detail, receipt, retryAfterSeconds: null as number | null } as const;
}

/** The receipt of a settled claim. */
function receiptOf({ payment, requirements }: Purchase, { transaction }: Claim): PaidReceipt {
  const { network, amount } = requirements;
  if (transaction === null) throw new Error('A settled claim names its transaction');
  return { success: true, transaction, network, payer: payment.authorization.from, amount };
}

function failure(
  { payment, requirements }: Purchase,
  claim: Pick<Claim, 'transaction'>,
  errorReason: string,
): Receipt {
  return {
    success: false,
    errorReason,
    transaction: claim.transaction ?? '',
    network: requirements.network,
    payer: payment.authorization.from,
  };
}
