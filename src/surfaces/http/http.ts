import type { Context, Hono as HonoApp } from 'hono';
import { Hono } from 'hono';
import { methodsOf, type Operation } from '../../catalog/operation.ts';
import type { RawInput } from '../../exchange/validate.ts';
import { decodePayment } from '../../payments/x402/payment.ts';
import { requestIdOf } from '../../platform/request-id.ts';
import { type SurfaceParts, takeCall } from '../calls/calls.ts';
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

function handlerOf(operation: Operation, parts: HttpParts): (context: Context) => Promise<Response> {
  const { baseUrl, callerOf } = parts;
  const isFree = operation.price === null;
  return async (context) => {
    const header = (name: string) => context.req.header(name);
    // HEAD asks what GET would say without paying, so it cannot pay.
    const signature = context.req.method === 'HEAD' ? undefined : header('payment-signature');
    const asked = {
      operation,
      caller: callerOf(context),
      isCounted: isFree,
      requestId: requestIdOf(context),
    };
    const taken = await takeCall(asked, parts, async () => {
      const raw = await readRaw(context);
      if ('refusal' in raw) return raw;
      if (isFree) return { raw, payment: null };
      const payment = signature === undefined ? null : decodePayment(signature);
      return { ...named(raw, header('idempotency-key')), payment, mayProbe: parts.coldProbe === 402 };
    });
    const { headers } = taken;
    if ('refusal' in taken) return problemReply(problem(baseUrl, taken.refusal), headers);
    const { outcome } = taken;
    const isOfV1 = signature === undefined && header('x-payment') !== undefined;
    const reply = outcomeReply(
      outcome.state === 'challenged' && isOfV1 ? { ...outcome, reason: 'invalid_x402_version' } : outcome,
      {
        baseUrl,
        operation,
        challenge: isFree ? null : parts.challengeOf(operation),
        asked: { ifNoneMatch: header('if-none-match'), acceptEncoding: header('accept-encoding') },
        headers,
      },
    );
    if (isFree || signature !== undefined || context.req.method !== 'GET') return reply;
    const { url } = context.req;
    return parts.forBrowsers(operation, { accept: header('accept'), url }, reply) ?? reply;
  };
}

async function readRaw(context: Context): Promise<RawInput | { refusal: ProblemCode }> {
  const { url } = context.req;
  const start = url.indexOf('?');
  const query = start < 0 ? '' : url.slice(start + 1);
  if (context.req.method === 'POST') {
    const body = await readBody(context);
    if ('refusal' in body) return body;
    const { values, faults } = decodeBody(body.bytes);
    return { values, faults: [...strayParameters(query), ...faults] };
  }
  const raw = decodeQuery(query);
  const parameters = context.req.param();
  return Object.keys(parameters).length === 0 ? raw : { ...raw, values: { ...raw.values, ...parameters } };
}
