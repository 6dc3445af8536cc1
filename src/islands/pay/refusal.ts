import type { Fault } from '../../domain/result.ts';
import type { ProblemCode } from '../../surfaces/problem.ts';
import { orNull } from '../or-null.ts';

/** A problem (RFC 9457) written by the server itself; `error` is the reason code of a 402. */
export type Refusal = {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly error?: string;
  readonly errors: readonly Fault[];
};

// Whether a problem is final for its request. After other problems, the same request may still succeed.
const ENDS: Readonly<Record<ProblemCode, boolean>> = {
  invalid_input: true,
  invalid_payment: true,
  payment_required: true,
  not_found: true,
  method_not_allowed: true,
  rejected_or_not_received: true,
  analysis_failed: true,
  payment_already_used: true,
  idempotency_key_reused: true,
  payload_too_large: true,
  unsupported_media_type: true,
  headers_too_large: true,
  malformed_request: false,
  request_timeout: false,
  waiting: false,
  rate_limited: false,
  internal: false,
  settlement_unavailable: false,
};

/**
 * Reads why a request was rejected. Returns null if the server did not write the reply or its shape is unknown: a proxy
 * that knows nothing of the payment may have replied instead. Rejects if the reply breaks off.
 */
export async function refusalOf(response: Response): Promise<Refusal | null> {
  const text = await response.text();
  const body = orNull<unknown>(() => JSON.parse(text));
  if (typeof body !== 'object' || body === null) return null;
  const { code, charged, detail, error, errors } = body as Readonly<Record<string, unknown>>;
  if (charged !== false || typeof code !== 'string' || !Object.hasOwn(ENDS, code)) return null;
  return {
    code: code as ProblemCode,
    ...(typeof detail === 'string' && { detail }),
    ...(typeof error === 'string' && { error }),
    errors: Array.isArray(errors) ? errors : [],
  };
}

/** Whether repeating the rejected request is useless. */
export const isFinal = (refusal: Refusal | null): refusal is Refusal =>
  refusal !== null && ENDS[refusal.code];

const BROKEN = 'Something went wrong on our side. Please try again in a moment.';
const NOTHING = 'Nothing was charged.';

// The server's reasons are worded for programs. These are for people.
const REASONS: Readonly<Record<string, string>> = {
  insufficient_funds: `This account does not have enough USDC on that network. ${NOTHING}`,
  invalid_exact_evm_payload_authorization_valid_before: `The signature expired before it reached us. It is valid only for a short time. ${NOTHING}`,
  invalid_exact_evm_payload_signature: `The signature does not match the account that was to pay. ${NOTHING}`,
  payer_or_payee_blacklisted: `USDC blocks payments from this account. ${NOTHING}`,
  payer_or_payee_screened: `Payments from this account are declined. ${NOTHING}`,
};

/** Why a request was rejected, as a plain sentence. */
export function refusalText(refusal: Refusal | null): string {
  if (refusal === null) return `${BROKEN} Your wallet was not asked for anything.`;
  const { code, detail, error = '' } = refusal;
  switch (code) {
    case 'payment_required':
      return REASONS[error] ?? detail ?? `${BROKEN} ${NOTHING}`;
    case 'rate_limited':
      return `That was a lot of requests at once. Please try again in a minute. ${NOTHING}`;
    default:
      return ENDS[code] && detail !== undefined ? detail : `${BROKEN} ${NOTHING}`;
  }
}
