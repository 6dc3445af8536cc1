import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

type Identified = IncomingMessage & { requestId?: string };
type Headers = Readonly<Record<string, string | number | string[]>>;

export const REQUEST_ID_HEADER = 'x-request-id';

/** A name for one request that tells nothing about it. What a caller calls it plays no part. */
export const newRequestId = (): string => randomUUID();

/** Names a request, and has its response say so beside whatever headers it gets. */
export function identify(request: IncomingMessage, response: ServerResponse): void {
  const id = newRequestId();
  (request as Identified).requestId = id;
  const writeHead = response.writeHead.bind(response) as (status: number, headers: Headers) => ServerResponse;
  // Headers that are set one by one before all others cost a request several times as much.
  response.writeHead = ((status: number, headers: Headers = {}) =>
    writeHead(status, { ...headers, [REQUEST_ID_HEADER]: id })) as ServerResponse['writeHead'];
}

/** The name of the request behind a call of the app; null where there is no connection. */
export function requestIdOf({ env }: { readonly env: unknown }): string | null {
  const { incoming } = (env ?? {}) as { incoming?: Identified };
  return incoming?.requestId ?? null;
}
