import type { Context, Hono } from 'hono';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Outcome } from '../../exchange/outcome.ts';
import { isPaid, type Site } from '../discovery/site.ts';
import { readForm } from '../http/body.ts';
import { refuseMethod } from '../http/http.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { problemReply } from '../http/reply.ts';
import { problem } from '../problem.ts';
import { type Calculator, calculatorHtml, isCalculator, ROWS, type Shown } from './calculator.tsx';
import { type FormModel, formOf } from './form-fields.ts';
import { formValues, rawValues } from './form-values.ts';
import { pageHeaders } from './page-documents.ts';
import { viewOf } from './views/views.ts';
import { asResult } from './views/words.ts';

export type CalculatorParts = {
  readonly site: Site;
  readonly exchange: Exchange;
  /** The bucket that free requests take from. */
  readonly freeLimit: RateLimit;
  /** Names the caller for counting; never logged. */
  readonly callerOf: (context: Context) => string;
  readonly onCall: (operation: string, outcome: Outcome['state'] | 'limited', durationMs: number) => void;
};

/**
 * Answers a page whose form was sent, for browsers without script: what was written is in the query, and goes through
 * the exchange like every other call. Pages to which nothing was sent are documents and left to whoever comes next.
 */
export function mountCalculators(app: Hono, parts: CalculatorParts): void {
  for (const operation of parts.site.operations.filter(isCalculator)) {
    const { path } = operation.page;
    const form = formOf(operation);
    const isKnown = knownNames(form);
    const known = (pairs: Iterable<readonly [string, string]>): Pairs =>
      [...pairs].filter(([name]) => isKnown(name) || name === 'rows');
    const page = async (pairs: Pairs, context: Context) => {
      const { status, shown, headers } = await answered(operation, form, pairs, context, parts);
      return new Response(calculatorHtml(operation, parts.site, shown), {
        status,
        headers: { ...pageHeaders(path, true), ...headers, ...PRIVATE },
      });
    };
    app.get(path, (context, next) => {
      const pairs = known(new URL(context.req.url).searchParams);
      return pairs.length === 0 ? next() : page(pairs, context);
    });
    if (form.lists.length === 0) continue;
    app.post(path, async (context) => {
      const read = await readForm(context);
      if ('refusal' in read) return problemReply(problem(parts.site.baseUrl, read.refusal));
      return page(known(read.pairs), context);
    });
    const refuse = refuseMethod(parts.site.baseUrl, ['GET', 'HEAD', 'POST']);
    app.all(path, ({ req }, next) => (['GET', 'HEAD'].includes(req.method) ? next() : refuse()));
  }
}

type Pairs = readonly (readonly [string, string])[];

// What somebody wrote is in the address: it is theirs, and no search engine's.
const PRIVATE = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

const knownNames = ({ fields, lists }: FormModel): ((name: string) => boolean) => {
  const names = new Set([...fields, ...lists.flatMap((list) => list.fields)].map(({ name }) => name));
  return (name) => names.has(name);
};

type Answered = { status: number; shown: Shown; headers: Readonly<Record<string, string>> };

async function answered(
  operation: Calculator,
  form: FormModel,
  pairs: Pairs,
  context: Context,
  { exchange, freeLimit, callerOf, onCall }: CalculatorParts,
): Promise<Answered> {
  const started = performance.now();
  const values = formValues(pairs, knownNames(form));
  const asked = Number(pairs.find(([name]) => name === 'rows')?.[1]);
  const rows = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 100) : ROWS;
  const shown = { values, faults: [], answer: [], notice: null, rows };
  // More lines were asked for: nothing is worked out yet.
  if (pairs.some(([name]) => name === 'rows')) return { status: 200, shown, headers: {} };
  const caller = callerOf(context);
  const decision = await freeLimit.take(caller);
  if (!decision.allowed) {
    onCall(operation.name, 'limited', performance.now() - started);
    const notice = `That was a lot at once: please try again in ${decision.resetSeconds} seconds.`;
    const headers = { 'retry-after': String(decision.resetSeconds) };
    return { status: 429, shown: { ...shown, notice }, headers };
  }
  const outcome = await exchange.call({
    operation,
    raw: { values: rawValues(values), faults: [] },
    payment: null,
    idempotencyKey: null,
    caller,
  });
  onCall(operation.name, outcome.state, performance.now() - started);
  return { ...shownOf(outcome, operation, shown), headers: {} };
}

/** How an unpaid call ends on a page. */
function shownOf(outcome: Outcome, operation: Calculator, shown: Shown): Omit<Answered, 'headers'> {
  switch (outcome.state) {
    case 'served':
    case 'settled':
      return {
        status: 200,
        shown: { ...shown, answer: asResult(viewOf(operation.page.view)(outcome.body)) },
      };
    case 'rejected':
      return { status: 400, shown: { ...shown, faults: outcome.faults } };
    case 'challenged':
      return { status: 200, shown: { ...shown, notice: payable(operation) } };
    case 'conflict':
    case 'missing':
      return { status: 200, shown: { ...shown, notice: outcome.detail } };
    case 'limited':
    case 'unavailable':
    case 'failed':
      return {
        status: 500,
        shown: { ...shown, notice: 'Something went wrong on our side. Nothing was charged.' },
      };
  }
}

const payable = (operation: Calculator): string =>
  isPaid(operation)
    ? `Everything is filled in well, and the answer exists. It costs USD ${operation.price?.usd}. To pay here, your browser needs JavaScript and a wallet; programs pay as shown below.`
    : '';
