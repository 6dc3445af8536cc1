import type { Operation } from '../../catalog/operation.ts';
import type { Fault } from '../../domain/result.ts';
import { cleanLine } from '../../domain/text.ts';
import type { ConflictCode, OnBug, Outcome, Receipt } from '../../exchange/purchase.ts';
import { type DecodedPayment, decodePayment, MAX_PAYMENT_CHARACTERS } from '../../payments/x402/payment.ts';
import { reasonDetail } from '../../payments/x402/reasons.ts';
import { type CallsParts, takeCall } from '../calls/calls.ts';
import { type ChallengeOf, signingGuide } from '../challenges.ts';
import { named } from '../http/input.ts';
import { type Encoding as HttpEncoding, refusedPaymentsDetail } from '../http/reply.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { PAY_IN } from './tools.ts';

/** One POST as the protocol handles it. */
export type Post = {
  /** Returns a request header by its name. */
  readonly header: (name: string) => string | undefined;
  /** The parsed JSON. */
  readonly body: unknown;
  /** The names that occur twice in the arguments and in the payment, as faults. */
  readonly repeated: { readonly inArguments: readonly Fault[]; readonly inPayment: readonly Fault[] };
  /** The name under which limits count the caller. */
  readonly caller: string;
  /** The service's id of the request. */
  readonly requestId: string | null;
};

/** A `tools/call` whose shape the protocol has checked. */
export type ToolCall = {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** `_meta["x402/payment"]`. If it is absent, a payment is read from PAYMENT-SIGNATURE. */
  readonly payment?: unknown;
  /** The request that carries the call. */
  readonly post: Post;
};

/** A result with the HTTP headers that go with it. */
type ToolReply = {
  readonly result: ToolResult;
  readonly headers: Readonly<Record<string, string>>;
};

export type ToolCallerParts = CallsParts & {
  readonly tools: ReadonlyMap<string, Operation>;
  /** The challenge of a paid tool as sent over MCP. */
  readonly challengeOf: ChallengeOf;
  /** The page where a person can pay for an input; null if there is none. */
  readonly payPageOf: (operation: Operation, values: Readonly<Record<string, unknown>>) => string | null;
  readonly baseUrl: string;
  readonly onBug: OnBug;
};

/** Processes a call to its result; null for an unknown tool, 'failed' for an internal error. Never throws. */
export type CallTool = (call: ToolCall) => Promise<ToolReply | 'failed' | null>;

/** Turns a tool call into a call of the exchange, and its outcome into a result. */
export function toolCaller(parts: ToolCallerParts): CallTool {
  const { tools, baseUrl } = parts;

  async function take(operation: Operation, call: ToolCall): Promise<ToolReply | 'failed'> {
    const { header, repeated, caller, requestId } = call.post;
    const isFree = operation.price === null;
    const { headers, ...taken } = await takeCall<never>(
      { operation, caller, isCounted: isFree, requestId },
      parts,
      () => {
        const raw = { values: { ...operation.toolDefaults, ...call.values }, faults: repeated.inArguments };
        if (isFree) return { raw, payment: null };
        const payment = decoded(call.payment ?? header('payment-signature'), repeated.inPayment);
        return { ...named(raw, header('idempotency-key')), payment };
      },
    );
    const { outcome } = taken as { outcome: Outcome };
    const challenge = isFree ? null : parts.challengeOf(operation);
    const payPage = () => parts.payPageOf(operation, call.values);
    const result = outcomeResult(outcome, { baseUrl, operation, challenge, payPage });
    if (result === null) return 'failed';
    return { result, headers: { ...retryAfter(outcome), ...headers } };
  }

  return async (call) => {
    const operation = tools.get(call.name);
    if (operation === undefined) return null;
    return take(operation, call).catch((error: unknown) => {
      parts.onBug('mcp', error, call.post.requestId);
      return 'failed' as const;
    });
  };
}

type Params = { readonly name?: unknown; readonly _meta?: { readonly 'x402/payment'?: unknown } | null };
type Message = { readonly method?: unknown; readonly params?: Params | null } | null;

