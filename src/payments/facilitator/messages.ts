import { z } from 'zod';
import { type NotSent, notSent, type Order, type Refused, refused, USED } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Reply } from './http.ts';

/**
 * The body of `POST /settle`. The requirements, the resource and the extensions for catalogs are ours, even if the
 * client sent copies of them. The client's signed data and other extensions are unchanged. The same order gives the
 * same bytes.
 */
export function settleBody({ payment, requirements, resource, extensions }: Order): string {
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization;
  const authorization = {
    from,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  };
  return JSON.stringify({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource,
      accepted: requirements,
      payload: { signature: payment.signature, authorization },
      extensions: { ...payment.extensions, ...extensions },
    },
    paymentRequirements: requirements,
  });
}

/**
 * What a reply to `/settle` claims. `paid`: the facilitator says that the money moved. `pending`: it sent and does not
 * know the result; the same bytes may be posted again. `unclear`: it may have sent. `used`: it considers the nonce
 * spent. `refused`: it sent nothing; `reason` is one of our codes. `not_taken`: it did nothing, and another settler may
 * try; `heard` is whether the facilitator itself said so.
 */
export type FacilitatorVerdict =
  | { readonly kind: 'paid'; readonly transaction: Hex }
  | { readonly kind: 'pending' | 'unclear'; readonly transaction: Hex | null }
  | { readonly kind: 'used' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'not_taken'; readonly reason: string; readonly heard: boolean };

/** The facilitator may have acted; what it did is unknown. */
export const UNCLEAR: FacilitatorVerdict = { kind: 'unclear', transaction: null };
const notTaken = (reason: string): FacilitatorVerdict => ({ kind: 'not_taken', reason, heard: true });

const transaction = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hex);
const word = z.string().nullish();

const successShape = z.object({
  success: z.literal(true),
  transaction,
  network: z.string(),
  payer: z.string(),
  amount: word,
});
const failureShape = z.object({
  success: z.literal(false),
  errorReason: word,
  transaction: transaction.nullish().catch(null),
});

// Statuses with which a gateway or a facilitator rejects a request without reading it.
const turnedAway: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  405: 'not_found',
  429: 'rate_limited',
};
// If a reply with one of these statuses contains no settlement, the request was not understood or not paid for.
const notUnderstood = new Set([400, 402, 413, 415, 422]);

/** Classifies a reply. `isEdge503`: a 503 that is not JSON comes from a gateway that did not forward the request. */
export function readVerdict(reply: Reply, order: Order, isEdge503 = false): FacilitatorVerdict {
  if (reply.kind === 'unreached') return { kind: 'not_taken', reason: 'unreached', heard: false };
  if (reply.kind === 'unclear') return UNCLEAR;
  const { status, body } = reply;
  const away = turnedAway[status];
  if (away !== undefined) return notTaken(away);
  if (status === 503 && body === undefined && isEdge503) return notTaken('busy');
  const failure = failureShape.safeParse(body);
  if (failure.success) return ofFailure(status, failure.data);
  if (notUnderstood.has(status)) return notTaken('not_understood');
  const success = successShape.safeParse(body);
  if (!success.success || status >= 300 || !concerns(success.data, order)) return UNCLEAR;
  return { kind: 'paid', transaction: success.data.transaction };
}

const verifyShape = z.object({ isValid: z.boolean(), invalidReason: word });

/**
 * The meaning of a reply to `/verify` for a payment that was not sent yet: null if the facilitator would settle it now.
 * After a reply of another shape, the facilitator is not asked to settle.
 */
export function verdictOf(reply: Reply): Refused | NotSent | null {
  if (reply.kind !== 'answered') return notSent('unreached');
  const said = verifyShape.safeParse(reply.body);
  if (!said.success) {
    return notSent(turnedAway[reply.status] ?? (reply.status >= 500 ? 'busy' : 'not_understood'));
  }
  if (said.data.isValid) return null;
  const ruling = rulingOf(said.data.invalidReason ?? '');
  if (ruling.kind === 'unsupported') return notSent('unsupported');
  if (ruling.kind === 'used') return USED;
  return refused(ruling.kind === 'refused' ? ruling.reason : 'invalid_transaction_state');
}

function ofFailure(
  status: number,
  { errorReason, transaction }: z.output<typeof failureShape>,
): FacilitatorVerdict {
  const sent = transaction ?? null;
  const ruling = rulingOf(errorReason ?? '');
  if (ruling.kind === 'pending') return { kind: 'pending', transaction: sent };
  // With status 500, the facilitator does not know the result of the transaction that it names.
  if (status >= 500 && sent !== null) return { kind: 'pending', transaction: sent };
  if (status >= 500 || sent !== null || ruling.kind === 'unclear')
    return { kind: 'unclear', transaction: sent };
  return ruling.kind === 'unsupported' ? notTaken('unsupported') : ruling;
}

