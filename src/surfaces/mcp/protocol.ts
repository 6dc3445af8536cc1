import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import { directOf } from './direct.ts';
import { createDirectAnswers } from './direct-answers.ts';
import {
  mirrorHeaders,
  refused,
  unequalHeader,
  unknownLegacyRevision,
  unknownRevision,
  withoutNullArguments,
} from './envelope.ts';
import type { Post, Visit } from './post.ts';
import {
  ACCEPTED,
  type Answer,
  INTERNAL,
  INVALID_PARAMS,
  idOf,
  METHOD_NOT_FOUND,
  type RpcFault,
  rpcError,
} from './rpc.ts';
import { createServers, type Sdk, type ServerParts } from './server.ts';

/** The protocol, with and without a handshake: answers a POST. Rejects only on an internal error. */
export type Protocol = (post: Post) => Promise<Answer>;

/**
 * Loads the official SDK and wires its classifier and its low-level server for the revisions with and without a
 * handshake: a new server for every message, so that nothing of one caller can reach another. A plain call or list goes
 * around it. The SDK is loaded here and not with the module, since that takes a noticeable part of the start.
 */
export async function loadProtocol(parts: ServerParts): Promise<Protocol> {
  const sdk = await import('@modelcontextprotocol/server');
  // The wire schemas would otherwise be built during the first requests.
  sdk.preloadSchemas();
  const serverOf = createServers(sdk, parts);

  async function serve(post: Post, transport: Transport, extra?: MessageExtraInfo): Promise<Answer> {
    const visit: Visit = { post, hasBegun: false, fault: null, headers: {} };
    const reply = new Promise<JSONRPCMessage>((resolve) => {
      // The SDK's own transports end in Request and Response objects, which cost more than the call.
      transport.send = async (message) => resolve(message);
    });
    await serverOf(visit).connect(transport);
    transport.onmessage?.(post.body as JSONRPCMessage, extra);
    return answerOf(await reply, visit, extra !== undefined);
  }

  const throughSdk = (post: Post) => route({ ...post, body: withoutNullArguments(post.body) }, sdk, serve);
  const directly = createDirectAnswers(parts, throughSdk);
  return (post) => {
    const direct = directOf(post);
    return (direct && directly(direct, post)) ?? throughSdk(post);
  };
}

type Serve = (post: Post, transport: Transport, extra?: MessageExtraInfo) => Promise<Answer>;

/** Classifies a message and checks its envelope; a valid request is served. */
async function route(post: Post, sdk: Sdk, serve: Serve): Promise<Answer> {
  const { header, body } = post;
  const found = sdk.classifyInboundRequest({ httpMethod: 'POST', body, ...mirrorHeaders(header) });
  switch (found.kind) {
    case 'reject':
      return refused(found, body);
    case 'legacy':
      if (found.reason === 'notification' || found.reason === 'response') return ACCEPTED;
      return unknownLegacyRevision(post) ?? serve(post, legacyTransport());
    case 'modern': {
      const { classification } = found;
      if (found.messageKind === 'notification') return ACCEPTED;
      return (
        unknownRevision(classification.revision, body) ??
        unequalHeader(post) ??
        serve(post, new sdk.PerRequestHTTPServerTransport({ classification }), { classification })
      );
    }
  }
}

/**
 * The answer of the SDK's server with the error messages of this service, since the SDK's print its schemas. Throws when
 * the SDK refused a result.
 */
function answerOf(reply: JSONRPCMessage, { headers, hasBegun, fault }: Visit, isModern: boolean): Answer {
  if (!('error' in reply)) return { status: 200, text: JSON.stringify(reply), headers };
  if (hasBegun && fault === null) throw new Error('The SDK refused a result');
  // MCP 2026-07-28: an unknown method is also not found in HTTP.
  const status = isModern && reply.error.code === METHOD_NOT_FOUND ? 404 : 200;
  return rpcError(status, fault ?? reworded(reply.error), { id: idOf(reply) });
}

const SHAPE: RpcFault = {
  code: INVALID_PARAMS,
  message: 'Invalid params: they do not have the shape that the protocol gives this method.',
};

/** Before a handler begins, the only possible error is params that do not fit their method's schema. */
const reworded = ({ code, message }: RpcFault): RpcFault =>
  code === INTERNAL.code || code === INVALID_PARAMS ? SHAPE : { code, message };

/** A connection for one message of the revisions with a handshake, which the SDK calls legacy. */
const legacyTransport = (): Transport => ({
  start: async () => {},
  send: async () => {},
  close: async () => {},
});
