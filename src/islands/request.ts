import type { Fault } from '../domain/result.ts';

/** A request of an operation, ready to be sent as often as needed. */
export type Request = {
  readonly method: string;
  readonly url: string;
  /** JSON; null for GET. */
  readonly body: string | null;
};

/** An RFC 9457 problem as far as a page reads it; `error` is the reason code of a 402. */
export type ProblemBody = {
  readonly code?: string;
  readonly detail?: string;
  readonly error?: string;
  readonly errors?: readonly Fault[];
};

// Longer than the service waits for the end of a payment; a reply later than this counts as lost.
const PATIENCE_MS = 45_000;

/** The request that asks for what is written: a query for GET, JSON for POST. */
export function requestOf(method: string, route: string, values: Readonly<Record<string, unknown>>): Request {
  if (method === 'POST') return { method, url: route, body: JSON.stringify(values) };
  const query = new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method, url: `${route}?${query}`, body: null };
}

/** Sends a request; rejects when no reply comes. */
export const send = (
  { method, url, body }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method,
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== null && { body }),
  });

/** What a reply says is wrong; nothing when it says so in no way that we know. */
export async function problemOf(response: Response): Promise<ProblemBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch (error) {
    // A proxy's page is no problem of ours to read; a reply that breaks off is.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const BROKEN = 'Something went wrong on our side. Nothing was charged. Please try again in a moment.';

// The service tells programs what to sign; people are told what happened.
const REASONS: Readonly<Record<string, string>> = {
  insufficient_funds: 'This account holds less USDC on that network than the price. Nothing was charged.',
  invalid_exact_evm_payload_authorization_valid_before:
    'The signature ran out before it reached us: it is good for a short time only. Nothing was charged.',
  invalid_exact_evm_payload_signature:
    'The signature does not fit the account that was to pay. Nothing was charged.',
  invalid_exact_evm_nonce_already_used:
    'This payment was used or canceled before. Look into your wallet before you pay again.',
  payer_or_payee_blacklisted: 'USDC refuses payments from this account. Nothing was charged.',
  payer_or_payee_screened: 'Payments from this account are declined. Nothing was charged.',
};

/** Why a request was not answered, as a plain sentence. */
export function refusalText(status: number, { detail, error }: ProblemBody): string {
  if (status === 402) return REASONS[error ?? ''] ?? detail ?? BROKEN;
  if (status === 429) return 'That was a lot at once. Please try again in a minute. Nothing was charged.';
  return status >= 500 ? BROKEN : (detail ?? BROKEN);
}
