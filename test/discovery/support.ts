import type { Operation } from '../../src/catalog/operation.ts';
import { exampleTarget } from '../../src/surfaces/discovery/example-request.ts';
import { catalog, type TestApp } from '../support/app.ts';

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
