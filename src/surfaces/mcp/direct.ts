import { LEGACY_VERSIONS, MODERN_VERSION } from './identity.ts';
import type { Post } from './post.ts';
import type { RpcId } from './rpc.ts';

type Named = Readonly<Record<string, unknown>>;

/** A request that is answered without the SDK: only one answer is possible by the protocol. */
export type Direct = { readonly id: RpcId; readonly isModern: boolean } & (
  | { readonly method: 'tools/list' }
  | { readonly method: 'tools/call'; readonly name: string; readonly values: Named }
);

/**
 * A `tools/list` or `tools/call` in the exact shape that nearly every client sends; null for every other message, also
 * for one that carries more, such as a payment: those go to the SDK.
 */
export function directOf({ header, body }: Post): Direct | null {
  if (!isObject(body) || !hasOnly(body, ENVELOPE) || body.jsonrpc !== '2.0') return null;
  const { id, method, params = NONE } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (!isObject(params)) return null;
  const isModern = params._meta !== undefined;
  if (!(isModern ? isModernEnvelope(params._meta, header, method) : isLegacyEnvelope(header))) return null;
  const known = { id: id as RpcId, isModern };
  if (method === 'tools/list') return hasOnly(params, LIST) ? { ...known, method } : null;
  const { name, arguments: values = NONE } = params;
  if (method !== 'tools/call' || typeof name !== 'string' || !hasOnly(params, CALL)) return null;
  if (!isObject(values) || Object.hasOwn(values, '__proto__')) return null;
  return isModern && header('mcp-name') !== name ? null : { ...known, method, name, values };
}

const NONE: Named = {};
const ENVELOPE = ['jsonrpc', 'id', 'method', 'params'];
const LIST = ['_meta'];
const CALL = ['name', 'arguments', '_meta'];
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';
const META = [VERSION, CAPABILITIES, CLIENT];
const CLIENT_NAMES = ['name', 'version'];

const isObject = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasOnly = (value: Named, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

function isLegacyEnvelope(header: Post['header']): boolean {
  const version = header('mcp-protocol-version');
  const isKnown = version === undefined || LEGACY_VERSIONS.includes(version);
  return isKnown && header('mcp-method') === undefined && header('mcp-name') === undefined;
}

/** The `_meta` and headers that 2026-07-28 requires, of a client that declares no capabilities. */
function isModernEnvelope(meta: unknown, header: Post['header'], method: unknown): boolean {
  if (!isObject(meta) || !hasOnly(meta, META) || meta[VERSION] !== MODERN_VERSION) return false;
  const { [CAPABILITIES]: capabilities, [CLIENT]: client } = meta;
  if (!isObject(capabilities) || !hasOnly(capabilities, [])) return false;
  const isNamed = isObject(client) && CLIENT_NAMES.every((name) => typeof client[name] === 'string');
  if (!isNamed || !hasOnly(client, CLIENT_NAMES)) return false;
  return header('mcp-protocol-version') === MODERN_VERSION && header('mcp-method') === method;
}
