import type { Hono } from 'hono';
import type { SurfaceParts } from '../calls/calls.ts';
import type { RateLimit } from '../calls/rate-limit.ts';
import { toolChallenges } from '../challenges.ts';
import { once, type Warmed } from '../http/document.ts';
import { createEndpoint } from './endpoint.ts';
import { instructionsFor } from './identity.ts';
import { loadProtocol } from './protocol.ts';
import { NOT_ALLOWED, rpcError, toResponse } from './rpc.ts';
import { toolCaller } from './tool-calls.ts';
import { toolList } from './tools.ts';

export type McpParts = SurfaceParts & {
  readonly freeRequestsPerMinute: number;
  /** Counts every POST to /mcp, paid or not. */
  readonly floodLimit: RateLimit;
};

/** Mounts POST /mcp for every tool of the catalog; `warm` loads the SDK, which the first request would wait 0.1 s for. */
export function mountMcp(app: Hono, parts: McpParts): Warmed {
  const { operations } = parts;
  const challengeOf = toolChallenges(operations, parts.challengeOf);
  const tools = new Map(operations.filter(({ tool }) => tool).map((tool) => [tool.name, tool]));
  const callTool = toolCaller({ ...parts, tools, challengeOf });
  const instructions = instructionsFor(parts);

  // Schemas are rendered and the SDK is loaded once, but not before the service listens.
  const protocol = once(async () => {
    const list = toolList(operations, (operation) => challengeOf(operation).requirements);
    return loadProtocol({ tools: list, instructions, callTool });
  });
  app.post('/mcp', createEndpoint({ ...parts, protocol }));
  // Some clients keep asking for the GET stream of older revisions unless they get a 405 that names POST.
  app.all('/mcp', () => toResponse(notAllowed));
  return {
    warm: async () => {
      await protocol();
    },
  };
}

const notAllowed = rpcError(
  405,
  { code: NOT_ALLOWED, message: 'Method not allowed: this endpoint is stateless, use POST.' },
  { headers: { allow: 'POST' } },
);
