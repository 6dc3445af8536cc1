import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Visit } from './post.ts';
import {
  type Answer,
  INTERNAL,
  INVALID_PARAMS,
  idOf,
  METHOD_NOT_FOUND,
  type RpcFault,
  rpcError,
} from './rpc.ts';

const SHAPE: RpcFault = {
  code: INVALID_PARAMS,
  message: 'Invalid params: they do not have the shape that the protocol gives this method.',
};

/**
 * The answer of the SDK's server with the error messages of this service, since the SDK's print its schemas. Throws when
 * the SDK refused a result.
 */
export function encodeReply(
  reply: JSONRPCMessage,
  visit: Visit,
  { isModern }: { isModern: boolean },
): Answer {
  const { headers, hasBegun, fault } = visit;
  if (!('error' in reply)) return { status: 200, text: JSON.stringify(reply), headers };
  if (hasBegun && fault === null) throw new Error('The SDK refused a result');
  // MCP 2026-07-28: an unknown method is also not found in HTTP.
  const status = isModern && reply.error.code === METHOD_NOT_FOUND ? 404 : 200;
  return rpcError(status, fault ?? reworded(reply.error), { id: idOf(reply) });
}

/** Before a handler begins, the only possible error is params that do not fit their method's schema. */
const reworded = ({ code, message }: RpcFault): RpcFault =>
  code === INTERNAL.code || code === INVALID_PARAMS ? SHAPE : { code, message };
