import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

type Identified = IncomingMessage & { requestId?: string };
type Headers = Readonly<Record<string, string | number | string[]>>;

export const REQUEST_ID_HEADER = 'x-request-id';

/** A name for one request that tells nothing about it. What a caller calls it plays no part. */
export const newRequestId = (): string => randomUUID();

/** Names a request. */
export function identify(request: IncomingMessage): void {
  (request as Identified).requestId = newRequestId();
}

/** Has a response say the name of its request beside whatever headers it gets. */
export function sayRequestId(request: Identified, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (status: number, headers: Headers) => ServerResponse;
  // Headers that are set one by one before all others cost a request several times as much.
  response.writeHead = ((status: number, headers: Headers = {}) =>
    writeHead(status, {
      ...headers,
      [REQUEST_ID_HEADER]: request.requestId ?? '',
    })) as ServerResponse['writeHead'];
}

/** The name of the request behind a call of the app; null where there is no connection. */
export function requestIdOf({ env }: { readonly env: unknown }): string | null {
  const { incoming } = (env ?? {}) as { incoming?: Identified };
  return incoming?.requestId ?? null;
}
