import { testApp as appInMemory, type TestApp } from '../support/app.ts';

export const BASE_URL = 'http://127.0.0.1:4021';
export const MODERN = '2026-07-28';

/** The whole app in memory as a local server, so that both kinds of Origin can be tested. */
export const testApp = (parts: Parameters<typeof appInMemory>[0] = {}): TestApp =>
  appInMemory({ baseUrl: BASE_URL, ...parts });

/** A server at /mcp. */
type Served = Pick<TestApp, 'http'>;

type Json = Record<string, unknown>;

/** The reply to one POST; `body` is null if it is empty. */
export type Posted = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly id?: unknown;
    readonly result?: ToolResult & Json;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
  };
};

export type ToolResult = {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Json;
  readonly _meta?: Json;
};

/** Posts a body unchanged, by default with only a content type. */
export async function post(
  app: Served,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Posted> {
  const response = await app.http.request(`${BASE_URL}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? {} : (JSON.parse(text) as Posted['body']),
  };
}

/** A request of a legacy revision, as simple as curl would send it. */
export const legacy = (method: string, params?: Json): Json => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params && { params }),
});

export const MODERN_META: Json = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** The same request in 2026-07-28, with its headers. */
export function modern(method: string, params: Json = {}): { body: Json; headers: Record<string, string> } {
  const { _meta, ...others } = params;
  const body = legacy(method, { ...others, _meta: { ...(_meta as Json | undefined), ...MODERN_META } });
  const headers: Record<string, string> = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
  const named = params.name ?? params.uri;
  if (typeof named === 'string') headers['mcp-name'] = named;
  return { body, headers };
}

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

/** Posts a well-formed request of a modern or a legacy revision. */
export async function request(
  app: Served,
  era: Era,
  method: string,
  { params, headers = {} }: { params?: Json; headers?: Record<string, string> } = {},
): Promise<Posted> {
  if (era === 'legacy') return post(app, legacy(method, params), headers);
  const wanted = modern(method, params);
  return post(app, wanted.body, { ...wanted.headers, ...headers });
}

/** Calls a tool and returns its result; throws if there is none. */
export async function callTool(
  app: Served,
  era: Era,
  name: string,
  { arguments: values = {}, ...more }: { arguments?: unknown; _meta?: Json } = {},
): Promise<ToolResult> {
  const { body, text } = await request(app, era, 'tools/call', {
    params: { name, arguments: values, ...more },
  });
  if (body.result === undefined) throw new Error(`No result: ${text}`);
  return body.result;
}