/** Whether a message calls a paid tool with a readable payment. */
export function isPaying(
  { body, header, repeated }: Pick<Post, 'body' | 'header' | 'repeated'>,
  tools: ToolCallerParts['tools'],
): boolean {
  const { method, params } = (body as Message) ?? {};
  const tool = method === 'tools/call' ? tools.get(params?.name as string) : undefined;
  if (tool === undefined || tool.price === null) return false;
  const payment = params?._meta?.['x402/payment'] ?? header('payment-signature');
  return decoded(payment, repeated.inPayment)?.ok === true;
}

/** A payment as sent, null without one. An object may be as long as a header. */
function decoded(payment: unknown, repeated: readonly Fault[]): DecodedPayment | null {
  if (payment === undefined || payment === null) return null;
  if (typeof payment === 'object' && isLong(payment)) return { ok: false, faults: [TOO_LONG] };
  return repeated.length > 0 ? { ok: false, faults: repeated } : decodePayment(payment);
}

const TOO_LONG: Fault = {
  pointer: '/payment',
  code: 'too_long',
  detail: `is longer than ${MAX_PAYMENT_CHARACTERS} characters of JSON`,
  hint: 'send the x402 v2 PaymentPayload without unneeded fields',
};

function isLong(payment: object): boolean {
  try {
    return JSON.stringify(payment).length > MAX_PAYMENT_CHARACTERS;
  } catch {
    // Nested too deeply to be serialized.
    return true;
  }
}

function retryAfter(outcome: Outcome): Record<string, string> {
  const seconds = 'retryAfterSeconds' in outcome ? outcome.retryAfterSeconds : null;
  return seconds === null ? {} : { 'Retry-After': String(seconds) };
}

type Encoding = Pick<HttpEncoding, 'baseUrl' | 'operation' | 'challenge'> & {
  /** The page where a person can pay for the input of this call; null if there is none. */
  readonly payPage: () => string | null;
};

/** Encodes an outcome as the result of a tool call; null for an internal error, which is a protocol error. */
function outcomeResult(outcome: Outcome, encoding: Encoding): ToolResult | null {
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
      // Clients that reuse one signature in a session sign again when they get the challenge again.
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
          outcome.detail ?? 'Payments cannot be taken at the moment. This attempt sent and charged nothing.',
        remedy: `Repeat the same call with the same ${PAY_IN} in ${outcome.retryAfterSeconds} s.`,
        retryAfterSeconds: outcome.retryAfterSeconds,
      });
    case 'failed':
      return null;
  }
}

// The input is valid but too early. If a model were asked to change it, the model would invent a date.
const NOTHING_TO_CHANGE: ReadonlySet<string> = new Set(['invoice_not_overdue']);

function rejectedRemedy({ code, faults }: Outcome & { state: 'rejected' }): string {
  if (code === 'invalid_payment') return UNREADABLE;
  return faults.every((fault) => NOTHING_TO_CHANGE.has(fault.code))
    ? 'Do not change the dates just to get a letter.'
    : 'Correct these and call again.';
}

/** In a tool result, the model can read how long to wait. An HTTP 429 would make most clients throw. */
const limitWords = ({ freeRequests, retryAfterSeconds }: Outcome & { state: 'limited' }) =>
  freeRequests === undefined
    ? { detail: refusedPaymentsDetail(retryAfterSeconds), remedy: 'Then repeat the same call.' }
    : {
        detail: `The ${freeRequests} free calls a minute for this address are used up.`,
        remedy: `Call again in ${retryAfterSeconds} s; paid calls do not count toward this limit.`,
      };

const UNREADABLE = `Send the x402 v2 PaymentPayload in ${PAY_IN}, as an object or as base64-encoded JSON.`;

const PRESENTED = { state: 'challenged', reason: 'payment_already_used', receipt: null } as const;

const CONFLICT_REMEDIES: Readonly<Record<Exclude<ConflictCode, 'payment_already_used'>, string>> = {
  waiting: `Do not sign again: repeat the same call with the same ${PAY_IN}.`,
  rejected_or_not_received: `Sign a new authorization and repeat the call with it in ${PAY_IN}.`,
  analysis_failed: 'There is nothing to pay for. Change the arguments and call again.',
  idempotency_key_reused: 'Repeat the first call unchanged, or send this call with a different identifier.',
};

