/** A request of an operation, ready to be sent as often as needed. */
export type Request = {
  readonly method: string;
  readonly url: string;
  /** JSON; null for GET. */
  readonly body: string | null;
};

/** A request for a purchase, with its input in one line. */
export type PurchaseRequest = {
  readonly request: Request;
  readonly about: string;
  /** The letterhead written for its document so far, as part of a link. It is not sent. */
  readonly paper?: string | undefined;
};

// More than the server's maximum wait for a payment; a later reply counts as lost.
const PATIENCE_MS = 45_000;

/** The request with these values: a query for GET, JSON for POST. */
export function requestOf(method: string, route: string, values: Readonly<Record<string, unknown>>): Request {
  if (method === 'POST') return { method, url: route, body: JSON.stringify(values) };
  const query = new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method, url: `${route}?${query}`, body: null };
}

/** Sends a request; rejects if there is no reply. */
export const send = (
  { method, url, body }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method,
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== null && { body }),
  });

/** The values in a request. */
export const valuesOf = ({ url, body }: Request): Readonly<Record<string, unknown>> =>
  body === null
    ? Object.fromEntries(new URL(url, location.href).searchParams)
    : (JSON.parse(body) as Record<string, unknown>);
