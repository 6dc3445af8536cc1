import type { Schema } from '../../../catalog/schema.ts';
import { MAX_PAYMENT_CHARACTERS } from '../../../payments/x402/payment.ts';
import { TRANSFER_TYPES } from '../../challenges.ts';
import { MAX_BODY_BYTES, MAX_NAME_CHARACTERS } from '../../http/input.ts';
import { type ProblemCode, problemTypes } from '../../problem.ts';
import type { Site } from '../../site.ts';
import { examplePayment, exampleWords, paymentRules } from '../payment-guide.ts';

/** A piece of the document. */
export type Json = Readonly<Record<string, unknown>>;

export const PROBLEM_TYPE = 'application/problem+json';
export const ref = (kind: 'schemas' | 'headers' | 'responses' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Headers by their names. */
export const headersOf = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

/** The content of a problem response. */
export const problemContent = (schema: Json, example: unknown) => ({ [PROBLEM_TYPE]: { schema, example } });

const text = (description: string, more: Json = {}) => ({ type: 'string', description, ...more });

const uintText = (description: string) => text(description, { pattern: '^[0-9]{1,78}$' });
const addressText = (description: string) => text(description, { pattern: '^0x[0-9a-fA-F]{40}$' });

const requirements = {
  type: 'object',
  description: 'x402 v2 PaymentRequirements: one way to pay.',
  required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  properties: {
    scheme: { type: 'string', const: 'exact', description: 'The buyer signs for exactly the amount.' },
    network: text('CAIP-2 name of the network.'),
    amount: text('Price in atomic units of the asset; USDC has six decimals.', { pattern: '^[0-9]+$' }),
    asset: addressText('Contract of the asset.'),
    payTo: addressText('Recipient.'),
    maxTimeoutSeconds: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      description: 'Seconds in which to sign and send the payment.',
    },
    extra: {
      type: 'object',
      description: 'EIP-712 domain of the asset.',
      required: ['name', 'version'],
      properties: { name: text('Name of the domain.'), version: text('Version of the domain.') },
    },
  },
};

