import type { Operation } from '../../catalog/operation.ts';
import { reasonCodes } from './reasons.ts';
import type { Requirements, ResourceInfo } from './requirements.ts';

/** x402 v2 PaymentRequired. */
export type PaymentRequired = {
  readonly x402Version: 2;
  readonly error: string;
  readonly resource: ResourceInfo;
  readonly accepts: readonly [Requirements];
  readonly extensions: Readonly<Record<string, unknown>>;
};

/** The challenge of one paid operation, which is the same for every caller. Making it needs no network. */
export type Challenge = {
  readonly requirements: Requirements;
  readonly resource: ResourceInfo;
  /** The contents of its body other than the payment terms, such as `bazaar`; a facilitator gets the same. */
  readonly extensions: Extensions;
  /** The document with a reason in `error`. */
  required(reason: string): PaymentRequired;
  /**
   * The document in fewer bytes: with the extensions that fit a header, and without the schema of a payment
   * identifier.
   */
  compact(reason: string): PaymentRequired;
  /** The PAYMENT-REQUIRED header: standard base64 of the compact document. */
  header(reason: string): string;
};

/** Clients look only at `info` before they name a payment. */
const compactIdentifier = { info: { required: false } };
const paymentIdentifier = {
  ...compactIdentifier,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
};

/** Data for catalogs and clients other than the payment itself, by extension name. */
export type Extensions = Readonly<Record<string, unknown>>;

/** The extensions of a body. `inHeader` is present if not all of them fit a header. */
type ExtensionForms = { readonly extensions?: Extensions; readonly inHeader?: Extensions };

export function challengeOf(
  operation: Operation,
  requirements: Requirements,
  resource: ResourceInfo,
  { extensions = {}, inHeader = extensions }: ExtensionForms,
): Challenge {
  // Reasons are a short fixed list of codes, so the rendered headers are few.
  const headers = new Map<string, string>();
  const whole = { requirements, resource, extensions };
  const required = (reason: string) => requiredOf(reason, whole, paymentIdentifier);
  const compact = (reason: string) =>
    requiredOf(reason, { ...whole, extensions: inHeader }, compactIdentifier);
  const header = (reason: string): string => {
    const known = headers.get(reason);
    if (known !== undefined) return known;
    const rendered = Buffer.from(JSON.stringify(compact(reason))).toString('base64');
    headers.set(reason, rendered);
    return rendered;
  };
  if (header('payment_required').length > MAX_HEADER_BYTES)
    throw new Error(`The challenge of ${operation.name} is over ${MAX_HEADER_BYTES} bytes`);
  return { ...whole, required, compact, header };
}

const requiredOf = (
  reason: string,
  { requirements, resource, extensions }: Pick<Challenge, 'requirements' | 'resource' | 'extensions'>,
  identifier: object,
): PaymentRequired => ({
  x402Version: 2,
  error: reason,
  resource,
  accepts: [requirements],
  extensions: { ...extensions, 'payment-identifier': identifier },
});

/** How many bytes of JSON are left for further extensions, whatever the reason in the challenge. */
export function roomForExtensions(requirements: Requirements, resource: ResourceInfo): number {
  const sizes = reasonCodes.map((reason) =>
    Buffer.byteLength(
      JSON.stringify(requiredOf(reason, { requirements, resource, extensions: {} }, compactIdentifier)),
    ),
  );
  // Base64 turns three bytes into four characters. A comma separates the extensions from the rest.
  return (MAX_HEADER_BYTES / 4) * 3 - Math.max(...sizes) - 1;
}

// nginx by default accepts response heads of 4 KiB. This leaves room for the other headers.
const MAX_HEADER_BYTES = 3_000;
