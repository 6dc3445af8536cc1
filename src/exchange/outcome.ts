import type { Answer } from '../catalog/operation.ts';
import type { Fault } from '../domain/result.ts';
import type { Hex } from '../payments/x402/payment.ts';

/** x402 v2 settlement receipt, as PAYMENT-RESPONSE carries it. */
export type Receipt =
  | {
      readonly success: true;
      readonly transaction: Hex;
      readonly network: string;
      readonly payer: Hex;
      readonly amount: string;
      /** A signed receipt, where one is made. */
      readonly extensions?: Readonly<Record<string, unknown>>;
    }
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

/** Every way a call can end; surfaces are an exhaustive switch over `state`. */
export type Outcome =
  /** 400: never charged. */
  | {
      readonly state: 'rejected';
      readonly code: 'invalid_input' | 'invalid_payment';
      readonly faults: readonly Fault[];
    }
  /** 402: what to pay, and why what was sent did not do. */
  | { readonly state: 'challenged'; readonly reason: string; readonly receipt: Receipt | null }
  /** 200, free. */
  | { readonly state: 'served'; readonly body: unknown }
  /** 200, paid: the receipt names the transaction. */
  | {
      readonly state: 'settled';
      readonly body: unknown;
      readonly receipt: Receipt;
      /** Unix seconds at which the payment was claimed: the same however often it is collected. */
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
  /** 429: too many payments of this caller were refused, or its `freeRequests` a minute are used up; nothing was looked at. */
  | { readonly state: 'limited'; readonly retryAfterSeconds: number; readonly freeRequests?: number }
  /** 503: nothing was sent. */
  | { readonly state: 'unavailable'; readonly retryAfterSeconds: number; readonly detail?: string }
  /** 500: an internal fault; nothing was settled. */
  | { readonly state: 'failed' };

/** How a run without an answer ends; null when there is one. */
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
