import type { Server, ServerOptions, Tool } from '@modelcontextprotocol/server';
import { PROTOCOL_VERSIONS, SERVER_NAME, SERVER_VERSION } from './identity.ts';
import type { Visit } from './post.ts';
import { INTERNAL, INVALID_PARAMS, type RpcFault } from './rpc.ts';
import type { CallTool } from './tool-calls.ts';

export type Sdk = typeof import('@modelcontextprotocol/server');

export type ServerParts = {
  /** Every tool's document, rendered once. */
  readonly tools: readonly Tool[];
  readonly instructions: string;
  readonly callTool: CallTool;
};

const UNKNOWN_CURSOR = { code: INVALID_PARAMS, message: 'Unknown cursor: the list of tools has one page.' };

// Long enough to spare a request a conversation, short enough for a new price to arrive.
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Makes the function that builds the official low-level server for one message. */
export function createServers(sdk: Sdk, parts: ServerParts): (visit: Visit) => Server {
  const { tools, callTool } = parts;
  const info = { name: SERVER_NAME, version: SERVER_VERSION };
  const options: ServerOptions = {
    capabilities: { tools: {} },
    instructions: parts.instructions,
    supportedProtocolVersions: [...PROTOCOL_VERSIONS],
    cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE },
  };
  const list = { tools: [...tools] };
  const names = tools.map(({ name }) => name).join(', ');
  const unknownTool = { code: INVALID_PARAMS, message: `Unknown tool. The tools are ${names}.` };

  return function serverOf(visit) {
    const server = new sdk.Server(info, options);
    const refuse = (fault: RpcFault): Error => {
      visit.fault = fault;
      return new sdk.ProtocolError(fault.code, fault.message);
    };
    server.setRequestHandler('tools/list', ({ params }) => {
      visit.hasBegun = true;
      if (params?.cursor === undefined) return list;
      throw refuse(UNKNOWN_CURSOR);
    });
    server.setRequestHandler('tools/call', async ({ params }) => {
      visit.hasBegun = true;
      const { name, arguments: values = {}, _meta } = params;
      const { post } = visit;
      const reply = await callTool({ name, values, payment: _meta?.['x402/payment'], post });
      if (reply === null) throw refuse(unknownTool);
      if (reply === 'failed') throw refuse(INTERNAL);
      visit.headers = reply.headers;
      return reply.result;
    });
    return server;
  };
}
