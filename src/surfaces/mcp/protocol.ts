import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';
import { directOf } from './direct.ts';
import { createDirectAnswers } from './direct-answers.ts';
import { encodeReply } from './encode-reply.ts';
import {
  mirrorHeaders,
  refused,
  unequalHeader,
  unknownLegacyRevision,
  unknownRevision,
  withoutNullArguments,
} from './envelope.ts';
import type { Post, Visit } from './post.ts';
import { ACCEPTED, type Answer } from './rpc.ts';
import { createServers, type Sdk, type ServerParts } from './server.ts';

/** The protocol, with and without a handshake. Rejects only on an internal error. */
export type Protocol = { answer(post: Post): Promise<Answer> };

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
    return encodeReply(await reply, visit, { isModern: extra !== undefined });
  }

  const throughSdk = (post: Post) => route({ ...post, body: withoutNullArguments(post.body) }, sdk, serve);
  const directly = createDirectAnswers(parts, throughSdk);
  return {
    answer(post) {
      const direct = directOf(post);
      return (direct && directly(direct, post)) ?? throughSdk(post);
    },
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

/** A connection for one message of the revisions with a handshake, which the SDK calls legacy. */
const legacyTransport = (): Transport => ({
  start: async () => {},
  send: async () => {},
  close: async () => {},
});
