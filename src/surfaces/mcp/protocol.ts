import type { CallTool, Post, ToolResult } from './tool-calls.ts';
import {
  LEGACY_VERSIONS,
  MODERN_VERSION,
  PROTOCOL_VERSIONS,
  SERVER_NAME,
  SERVER_VERSION,
  serverInfo,
  type ToolDocument,
  VIEW_RESOURCE,
  viewContents,
} from './tools.ts';

// JSON-RPC 2.0 section 5.1; MCP servers use -32000 for a method that is not allowed.
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** The code before revision 2026-07-28, which uses INVALID_PARAMS instead. */
const RESOURCE_NOT_FOUND = -32002;
export const NOT_ALLOWED = -32000;
/** MCP 2026-07-28: a header and the body disagree. */
const HEADER_MISMATCH = -32020;
/** MCP 2026-07-28: the server does not speak this revision. */
const UNSUPPORTED_VERSION = -32022;
/** A code of this service, outside the range that JSON-RPC and MCP reserve. */
export const TOO_MANY_REQUESTS = 42900;

/** `message` says what to change. */
export type RpcFault = { readonly code: number; readonly message: string; readonly data?: unknown };

/** An internal error. Its cause is not disclosed. */
export const INTERNAL: RpcFault = { code: -32603, message: 'Internal error' };

type RpcId = string | number;

