import { TRANSFER_TYPES } from '../../signing-guide.ts';
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

export const text = (description: string, more: Json = {}) => ({ type: 'string', description, ...more });

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
export const paymentSchemas: Json = {
  PaymentPayload: paymentPayload,
  PaymentRequired: paymentRequired,
  PaymentRequirements: requirements,
};
