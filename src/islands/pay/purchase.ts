import type { Fault } from '../../domain/result.ts';
import { orNull } from '../or-null.ts';
import { fromBase64Json } from './base64.ts';
import { isFinal, type Refusal, refusalOf, refusalText } from './refusal.ts';
import { type PurchaseRequest, send } from './request.ts';

/** A signed payment with the request it pays for. Both stay the same when they are sent again. */
export type Order = PurchaseRequest & {
  /** The PAYMENT-SIGNATURE header. */
  readonly payment: string;
  readonly name: string;
  /** A digest of its request, which identifies repeated purchases; null if the browser cannot calculate one. */
  readonly digest: string | null;
  /** When to stop polling for the result, in milliseconds since the epoch. */
  readonly untilMs: number;
};

/**
 * The result of a purchase. `unknown`: it may still complete. `doubtful`: the server has no record of it, so it may
 * have been paid before; `isSpent` if the authorization was used, which nearly always means a transfer.
 */
export type Ending =
  | { readonly kind: 'bought'; readonly body: unknown; readonly transaction: string | null }
  | { readonly kind: 'refused'; readonly says: string; readonly isNameSpent: boolean }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'doubtful'; readonly isSpent: boolean }
  | { readonly kind: 'unknown' };

const PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Sends an order until its result is known. A payment is charged at most once, so the order is repeated while the
 * server waits for the result or cannot take payments, and if its reply is lost or came from another server.
 * `onWaiting` is called before each pause. `wasSent`: the order may already have reached the server.
 */
export async function purchased(order: Order, wasSent: boolean, onWaiting: () => void): Promise<Ending> {
  for (let tries = 0; ; tries += 1) {
    const begunMs = Date.now();
    const reply = await attempt(order, wasSent || tries > 0);
    if ('kind' in reply) return reply;
    const pauseMs = reply.pauseMs ?? Math.min(PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
    // An attempt may end hours after it began because a phone slept. The result is then requested once more.
    if (begunMs + pauseMs > order.untilMs) return { kind: 'unknown' };
    onWaiting();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** `pauseMs`: the pause that the server requests, or null. */
type Open = { readonly pauseMs: number | null };

async function attempt({ request, payment, name }: Order, wasSent: boolean): Promise<Ending | Open> {
  try {
    const response = await send(request, { 'payment-signature': payment, 'idempotency-key': name });
    if (response.ok) {
      const body: unknown = await response.json();
      return { kind: 'bought', body, transaction: transactionOf(response) };
    }
    const refusal = await refusalOf(response);
    return isFinal(refusal) ? endOf(refusal, wasSent) : { pauseMs: pauseOf(response) };
  } catch {
    // Without a complete reply, the result is unknown.
    return { pauseMs: null };
  }
}

function pauseOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_PAUSE_MS) : null;
}

function endOf(refusal: Refusal, wasSent: boolean): Ending {
  const { code, error, errors } = refusal;
  if (error === 'invalid_exact_evm_nonce_already_used') return { kind: 'doubtful', isSpent: true };
  // Only the code `rejected_or_not_received` is about the payment, which the server then remembers. Every other code is
  // only about the repeated request.
  if (wasSent && code !== 'rejected_or_not_received') return { kind: 'doubtful', isSpent: false };
  if (code === 'invalid_input' && errors.length > 0) return { kind: 'faults', faults: errors };
  const isNameSpent = code === 'idempotency_key_reused' || code === 'payment_already_used';
  return { kind: 'refused', says: refusalText(refusal), isNameSpent };
}

/** The transaction of a receipt; null if it cannot be read, in which case the answer is shown anyway. */
function transactionOf(response: Response): string | null {
  const receipt = orNull(() => fromBase64Json(response.headers.get('payment-response') ?? ''));
  const { transaction } = (receipt ?? {}) as { readonly transaction?: unknown };
  return typeof transaction === 'string' ? transaction : null;
}
