import { CORS_HEADERS } from '../http/reply.ts';

type Headers = Readonly<Record<string, string>>;

const COMMON: Headers = {
  ...CORS_HEADERS,
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

// JSON-RPC 2.0 section 5.1; MCP servers use -32000 for a method that is not allowed.
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** An internal error; its cause is not disclosed. */
export const INTERNAL: RpcFault = { code: -32603, message: 'Internal error' };
export const NOT_ALLOWED = -32000;
/** MCP 2026-07-28: a header and the body disagree. */
export const HEADER_MISMATCH = -32020;
/** MCP 2026-07-28: a revision that this server does not speak. */
export const UNSUPPORTED_VERSION = -32022;
/** A code of this service, outside the range that JSON-RPC and MCP reserve. */
export const TOO_MANY_REQUESTS = 42900;

/** `message` says what to change. */
export type RpcFault = { readonly code: number; readonly message: string; readonly data?: unknown };

export type RpcId = string | number | null;

/** A status and a JSON-RPC message to answer with; `text` null is an empty body. */
export type Answer = {
  readonly status: number;
  readonly text: string | Buffer<ArrayBuffer> | null;
  readonly headers?: Headers;
};

/** Accepted, without a body. */
export const ACCEPTED: Answer = { status: 202, text: null };

export const toResponse = ({ status, text, headers = {} }: Answer): Response =>
  new Response(text, { status, headers: { ...COMMON, ...headers } });

/** A JSON-RPC error. */
export const rpcError = (
  status: number,
  error: RpcFault,
  { id = null, headers = {} }: { id?: RpcId; headers?: Headers } = {},
): Answer => ({ status, text: JSON.stringify({ jsonrpc: '2.0', id, error }), headers });

/** The id of a message to answer, or null when it has none that may be echoed. */
export function idOf(message: unknown): RpcId {
  const id = (message as { id?: unknown } | null)?.id;
  return typeof id === 'string' || Number.isInteger(id) ? (id as RpcId) : null;
}
