import { type Method, methodsOf } from '../../../catalog/operation.ts';
import { outputSchema } from '../../../catalog/schema.ts';
import { isPaid, type Routed, type Site } from '../../site.ts';
import { pathParameters } from '../example-request.ts';
import { documentedInput } from './inputs.ts';
import { answerName, inputName, operationIdOf } from './names.ts';
import { ref } from './pieces.ts';
import { responsesOf } from './responses.ts';

export const PAID_TAG = 'Paid';
export const FREE_TAG = 'Free';

/** An operation as OpenAPI describes it. */
export function operationObject(operation: Routed, method: Method, site: Site) {
  const { title, description, price } = operation;
  const payment = price === null ? {} : { 'x-payment-info': paymentInfo(price.usd, site) };
  return {
    operationId: operationIdOf(operation, method),
    summary: title,
    description,
    tags: [price === null ? FREE_TAG : PAID_TAG],
    // No security scheme: agents would take a declared payment header for the key of an account.
    security: [],
    ...payment,
    ...parametersOf(operation, method),
    ...(method === 'POST' && { requestBody: requestBody(operation) }),
    responses: responsesOf(operation, method, site),
  };
}

const paymentInfo = (usd: string, { terms }: Site) => ({
  price: { mode: 'fixed', currency: 'USD', amount: usd },
  protocols: [{ x402: { network: terms.network, scheme: 'exact', asset: 'USDC', payTo: terms.payTo } }],
});

function parametersOf(operation: Routed, method: Method): { parameters?: readonly unknown[] } {
  const query = method === 'GET' ? inputParameters(operation) : [];
  const parameters = isPaid(operation)
    ? [...query, ref('parameters', 'PaymentSignature'), ref('parameters', 'IdempotencyKey')]
    : query;
  return parameters.length === 0 ? {} : { parameters };
}

function inputParameters(operation: Routed): unknown[] {
  const { properties = {}, required = [] } = documentedInput(operation);
  const inPath = pathParameters(operation);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: required.includes(name),
    description,
    schema,
  }));
}

const requestBody = (operation: Routed) => ({
  required: true,
  description: 'One JSON object.',
  content: {
    'application/json': { schema: ref('schemas', inputName(operation)), example: operation.example },
  },
});

/** The component schemas of an operation: its answer, and its body if it takes one. */
export const operationSchemas = (operation: Routed): Readonly<Record<string, unknown>> => ({
  [answerName(operation)]: outputSchema(operation),
  ...(methodsOf(operation.route).includes('POST') && {
    [inputName(operation)]: documentedInput(operation),
  }),
});
