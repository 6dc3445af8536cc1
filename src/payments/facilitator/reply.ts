import { z } from 'zod';
import { type NotSent, notSent, type Order, type Refused, refused, USED } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Reply } from './http.ts';
import { rulingOf } from './reasons.ts';

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

// Statuses with which a gateway or a facilitator rejects a request unread.
const turnedAway: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  405: 'not_found',
  429: 'rate_limited',
};
// Client errors that mean, without a settlement in them, that the request was not understood or not paid for.
const notUnderstood = new Set([400, 402, 413, 415, 422]);

/** Classifies a reply. `isEdge503`: a 503 that is not JSON comes from a gateway that let nothing pass. */
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