const faultCount = (count: number): string =>
  count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`;

/** The text repeats structuredContent, as JSON or as the operation's text, because clients show only one of them. */
function answerResult(body: unknown, { text }: Operation): ToolResult {
  return {
    content: [{ type: 'text', text: text === null ? JSON.stringify(body) : text(body) }],
    structuredContent: body as Record<string, unknown>,
  };
}

/**
 * The challenge, in each of the three places that clients read. A model reads the text or structuredContent from its
 * start, so price and page come first there. Only the text explains how to sign, for buyers without an x402 client.
 * `_meta`, which models do not see, has only the document for x402 clients.
 */
function challengeResult(outcome: Outcome & { state: 'challenged' }, encoding: Encoding): ToolResult {
  const { operation, challenge, payPage } = encoding;
  if (challenge === null) throw new Error('A free operation has no challenge');
  const { reason, receipt, beforePaying } = outcome;
  const required = challenge.compact(reason);
  const page = payPage();
  const why = reason === 'payment_required' ? '' : `${reasonDetail(reason)} `;
  const door = page === null ? '' : 'Your user can open pay_page and pay there in a browser. ';
  const offer = {
    price_usd: operation.price?.usd,
    ...(page !== null && { pay_page: page }),
    detail: `${why}${door}Nothing was charged.`,
    ...beforePaying,
    ...required,
  };
  const guide = {
    how_to_pay: `Sign an EIP-3009 transferWithAuthorization for one of accepts (the typed data is in sign) and repeat the same call with the x402 v2 PaymentPayload (payment_payload) in ${PAY_IN}, as an object or as base64-encoded JSON.`,
    ...signingGuide(challenge.requirements),
  };
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify({ ...offer, ...guide }) }],
    structuredContent: offer,
    _meta: { ...receiptMeta(receipt)._meta, 'x402/error': required },
  };
}

/** A result of `tools/call`, for every revision. */
export type ToolResult = {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
};

/** The receipt key of the x402 MCP transport. */
const receiptMeta = (receipt: Receipt | null): { _meta?: Record<string, unknown> } =>
  receipt === null ? {} : { _meta: { 'x402/payment-response': receipt } };

export type ProblemParts = {
  readonly baseUrl: string;
  readonly code: ProblemCode;
  /** What happened. The text begins with this sentence. */
  readonly detail: string;
  /** What to change. It follows `detail`. Before a list of faults, its full stop becomes a colon. */
  readonly remedy: string;
  readonly faults?: readonly Fault[];
  readonly receipt?: Receipt | null;
  readonly retryAfterSeconds?: number | null;
};

/**
 * An outcome without an answer. The text says what to change, one line for each fault, and structuredContent is the
 * same problem as over HTTP, since some clients show a model only one of them.
 */
function problemResult(parts: ProblemParts): ToolResult {
  const { baseUrl, code, detail, remedy, receipt = null, retryAfterSeconds = null } = parts;
  const faults = parts.faults?.map(cleaned);
  const said = `${detail} ${remedy}`;
  const lines = [faults === undefined ? said : said.replace(/\.$/, ':'), ...(faults ?? []).map(faultLine)];
  return {
    isError: true,
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: {
      ...problem(baseUrl, code, said, faults),
      ...(retryAfterSeconds !== null && { retry_after_seconds: retryAfterSeconds }),
    },
    ...receiptMeta(receipt),
  };
}

/** A pointer may contain a name that the caller invented, and a model will read it. */
const cleaned = (fault: Fault): Fault => ({ ...fault, pointer: cleanLine(fault.pointer) });

/** "- items.3.unit_price: is required; for example 450" */
function faultLine({ pointer, detail, hint }: Fault): string {
  const path = pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  return `- ${path === '' ? 'arguments' : path}: ${detail}${hint === undefined ? '' : `; ${hint}`}`;
}
