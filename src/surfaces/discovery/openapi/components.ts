import { MAX_PAYMENT_CHARACTERS } from '../../../payments/x402/payment.ts';
import { MAX_BODY_BYTES, MAX_NAME_CHARACTERS } from '../../http/input.ts';
import { type ProblemCode, problemTypes } from '../../problem.ts';
import type { Site } from '../../site.ts';
import { headersOf, type Json, PROBLEM_TYPE, paymentSchemas, ref, text } from './schemas.ts';

const statuses = [...new Set(problemTypes.map(({ status }) => status))].sort((a, b) => a - b);

const fault = {
  type: 'object',
  description: 'One fault of an input.',
  required: ['pointer', 'code', 'detail'],
  properties: {
    pointer: text('JSON pointer to the field; empty for the whole input.'),
    code: text('Stable code of the fault.'),
    detail: text('What is wrong; completes a sentence that begins with the field.'),
    hint: text('What to send instead.'),
  },
};

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'code', 'detail', 'charged'],
  properties: {
    type: text('Page that explains this kind of problem.', { format: 'uri' }),
    title: text('Title of the kind of problem; the same for a given code.'),
    status: { type: 'integer', enum: statuses, description: 'HTTP status.' },
    code: {
      type: 'string',
      enum: problemTypes.map(({ code }) => code),
      description: 'Stable code of the kind of problem.',
    },
    detail: text('What happened this time and what to do.'),
    charged: {
      type: 'boolean',
      const: false,
      description: 'This response charged nothing. If the code is waiting, the payment may still go through.',
    },
    errors: {
      type: 'array',
      maxItems: 101,
      items: ref('schemas', 'Fault'),
      description: 'Every fault of the input.',
    },
  },
};

/** A problem of one status: the shared schema with only the codes of that status. */
export const problemOf = (status: number, codes: readonly string[], more: Json = {}) => ({
  allOf: [
    ref('schemas', 'Problem'),
    { type: 'object', properties: { status: { const: status }, code: { enum: codes }, ...more } },
  ],
});

export const schemas = (): Json => ({
  Fault: fault,
  ...paymentSchemas,
  Problem: problemSchema,
});

const base64Json = { contentEncoding: 'base64', contentMediaType: 'application/json' };

export const headers = (): Json => ({
  'PAYMENT-REQUIRED': {
    description: 'x402 v2 PaymentRequired as base64-encoded JSON.',
    required: true,
    schema: { type: 'string', maxLength: 3000, ...base64Json },
  },
  'PAYMENT-RESPONSE': {
    description:
      'The receipt: x402 v2 SettleResponse as base64-encoded JSON. If there is a /.well-known/did.json, extensions["offer-receipt"] contains it as a JWS, signed with a key from there.',
    schema: { type: 'string', maxLength: 3000, ...base64Json },
  },
  RateLimit: {
    description: 'Free requests left (r), and seconds until the limit resets (t).',
    required: true,
    schema: { type: 'string', maxLength: 60, examples: ['"free";r=29;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'Free requests (q) from one address in a window of seconds (w).',
    required: true,
    schema: { type: 'string', maxLength: 60, examples: ['"free";q=30;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before repeating the identical request.',
    schema: { type: 'integer', minimum: 1, maximum: 3600 },
  },
});

export const parameters = (): Json => ({
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your own name for this purchase, such as a UUID. Use it again when you retry: a payer who signs again with the same key and request is not charged again.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_NAME_CHARACTERS },
  },
  PaymentSignature: {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'The payment: an x402 v2 PaymentPayload (components/schemas/PaymentPayload) as base64-encoded JSON, with an EIP-3009 authorization for one of accepts. Omit it to get the price.',
    schema: {
      type: 'string',
      maxLength: MAX_PAYMENT_CHARACTERS,
      ...base64Json,
      contentSchema: ref('schemas', 'PaymentPayload'),
    },
  },
});

/** Responses that operations share. Example problems are given for 400, 402 and 409. */
export function sharedResponses({ freeRequestsPerMinute }: Site): Json {
  const shared = (status: number, code: ProblemCode, description: string, ...headers: string[]) => ({
    description,
    ...(headers.length > 0 && { headers: headersOf(...headers) }),
    content: { [PROBLEM_TYPE]: { schema: problemOf(status, [code]) } },
  });
  return {
    AnyOperation: {
      description: `408 request_timeout: not complete in time. 413 payload_too_large: the body is over ${MAX_BODY_BYTES} bytes. 415 unsupported_media_type: the body is not JSON in UTF-8. 431 headers_too_large: address and headers exceed 16384 bytes. 500 internal: a bug; this request settled no payment.`,
      content: { [PROBLEM_TYPE]: { schema: ref('schemas', 'Problem') } },
    },
    NotFound: shared(
      404,
      'not_found',
      'Unknown or deleted. Never charged. Paid operations of version 1.0.0 never return it.',
    ),
    RateLimited: shared(
      429,
      'rate_limited',
      `More than ${freeRequestsPerMinute} free requests a minute.`,
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ),
    SettlementUnavailable: shared(
      503,
      'settlement_unavailable',
      'Payments cannot be taken. This attempt sent nothing.',
      'Retry-After',
    ),
    TooManyRefused: shared(
      429,
      'rate_limited',
      'Too many payments from this address were refused within a minute.',
      'Retry-After',
    ),
  };
}
