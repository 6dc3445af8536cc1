import { type Operation, pageAddress } from '../../catalog/operation.ts';
import type { Outcome, Receipt } from '../../exchange/outcome.ts';
import type { Challenge } from '../../payments/x402/challenge.ts';
import { reasonDetail } from '../../payments/x402/reasons.ts';
import { faultSummary, type Problem, type ProblemCode, problem } from '../problem.ts';
import { signingGuide } from '../signing-guide.ts';
import type { Reply } from './listener.ts';
import { cachedReply } from './representations.ts';

// Browsers may read every header that a buyer needs. @x402/fetch sends a response header as a request header, so that
// header is also allowed.
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, RateLimit, RateLimit-Policy, Link, ETag, X-Request-Id',
};

/** The additional headers of a preflight. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'Content-Type, Accept, PAYMENT-SIGNATURE, X-PAYMENT, Access-Control-Expose-Headers, Idempotency-Key, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id',
  'access-control-max-age': '86400',
};

const COMMON: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
const JSON_HEADERS = { ...COMMON, 'content-type': 'application/json' };
const PROBLEM_HEADERS = { ...COMMON, 'content-type': 'application/problem+json' };

type Headers = Readonly<Record<string, string>>;

// In Node.js 20, a spread of more than one object takes V8 ten times as long.
const together = (...parts: Headers[]): Headers => Object.assign({}, ...parts);

export const problemReply = (
  body: Problem | (Problem & Record<string, unknown>),
  headers: Headers = {},
): Reply => ({
  status: body.status,
  headers: together(PROBLEM_HEADERS, headers),
  body: JSON.stringify(body),
});

const retryAfter = (seconds: number | null): Headers =>
  seconds === null ? {} : { 'retry-after': String(seconds) };
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const receiptHeader = (receipt: Receipt | null): Headers =>
  receipt === null ? {} : { 'payment-response': encoded(receipt) };

export type Encoding = {
  readonly baseUrl: string;
  readonly operation: Operation;
  /** null for a free operation. */
  readonly challenge: Challenge | null;
  /** The caller's request headers: what it accepts and has cached. */
  readonly header: (name: string) => string | undefined;
  /** Sent with every answer to this call, such as rate limits. */
  readonly headers: Headers;
};

/** Encodes an outcome as an HTTP response. */
export function outcomeReply(outcome: Outcome, encoding: Encoding): Reply {
  const { baseUrl, headers, operation, header } = encoding;
  const plain = (code: ProblemCode, detail?: string, more: Headers = {}) =>
    problemReply(problem(baseUrl, code, detail), { ...headers, ...more });
  switch (outcome.state) {
    case 'served':
      if (operation.cacheable && typeof outcome.body === 'object' && outcome.body !== null)
        return cachedReply(outcome.body, header, { common: JSON_HEADERS, own: headers });
      return { status: 200, headers: together(JSON_HEADERS, headers), body: JSON.stringify(outcome.body) };
    case 'settled':
      return {
        status: 200,
        headers: together(JSON_HEADERS, headers, receiptHeader(outcome.receipt)),
        body: JSON.stringify(outcome.body),
      };
    case 'rejected':
      return problemReply(
        problem(baseUrl, outcome.code, faultSummary(outcome.faults), outcome.faults),
        headers,
      );
    case 'challenged':
      return challengeReply(outcome, encoding);
    case 'conflict': {
      const { code, detail, receipt, retryAfterSeconds } = outcome;
      const body = { ...problem(baseUrl, code, detail), state: code };
      return problemReply(body, { ...headers, ...retryAfter(retryAfterSeconds), ...receiptHeader(receipt) });
    }
    case 'missing':
      return plain('not_found', outcome.detail);
    case 'limited':
      if (outcome.freeRequests !== undefined) {
        const detail = `${outcome.freeRequests} free requests a minute are used up; try again in ${outcome.retryAfterSeconds} s.`;
        const body = { ...problem(baseUrl, 'rate_limited', detail), 'violated-policies': ['free'] };
        return problemReply(body, headers);
      }
      return plain(
        'rate_limited',
        refusedPaymentsDetail(outcome.retryAfterSeconds),
        retryAfter(outcome.retryAfterSeconds),
      );
    case 'unavailable':
      return plain('settlement_unavailable', outcome.detail, retryAfter(outcome.retryAfterSeconds));
    case 'failed':
      return plain('internal');
  }
}

/** Why a payment is not accepted for a while. */
export const refusedPaymentsDetail = (seconds: number): string =>
  `Too many payments from this address were refused within a minute, so this one was not checked. Nothing was sent or charged for this request. Try again in ${seconds} s.`;

/** The body of a 402: a problem that also carries the PaymentRequired and says how to pay. */
export function challengeBody(
  { baseUrl, operation, challenge }: Pick<Encoding, 'baseUrl' | 'operation'> & { challenge: Challenge },
  reason: string,
) {
  const usd = operation.price?.usd ?? '';
  const why = reason === 'payment_required' ? '' : `${reasonDetail(reason)} `;
  const detail = `${why}Pay ${usd} USD in USDC (x402 v2, scheme exact), then repeat this request with PAYMENT-SIGNATURE.`;
  return {
    // Without the input, because errors do not repeat it.
    ...(operation.page !== null && { pay_page: `${baseUrl}${pageAddress(operation.page)}` }),
    ...problem(baseUrl, 'payment_required', detail),
    ...challenge.required(reason),
    price_usd: usd,
    how_to_pay:
      'Sign an EIP-3009 transferWithAuthorization for one of accepts (the typed data is in sign) and repeat the identical request with the x402 v2 PaymentPayload (payment_payload) as base64-encoded JSON in the PAYMENT-SIGNATURE header. An x402 client such as @x402/fetch does this.',
    ...signingGuide(challenge.requirements),
    retry_policy:
      'If the reply is lost, repeat the identical request with the same PAYMENT-SIGNATURE: it is never charged twice.',
    docs: `${baseUrl}/openapi.json`,
  };
}

function challengeReply(outcome: Outcome & { state: 'challenged' }, encoding: Encoding): Reply {
  const { baseUrl, operation, challenge, headers } = encoding;
  if (challenge === null) throw new Error('A free operation has no challenge');
  const { reason, receipt, beforePaying } = outcome;
  const text = challengeText({ baseUrl, operation, challenge }, reason);
  return {
    status: 402,
    headers: together(
      PROBLEM_HEADERS,
      headers,
      { 'payment-required': challenge.header(reason) },
      receiptHeader(receipt),
    ),
    // The operation's text about this input comes before the part that is the same for every input.
    body: beforePaying === undefined ? text : `${JSON.stringify(beforePaying).slice(0, -1)},${text.slice(1)}`,
  };
}

// Like the header, the body depends only on the operation and one of few reasons.
const challengeTexts = new WeakMap<Challenge, Map<string, string>>();

function challengeText(of: Parameters<typeof challengeBody>[0], reason: string): string {
  const known = challengeTexts.get(of.challenge) ?? new Map<string, string>();
  challengeTexts.set(of.challenge, known);
  const text = known.get(reason) ?? JSON.stringify(challengeBody(of, reason));
  known.set(reason, text);
  return text;
}
