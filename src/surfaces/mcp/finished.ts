import {
  type Answer,
  HEADER_MISMATCH,
  INTERNAL,
  INVALID_PARAMS,
  idOf,
  type RpcFault,
  rpcError,
} from './rpc.ts';
import type { Visit } from './server.ts';

const MISMATCH =
  'Header mismatch: MCP-Protocol-Version, Mcp-Method and (for tools/call) Mcp-Name must be sent and equal the protocolVersion of _meta, the method and the name of the body.';
const SHAPE = 'Invalid params: they do not have the shape that the protocol gives this method.';

/**
 * What the SDK answered, with errors in our words, for it echoes headers and prints its schemas.
 * Throws when it could not take a result of ours.
 */
export async function finished(response: Response, visit: Visit): Promise<Answer> {
  const { status } = response;
  const text = await response.text();
  if (text === '') return { status, text: null };
  const { headers, hasBegun, fault } = visit;
  // A result has no such member, and in its strings every quote is escaped.
  if (!text.includes('"error":{"code":')) return { status, text, headers };
  if (hasBegun && fault === null) throw new Error('The SDK refused a result');
  const message = JSON.parse(text) as { readonly error: RpcFault };
  const reworded = fault ?? inOurWords(status, message.error);
  return reworded === null ? { status, text, headers } : rpcError(status, reworded, { id: idOf(message) });
}

/** null: the SDK's own words do. */
function inOurWords(status: number, { code }: RpcFault): RpcFault | null {
  if (code === HEADER_MISMATCH) return { code, message: MISMATCH };
  // What no handler of ours has seen yet did not fit the schema of its method.
  const isShape = status === 200 && (code === INTERNAL.code || code === INVALID_PARAMS);
  return isShape ? { code: INVALID_PARAMS, message: SHAPE } : null;
}
