import { MAX_PAYMENT_CHARACTERS } from '../../../payments/x402/payment.ts';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import { MAX_NAME_CHARACTERS } from '../../http/idempotency-key.ts';
import { type ProblemCode, problem, problemTypes } from '../../problem.ts';
import { TRANSFER_TYPES } from '../../signing-guide.ts';
import type { Site } from '../../site.ts';
import { examplePayment, exampleWords, paymentRules } from '../payment-lesson.ts';

type Json = Readonly<Record<string, unknown>>;

export const PROBLEM_TYPE = 'application/problem+json';
export const ref = (kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const text = (description: string, maxLength: number, more: Json = {}) => ({
  type: 'string',
  maxLength,
  description,
  ...more,
});

const statuses = [...new Set(problemTypes.map(({ status }) => status))].sort((a, b) => a - b);

const fault = {
  type: 'object',
  description: 'One thing wrong with an input.',
  required: ['pointer', 'code', 'detail'],
  properties: {
    pointer: text('JSON pointer into the input by field names; empty for the whole input.', 1000),
    code: text('Stable code of the fault.', 60),
    detail: text('What is wrong; completes a sentence that begins with the field.', 300),
    hint: text('What to send instead.', 1000),
  },
};

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'code', 'detail', 'charged'],
  properties: {
    type: text('Names the kind of problem; a page that explains it.', 300, { format: 'uri' }),
    title: text('The kind of problem, the same each time.', 100),
    status: { type: 'integer', enum: statuses, description: 'HTTP status.' },
    code: {
      type: 'string',
      enum: problemTypes.map(({ code }) => code),
      description: 'Stable code of the kind of problem.',
    },
    detail: text('What happened this time and what to do.', 2000),
    charged: {
      type: 'boolean',
      const: false,
      description: 'This reply charged nothing. On waiting, the payment of the request may still go through.',
    },
    errors: {
      type: 'array',
      maxItems: 101,
      items: ref('schemas', 'Fault'),
      description: 'Every fault of the input.',
    },
  },
};

const requirements = {
  type: 'object',
  description: 'x402 v2 PaymentRequirements: one way to pay.',
  required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  properties: {
    scheme: { type: 'string', const: 'exact', description: 'The buyer signs for exactly the amount.' },
    network: text('CAIP-2 name of the network.', 40),
    amount: text('Price in atomic units of the asset; USDC has six decimals.', 20, { pattern: '^[0-9]+$' }),
    asset: text('Contract of the asset.', 42, { pattern: '^0x[0-9a-fA-F]{40}$' }),
    payTo: text('Who is paid.', 42, { pattern: '^0x[0-9a-fA-F]{40}$' }),
    maxTimeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      description: 'Time to sign and send.',
    },
    extra: {
      type: 'object',
      description: 'EIP-712 domain of the asset.',
      required: ['name', 'version'],
      properties: { name: text('Name of the domain.', 40), version: text('Version of the domain.', 10) },
    },
  },
};

const paymentRequired = {
  description: 'A problem that carries the x402 v2 PaymentRequired, as PAYMENT-REQUIRED does.',
  allOf: [
    ref('schemas', 'Problem'),
    {
      type: 'object',
      required: ['x402Version', 'error', 'resource', 'accepts', 'extensions', 'price_usd'],
      properties: {
        status: { type: 'integer', const: 402 },
        code: { type: 'string', const: 'payment_required' },
        x402Version: { type: 'integer', const: 2, description: 'Version of the payment protocol.' },
        error: text('Why what was sent did not do; payment_required when nothing was sent.', 100),
        resource: {
          type: 'object',
          description: 'What is sold.',
          required: ['url', 'description', 'mimeType'],
          properties: {
            url: text('Address, without the query.', 300, { format: 'uri' }),
            description: text('What it is.', 300),
            mimeType: { type: 'string', const: 'application/json', description: 'Media type of the answer.' },
            serviceName: text('Who sells.', 32),
            tags: {
              type: 'array',
              maxItems: 5,
              items: { type: 'string', maxLength: 32 },
              description: 'What it is about.',
            },
          },
        },
        accepts: {
          type: 'array',
          minItems: 1,
          maxItems: 1,
          items: ref('schemas', 'PaymentRequirements'),
          description: 'The ways to pay.',
        },
        extensions: { type: 'object', description: 'x402 extensions: bazaar, payment-identifier.' },
        price_usd: text('Price in US dollars.', 10),
        how_to_pay: text('What a client does to pay.', 600),
        sign: {
          type: 'object',
          description:
            'The EIP-712 typed data to sign for accepts[0]; what a buyer fills in is in angle brackets.',
        },
        payment_payload: {
          type: 'object',
          description: 'The PaymentPayload around it; what a buyer fills in is in angle brackets.',
        },
        retry_policy: text('What to do when a reply is lost.', 300),
        docs: text('This document.', 300, { format: 'uri' }),
      },
    },
  ],
};

/** A problem of one status: the shared shape narrowed to the codes that can come with it. */
export const problemOf = (status: number, codes: readonly string[], more: Json = {}) => ({
  allOf: [
    ref('schemas', 'Problem'),
    {
      type: 'object',
      properties: {
        status: { type: 'integer', const: status },
        code: { type: 'string', enum: codes },
        ...more,
      },
    },
  ],
});

const uintText = (description: string) => text(description, 78, { pattern: '^[0-9]{1,78}$' });
const addressText = (description: string) => text(description, 42, { pattern: '^0x[0-9a-fA-F]{40}$' });

