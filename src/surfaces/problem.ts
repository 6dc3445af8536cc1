import type { Fault } from '../domain/result.ts';

/** A type of problem: its stable code, its page, and what the caller should do. */
export type ProblemType = {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** Text of the page that the `type` URI leads to. */
  readonly meaning: string;
  readonly remedy: string;
};

const types = [
  {
    code: 'invalid_input',
    status: 400,
    title: 'Invalid input',
    meaning:
      'One or more fields are missing, unknown, repeated or out of bounds. Every fault is listed in errors.',
    remedy: 'Correct the fields listed in errors and send the request again. Nothing was charged.',
  },
  {
    code: 'invalid_payment',
    status: 400,
    title: 'Unreadable payment',
    meaning: 'The payment could not be decoded as an x402 v2 PaymentPayload.',
    remedy: 'Send the PaymentPayload as base64-encoded JSON in PAYMENT-SIGNATURE. Nothing was charged.',
  },
  {
    code: 'malformed_request',
    status: 400,
    title: 'Not an HTTP request',
    meaning:
      'The request could not be read as HTTP/1.1, for example because it gives two lengths for one body.',
    remedy: 'Send a well-formed request on a new connection. Nothing was charged.',
  },
  {
    code: 'payment_required',
    status: 402,
    title: 'Payment required',
    meaning: 'The input is valid and certain to have an answer, which is sent after payment.',
    remedy:
      'Sign a payment for one of accepts and repeat the identical request with it in PAYMENT-SIGNATURE.',
  },
  {
    code: 'not_found',
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing at this address, or it was withdrawn.',
    remedy: 'See /openapi.json for all addresses of this service. Nothing was charged.',
  },
  {
    code: 'method_not_allowed',
    status: 405,
    title: 'Method not allowed',
    meaning: 'This address does not accept this method.',
    remedy: 'Use a method listed in the Allow header. Nothing was charged.',
  },
  {
    code: 'request_timeout',
    status: 408,
    title: 'Request not complete in time',
    meaning: 'The headers, or the body after them, were not complete within 10 seconds.',
    remedy: 'Send the whole request at once on a new connection. Nothing was charged.',
  },
  {
    code: 'waiting',
    status: 409,
    title: 'Payment result not known yet',
    meaning:
      'The payment was submitted and its result is not known yet, or it was declined but can still be used.',
    remedy: 'Repeat the identical request with the same PAYMENT-SIGNATURE; do not sign a new one.',
  },
  {
    code: 'rejected_or_not_received',
    status: 409,
    title: 'Payment rejected or not received',
    meaning:
      'The authorization can no longer move money: it expired, was canceled, or was used and nothing shows that it paid for this request.',
    remedy: 'Check whether your account has paid, then sign a new authorization.',
  },
  {
    code: 'analysis_failed',
    status: 409,
    title: 'No answer',
    meaning: 'The input is valid but has no answer, so there is nothing to pay for.',
    remedy: 'Change the input as described in detail. Nothing was charged.',
  },
  {
    code: 'payment_already_used',
    status: 409,
    title: 'Payment already used',
    meaning: 'A payment is good for one request, and this one was already sent with a different request.',
    remedy: 'Sign a new authorization for this request.',
  },
  {
    code: 'idempotency_key_reused',
    status: 409,
    title: 'Idempotency key reused',
    meaning:
      'This Idempotency-Key (or payment identifier) was already used by the same payer for a different request.',
    remedy:
      'Use a new key for each purchase. Reuse a key only to repeat the same request. Nothing was charged.',
  },
  {
    code: 'payload_too_large',
    status: 413,
    title: 'Body too large',
    meaning: 'The body is over 65536 bytes.',
    remedy: 'Send a shorter body. Nothing was charged.',
  },
  {
    code: 'unsupported_media_type',
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body must be JSON in UTF-8, without a content encoding.',
    remedy: 'Send Content-Type: application/json. Nothing was charged.',
  },
  {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    meaning: 'This address has used up its free requests for now, or too many of its payments were refused.',
    remedy: 'Wait for the number of seconds in Retry-After. Nothing was charged.',
  },
  {
    code: 'headers_too_large',
    status: 431,
    title: 'Headers too large',
    meaning: 'The address and the headers together exceed 16384 bytes. A payment is about 4000 bytes.',
    remedy: 'Send fewer or shorter headers. Nothing was charged.',
  },
  {
    code: 'internal',
    status: 500,
    title: 'Internal error',
    meaning: 'This is a bug in the service. No payment was settled for this request.',
    remedy: 'Repeat the identical request. A payment is never taken twice.',
  },
  {
    code: 'settlement_unavailable',
    status: 503,
    title: 'Payments cannot be taken at the moment',
    meaning:
      'The service cannot take payments at the moment, or this payer already has too many pending. This attempt sent and charged nothing.',
    remedy: 'Repeat the identical request with the same payment after Retry-After.',
  },
] as const satisfies readonly ProblemType[];

export type ProblemCode = (typeof types)[number]['code'];

/** Every problem type that the service can return. */
export const problemTypes: readonly ProblemType[] = types;

const byCode = new Map<ProblemCode, ProblemType>(types.map((type) => [type.code, type]));

/** The page of a problem type, as a path. */
export const problemPath = (code: string): string => `/problems/${code.replaceAll('_', '-')}`;

/** Members of an RFC 9457 problem. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly charged: false;
  readonly errors?: readonly Fault[];
};

export function problem(
  baseUrl: string,
  code: ProblemCode,
  detail?: string,
  errors?: readonly Fault[],
): Problem {
  const { title, status, meaning, remedy } = byCode.get(code) as ProblemType;
  return {
    type: `${baseUrl}${problemPath(code)}`,
    title,
    status,
    code,
    detail: detail ?? `${meaning} ${remedy}`,
    charged: false,
    ...(errors && { errors }),
  };
}

/** "/amount is required; /rate must be …. Nothing was charged.", short enough to read at a glance. */
export function faultSummary(faults: readonly Fault[]): string {
  const shown = faults.slice(0, 3).map(({ pointer, detail }) => `${pointer || 'the input'} ${detail}`);
  const more = faults.length - shown.length;
  const rest = faults.at(-1)?.code === 'more_faults' ? `over ${more - 1}` : more;
  return `${shown.join('; ')}${more > 0 ? `; and ${rest} more` : ''}. Nothing was charged.`;
}
