import type { Hono as HonoApp } from 'hono';
import { Hono } from 'hono';
import { methodsOf, type Operation } from '../../catalog/operation.ts';
import type { RawInput } from '../../exchange/validate.ts';
import { decodePayment } from '../../payments/x402/payment.ts';
import { requestIdOf } from '../../platform/request-id.ts';
import { type Asking, type SurfaceParts, type Taken, takeCall } from '../calls/calls.ts';
import { andThen, type Soon } from '../calls/soon.ts';
import { type ProblemCode, problem } from '../problem.ts';
import { type BodySource, readBody } from './body.ts';
import { decodeBody, decodeQuery, strayParameters } from './decode.ts';
import { named } from './idempotency-key.ts';
import { outcomeReply, PREFLIGHT_HEADERS, problemReply, responseOf } from './reply.ts';
import type { Reply } from './representations.ts';

export type HttpParts = SurfaceParts & {
  /** What a paid operation answers to a request with no input at all: 400, or 402 for catalogues that probe so. */
  readonly coldProbe: 400 | 402;
  readonly forBrowsers: ForBrowsers;
};

/** Makes a page of the answer to a request that was not paid, for whoever would rather have one; null for others. */
export type ForBrowsers = (
  operation: Operation,
  request: { readonly accept: string | undefined; readonly url: string },
  reply: Reply,
) => Reply | null;

/**
 * Mounts the route of every operation, and gives the handlers by path and method. A paid one has no gate in front: its
 * handler is the exchange.
 */
export function mountOperations(app: HonoApp, parts: HttpParts): Handlers {
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
    const refused = refusedMethod(parts.baseUrl, [...handlers.keys()]);
    const sold = parts.operations.find(({ route, price }) => price !== null && route?.path === path);
    // One handler for every method: with two on a path, Hono runs them as a chain.
    app.all(path, (context) => {
      const handler = handlers.get(context.req.method);
      if (handler !== undefined) return andThen(handler(context), responseOf);
      const { url, method } = context.req;
      const isOpened = sold !== undefined && isReading(method);
      const asked = { accept: context.req.header('accept'), url };
      return responseOf((isOpened ? parts.forBrowsers(sold, asked, refused) : null) ?? refused);
    });
  }
  return paths;
}

/** What an operation is asked: a part of Hono's context. */
export type Requested = Asking &
  BodySource & {
    readonly req: { readonly method: string; readonly url: string; param(): Record<string, string> };
  };
export type Handler = (requested: Requested) => Soon<Reply>;
export type Handlers = ReadonlyMap<string, ReadonlyMap<string, Handler>>;

const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

/** GET, or HEAD, whose headers are the same. */
const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** An app with what every path needs: preflights, and a problem for our own bugs. */
export function createHttp({ baseUrl, onBug }: Pick<HttpParts, 'baseUrl' | 'onBug'>): HonoApp {
  const app = new Hono();
  app.options('*', () => new Response(null, { status: 204, headers: PREFLIGHT_HEADERS }));
  const failed = failedWith({ baseUrl, onBug });
  app.onError((error, context) => responseOf(failed(error, context)));
  return app;
}

/** What becomes of a bug of ours. */
export const failedWith =
  ({ baseUrl, onBug }: Pick<HttpParts, 'baseUrl' | 'onBug'>) =>
  (error: unknown, requested: Pick<Requested, 'env'>): Reply => {
    onBug('http', error, requestIdOf(requested));
    return problemReply(problem(baseUrl, 'internal'));
  };

/** 405 with Allow, for a path that answers other methods. */
export function refuseMethod(baseUrl: string, methods: readonly string[]): () => Response {
  const reply = refusedMethod(baseUrl, methods);
  return () => responseOf(reply);
}

function refusedMethod(baseUrl: string, methods: readonly string[]): Reply {
  const allow = [...methods, 'OPTIONS'].join(', ');
  return problemReply(problem(baseUrl, 'method_not_allowed', `Use ${allow}.`), { allow });
}

function handlerOf(operation: Operation, parts: HttpParts): Handler {
  return (requested) => {
    const asked = {
      operation,
      caller: parts.callerOf(requested),
      isCounted: operation.price === null,
      requestId: requestIdOf(requested),
    };
    const taken = takeCall<ProblemCode>(asked, parts, () =>
      andThen(readRaw(requested, operation), (raw) =>
        'refusal' in raw ? raw : callOf(operation, raw, requested, parts),
      ),
    );
    return andThen(taken, (taken) => replyTo(taken, { operation, requested, parts }));
  };
}

/** HEAD asks what GET would say without paying, so it cannot pay. */
const signatureOf = ({ req }: Requested): string | undefined =>
  req.method === 'HEAD' ? undefined : req.header('payment-signature');

function callOf({ price }: Operation, raw: RawInput, requested: Requested, { coldProbe }: HttpParts) {
  if (price === null) return { raw, payment: null };
  const signature = signatureOf(requested);
  const payment = signature === undefined ? null : decodePayment(signature);
  return { ...named(raw, requested.req.header('idempotency-key')), payment, mayProbe: coldProbe === 402 };
}

type Replied = { readonly operation: Operation; readonly requested: Requested; readonly parts: HttpParts };

function replyTo(taken: Taken<ProblemCode>, { operation, requested, parts }: Replied): Reply {
  const { baseUrl } = parts;
  const { headers } = taken;
  if ('refusal' in taken) return problemReply(problem(baseUrl, taken.refusal), headers);
  const { outcome } = taken;
  const header = (name: string) => requested.req.header(name);
  if (operation.price === null)
    return outcomeReply(outcome, { baseUrl, operation, challenge: null, header, headers });
  const signature = signatureOf(requested);
  const isOfV1 =
    outcome.state === 'challenged' && signature === undefined && header('x-payment') !== undefined;
  const said = isOfV1 ? { ...outcome, reason: 'invalid_x402_version' } : outcome;
  const challenge = parts.challengeOf(operation);
  const reply = outcomeReply(said, { baseUrl, operation, challenge, header, headers });
  if (signature !== undefined || !isReading(requested.req.method)) return reply;
  const { url } = requested.req;
  return parts.forBrowsers(operation, { accept: header('accept'), url }, reply) ?? reply;
}

function readRaw(requested: Requested, { route }: Operation): Soon<RawInput | { refusal: ProblemCode }> {
  const { url, method } = requested.req;
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  if (method === 'POST')
    return readBody(requested).then((body) => {
      if ('refusal' in body) return body;
      const { values, faults } = decodeBody(body.bytes);
      return { values, faults: [...strayParameters(query), ...faults] };
    });
  const raw = decodeQuery(query);
  return route?.path.endsWith('}') ? { ...raw, values: { ...raw.values, ...requested.req.param() } } : raw;
}
