import { isDeepStrictEqual } from 'node:util';
import { COUNTRY_PATTERN, CURRENCY_PATTERN, DAY_SCHEMA } from '../../../catalog/fields.ts';
import { type Method, methodsOf, type Operation } from '../../../catalog/operation.ts';
import { describedInput, fieldsAs, outputSchema, type Schema } from '../../../catalog/schema.ts';
import { CURRENCY_CODES } from '../../../domain/currency.ts';
import { COUNTRY_CODES } from '../../../domain/regions.ts';
import { API_VERSION } from '../../../platform/release.ts';
import { challengeBody } from '../../http/reply.ts';
import { faultSummary, type ProblemCode, problem, problemTypes } from '../../problem.ts';
import { isPaid, type Routed, routed, SITE_NAME, SITE_SUMMARY, type Site } from '../../site.ts';
import { ALSO_ACCEPTED, pathParameters } from '../inputs.ts';
import { guidance } from '../texts.ts';
import {
  headers,
  headersOf,
  PROBLEM_TYPE,
  parameters,
  problemContent,
  problemOf,
  ref,
  schemas,
  sharedResponses,
  shareSchemas,
} from './components.ts';

const componentName = ({ operationId }: Routed, suffix: string): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${suffix}`;

/** The operationId for a method; the route's own method has the plain name. */
const operationIdOf = ({ operationId, route }: Routed, method: Method): string =>
  method === route.method ? operationId : `${operationId}ByPost`;
/** The component schema of an operation's body. */
const inputName = (operation: Routed): string => componentName(operation, 'Input');
/** The component schema of an operation's answer. */
const answerName = (operation: Routed): string => componentName(operation, 'Answer');
/** The component response of an operation's answer. */
const answeredName = (operation: Routed): string => componentName(operation, 'Answered');

/** The HTTP API as an OpenAPI 3.1.0 document. */
export function openapi(site: Site) {
  const operations = routed(site);
  const queries = inputParameters(operations);
  const shared = sharedParameters(queries);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { route } = operation;
    for (const method of methodsOf(route))
      paths[route.path] = {
        ...paths[route.path],
        [method.toLowerCase()]: operationObject(operation, method, site, [
          ...(method === 'GET' ? (queries.get(operation) ?? []) : []).map((parameter) =>
            shared.some((other) => isDeepStrictEqual(other, parameter))
              ? ref('parameters', parameter.name)
              : parameter,
          ),
          ...(isPaid(operation) ? PAYMENT_PARAMETERS : []),
        ]),
      };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: info(site),
    servers: [{ url: site.baseUrl }],
    externalDocs: { description: 'The same for language models', url: `${site.baseUrl}/llms.txt` },
    tags: tags(site),
    'x-agentcash-guidance': { llmsTxtUrl: `${site.baseUrl}/llms.txt` },
    'x-service-info': {
      categories: ['finance', 'small-business'],
      docs: {
        homepage: `${site.baseUrl}/`,
        apiReference: `${site.baseUrl}/docs`,
        llms: `${site.baseUrl}/llms.txt`,
      },
    },
    ...ownership(site),
    paths,
    components: {
      schemas: {
        ...shareSchemas(Object.assign({}, ...operations.map(operationSchemas))),
        ...Object.fromEntries(SHARED_FIELDS.map(({ name, schema }) => [name, schema])),
        ...schemas(),
      },
      headers: headers(),
      parameters: {
        ...Object.fromEntries(shared.map((parameter) => [parameter.name, parameter])),
        ...(operations.some(isPaid) && parameters()),
      },
      responses: responses(site),
    },
  };
}

function info(site: Site) {
  const { baseUrl, contactEmail } = site;
  return {
    title: SITE_NAME,
    version: API_VERSION,
    summary: SITE_SUMMARY,
    description: `${SITE_SUMMARY} It needs no account and stores no input. Amounts have the decimal places of the currency; dates are YYYY-MM-DD. Fields may be added to answers, but never renamed. ${ALSO_ACCEPTED}`,
    termsOfService: `${baseUrl}/legal#terms`,
    contact: { name: SITE_NAME, url: `${baseUrl}/`, ...(contactEmail !== null && { email: contactEmail }) },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    'x-guidance': guidance(site),
  };
}

const tags = ({ freeRequestsPerMinute, terms }: Site) => [
  { name: FREE_TAG, description: `Free, ${freeRequestsPerMinute} requests a minute from one address.` },
  {
    name: PAID_TAG,
    description: `Paid per request in USDC on ${terms.network} through x402 version 2, without an account.`,
  },
];

/** The proof that the payee runs this origin, under each name that client programs look for. */
const ownership = ({ ownershipProof }: Site) =>
  ownershipProof === null
    ? {}
    : {
        'x-discovery': { ownershipProofs: [ownershipProof] },
        'x-agentcash-provenance': { ownershipProofs: [ownershipProof] },
      };

const PAID_TAG = 'Paid';
const FREE_TAG = 'Free';