function concerns(said: z.output<typeof successShape>, { payment, requirements }: Order): boolean {
  return (
    said.network === requirements.network &&
    said.payer.toLowerCase() === payment.authorization.from &&
    (said.amount ?? requirements.amount) === requirements.amount
  );
}

/**
 * What a facilitator's reason for a failure means. `refused`: nothing was sent, because of the payment, in our own
 * code. `used`: it considers the nonce spent. `unsupported`: it cannot settle our requirements from any payer.
 * `pending`: it sent, and does not know the result. `unclear`: it may have sent.
 */
type Ruling =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unclear' };

// Codes of the x402 v2 specification, of the official facilitator and of hosted ones, by our code.
const refusals: Readonly<Record<string, readonly string[]>> = {
  insufficient_funds: ['insufficient_funds', 'invalid_exact_evm_insufficient_balance'],
  invalid_exact_evm_payload_signature: [
    'invalid_exact_evm_payload_signature',
    'invalid_exact_evm_signature',
    'invalid_exact_evm_failed_to_parse_signature',
    'invalid_exact_evm_payload_signature_address',
    'invalid_exact_evm_payload_authorization_typed_data_message',
  ],
  invalid_exact_evm_payload_recipient_mismatch: [
    'invalid_exact_evm_payload_recipient_mismatch',
    'invalid_exact_evm_recipient_mismatch',
  ],
  invalid_exact_evm_payload_authorization_value_mismatch: [
    'invalid_exact_evm_payload_authorization_value_mismatch',
    'invalid_exact_evm_payload_authorization_value',
    'invalid_exact_evm_authorization_value',
  ],
  invalid_exact_evm_payload_authorization_valid_after: [
    'invalid_exact_evm_payload_authorization_valid_after',
  ],
  invalid_exact_evm_payload_authorization_valid_before: [
    'invalid_exact_evm_payload_authorization_valid_before',
  ],
  payer_or_payee_screened: [
    'invalid_exact_evm_payload_authorization_from_address_kyt',
    'invalid_exact_evm_payload_authorization_to_address_kyt',
  ],
  invalid_transaction_state: [
    'invalid_exact_evm_transaction_simulation_failed',
    'eip6492_factory_not_allowed',
    'smart_wallet_deployment_failed',
  ],
};
const used = ['invalid_exact_evm_nonce_already_used'];
// The requirements are ours, so the buyer does not cause these failures.
const unsupported = [
  'unsupported_scheme',
  'invalid_scheme',
  'invalid_exact_evm_scheme',
  'invalid_network',
  'invalid_exact_evm_network_mismatch',
  'invalid_payment_requirements',
  'invalid_payload',
  'unsupported_payload_type',
  'invalid_x402_version',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_payload_authorization_value_too_low',
  'asset_not_deployed_contract',
];

const rulings: ReadonlyMap<string, Ruling> = new Map([
  ...Object.entries(refusals).flatMap(([reason, codes]) =>
    codes.map((code): [string, Ruling] => [code, { kind: 'refused', reason }]),
  ),
  ...used.map((code): [string, Ruling] => [code, { kind: 'used' }]),
  ...unsupported.map((code): [string, Ruling] => [code, { kind: 'unsupported' }]),
  ['settlement_pending', { kind: 'pending' }],
]);

/** What a facilitator's `errorReason` means. An unknown reason may describe a transfer that was sent. */
export const rulingOf = (errorReason: string): Ruling => rulings.get(errorReason) ?? { kind: 'unclear' };

const supportedShape = z.object({
  kinds: z.array(
    z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() }).partial().catch({}),
  ),
});

/** Why a facilitator with this answer to `GET /supported` cannot settle on a network (CAIP-2); null if it can. */
export function supportedFault(
  reply: Reply,
  network: string,
): 'unreached' | 'unauthorized' | 'unclear' | 'not_listed' | null {
  if (reply.kind !== 'answered') return reply.kind;
  if (reply.status === 401 || reply.status === 403) return 'unauthorized';
  const supported = supportedShape.safeParse(reply.body);
  if (reply.status !== 200 || !supported.success) return 'unclear';
  const lists = supported.data.kinds.some(
    (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
  );
  return lists ? null : 'not_listed';
}
