import type { Fault } from '../domain/result.ts';
import { fromBase64Json } from './base64.ts';
import { type ProblemBody, problemOf, type Request, refusalText, send } from './request.ts';

/** A signed payment with the request it pays for; both stay the same however often they are sent. */
export type Order = {
  readonly request: Request;
  /** The PAYMENT-SIGNATURE header. */
  readonly payment: string;
  readonly name: string;
  /** When to stop asking for the end, in milliseconds since the epoch. */
  readonly untilMs: number;
};

/** How a purchase ended, or that its end is still not known. */
export type Ending =
  | { readonly kind: 'bought'; readonly body: unknown; readonly transaction: string | null }
  | { readonly kind: 'refused'; readonly says: string; readonly isNameSpent: boolean }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[]; readonly says: string }
  | { readonly kind: 'unknown' };

const PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Sends an order until its end is known. The same payment is charged once at most, so it is repeated while the service
 * waits for the result, cannot take payments, or its reply is lost; `onWaiting` is told before each pause.
 */
export async function purchased(order: Order, onWaiting: () => void): Promise<Ending> {
  for (;;) {
    const reply = await attempt(order);
    if ('kind' in reply) return reply;
    if (Date.now() + reply.pauseMs > order.untilMs) return { kind: 'unknown' };
    onWaiting();
    await new Promise((resolve) => setTimeout(resolve, reply.pauseMs));
  }
}

async function attempt({ request, payment, name }: Order): Promise<Ending | { readonly pauseMs: number }> {
  try {
    const response = await send(request, { 'payment-signature': payment, 'idempotency-key': name });
    if (response.ok) {
      const body: unknown = await response.json();
      return { kind: 'bought', body, transaction: transactionOf(response) };
    }
    const problem = await problemOf(response);
    return isOpen(response.status, problem) ? { pauseMs: pauseOf(response) } : endOf(response, problem);
  } catch {
    // No reply, or half of one: anything may have happened.
    return { pauseMs: PAUSE_MS };
  }
}

/** Whether the end of the payment is still to come. */
const isOpen = (status: number, { code }: ProblemBody): boolean =>
  status >= 500 || status === 408 || status === 429 || (status === 409 && code === 'waiting');

function pauseOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_PAUSE_MS) : PAUSE_MS;
}

function endOf(response: Response, problem: ProblemBody): Ending {
  const { errors = [], code } = problem;
  const says = refusalText(response.status, problem);
  if (code === 'invalid_input' && errors.length > 0) return { kind: 'faults', faults: errors, says };
  const isNameSpent = code === 'idempotency_key_reused' || code === 'payment_already_used';
  return { kind: 'refused', says, isNameSpent };
}

/** The transaction of a receipt; null when there is none to read, for the answer counts more. */
function transactionOf(response: Response): string | null {
  try {
    const receipt = fromBase64Json(response.headers.get('payment-response') ?? '');
    const { transaction } = receipt as { readonly transaction?: unknown };
    return typeof transaction === 'string' ? transaction : null;
  } catch {
    return null;
  }
}