/** The OpenAPI description of an operation. */
function operationObject(operation: Routed, method: Method, site: Site, parameters: readonly unknown[]) {
  const { title, description, price } = operation;
  const payment = price === null ? {} : { 'x-payment-info': paymentInfo(price.usd, site) };
  return {
    operationId: operationIdOf(operation, method),
    summary: title,
    description,
    tags: [price === null ? FREE_TAG : PAID_TAG],
    // No security scheme, because agents would take a declared payment header for an account key.
    security: [],
    ...payment,
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' && { requestBody: requestBody(operation) }),
    responses: responsesOf(operation, site),
  };
}

const paymentInfo = (usd: string, { terms }: Site) => ({
  price: { mode: 'fixed', currency: 'USD', amount: usd },
  protocols: [{ x402: { network: terms.network, scheme: 'exact', asset: 'USDC', payTo: terms.payTo } }],
});

type Parameter = { readonly name: string; readonly [keyword: string]: unknown };

const PAYMENT_PARAMETERS = [ref('parameters', 'PaymentSignature'), ref('parameters', 'IdempotencyKey')];

/** The parameters of every operation with GET. If a body has the same field, the body describes it for both. */
function inputParameters(operations: readonly Routed[]): ReadonlyMap<Routed, readonly Parameter[]> {
  const inputs = operations.filter(({ route }) => route.method === 'GET');
  const bodies = inputs.filter(takesBody).map((operation) => ({
    name: inputName(operation),
    fields: documentedInput(operation).properties,
  }));
  return new Map(
    inputs.map((operation) => {
      const { properties = {}, required = [] } = documentedInput(operation);
      const inPath = pathParameters(operation);
      const parameters = Object.entries(properties).map(([name, field]) => {
        const { description, ...schema } = field;
        const body = bodies.find(({ fields }) => isDeepStrictEqual(fields?.[name], field));
        return {
          name,
          in: inPath.includes(name) ? 'path' : 'query',
          ...(required.includes(name) && { required: true }),
          ...(body ? { schema: ref('schemas', `${body.name}/properties/${name}`) } : { description, schema }),
        };
      });
      return [operation, parameters];
    }),
  );
}

const takesBody = ({ route }: Routed): boolean => methodsOf(route).includes('POST');

/** The parameters that more than one operation has; if two differ but share a name, the first one. */
function sharedParameters(queries: ReadonlyMap<Routed, readonly Parameter[]>): readonly Parameter[] {
  const all = [...queries.values()].flat();
  const repeated = all.filter(
    (one, index) => all.findIndex((other) => isDeepStrictEqual(other, one)) < index,
  );
  return repeated.filter((one, index) => repeated.findIndex(({ name }) => name === one.name) === index);
}

const requestBody = (operation: Routed) => ({
  required: true,
  description: 'One JSON object.',
  content: {
    'application/json': { schema: ref('schemas', inputName(operation)), example: operation.example },
  },
});

/** The component schemas of an operation: its answer, and its body if it takes one. */
const operationSchemas = (operation: Routed): Readonly<Record<string, Schema>> => ({
  [answerName(operation)]: shortAnswer(outputSchema(operation)),
  ...(takesBody(operation) && { [inputName(operation)]: documentedInput(operation) }),
});

const REPEATS_THE_NAME = 26;

/**
 * The schema of an answer, without parts that lengthen the document and help nobody. These are the bounds of texts and
 * lists, and descriptions so short that they only repeat the name of their field.
 */
export const shortAnswer = (schema: Schema): Schema =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      (['maxLength', 'maxItems', 'minItems'].includes(key) && typeof value === 'number') ||
      (key === 'description' && value.length <= REPEATS_THE_NAME) ||
      key === 'propertyNames'
        ? undefined
        : value,
    ),
  );

/**
 * The schemas that inputs share, by the pattern of their fields. Codes are listed, because this document can hold
 * hundreds; lower case is also accepted.
 */
const SHARED_FIELDS: readonly { readonly name: string; readonly pattern: string; readonly schema: Schema }[] =
  [
    {
      name: 'CurrencyCode',
      pattern: CURRENCY_PATTERN,
      schema: { type: 'string', enum: [...CURRENCY_CODES], description: 'ISO 4217 code.' },
    },
    {
      name: 'CountryCode',
      pattern: COUNTRY_PATTERN,
      schema: { type: 'string', enum: [...COUNTRY_CODES], description: 'ISO 3166-1 alpha-2 code.' },
    },
    { name: 'Day', pattern: DAY_SCHEMA.pattern, schema: DAY_SCHEMA },
  ];

/** The input schema of an operation in this document, for validation and generated types. */
export function documentedInput(operation: Operation): Schema {
  const schema = describedInput(operation);
  return { ...schema, properties: fieldsAs(schema, withShared) };
}

function withShared(field: Schema): Schema {
  const shared = SHARED_FIELDS.find(({ pattern }) => pattern === field.pattern);
  if (shared === undefined) return field;
  const { description, examples } = field;
  return { ...ref('schemas', shared.name), description, ...(examples !== undefined && { examples }) };
}

