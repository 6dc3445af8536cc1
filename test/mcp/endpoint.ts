import { type App, type AppParts, createApp } from '../../src/app.ts';
import { createCatalog } from '../../src/catalog/catalog.ts';
import type { Operation } from '../../src/catalog/operation.ts';
import { usdcAddress } from '../../src/devnet/usdc.ts';
import { loadDirectory } from '../../src/directory/load.ts';
import { memoryClaims } from '../../src/exchange/claims.ts';
import type { Settlement } from '../../src/payments/settlement.ts';

export const BASE_URL = 'http://127.0.0.1:4021';
export const MODERN = '2026-07-28';

/** The catalog without what the service itself adds. */
export const operations: readonly Operation[] = createCatalog(loadDirectory());

/** A settlement that reaches nobody. */
export const nobody: Settlement = {
  settle: async () => ({ state: 'not_sent', reason: 'nobody' }),
  reconcile: async () => ({ state: 'unknown', transaction: null }),
};

/** The whole service without a port, and with limits that only tests of limits meet. */
export function testApp(more: Partial<AppParts> = {}): App {
  const now = more.now ?? Date.now;
  return createApp({
    operations,
    terms: {
      network: 'eip155:8453',
      chainId: 8453,
      asset: usdcAddress,
      assetName: 'USD Coin',
      assetVersion: '2',
      payTo: '0x00000000000000000000000000000000000000aa',
    },
    settlement: nobody,
    claims: memoryClaims({ maxClaims: 1_000, now }),
    now,
    baseUrl: BASE_URL,
    freeRequestsPerMinute: 1_000_000,
    trustedProxies: [],
    coldProbe: 400,
    health: async () => ({ status: 'ok', payments: 'ok' }),
    onBug: (where, error) => {
      throw new Error(`A bug showed in ${where}`, { cause: error });
    },
    onCall: () => {},
    ...more,
  });
}

type Json = Record<string, unknown>;

/** What came back of one POST; `body` is null when there was nothing. */
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

/** Posts a body as it is, with only a content type unless more is given. */
export async function post(app: App, body: unknown, headers: Record<string, string> = {}): Promise<Posted> {
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

/** A request of a legacy revision, as plain as curl would send it. */
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

/** The same request of 2026-07-28, and the headers that go with it. */
export function modern(method: string, params: Json = {}): { body: Json; headers: Record<string, string> } {
  const { _meta, ...others } = params;
  const body = legacy(method, { ...others, _meta: { ...(_meta as Json | undefined), ...MODERN_META } });
  const headers: Record<string, string> = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
  if (typeof params.name === 'string') headers['mcp-name'] = params.name;
  return { body, headers };
}

export type Era = 'legacy' | 'modern';
export const ERAS: readonly Era[] = ['legacy', 'modern'];

/** Posts a well-formed request of an era. */
export async function request(
  app: App,
  era: Era,
  method: string,
  { params, headers = {} }: { params?: Json; headers?: Record<string, string> } = {},
): Promise<Posted> {
  if (era === 'legacy') return post(app, legacy(method, params), headers);
  const wanted = modern(method, params);
  return post(app, wanted.body, { ...wanted.headers, ...headers });
}

/** Calls a tool and gives its result; throws when there is none. */
export async function callTool(
  app: App,
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