/** A status and a JSON-RPC message to answer with; `text` null is an empty body. */
export type Answer = {
  readonly status: number;
  readonly text: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A JSON-RPC error. */
export const rpcError = (
  status: number,
  error: RpcFault,
  { id = null, headers = {} }: { id?: RpcId | null; headers?: Answer['headers'] } = {},
): Answer => ({ status, text: JSON.stringify({ jsonrpc: '2.0', id, error }), headers });

/** The id of a message, or null if it has none that may be echoed. */
export function idOf(message: unknown): RpcId | null {
  const id = (message as { id?: unknown } | null)?.id;
  return typeof id === 'string' || Number.isInteger(id) ? (id as RpcId) : null;
}

/** Answers a POST. Rejects only on an internal error. */
export type Protocol = (post: Post) => Answer | Promise<Answer>;

export type ProtocolParts = {
  readonly baseUrl: string;
  readonly tools: readonly ToolDocument[];
  readonly instructions: string;
  readonly viewHtml: () => string;
  readonly callTool: CallTool;
};

type Named = Readonly<Record<string, unknown>>;
type Message = { readonly id?: RpcId; readonly method: string; readonly params: Named };
type Request = Message & { readonly id: RpcId };

/** Accepted, without a body. */
const ACCEPTED: Answer = { status: 202, text: null };
const NO_MESSAGE: RpcFault = {
  code: INVALID_REQUEST,
  message: 'Bad Request: the request body is not a valid JSON-RPC message',
};
const NO_METHOD: RpcFault = { code: METHOD_NOT_FOUND, message: 'Method not found' };
const SHAPE: RpcFault = {
  code: INVALID_PARAMS,
  message: 'Invalid params: they do not have the shape that the protocol gives this method.',
};
const UNKNOWN_CURSOR: RpcFault = {
  code: INVALID_PARAMS,
  message: 'Unknown cursor: the list has only one page.',
};
// An error does not echo what the client sent in a header.
const MISMATCH: RpcFault = {
  code: HEADER_MISMATCH,
  message:
    'Header mismatch: MCP-Protocol-Version, Mcp-Method and (for tools/call and resources/read) Mcp-Name must be sent and equal the protocolVersion of _meta, the method and the name or uri of the body.',
};

const SERVER = { name: SERVER_NAME, version: SERVER_VERSION };
const CAPABILITIES = { tools: {}, resources: {} };
/** The fields at the end of every result of 2026-07-28, without the details that only `server/discover` shows. */
const SERVER_META = { 'io.modelcontextprotocol/serverInfo': SERVER };
// Long enough to save a request in each conversation, short enough for a new price to arrive.
const CACHED = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public', _meta: SERVER_META };

/**
 * The stateless protocol: the revision without a handshake (modern) and those that begin with `initialize` (legacy).
 * Each message is answered by itself, so no data of one caller can reach another.
 */
export function createProtocol(parts: ProtocolParts): Protocol {
  const { tools, instructions, callTool, viewHtml, baseUrl } = parts;
  const server = serverInfo(baseUrl);
  const names = tools.map(({ name }) => name).join(', ');
  const unknownTool = { code: INVALID_PARAMS, message: `Unknown tool. The tools are ${names}.` };
  const inEra = (result: object) => ({
    modern: JSON.stringify({ ...result, ...CACHED }),
    legacy: JSON.stringify(result),
  });
  const lists: Readonly<Record<string, Readonly<Record<Era, string>>>> = {
    'tools/list': inEra({ tools }),
    'resources/list': inEra({ resources: [VIEW_RESOURCE] }),
    'resources/templates/list': inEra({ resourceTemplates: [] }),
  };
  const discovered = JSON.stringify({
    supportedVersions: [MODERN_VERSION],
    capabilities: CAPABILITIES,
    instructions,
    ...CACHED,
    _meta: { ...SERVER_META, 'io.modelcontextprotocol/serverInfo': server },
  });

  async function call({ id, params }: Request, era: Era, post: Post): Promise<Answer> {
    // Models send null for arguments that they omit.
    const { name, arguments: values, _meta: meta } = params;
    if (typeof name !== 'string' || (values != null && !isObject(values)))
      return rpcError(200, SHAPE, { id });
    const payment = (meta as Named | undefined)?.['x402/payment'];
    const reply = await callTool({ name, values: values ?? {}, payment, post });
    if (reply === null) return rpcError(200, unknownTool, { id });
    if (reply === 'failed') return rpcError(200, INTERNAL, { id });
    return resultText(written(reply.result, era), id, reply.headers);
  }

  function initialize({ id, params }: Request): Answer {
    const { protocolVersion: proposed, capabilities, clientInfo } = params;
    if (typeof proposed !== 'string' || !isObject(capabilities) || !isClientInfo(clientInfo))
      return rpcError(200, SHAPE, { id });
    const protocolVersion = LEGACY_VERSIONS.includes(proposed) ? proposed : LEGACY_VERSIONS[0];
    const result = { protocolVersion, capabilities: CAPABILITIES, serverInfo: server, instructions };
    return resultText(JSON.stringify(result), id);
  }

  function list({ id, params: { cursor } }: Request, result: string): Answer {
    if (cursor === undefined) return resultText(result, id);
    return rpcError(200, typeof cursor === 'string' ? UNKNOWN_CURSOR : SHAPE, { id });
  }

  function read({ id, params: { uri } }: Request, era: Era): Answer {
    if (typeof uri !== 'string') return rpcError(200, SHAPE, { id });
    const contents = viewContents(uri, viewHtml);
    if (contents !== null) return resultText(inEra({ contents })[era], id);
    const code = era === 'modern' ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
    const message = `Unknown resource. The resource is ${VIEW_RESOURCE.uri}.`;
    return rpcError(200, { code, message }, { id });
  }

  return (post) => {
    const { body, header } = post;
    if (isResponse(body)) return ACCEPTED;
    const message = messageOf(body);
    if (message === null) return rpcError(400, NO_MESSAGE, { id: idOf(body) });
    const era = eraOf(message, header);
    if (typeof era !== 'string') return rpcError(400, era, { id: idOf(body) });
    if (message.id === undefined) return ACCEPTED;
    const request = message as Request;
    const { id, method } = request;
    if (method === 'tools/call') return call(request, era, post);
    const listed = Object.hasOwn(lists, method) ? lists[method] : undefined;
    if (listed !== undefined) return list(request, listed[era]);
    if (method === 'resources/read') return read(request, era);
    if (era === 'modern' && method === 'server/discover') return resultText(discovered, id);
    if (era === 'legacy' && method === 'initialize') return initialize(request);
    if (era === 'legacy' && method === 'ping') return resultText('{}', id);
    // MCP 2026-07-28: an unknown method is also an HTTP 404.
    return rpcError(era === 'modern' ? 404 : 200, NO_METHOD, { id });
  };
}

const resultText = (result: string, id: RpcId, headers: Answer['headers'] = {}): Answer => ({
  status: 200,
  text: `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`,
  headers,
});

/** A result as JSON. */
function written({ content, structuredContent, isError, _meta }: ToolResult, era: Era): string {
  const said: Omit<ToolResult, '_meta'> = { content, ...(structuredContent && { structuredContent }) };
  const failed = isError && { isError };
  if (era === 'legacy') return JSON.stringify({ ...(_meta && { _meta }), ...said, ...failed });
  const last = { ...failed, resultType: 'complete' };
  return JSON.stringify(
    _meta
      ? { _meta: { ..._meta, ...SERVER_META }, ...said, ...last }
      : { ...said, ...last, _meta: SERVER_META },
  );
}

const isObject = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is RpcId => typeof value === 'string' || Number.isSafeInteger(value);
const hasOnly = (value: Named, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

/** A request or a notification, which has no id; null when a body is neither. */
function messageOf(body: unknown): Message | null {
  if (!isObject(body) || body.jsonrpc !== '2.0' || !hasOnly(body, ['jsonrpc', 'id', 'method', 'params']))
    return null;
  const { id, method, params = {} } = body;
  if (typeof method !== 'string' || !isObject(params) || ('id' in body && !isId(id))) return null;
  const { _meta: meta = {} } = params;
  const token = isObject(meta) ? meta.progressToken : null;
  return token === undefined || isId(token) ? ({ id, method, params } as Message) : null;
}

/** This server sends no requests to clients, so a client's response is accepted and ignored. */
function isResponse(body: unknown): boolean {
  if (!isObject(body) || body.jsonrpc !== '2.0') return false;
  const { id, result, error } = body;
  if ('result' in body) return isId(id) && isObject(result) && hasOnly(body, ['jsonrpc', 'id', 'result']);
  const isGood = isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string';
  return isGood && (id === undefined || isId(id)) && hasOnly(body, ['jsonrpc', 'id', 'error']);
}

type Era = 'modern' | 'legacy';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/**
 * The revisions that a message belongs to; a fault if its envelope or its headers do not fit. A modern message has an
 * envelope in `_meta` that names its revision, and headers that repeat it; a legacy message has neither.
 */
function eraOf(message: Message, header: Post['header']): Era | RpcFault {
  const { id, method, params } = message;
  const meta = params._meta as Named | undefined;
  const envelope = meta !== undefined && VERSION in meta ? meta : null;
  const sent = header('mcp-protocol-version');
  const isModernHeader = sent !== undefined && sent >= MODERN_VERSION;
  const problem = envelope === null ? null : envelopeProblem(envelope, id === undefined);
  const claim = envelope !== null && problem === null ? (envelope[VERSION] as string) : null;

  // The handshake itself, whose envelope does not count unless it names a modern revision.
  if (method === 'initialize' && id !== undefined && (claim === null || claim < MODERN_VERSION))
    return isModernHeader ? MISMATCH : 'legacy';
  if (envelope === null && !isModernHeader) return id === undefined ? 'legacy' : legacyEra(sent);
  if (envelope === null && id !== undefined) return withoutEnvelope(meta, sent);
  if (problem !== null) return invalidEnvelope(problem);
  const isRepeated = (name: string, value: unknown) => (header(name) ?? value) === value;
  if (!isRepeated('mcp-protocol-version', claim ?? sent) || !isRepeated('mcp-method', method))
    return MISMATCH;
  // A notification gets no answer, so nothing more of it is checked.
  return id === undefined ? 'modern' : modernEra(message, claim ?? '', header);
}

/** A revision with a handshake: the header may be absent, but must not name an unknown revision. */
function legacyEra(sent: string | undefined): Era | RpcFault {
  if (sent === undefined || LEGACY_VERSIONS.includes(sent)) return 'legacy';
  const message = `Unsupported MCP-Protocol-Version. Supported: ${PROTOCOL_VERSIONS.join(', ')}.`;
  return { code: INVALID_REQUEST, message };
}

/** The field that Mcp-Name repeats. */
const NAMED_BY: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  'tools/call': 'name',
  'resources/read': 'uri',
});

