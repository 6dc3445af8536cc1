import type { Fault } from '../../domain/result.ts';
import { orNull } from '../or-null.ts';
import { fromBase64Json } from './base64.ts';
import { isFinal, type Refusal, refusalOf, refusalText } from './refusal.ts';
import { type PurchaseRequest, send } from './request.ts';

/** A signed payment with the request it pays for; both stay the same however often they are sent. */
export type Order = PurchaseRequest & {
  /** The PAYMENT-SIGNATURE header. */
  readonly payment: string;
  readonly name: string;
  /** A digest of its request, by which a second purchase of the same is noticed; null where the browser makes none. */
  readonly digest: string | null;
  /** When to stop asking for the end, in milliseconds since the epoch. */
  readonly untilMs: number;
};

/**
 * How a purchase ended. `unknown`: it may still end. `doubtful`: the service remembers nothing of it, so it may have
 * been paid before; `isSpent` when the authorization was used, which is nearly always by a transfer.
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
 * Sends an order until its end is known. The same payment is charged once at most, so it is repeated while the service
 * waits for the result, cannot take payments, or its reply is lost or not its own; `onWaiting` is called before each
 * pause. `wasSent`: the order may have reached the service before.
 */
export async function purchased(order: Order, wasSent: boolean, onWaiting: () => void): Promise<Ending> {
  for (let tries = 0; ; tries += 1) {
    const begunMs = Date.now();
    const reply = await attempt(order, wasSent || tries > 0);
    if ('kind' in reply) return reply;
    const pauseMs = reply.pauseMs ?? Math.min(PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
    // A try that began in time may end hours later, where a phone slept meanwhile: then it is asked once more.
    if (begunMs + pauseMs > order.untilMs) return { kind: 'unknown' };
    onWaiting();
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** `pauseMs`: what the service asks for, or null. */
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
    // No reply, or half of one: anything may have happened.
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
  // Only this code is about a payment that the service remembers; every other one is about the repeated request alone.
  if (wasSent && code !== 'rejected_or_not_received') return { kind: 'doubtful', isSpent: false };
  if (code === 'invalid_input' && errors.length > 0) return { kind: 'faults', faults: errors };
  const isNameSpent = code === 'idempotency_key_reused' || code === 'payment_already_used';
  return { kind: 'refused', says: refusalText(refusal), isNameSpent };
}

/** The transaction of a receipt; null where it cannot be read: the answer is shown all the same. */
function transactionOf(response: Response): string | null {
  const receipt = orNull(() => fromBase64Json(response.headers.get('payment-response') ?? ''));
  const { transaction } = (receipt ?? {}) as { readonly transaction?: unknown };
  return typeof transaction === 'string' ? transaction : null;
}
