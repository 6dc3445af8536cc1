import { decodePaymentResponseHeader } from '@x402/core/http';
import type { Operations } from './operations.ts';

/** A request as it is sent. */
export type Wish = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** JSON; null for GET. */
  readonly body: string | null;
};

/** The names of the paid operations. */
export type PaidName = {
  [Of in keyof Operations]: Operations[Of]['paid'] extends true ? Of : never;
}[keyof Operations];

/** An order of one operation. */
export type OrderOf<Of extends PaidName> = Wish & {
  /** The operation that was called. */
  readonly operation: Of;
  /**
   * The name of the purchase. While the service remembers it, the purchase is charged only once, even if the payment
   * is signed again.
   */
  readonly name: string;
  /** The PAYMENT-SIGNATURE header. */
  readonly payment: string;
};

/** A signed payment with its request. It is plain data: store it to poll for the result later. */
export type Order = { [Of in PaidName]: OrderOf<Of> }[PaidName];

/** A problem (RFC 9457) from the service; `errors` names every fault of an input. */
export type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string; readonly detail: string }[];
  /** Why a payment was not accepted, as an x402 code. */
  readonly error?: string;
};

/** The request has failed and nothing was charged. `problem.code` says why, and `cause` has the underlying error. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** The status of the reply; null without a reply. */
  readonly status: number | null;
  readonly problem: Problem;

  constructor(status: number | null, problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.status = status;
    this.problem = problem;
  }
}

/**
 * The payment may have been made, but its answer has not arrived. `resume(order)` retries with the same payment, which
 * is never charged twice. A new signature under another name may pay twice.
 */
export class UnknownEndError extends Error {
  override readonly name = 'UnknownEndError';
  readonly order: Order;

  constructor(order: Order, why: string, options?: ErrorOptions) {
    super(`${why} Ask again with resume(order), or check the transfers of the paying account.`, options);
    this.order = order;
  }
}

/** Problem codes that are final. After any other reply, the request may still succeed. */
export const FINAL_CODES: ReadonlySet<string> = new Set([
  'invalid_input',
  'invalid_payment',
  'payment_required',
  'not_found',
  'method_not_allowed',
  'rejected_or_not_received',
  'analysis_failed',
  'payment_already_used',
  'idempotency_key_reused',
  'payload_too_large',
  'unsupported_media_type',
  'headers_too_large',
]);

/** Maximum time for one reply; the service waits for the chain for twenty seconds before it replies `waiting`. */
const REPLY_MS = 60_000;
const PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 30_000;

export type Sending = {
  readonly fetch: typeof globalThis.fetch;
  readonly patienceMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the payment may already have reached the service. */
  readonly wasSent: boolean;
};

/**
 * The fetch options of a request. Redirects are rejected, because a payment may only go to the service it was signed
 * for.
 */
export const initOf = ({ method, body }: Wish, headers: Readonly<Record<string, string>>): RequestInit => ({
  method,
  body,
  headers: { ...(body !== null && { 'content-type': 'application/json' }), ...headers },
  redirect: 'error',
});

/**
 * The header with the name of a purchase. The name is encoded, because headers cannot contain every character; a blank
 * name is ignored.
 */
export function naming(name: string): Readonly<Record<string, string>> {
  if (name === '') throw new TypeError('The name is empty: leave it out, or name the purchase.');
  return { 'idempotency-key': encodeURIComponent(name) };
}

/**
 * Sends an order until its result is known, and resolves to the reply with the result. A payment is charged at most
 * once, so the order is repeated while the service waits for the result or cannot take payments, and if its reply is
 * lost, cut off or not from the service.
 */
export async function settled(order: Order, sending: Sending): Promise<Response> {
  const { patienceMs, signal } = sending;
  const untilMs = Date.now() + patienceMs;
  let { wasSent } = sending;
  let cause: unknown;
  for (let tries = 0; ; tries += 1) {
    const reply = await sent(order, sending, Math.min(REPLY_MS, untilMs - Date.now())).catch((error) => {
      cause = error;
      return null;
    });
    if (reply && (await isAnswer(reply))) return reply;
    const problem = reply?.ok === false ? await problemOf(reply) : null;
    if (reply && problem && FINAL_CODES.has(problem.code)) {
      if (isDoubtful(problem, wasSent))
        throw new UnknownEndError(order, 'The service no longer knows whether this payment was made.');
      return reply;
    }
    wasSent = true;
    const pauseMs = pauseOf(reply) ?? Math.min(PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
    if (signal?.aborted || Date.now() + pauseMs > untilMs)
      throw new UnknownEndError(order, 'The result of this payment is not known yet.', { cause });
    await pause(pauseMs, signal);
  }
}

/** The complete reply. Rejects if it is incomplete or late. */
async function sent(order: Order, { fetch, signal }: Sending, limitMs: number): Promise<Response> {
  const headers = { 'payment-signature': order.payment, ...naming(order.name) };
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const timer = setTimeout(stop, limitMs);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    const response = await fetch(order.url, { ...initOf(order, headers), signal: stopping.signal });
    const { status, headers: replied } = response;
    return new Response(await response.text(), { status, headers: replied });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Third parties also send status 200, for example a network's login page, so the answer and its receipt must be
 * readable.
 */
async function isAnswer(reply: Response): Promise<boolean> {
  if (!reply.ok) return false;
  try {
    decodePaymentResponseHeader(reply.headers.get('payment-response') ?? '');
    await reply.clone().json();
    return true;
  } catch {
    return false;
  }
}

/** Reads why a request was rejected; null if the service did not write the reply. */
export async function problemOf(response: Response): Promise<Problem | null> {
  try {
    const body = (await response.clone().json()) as Partial<Problem> & { readonly charged?: unknown };
    return body.charged === false && typeof body.code === 'string' && typeof body.detail === 'string'
      ? (body as Problem)
      : null;
  } catch {
    return null;
  }
}

/** The service can rule out a transfer only for a payment that it remembers. */
const isDoubtful = ({ code, error }: Problem, wasSent: boolean): boolean =>
  error === 'invalid_exact_evm_nonce_already_used' || (wasSent && code !== 'rejected_or_not_received');

function pauseOf(reply: Response | null): number | null {
  const seconds = Number(reply?.headers.get('retry-after') ?? Number.NaN);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_PAUSE_MS) : null;
}

/** A pause that ends early when the signal aborts. */
const pause = (durationMs: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal?.addEventListener('abort', end);
  });
