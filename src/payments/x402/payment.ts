import { z } from 'zod';
import type { Fault } from '../../domain/result.ts';

/** A hex string as Ethereum writes it. */
export type Hex = `0x${string}`;

/** An EIP-3009 authorization, decoded: addresses and nonce in lower case, amounts in atomic units, times in Unix seconds. */
export type Authorization = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
};

/**
 * A decoded x402 v2 payment: the data that the client signed, the terms that it says it accepted, and its extensions.
 */
export type Payment = {
  readonly authorization: Authorization;
  readonly signature: Hex;
  readonly accepted: Readonly<z.output<typeof shape>['accepted']>;
  /** The id of the payment-identifier extension, when the client sent a well-formed one. */
  readonly identifier: string | null;
  /** The client's extensions as sent, for a facilitator to read. They fit the header. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
};

export type DecodedPayment =
  | { readonly ok: true; readonly payment: Payment }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Maximum length of a payment that is read at all, in characters of base64 or JSON. */
export const MAX_PAYMENT_CHARACTERS = 12_288;
// Passkey wallets sign with up to about 2 KiB. Beyond 4 KiB, gas would cost more than the answer.
const MAX_SIGNATURE_BYTES = 4_096;
const MAX_EXTENSION_LEVELS = 20;

const lowerHex = (pattern: RegExp, message: string) =>
  z
    .string(message)
    .regex(pattern, message)
    .transform((text) => text.toLowerCase() as Hex);
const address = lowerHex(/^0x[0-9a-fA-F]{40}$/, 'must be an address, 0x and 40 hex digits');
const uint = z
  .string('must be a decimal string')
  .regex(/^[0-9]{1,78}$/, 'must be a decimal string of at most 78 digits')
  .transform(BigInt)
  .refine((value) => value < 1n << 256n, 'must fit 256 bits');
const word = z.string('must be text').max(200, 'must be at most 200 characters');
const object = 'must be an object';

const shape = z.object(
  {
    x402Version: z.literal(2, 'must be 2'),
    accepted: z.object(
      {
        scheme: word,
        network: word,
        asset: word.optional(),
        amount: word.optional(),
        payTo: word.optional(),
      },
      object,
    ),
    payload: z.object(
      {
        signature: lowerHex(
          new RegExp(`^0x(?:[0-9a-fA-F]{2}){65,${MAX_SIGNATURE_BYTES}}$`),
          `must be 0x and 65 to ${MAX_SIGNATURE_BYTES} bytes in hex`,
        ),
        authorization: z.object(
          {
            from: address,
            to: address,
            value: uint,
            validAfter: uint,
            validBefore: uint,
            nonce: lowerHex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes in hex'),
          },
          object,
        ),
      },
      object,
    ),
    extensions: z
      .record(z.string(), z.unknown(), object)
      .refine(
        (value) => isShallow(value, MAX_EXTENSION_LEVELS),
        `must be at most ${MAX_EXTENSION_LEVELS} levels deep`,
      )
      .optional(),
  },
  object,
);

// Extensions are serialized again for facilitators, and JSON.stringify overflows on depths that JSON.parse accepts.
const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1)));

const identifierShape = z.object({
  info: z
    .object({
      id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{16,128}$/)
        .optional(),
    })
    .optional(),
});

/**
 * Decodes a PAYMENT-SIGNATURE header (base64 or base64url of JSON) or the object of an MCP `_meta`. It is strict about
 * everything that money depends on and ignores the rest. Never throws.
 */
export function decodePayment(raw: unknown): DecodedPayment {
  const value = typeof raw === 'string' ? parseBase64Json(raw) : raw;
  if (value === undefined)
    return invalid(
      '/payment',
      'undecodable',
      'is not base64 of a JSON object',
      'send the x402 v2 PaymentPayload as base64 of its JSON',
    );
  const parsed = shape.safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      faults: parsed.error.issues.slice(0, 20).map((issue) => ({
        pointer: `/payment${issue.path.map((part) => `/${String(part)}`).join('')}`,
        code: issue.path[0] === 'x402Version' ? 'invalid_x402_version' : 'invalid_payload',
        detail: issue.message,
      })),
    };
  const { payload, accepted, extensions } = parsed.data;
  const identifier = identifierShape.safeParse(extensions?.['payment-identifier'] ?? {});
  if (!identifier.success)
    return invalid(
      '/payment/extensions/payment-identifier/info/id',
      'invalid_payment_identifier',
      'must be 16 to 128 letters, digits, hyphens or underscores',
      'send the same id to repeat a purchase, and a new one for a new purchase',
    );
  return {
    ok: true,
    payment: {
      authorization: payload.authorization,
      signature: payload.signature,
      accepted,
      identifier: identifier.data.info?.id ?? null,
      extensions,
    },
  };
}

function invalid(pointer: string, code: string, detail: string, hint: string): DecodedPayment {
  return { ok: false, faults: [{ pointer, code, detail, hint }] };
}

function parseBase64Json(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.length > MAX_PAYMENT_CHARACTERS || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed)) return undefined;
  try {
    // Node.js reads base64 and base64url; a fatal decoder rejects bytes that are not UTF-8.
    const bytes = Buffer.from(trimmed, 'base64');
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
