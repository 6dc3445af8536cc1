import type { Operation } from '../../catalog/operation.ts';

/** The parameters of a route's path, in order: `id` of `/v1/tools/{id}`. */
export const pathParameters = (operation: Operation): readonly string[] =>
  [...(operation.route?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The path and query of an operation's example, such as `/v1/late-fee?amount=1250&due_date=2026-11-04`. */
export function exampleTarget(operation: Operation): string {
  const { route } = operation;
  if (route === null) throw new Error(`Operation ${operation.name} is not reachable over HTTP`);
  if (route.method === 'POST') return route.path;
  const { example } = operation;
  const inPath = pathParameters(operation);
  const path = inPath.reduce<string>(
    (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(String(example[name]))),
    route.path,
  );
  const query = new URLSearchParams();
  // A list becomes its texts joined by commas.
  for (const [name, value] of Object.entries(example))
    if (!inPath.includes(name)) query.set(name, `${value}`);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The example as a command that a developer can paste. */
export function exampleCommand(operation: Operation, baseUrl: string): string {
  const url = `${baseUrl}${exampleTarget(operation)}`;
  if (operation.route?.method === 'GET') return `curl -i '${url}'`;
  const body = JSON.stringify(operation.example).replaceAll("'", "'\\''");
  return `curl -i '${url}' -H 'Content-Type: application/json' -d '${body}'`;
}
