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
 * What the SDK's server answered, with errors in our words, for it prints its schemas. Throws when it could not take
 * a result of ours.
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
  return rpcError(status, fault ?? inOurWords(reply.error), { id: idOf(reply) });
}

/** Before a handler of ours begins, only params that do not fit their method's schema are wrong. */
const inOurWords = ({ code, message }: RpcFault): RpcFault =>
  code === INTERNAL.code || code === INVALID_PARAMS ? SHAPE : { code, message };