const authorization = {
  type: 'object',
  description: 'The EIP-3009 message that is signed; numbers are decimal strings.',
  required: ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'],
  properties: {
    from: addressText('Who pays.'),
    to: addressText('accepted.payTo.'),
    value: uintText('accepted.amount.'),
    validAfter: uintText('0, or a Unix time in the past.'),
    validBefore: uintText('Unix time: now plus accepted.maxTimeoutSeconds.'),
    nonce: text('32 random bytes.', 66, { pattern: '^0x[0-9a-fA-F]{64}$' }),
  },
};

const paymentPayload = {
  type: 'object',
  description: `x402 v2 PaymentPayload; its JSON in base64 is the PAYMENT-SIGNATURE header. Sign EIP-712 typed data, primary type TransferWithAuthorization of x-eip712-types. ${paymentRules.join(' ')} ${exampleWords.replace(/:$/, ' is shown here.')}`,
  'x-eip712-types': TRANSFER_TYPES,
  required: ['x402Version', 'accepted', 'payload'],
  properties: {
    x402Version: { type: 'integer', const: 2, description: 'Version of the payment protocol.' },
    accepted: ref('schemas', 'PaymentRequirements'),
    payload: {
      type: 'object',
      description: 'The signature, and what it signs.',
      required: ['signature', 'authorization'],
      properties: {
        signature: text('65 bytes in hex; of a wallet with code its own form.', 8194, {
          pattern: '^0x([0-9a-fA-F]{2}){65,4096}$',
        }),
        authorization,
      },
    },
    resource: { type: 'object', description: 'The resource of the challenge, as it is; may be left out.' },
    extensions: {
      type: 'object',
      description: 'Extensions of the challenge, such as payment-identifier; may be left out.',
    },
  },
  examples: [examplePayment],
};

export const schemas = (): Json => ({
  Fault: fault,
  PaymentPayload: paymentPayload,
  PaymentRequired: paymentRequired,
  PaymentRequirements: requirements,
  Problem: problemSchema,
});

const base64Json = { contentEncoding: 'base64', contentMediaType: 'application/json' };

export const headers = (): Json => ({
  'PAYMENT-REQUIRED': {
    description: 'x402 v2 PaymentRequired: base64 of its JSON.',
    required: true,
    schema: { type: 'string', maxLength: 3000, ...base64Json },
  },
  'PAYMENT-RESPONSE': {
    description:
      'x402 v2 SettleResponse, the receipt: base64 of its JSON. Where there is a /.well-known/did.json, extensions["offer-receipt"] holds it as a JWS, signed with a key named there.',
    schema: { type: 'string', maxLength: 3000, ...base64Json },
  },
  RateLimit: {
    description: 'Free requests left (r) and seconds until all are there again (t).',
    required: true,
    schema: { type: 'string', maxLength: 60, examples: ['"free";r=29;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'Free requests (q) in a window of seconds (w) for one address.',
    required: true,
    schema: { type: 'string', maxLength: 60, examples: ['"free";q=30;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the identical request is worth repeating.',
    schema: { type: 'integer', minimum: 1, maximum: 3600 },
  },
});

export const parameters = (): Json => ({
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your own name for this purchase, such as a UUID. Use the same value when you retry it: a payer who signs anew with the same key and the same request is not charged again.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_NAME_CHARACTERS },
  },
  PaymentSignature: {
    name: 'PAYMENT-SIGNATURE',
    in: 'header',
    required: false,
    description:
      'The payment: base64 of the JSON of an x402 v2 PaymentPayload (components/schemas/PaymentPayload) with an EIP-3009 authorization for one of accepts. Leave it out to be told the price.',
    schema: {
      type: 'string',
      maxLength: MAX_PAYMENT_CHARACTERS,
      ...base64Json,
      contentSchema: ref('schemas', 'PaymentPayload'),
    },
  },
});

/** Responses that are the same wherever they occur. */
export function sharedResponses({ baseUrl, freeRequestsPerMinute }: Site): Json {
  const shared = (status: number, code: ProblemCode, description: string, more: Json = {}) => ({
    description,
    content: {
      [PROBLEM_TYPE]: { schema: problemOf(status, [code]), example: { ...problem(baseUrl, code), ...more } },
    },
  });
  const retryAfter = { 'Retry-After': ref('headers', 'Retry-After') };
  return {
    HeadersTooLarge: shared(431, 'headers_too_large', 'Address and headers are over 16384 bytes together.'),
    Internal: shared(500, 'internal', 'Our fault. No payment was settled by this request.'),
    PayloadTooLarge: shared(413, 'payload_too_large', `The body is over ${MAX_BODY_BYTES} bytes.`),
    RateLimited: {
      ...shared(429, 'rate_limited', `More than ${freeRequestsPerMinute} free requests a minute.`, {
        'violated-policies': ['free'],
      }),
      headers: {
        ...retryAfter,
        RateLimit: ref('headers', 'RateLimit'),
        'RateLimit-Policy': ref('headers', 'RateLimit-Policy'),
      },
    },
    RequestTimeout: shared(408, 'request_timeout', 'The request was not complete in time.'),
    SettlementUnavailable: {
      ...shared(
        503,
        'settlement_unavailable',
        'Payments cannot be taken. Nothing was sent, nothing charged.',
      ),
      headers: retryAfter,
    },
    TooManyRefused: {
      ...shared(429, 'rate_limited', 'Too many payments of this address were refused within a minute.'),
      headers: retryAfter,
    },
    UnsupportedMediaType: shared(415, 'unsupported_media_type', 'The body is not JSON in UTF-8.'),
  };
}
