import type { Method } from '../../../catalog/operation.ts';
import { challengeBody } from '../../http/reply.ts';
import { faultSummary, type ProblemCode, problem, problemTypes } from '../../problem.ts';
import { isPaid, type Routed, type Site } from '../../site.ts';
import { pathParameters } from '../example-request.ts';
import { problemOf } from './components.ts';
import { answerName } from './names.ts';
import { headersOf, PROBLEM_TYPE, problemContent, ref } from './pieces.ts';

type Responses = Record<string, unknown>;

/** Every response of an operation, by status. */
export function responsesOf(operation: Routed, method: Method, site: Site): Responses {
  const paid = isPaid(operation);
  return {
    200: answered(operation, site),
    400: refused(operation, method, site),
    ...(paid && { 402: paymentRequired(operation, method, site) }),
    ...((paid || pathParameters(operation).length > 0) && { 404: notFound(operation, site) }),
    408: ref('responses', 'RequestTimeout'),
    ...(paid && { 409: conflict(site) }),
    ...(method === 'POST' && {
      413: ref('responses', 'PayloadTooLarge'),
      415: ref('responses', 'UnsupportedMediaType'),
    }),
    429: ref('responses', paid ? 'TooManyRefused' : 'RateLimited'),
    431: ref('responses', 'HeadersTooLarge'),
    500: ref('responses', 'Internal'),
    ...(paid && { 503: ref('responses', 'SettlementUnavailable') }),
  };
}

function answered(operation: Routed, site: Site) {
  const paid = isPaid(operation);
  return {
    description: paid ? 'Paid, settled, answered.' : 'The answer.',
    headers: paid ? headersOf('PAYMENT-RESPONSE') : headersOf('RateLimit', 'RateLimit-Policy'),
    content: {
      'application/json': {
        schema: ref('schemas', answerName(operation)),
        example: site.answerOf(operation),
      },
    },
  };
}

/** A browser that opens a paid route gets a page that links to its form. */
const forBrowsers = (operation: Routed, method: Method) =>
  isPaid(operation) && method === 'GET' && operation.page !== null
    ? { 'text/html': { schema: { type: 'string' } } }
    : {};

function refused(operation: Routed, method: Method, { baseUrl, faultsOf }: Site) {
  const faults = faultsOf(operation, { colour: 'blue' });
  const codes: ProblemCode[] = [
    'invalid_input',
    ...(isPaid(operation) ? (['invalid_payment'] as const) : []),
    'malformed_request',
  ];
  return {
    description: `Invalid input${isPaid(operation) ? ' or an unreadable payment' : ''}; every fault is listed. Never charged.`,
    content: {
      ...problemContent(
        problemOf(400, codes),
        problem(baseUrl, 'invalid_input', faultSummary(faults), faults),
      ),
      ...forBrowsers(operation, method),
    },
  };
}

function paymentRequired(operation: Routed, method: Method, { baseUrl, challengeOf }: Site) {
  const challenge = challengeOf(operation);
  const example = plainChallenge(challengeBody({ baseUrl, operation, challenge }, 'payment_required'));
  return {
    description: `Payment required: ${operation.price?.usd} USD. The x402 v2 challenge is in the PAYMENT-REQUIRED header and in the body. Not charged.`,
    headers: headersOf('PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'),
    content: {
      ...problemContent(ref('schemas', 'PaymentRequired'), example),
      ...forBrowsers(operation, method),
    },
  };
}

/** Without the bazaar extension: linters take an example inside an example for a keyword. */
function plainChallenge(body: ReturnType<typeof challengeBody>) {
  const { bazaar: _described, ...extensions } = body.extensions;
  return { ...body, extensions };
}

function notFound(operation: Routed, { baseUrl }: Site) {
  const reserved =
    pathParameters(operation).length === 0
      ? ' Reserved: this operation of version 1.0.0 has nothing that can be missing and does not answer so.'
      : '';
  return {
    description: `Unknown or deleted. Never charged.${reserved}`,
    content: problemContent(problemOf(404, ['not_found']), problem(baseUrl, 'not_found')),
  };
}

function conflict({ baseUrl }: Site) {
  const conflicts = problemTypes.filter(({ status }) => status === 409);
  const codes = conflicts.map(({ code }) => code);
  const state = { type: 'string', enum: codes, description: 'The same as code.' };
  const meanings = conflicts.map(({ code, meaning, remedy }) => `${code}: ${meaning} ${remedy}`);
  return {
    description: `Not ready or not to be had with this payment; never charged (again). ${meanings.join(' ')}`,
    headers: headersOf('PAYMENT-RESPONSE', 'Retry-After'),
    content: {
      [PROBLEM_TYPE]: {
        schema: problemOf(409, codes, { state }),
        examples: Object.fromEntries(
          conflicts.map(({ code, title }) => [
            code,
            { summary: title, value: { ...problem(baseUrl, code as ProblemCode), state: code } },
          ]),
        ),
      },
    },
  };
}
