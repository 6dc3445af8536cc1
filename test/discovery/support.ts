import type { Operation } from '../../src/catalog/operation.ts';
import { exampleTarget } from '../../src/surfaces/discovery/inputs.ts';
import { catalog, fakePayment, type TestApp } from '../support/app.ts';

export const paidOperations = catalog.filter(({ price }) => price !== null);
export const httpOperations = catalog.filter(({ route }) => route !== null);

/** The documented example of an operation, sent as a caller would. */
export function callExample(
  app: TestApp,
  operation: Operation,
  headers: Record<string, string> = {},
): Promise<Response> {
  const target = exampleTarget(operation);
  return operation.route?.method === 'POST'
    ? app.post(target, operation.example, headers)
    : app.get(target, headers);
}

export const decodedHeader = (answer: Response, name: string) =>
  JSON.parse(Buffer.from(answer.headers.get(name) ?? '', 'base64').toString());

/** The documented example, paid for with a new payment; for an app with a scripted settlement. */
export function buyExample(app: TestApp, operation: Operation): Promise<Response> {
  const value = operation.price?.atomic ?? '0';
  const nonce = String(catalog.indexOf(operation) + 1);
  return callExample(app, operation, { 'payment-signature': fakePayment({ value, nonce }) });
}

// biome-ignore lint/suspicious/noExplicitAny: a buyer has no types for this document
type Json = any;

/** A part of a document with all of its references resolved, and with all fields of an object that extends another. */
export function followed(part: Json, document: Json): Json {
  if (Array.isArray(part)) return part.map((one) => followed(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part;
  if (typeof $ref === 'string') {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((inner, name) => inner[name], document);
    return { ...followed(target, document), ...followed(rest, document) };
  }
  const made = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, followed(one, document)]));
  if (!Array.isArray(made.allOf)) return made;
  const { allOf, unevaluatedProperties, ...own } = made;
  const required = allOf.flatMap((one: Json) => one.required ?? []);
  return {
    ...Object.assign({}, ...allOf, own),
    ...(unevaluatedProperties !== undefined && { additionalProperties: unevaluatedProperties }),
    properties: Object.assign({}, ...allOf.map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
  };
}
