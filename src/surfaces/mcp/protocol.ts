import type { Server } from '@modelcontextprotocol/server';
import { finished } from './finished.ts';
import { LEGACY_VERSIONS, PROTOCOL_VERSIONS } from './identity.ts';
import { type Answer, INVALID_REQUEST, idOf, METHOD_NOT_FOUND, rpcError } from './rpc.ts';
import { createServers, type Post, type ServerParts, type Visit } from './server.ts';

/** The protocol in both eras. Rejects only on a bug of ours. */
export type Protocol = { answer(post: Post): Promise<Answer> };

/**
 * Loads the official SDK and wires its low-level server for both eras: a fresh server for every message, so that
 * nothing of one caller can reach another. The SDK is loaded here and not with the module, because that takes a
 * noticeable part of the start of the service.
 */
export async function loadProtocol(parts: ServerParts): Promise<Protocol> {
  const sdk = await import('@modelcontextprotocol/server');
  // The wire schemas would otherwise be built during the first requests.
  sdk.preloadSchemas();
  const serverOf = createServers(sdk, parts);
  const visits = new WeakMap<Request, Visit>();
  const serverFor = (request: Request | undefined): Server => {
    const visit = request && visits.get(request);
    if (visit === undefined) throw new Error('The SDK asked for a server without a request');
    return serverOf(visit);
  };
  const modern = sdk.createMcpHandler(({ requestInfo }) => serverFor(requestInfo), { legacy: 'reject' });

  async function legacy(request: Request, body: unknown): Promise<Response> {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await serverFor(request).connect(transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  return {
    async answer(post) {
      const body = withoutNullArguments(post.body);
      const request = requestOf(post);
      const isLegacy = await sdk.isLegacyRequest(request, body);
      const refusal = isLegacy ? unknownRevision(post) : unknownMethod(body);
      if (refusal !== null) return refusal;
      const visit: Visit = { post, hasBegun: false, fault: null, headers: {} };
      visits.set(request, visit);
      const reply = isLegacy ? legacy(request, body) : modern.fetch(request, { parsedBody: body });
      return finished(await reply, visit);
    },
  };
}

/** The request as the SDK needs it; the body is parsed already, and a client that accepts anything accepts JSON. */
function requestOf({ header }: Post): Request {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = header(name);
    if (value !== undefined) headers[name] = value;
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

/** The refusal of a legacy header that names no revision of ours; `initialize` negotiates in its body instead. */
function unknownRevision({ header, body }: Post): Answer | null {
  const version = header('mcp-protocol-version');
  if (version === undefined || LEGACY_VERSIONS.includes(version)) return null;
  if ((body as { method?: unknown } | null)?.method === 'initialize') return null;
  const message = `Unsupported MCP-Protocol-Version. Supported: ${PROTOCOL_VERSIONS.join(', ')}.`;
  return rpcError(400, { code: INVALID_REQUEST, message }, { id: idOf(body) });
}

/** The SDK would hold a stream open for every caller, about changes that never come. */
function unknownMethod(body: unknown): Answer | null {
  const { method } = (body ?? {}) as { method?: unknown };
  if (method !== 'subscriptions/listen') return null;
  return rpcError(404, { code: METHOD_NOT_FOUND, message: 'Method not found' }, { id: idOf(body) });
}

type CallBody = { readonly params?: { readonly arguments?: unknown } | null } | null;

/** Models without arguments to give send null, which the protocol does not know. */
function withoutNullArguments(body: unknown): unknown {
  const params = (body as CallBody)?.params;
  if (typeof params !== 'object' || params === null || params.arguments !== null) return body;
  const { arguments: _null, ...others } = params;
  return { ...(body as object), params: others };
}
