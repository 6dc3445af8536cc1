import type { InboundHttpRequest, InboundLadderRejection } from '@modelcontextprotocol/server';
import { LEGACY_VERSIONS, MODERN_VERSION, PROTOCOL_VERSIONS } from './identity.ts';
import type { Post } from './post.ts';
import {
  type Answer,
  HEADER_MISMATCH,
  INVALID_REQUEST,
  idOf,
  type RpcFault,
  rpcError,
  UNSUPPORTED_VERSION,
} from './rpc.ts';

type Header = Post['header'];
type Message = {
  readonly method?: unknown;
  readonly params?: { readonly [name: string]: unknown } | null;
} | null;

/** The headers of 2026-07-28 that repeat the body, for the SDK's classifier. */
export function mirrorHeaders(header: Header): Omit<InboundHttpRequest, 'httpMethod' | 'body'> {
  const version = header('mcp-protocol-version');
  const method = header('mcp-method');
  const name = header('mcp-name');
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  };
}

// The SDK's message would echo what the client sent in a header.
const MISMATCH: RpcFault = {
  code: HEADER_MISMATCH,
  message:
    'Header mismatch: MCP-Protocol-Version, Mcp-Method and (for tools/call) Mcp-Name must be sent and equal the protocolVersion of _meta, the method and the name of the body.',
};

/** The answer to a message that the SDK's classifier rejected. */
export function refused({ httpStatus, code, message }: InboundLadderRejection, body: unknown): Answer {
  return rpcError(httpStatus, code === HEADER_MISMATCH ? MISMATCH : { code, message }, { id: idOf(body) });
}

/** The header rules that the classifier leaves to its caller: all headers are sent, and Mcp-Name equals the name. */
export function unequalHeader({ header, body }: Post): Answer | null {
  const { method, params } = (body ?? {}) as NonNullable<Message>;
  const isSent = header('mcp-protocol-version') !== undefined && header('mcp-method') !== undefined;
  const isNamed = method !== 'tools/call' || decodedName(header('mcp-name')) === params?.name;
  return isSent && isNamed ? null : rpcError(400, MISMATCH, { id: idOf(body) });
}

/** A name that does not fit a header is sent as "=?base64?…?=". */
function decodedName(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

/** The refusal of a revision without a handshake that is not supported. */
export function unknownRevision(revision: string | undefined, body: unknown): Answer | null {
  if (revision === MODERN_VERSION) return null;
  const data = { supported: [MODERN_VERSION], requested: revision ?? 'unknown' };
  const fault = { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data };
  return rpcError(400, fault, { id: idOf(body) });
}

/** The refusal of a header with an unsupported revision with a handshake; `initialize` negotiates in its body instead. */
export function unknownLegacyRevision({ header, body }: Post): Answer | null {
  const version = header('mcp-protocol-version');
  if (version === undefined || LEGACY_VERSIONS.includes(version)) return null;
  if ((body as Message)?.method === 'initialize') return null;
  const message = `Unsupported MCP-Protocol-Version. Supported: ${PROTOCOL_VERSIONS.join(', ')}.`;
  return rpcError(400, { code: INVALID_REQUEST, message }, { id: idOf(body) });
}

/** Models send null where there are no arguments, which the protocol does not allow. */
export function withoutNullArguments(body: unknown): unknown {
  const params = (body as Message)?.params;
  if (typeof params !== 'object' || params === null || params.arguments !== null) return body;
  const { arguments: _null, ...others } = params;
  return { ...(body as object), params: others };
}