const paymentRequired = {
  description: 'A problem that includes the x402 v2 PaymentRequired, as in the PAYMENT-REQUIRED header.',
  allOf: [
    ref('schemas', 'Problem'),
    {
      type: 'object',
      required: ['x402Version', 'error', 'resource', 'accepts', 'extensions', 'price_usd'],
      properties: {
        status: { type: 'integer', const: 402 },
        code: { type: 'string', const: 'payment_required' },
        x402Version: { type: 'integer', const: 2, description: 'Version of the payment protocol.' },
        error: text('Why the payment was rejected; payment_required if none was sent.'),
        resource: {
          type: 'object',
          description: 'The product.',
          required: ['url', 'description', 'mimeType'],
          properties: {
            url: text('Address, without the query.', { format: 'uri' }),
            description: text('Description.'),
            mimeType: { type: 'string', const: 'application/json', description: 'Media type of the answer.' },
            serviceName: text('Seller.'),
            iconUrl: text('Icon of the seller.', { format: 'uri' }),
            tags: {
              type: 'array',
              maxItems: 5,
              items: { type: 'string', maxLength: 32 },
              description: 'Topics.',
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
        extensions: {
          type: 'object',
          description:
            'x402 extensions: bazaar, payment-identifier. If bazaar does not fit in the header, the header has a shortened form.',
        },
        pay_page: text('Page where a person can pay for it.', { format: 'uri' }),
        input_missing: text('For a request without any input: what to send before paying.'),
        price_usd: text('Price in US dollars.'),
        how_to_pay: text('How a client pays.'),
        sign: {
          type: 'object',
          description: 'The EIP-712 typed data to sign for accepts[0]; replace what is in angle brackets.',
        },
        payment_payload: {
          type: 'object',
          description: 'The PaymentPayload that contains the signature; replace what is in angle brackets.',
        },
        retry_policy: text('What to do if a reply is lost.'),
        docs: text('This document.', { format: 'uri' }),
      },
    },
  ],
};

const authorization = {
  type: 'object',
  description: 'The signed EIP-3009 message; numbers are decimal strings.',
  required: ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'],
  properties: {
    from: addressText('Payer.'),
    to: addressText('accepted.payTo.'),
    value: uintText('accepted.amount.'),
    validAfter: uintText('0, or a Unix time in the past.'),
    validBefore: uintText('Unix time: now plus accepted.maxTimeoutSeconds.'),
    nonce: text('32 random bytes.', { pattern: '^0x[0-9a-fA-F]{64}$' }),
  },
};

const paymentPayload = {
  type: 'object',
  description: `x402 v2 PaymentPayload; as base64-encoded JSON it is the PAYMENT-SIGNATURE header. Sign EIP-712 typed data with the primary type TransferWithAuthorization of x-eip712-types. ${paymentRules.join(' ')} ${exampleWords.replace(/:$/, '.')}`,
  'x-eip712-types': TRANSFER_TYPES,
  required: ['x402Version', 'accepted', 'payload'],
  properties: {
    x402Version: { type: 'integer', const: 2, description: 'Version of the payment protocol.' },
    accepted: ref('schemas', 'PaymentRequirements'),
    payload: {
      type: 'object',
      description: 'The signature and the signed message.',
      required: ['signature', 'authorization'],
      properties: {
        signature: text('65 bytes in hex; smart-contract wallets use their own format.', {
          pattern: '^0x([0-9a-fA-F]{2}){65,4096}$',
        }),
        authorization,
      },
    },
    resource: { type: 'object', description: 'The resource of the challenge, unchanged; optional.' },
    extensions: {
      type: 'object',
      description: 'Extensions of the challenge, such as payment-identifier; optional.',
    },
  },
  examples: [examplePayment],
};

/** The schemas of requirements, challenge and payment. */
const paymentSchemas: Json = {
  PaymentPayload: paymentPayload,
  PaymentRequired: paymentRequired,
  PaymentRequirements: requirements,
};

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

/** A reference to a shorter schema would save too little to be worth looking up. */
const WORTH_SHARING = 120;
/** If two objects have fewer fields in common, they are easier to read without a shared component. */
const WORTH_EXTENDING = 700;

type Named = Readonly<Record<string, Schema>>;

/**
 * Returns the component schemas, with repeated parts moved to components that are named after their field. The
 * descriptions of an object stay with the references to it, because they explain its role there.
 */
export function shareSchemas(components: Named): Named {
  const whole = extended(components);
  const occurrences = new Map<string, number>();
  function count(schema: Schema): Schema {
    const key = keyOf(schema);
    const before = occurrences.get(key) ?? 0;
    occurrences.set(key, before + 1);
    // The parts of a schema that was counted before are shared together with it.
    return before > 0 ? schema : withParts(schema, count);
  }
  for (const schema of Object.values(whole)) count(schema);

  const names = new Map(Object.entries(whole).map(([name, schema]) => [keyOf(schema), name]));
  const shared: Record<string, Schema> = {};
  function share(schema: Schema, field: string): Schema {
    const key = keyOf(schema);
    if (!names.has(key)) {
      if (key.length < WORTH_SHARING || (occurrences.get(key) ?? 0) < 2)
        return withParts(schema, share, field);
      const name = unusedName(field, [...names.values()]);
      names.set(key, name);
      shared[name] = withParts(
        isObject(schema) ? { ...schema, description: undefined } : schema,
        share,
        field,
      );
    }
    const { description } = schema;
    return {
      ...ref('schemas', names.get(key) ?? ''),
      ...(isObject(schema) && description !== undefined && { description }),
    };
  }
  const own = Object.entries(whole).map(([name, schema]) => [name, withParts(schema, share, name)]);
  return { ...Object.fromEntries(own), ...shared };
}

/**
 * Returns the component schemas, with the fields that two answers share moved to a component that both extend. Inputs
 * stay whole, because tools that turn them into functions for a model often ignore `allOf`.
 */
function extended(components: Named): Named {
  const objects = new Map<string, { readonly field: string; readonly schema: Schema }>();
  function collect(schema: Schema, field: string): Schema {
    if (isOpen(schema)) objects.set(keyOf(schema), { field, schema });
    return withParts(schema, collect, field);
  }
  for (const [name, schema] of Object.entries(components)) collect(schema, name);
  const [largest] = [...objects.values()]
    .flatMap(({ schema, field }, index, all) =>
      all.slice(0, index).map((other) => ({ field, common: commonOf(schema, other.schema) })),
    )
    .sort((a, b) => keyOf(b.common).length - keyOf(a.common).length);
  if (largest === undefined || keyOf(largest.common).length < WORTH_EXTENDING) return components;

  const { field, common } = largest;
  const name = unusedName(`${field}_base`, Object.keys(components));
  function extend(schema: Schema, at: string): Schema {
    const parts = withParts(schema, extend, at);
    if (!isOpen(schema) || sizeOf(commonOf(schema, common)) < sizeOf(common)) return parts;
    const { description, properties, required = [], ...rest } = parts;
    const isOwn = (one: string) => common.properties?.[one] === undefined;
    const own = Object.entries(properties ?? {}).filter(([one]) => isOwn(one));
    const words = description !== undefined && { description };
    const base = ref('schemas', name);
    if (own.length === 0) return { ...base, ...words };
    const demanded = required.filter(isOwn);
    const more = {
      ...rest,
      properties: Object.fromEntries(own),
      ...(demanded.length > 0 && { required: demanded }),
    };
    return {
      ...words,
      allOf: [base, more],
    };
  }
  const made = Object.entries(components).map(([one, schema]) => [one, extend(schema, one)]);
  return extended({ ...Object.fromEntries(made), [name]: common });
}

/** The fields that two objects describe alike and require alike, as an object. */
function commonOf(a: Schema, b: Schema): Schema {
  const isRequired = ({ required }: Schema, name: string) => required?.includes(name) === true;
  const names = Object.entries(a.properties ?? {}).flatMap(([name, field]) =>
    JSON.stringify(field) === JSON.stringify(b.properties?.[name]) &&
    isRequired(a, name) === isRequired(b, name)
      ? [name]
      : [],
  );
  const required = names.filter((name) => isRequired(a, name));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, a.properties?.[name] ?? {}])),
    ...(required.length > 0 && { required }),
  };
}