/** The revision without a handshake: all its headers must be there and match the body. */
function modernEra({ method, params }: Message, claim: string, header: Post['header']): Era | RpcFault {
  if (claim !== MODERN_VERSION) {
    const data = { supported: [MODERN_VERSION], requested: claim };
    return { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data };
  }
  const isSent = header('mcp-protocol-version') !== undefined && header('mcp-method') !== undefined;
  const named = NAMED_BY[method];
  const isNamed = named === undefined || decodedName(header('mcp-name')) === params[named];
  return isSent && isNamed ? 'modern' : MISMATCH;
}

/** A name that is not allowed in a header is sent as "=?base64?…?=". */
function decodedName(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

const isClientInfo = (value: unknown): boolean =>
  isObject(value) && typeof value.name === 'string' && typeof value.version === 'string';

/** What is wrong with the `_meta` that 2026-07-28 requires; null if it is valid. */
function envelopeProblem(meta: Named, isNotification: boolean): string | null {
  if (typeof meta[VERSION] !== 'string') return `${VERSION}: must be a string`;
  if (isNotification) return null;
  if (!(CLIENT_CAPABILITIES in meta)) return `${CLIENT_CAPABILITIES}: missing`;
  if (!isObject(meta[CLIENT_CAPABILITIES])) return `${CLIENT_CAPABILITIES}: must be an object`;
  const isKnown = !(CLIENT_INFO in meta) || isClientInfo(meta[CLIENT_INFO]);
  return isKnown ? null : `${CLIENT_INFO}: must have a name and a version`;
}

const invalidEnvelope = (problem: string): RpcFault => ({
  code: INVALID_PARAMS,
  message: `Invalid _meta envelope for protocol revision ${MODERN_VERSION}: ${problem}`,
});

function withoutEnvelope(meta: Named | undefined, sent = ''): RpcFault {
  const missing =
    meta === undefined ? ['_meta'] : [VERSION, CLIENT_CAPABILITIES].filter((key) => !(key in meta));
  return {
    code: INVALID_PARAMS,
    message: `Invalid params: the MCP-Protocol-Version header names protocol revision ${sent}, but the request is missing the required per-request envelope key(s): ${missing.join(', ')}`,
  };
}