/** Every response of an operation, by status. */
function responsesOf(operation: Routed, site: Site): Readonly<Record<string, unknown>> {
  const paid = isPaid(operation);
  return {
    200:
      methodsOf(operation.route).length > 1
        ? ref('responses', answeredName(operation))
        : answered(operation, site),
    400: ref('responses', paid ? 'InvalidInputOrPayment' : 'InvalidInput'),
    ...(paid && { 402: paymentRequired(operation) }),
    ...((paid || pathParameters(operation).length > 0) && { 404: ref('responses', 'NotFound') }),
    ...(paid && { 409: ref('responses', 'NotWithThisPayment') }),
    429: ref('responses', paid ? 'TooManyRefused' : 'RateLimited'),
    ...(paid && { 503: ref('responses', 'SettlementUnavailable') }),
    default: ref('responses', 'AnyOperation'),
  };
}

const paymentRequired = ({ price }: Routed) => ({
  ...ref('responses', 'Unpaid'),
  description: `Payment required: ${price?.usd} USD. Not charged.`,
});

/** The responses that operations and methods share: each with one example, so that agents can read the whole document. */
function responses(site: Site): Readonly<Record<string, unknown>> {
  const operations = routed(site);
  const free = operations.find((operation) => !isPaid(operation));
  const paid = operations.find(isPaid);
  return {
    ...Object.fromEntries(
      operations
        .filter(({ route }) => methodsOf(route).length > 1)
        .map((operation) => [answeredName(operation), answered(operation, site)]),
    ),
    ...(free && { InvalidInput: refused(free, site) }),
    ...(paid && {
      InvalidInputOrPayment: refused(paid, site),
      Unpaid: unpaid(paid, site),
      NotWithThisPayment: conflict(site),
    }),
    ...sharedResponses(site),
  };
}

function answered(operation: Routed, site: Site) {
  const paid = isPaid(operation);
  const schema = ref('schemas', answerName(operation));
  return paid
    ? {
        description: 'Paid, settled, answered. The example shows the first entry of each list.',
        headers: headersOf('PAYMENT-RESPONSE'),
        content: { 'application/json': { schema, example: shortened(site.answerOf(operation)) } },
      }
    : {
        description: 'The answer. To see one, send the example: it is free.',
        headers: headersOf('RateLimit', 'RateLimit-Policy'),
        content: { 'application/json': { schema } },
      };
}

/** An answer with the first entry of each of its lists. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortened(part)]));
}

function refused(operation: Routed, { baseUrl, faultsOf }: Site) {
  const faults = faultsOf(operation, { colour: 'blue' });
  const codes: ProblemCode[] = [
    'invalid_input',
    ...(isPaid(operation) ? (['invalid_payment'] as const) : []),
    'malformed_request',
  ];
  return {
    description: `Invalid input${isPaid(operation) ? ' or an unreadable payment' : ''}; every fault is listed. Never charged.`,
    content: isPaid(operation)
      ? { [PROBLEM_TYPE]: { schema: problemOf(400, codes) }, ...FOR_BROWSERS }
      : problemContent(
          problemOf(400, codes),
          problem(baseUrl, 'invalid_input', faultSummary(faults), faults),
        ),
  };
}

/** A browser that opens the address of a paid operation gets a page that links to its form. */
const FOR_BROWSERS = { 'text/html': { schema: { type: 'string' } } };

function unpaid(operation: Routed, { baseUrl, challengeOf, beforePayingOf }: Site) {
  const challenge = challengeOf(operation);
  const body = challengeBody({ baseUrl, operation, challenge }, 'payment_required');
  // Omits what PaymentPayload shows, and the bazaar extension, because linters take an example inside an example for a
  // keyword.
  const { sign: _typed, payment_payload: _payload, ...example } = body;
  const { bazaar: _described, ...extensions } = body.extensions;
  return {
    description: `Payment required: the x402 v2 challenge is in the PAYMENT-REQUIRED header and in the body. Not charged. The example is that of ${operation.operationId}, without sign and payment_payload.`,
    headers: headersOf('PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'),
    content: {
      ...problemContent(ref('schemas', 'PaymentRequired'), {
        ...beforePayingOf(operation),
        ...example,
        extensions,
      }),
      ...FOR_BROWSERS,
    },
  };
}

function conflict({ baseUrl }: Site) {
  const conflicts = problemTypes.filter(({ status }) => status === 409);
  const codes = conflicts.map(({ code }) => code);
  const state = { type: 'string', description: 'The same as code.' };
  const meanings = conflicts.map(({ code, meaning }) => `${code}: ${meaning}`);
  return {
    description: `Not ready, or not available with this payment; never charged (again), and detail says what to do. ${meanings.join(' ')}`,
    headers: headersOf('PAYMENT-RESPONSE', 'Retry-After'),
    content: problemContent(problemOf(409, codes, { state }), {
      ...problem(baseUrl, 'waiting'),
      state: 'waiting',
    }),
  };
}