/** The number of fields, required ones counted twice: equal for an object and its part only if the part is the whole. */
const sizeOf = ({ properties = {}, required = [] }: Schema): number =>
  Object.keys(properties).length + required.length;

const isObject = ({ properties }: Schema): boolean => properties !== undefined;
const isOpen = (schema: Schema): boolean => isObject(schema) && schema.additionalProperties !== false;

/** Equal for schemas that one component can represent. */
const keyOf = (schema: Schema): string =>
  JSON.stringify(isObject(schema) ? { ...schema, description: undefined } : schema);

/** A schema with its parts replaced; `field` is the name of the field that it is the schema of. */
function withParts(schema: Schema, made: (part: Schema, field: string) => Schema, field = ''): Schema {
  const { properties, items, anyOf, allOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, made(part, name)]),
      ),
    }),
    ...(items && { items: made(items, field) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as readonly Schema[]).map((part) => made(part, field)) }),
    ...(allOf !== undefined && { allOf: (allOf as readonly Schema[]).map((part) => made(part, field)) }),
  };
}

/** The name of a component for a field, in the style of type names: TaxBreakdown for tax_breakdown. */
function unusedName(field: string, used: readonly string[]): string {
  const name = field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [name, ...Array.from({ length: used.length }, (_, index) => `${name}${index + 2}`)];
  return names.find((candidate) => !used.includes(candidate)) ?? name;
}
