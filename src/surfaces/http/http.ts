import type { Context, Hono as HonoApp } from 'hono';
import { Hono } from 'hono';
import { methodsOf, type Operation } from '../../catalog/operation.ts';
import type { Exchange, OnBug } from '../../exchange/exchange.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import type { RawInput } from '../../exchange/validate.ts';
import type { Challenge } from '../../payments/challenge.ts';
import { decodePayment } from '../../payments/payment.ts';
import { requestIdOf } from '../../request-id.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { readBody } from './body.ts';
import { decodeBody, decodeQuery } from './decode.ts';
import { named } from './idempotency-key.ts';
import type { RateLimit } from './rate-limit.ts';
import { outcomeReply, PREFLIGHT_HEADERS, problemReply } from './reply.ts';

export type HttpParts = {
  readonly operations: readonly Operation[];
  readonly exchange: Exchange;
  readonly challengeOf: (operation: Operation) => Challenge;
  readonly baseUrl: string;
  readonly freeLimit: RateLimit;
  /** Names the caller for counting; never logged. */
  readonly callerOf: (context: Context) => string;
  /** What a paid operation answers to a request with no input at all: 400, or 402 for catalogues that probe so. */
  readonly coldProbe: 400 | 402;
  readonly onBug: OnBug;
  readonly onCall: OnCall;
};

/** Told of every finished call: name, outcome and our name for the request, nothing the caller sent. */
export type OnCall = (
  operation: string,
  outcome: Outcome['state'] | 'limited',
  durationMs: number,
  requestId?: string | null,
) => void;

/** Mounts the route of every operation. A paid one has no gate in front: its handler is the exchange. */
export function mountOperations(app: HonoApp, parts: HttpParts): void {
  const methods = new Map<string, string[]>();
  for (const operation of parts.operations) {
    const { route } = operation;
    if (route === null) continue;
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    const taken = methodsOf(route);
    app.on([...taken], [path], handlerOf(operation, parts));
    const allowed = taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    methods.set(path, [...(methods.get(path) ?? []), ...allowed]);
  }
  for (const [path, allowed] of methods) app.all(path, refuseMethod(parts.baseUrl, allowed));
}

/** An app with what every path needs: preflights, a problem for unknown paths, and one for our own bugs. */
export function createHttp({ baseUrl, onBug }: Pick<HttpParts, 'baseUrl' | 'onBug'>): HonoApp {
  const app = new Hono();
  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  app.notFound(() => problemReply(problem(baseUrl, 'not_found')));
  app.onError((error, context) => {
    onBug('http', error, requestIdOf(context));
    return problemReply(problem(baseUrl, 'internal'));
  });
  return app;
}

/** 405 with Allow, for a path that answers other methods. */
export function refuseMethod(baseUrl: string, methods: readonly string[]): () => Response {
  const allow = [...methods, 'OPTIONS'].join(', ');
  return () => problemReply(problem(baseUrl, 'method_not_allowed', `Use ${allow}.`), { allow });
}

function handlerOf(operation: Operation, parts: HttpParts): (context: Context) => Promise<Response> {
  const { exchange, baseUrl, freeLimit, callerOf, onCall } = parts;
  const challenge = operation.price === null ? null : parts.challengeOf(operation);
  return async function takeCall(context) {
    const started = performance.now();
    let headers: Readonly<Record<string, string>> = {};
    if (operation.price === null) {
      const decision = await freeLimit.take(callerOf(context));
      headers = freeLimit.headers(decision);
      if (!decision.allowed) {
        onCall(operation.name, 'limited', performance.now() - started, requestIdOf(context));
        return limited(baseUrl, decision, headers);
      }
    }
    const read = await readRaw(context);
    if ('refusal' in read) return problemReply(problem(baseUrl, read.refusal), headers);
    const { raw, idempotencyKey } =
      operation.price === null
        ? { raw: read, idempotencyKey: null }
        : named(read, context.req.header('idempotency-key'));
    // HEAD asks what GET would say without paying, so it cannot pay.
    const signature = context.req.method === 'HEAD' ? undefined : context.req.header('payment-signature');
    const payment = operation.price === null || signature === undefined ? null : decodePayment(signature);
    const found: Outcome =
      parts.coldProbe === 402 && challenge !== null && payment === null && isCold(raw)
        ? { state: 'challenged', reason: 'payment_required', receipt: null }
        : await exchange.call({
            operation,
            raw,
            payment,
            idempotencyKey,
            requestId: requestIdOf(context),
            ...(payment !== null && { caller: callerOf(context) }),
          });
    const isOfV1 = signature === undefined && context.req.header('x-payment') !== undefined;
    const outcome: Outcome =
      found.state === 'challenged' && isOfV1 ? { ...found, reason: 'invalid_x402_version' } : found;
    onCall(operation.name, outcome.state, performance.now() - started, requestIdOf(context));
    const asked = {
      ifNoneMatch: context.req.header('if-none-match'),
      acceptEncoding: context.req.header('accept-encoding'),
    };
    return outcomeReply(outcome, { baseUrl, operation, challenge, asked, headers });
  };
}

const isCold = ({ values, faults }: RawInput): boolean =>
  Object.keys(values).length === 0 && faults.length === 0;

function limited(
  baseUrl: string,
  { limit, resetSeconds }: { limit: number; resetSeconds: number },
  headers: Readonly<Record<string, string>>,
): Response {
  const detail = `${limit} free requests a minute are used up; try again in ${resetSeconds} s.`;
  return problemReply(
    { ...problem(baseUrl, 'rate_limited', detail), 'violated-policies': ['free'] },
    headers,
  );
}

async function readRaw(context: Context): Promise<RawInput | { refusal: ProblemCode }> {
  if (context.req.method === 'POST') {
    const body = await readBody(context);
    return 'refusal' in body ? body : decodeBody(body.bytes);
  }
  const { url } = context.req;
  const start = url.indexOf('?');
  const raw = decodeQuery(start < 0 ? '' : url.slice(start + 1));
  const parameters = context.req.param();
  return Object.keys(parameters).length === 0 ? raw : { ...raw, values: { ...raw.values, ...parameters } };
}
