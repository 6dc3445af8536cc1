import type { Context, Hono as HonoApp } from 'hono';
import { Hono } from 'hono';
import { methodsOf, type Operation } from '../../catalog/operation.ts';
import type { RawInput } from '../../exchange/validate.ts';
import { decodePayment } from '../../payments/x402/payment.ts';
import { requestIdOf } from '../../platform/request-id.ts';
import { type SurfaceParts, type Taken, takeCall } from '../calls/calls.ts';
import { andThen, type Soon } from '../calls/soon.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { readBody } from './body.ts';
import { decodeBody, decodeQuery, strayParameters } from './decode.ts';
import { named } from './idempotency-key.ts';
import { outcomeReply, PREFLIGHT_HEADERS, problemReply } from './reply.ts';

export type HttpParts = SurfaceParts & {
  /** What a paid operation answers to a request with no input at all: 400, or 402 for catalogues that probe so. */
  readonly coldProbe: 400 | 402;
  readonly forBrowsers: ForBrowsers;
};

/** Makes a page of the answer to a request that was not paid, for whoever would rather have one; null for others. */
export type ForBrowsers = (
  operation: Operation,
  request: { readonly accept: string | undefined; readonly url: string },
  reply: Response,
) => Response | null;

/** Mounts the route of every operation. A paid one has no gate in front: its handler is the exchange. */
export function mountOperations(app: HonoApp, parts: HttpParts): void {
  const paths = new Map<string, Map<string, Handler>>();
  for (const operation of parts.operations) {
    const { route } = operation;
    if (route === null) continue;
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    const handlers = paths.get(path) ?? new Map<string, Handler>();
    const handler = handlerOf(operation, parts);
    for (const method of methodsOf(route).flatMap(withHead)) handlers.set(method, handler);
    paths.set(path, handlers);
  }
  for (const [path, handlers] of paths) {
    const refuse = refuseMethod(parts.baseUrl, [...handlers.keys()]);
    // One handler for every method: with two on a path, Hono runs them as a chain.
    app.all(path, (context) => (handlers.get(context.req.method) ?? refuse)(context));
  }
}

type Handler = (context: Context) => Soon<Response>;

const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

/** An app with what every path needs: preflights, and a problem for our own bugs. */
export function createHttp({ baseUrl, onBug }: Pick<HttpParts, 'baseUrl' | 'onBug'>): HonoApp {
  const app = new Hono();
  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
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

function handlerOf(operation: Operation, parts: HttpParts): Handler {
  return (context) => {
    const asked = {
      operation,
      caller: parts.callerOf(context),
      isCounted: operation.price === null,
      requestId: requestIdOf(context),
    };
    const taken = takeCall<ProblemCode>(asked, parts, () =>
      andThen(readRaw(context, operation), (raw) =>
        'refusal' in raw ? raw : callOf(operation, raw, context, parts),
      ),
    );
    return andThen(taken, (taken) => replyTo(taken, { operation, context, parts }));
  };
}

/** HEAD asks what GET would say without paying, so it cannot pay. */
const signatureOf = ({ req }: Context): string | undefined =>
  req.method === 'HEAD' ? undefined : req.header('payment-signature');

function callOf({ price }: Operation, raw: RawInput, context: Context, { coldProbe }: HttpParts) {
  if (price === null) return { raw, payment: null };
  const signature = signatureOf(context);
  const payment = signature === undefined ? null : decodePayment(signature);
  return { ...named(raw, context.req.header('idempotency-key')), payment, mayProbe: coldProbe === 402 };
}

type Replied = { readonly operation: Operation; readonly context: Context; readonly parts: HttpParts };

function replyTo(taken: Taken<ProblemCode>, { operation, context, parts }: Replied): Response {
  const { baseUrl } = parts;
  const { headers } = taken;
  if ('refusal' in taken) return problemReply(problem(baseUrl, taken.refusal), headers);
  const { outcome } = taken;
  const header = (name: string) => context.req.header(name);
  if (operation.price === null)
    return outcomeReply(outcome, { baseUrl, operation, challenge: null, header, headers });
  const signature = signatureOf(context);
  const isOfV1 =
    outcome.state === 'challenged' && signature === undefined && header('x-payment') !== undefined;
  const said = isOfV1 ? { ...outcome, reason: 'invalid_x402_version' } : outcome;
  const challenge = parts.challengeOf(operation);
  const reply = outcomeReply(said, { baseUrl, operation, challenge, header, headers });
  if (signature !== undefined || context.req.method !== 'GET') return reply;
  const { url } = context.req;
  return parts.forBrowsers(operation, { accept: header('accept'), url }, reply) ?? reply;
}

function readRaw(context: Context, { route }: Operation): Soon<RawInput | { refusal: ProblemCode }> {
  const { url, method } = context.req;
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  if (method === 'POST')
    return readBody(context).then((body) => {
      if ('refusal' in body) return body;
      const { values, faults } = decodeBody(body.bytes);
      return { values, faults: [...strayParameters(query), ...faults] };
    });
  const raw = decodeQuery(query);
  return route?.path.endsWith('}') ? { ...raw, values: { ...raw.values, ...context.req.param() } } : raw;
}
