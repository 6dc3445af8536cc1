import type { Operation } from '../../catalog/operation.ts';
import type { ConflictCode, Outcome } from '../../exchange/outcome.ts';
import { reasonDetail } from '../../payments/x402/reasons.ts';
import { type Encoding as HttpEncoding, refusedPaymentsDetail } from '../http/reply.ts';
import { signingGuide } from '../signing-guide.ts';
import { PAY_IN } from './identity.ts';
import { type ProblemParts, problemResult, receiptMeta, type ToolResult } from './problem-result.ts';

type Encoding = Pick<HttpEncoding, 'baseUrl' | 'operation' | 'challenge'>;

/** Encodes an outcome as the result of a tool call; null for an internal error, which is a protocol error. */
export function outcomeResult(outcome: Outcome, encoding: Encoding): ToolResult | null {
  const failure = (parts: Omit<ProblemParts, 'baseUrl'>) =>
    problemResult({ baseUrl: encoding.baseUrl, ...parts });
  switch (outcome.state) {
    case 'served':
      return answerResult(outcome.body, encoding.operation);
    case 'settled':
      return { ...answerResult(outcome.body, encoding.operation), ...receiptMeta(outcome.receipt) };
    case 'rejected':
      return failure({
        code: outcome.code,
        detail: `Nothing was charged. ${faultCount(outcome.faults.length)}`,
        remedy: rejectedRemedy(outcome),
        faults: outcome.faults,
      });
    case 'challenged':
      return challengeResult(outcome, encoding);
    case 'conflict':
      // Clients that keep one signature for a session sign anew when they get the challenge again.
      if (outcome.code === 'payment_already_used') return challengeResult(PRESENTED, encoding);
      return failure({ ...outcome, remedy: CONFLICT_REMEDIES[outcome.code] });
    case 'missing':
      return failure({ code: 'not_found', detail: outcome.detail, remedy: 'Nothing was charged.' });
    case 'limited':
      return failure({ code: 'rate_limited', ...limitWords(outcome), ...outcome });
    case 'unavailable':
      return failure({
        code: 'settlement_unavailable',
        detail:
          outcome.detail ??
          'Payments cannot be taken at the moment. This call sent nothing and charged nothing.',
        remedy: `Repeat the same call with the same ${PAY_IN} in ${outcome.retryAfterSeconds} s.`,
        retryAfterSeconds: outcome.retryAfterSeconds,
      });
    case 'failed':
      return null;
  }
}

// The input is right and only too early: a model that is told to change it would invent a date.
const NOTHING_TO_CHANGE: ReadonlySet<string> = new Set(['invoice_not_overdue']);

function rejectedRemedy({ code, faults }: Outcome & { state: 'rejected' }): string {
  if (code === 'invalid_payment') return UNREADABLE;
  return faults.every((fault) => NOTHING_TO_CHANGE.has(fault.code))
    ? 'Do not change it to get an answer.'
    : 'Change these and call again.';
}

/** As a tool result the wait reaches the model; an HTTP 429 would make most clients throw. */
const limitWords = ({ freeRequests, retryAfterSeconds }: Outcome & { state: 'limited' }) =>
  freeRequests === undefined
    ? { detail: refusedPaymentsDetail(retryAfterSeconds), remedy: 'Then repeat the same call.' }
    : {
        detail: `The ${freeRequests} free calls a minute of this address are used up.`,
        remedy: `Call again in ${retryAfterSeconds} s; paid tools are not limited.`,
      };

const UNREADABLE = `Send the x402 v2 PaymentPayload in ${PAY_IN}, as an object or as base64 of its JSON.`;

const PRESENTED = { state: 'challenged', reason: 'payment_already_used', receipt: null } as const;

const CONFLICT_REMEDIES: Readonly<Record<Exclude<ConflictCode, 'payment_already_used'>, string>> = {
  waiting: `Do not sign again: repeat the same call with the same ${PAY_IN}.`,
  rejected_or_not_received: `Sign a new authorization and repeat the call with it in ${PAY_IN}.`,
  analysis_failed: 'There is nothing to pay for. Change the arguments and call again.',
  idempotency_key_reused: 'Repeat the first call unchanged, or send this one with another identifier.',
};

const faultCount = (count: number): string =>
  count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`;

/** The text repeats structuredContent, as JSON or as the operation's text: clients show one of them. */
function answerResult(body: unknown, { text }: Operation): ToolResult {
  return {
    content: [{ type: 'text', text: text === null ? JSON.stringify(body) : text(body) }],
    structuredContent: body as Record<string, unknown>,
  };
}

/** The challenge, in every place where clients look for it. */
function challengeResult(outcome: Outcome & { state: 'challenged' }, encoding: Encoding): ToolResult {
  const { baseUrl, operation, challenge } = encoding;
  if (challenge === null) throw new Error('A free operation has no challenge');
  const { reason, receipt } = outcome;
  const usd = operation.price?.usd ?? '';
  const why = reason === 'payment_required' ? '' : `${reasonDetail(reason)} `;
  const payPage = operation.page === null ? null : `${baseUrl}${operation.page.path}`;
  const door =
    payPage === null ? '' : `Your user can open ${payPage} to pay ${usd} USD for this in a browser. `;
  // A model without a wallet reads the text from its start, so the page comes first.
  const required = {
    detail: `${why}${door}Nothing was charged. This call costs ${usd} USD in USDC (x402 v2, scheme exact).`,
    ...(payPage !== null && { pay_page: payPage }),
    ...challenge.required(reason),
    price_usd: usd,
    how_to_pay: `Sign an EIP-3009 transferWithAuthorization for one of accepts (the typed data is in sign) and repeat the same call with the x402 v2 PaymentPayload (payment_payload) in ${PAY_IN}, as an object or as base64 of its JSON.`,
    ...signingGuide(challenge.requirements),
  };
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(required) }],
    structuredContent: required,
    _meta: { ...receiptMeta(receipt)._meta, 'x402/error': required },
  };
}
