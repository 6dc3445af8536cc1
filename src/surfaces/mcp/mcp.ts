import type { Context, Hono } from 'hono';
import type { Operation } from '../../catalog/operation.ts';
import type { Exchange, OnBug } from '../../exchange/exchange.ts';
import { type Challenge, challengeOf, roomForExtensions } from '../../payments/x402/challenge.ts';
import type { OnCall } from '../calls.ts';
import { toolBazaar } from '../discovery/bazaar.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { createDesk } from './desk.ts';
import { createEndpoint } from './endpoint.ts';
import { instructionsFor } from './identity.ts';
import { loadProtocol, type Protocol } from './protocol.ts';
import { NOT_ALLOWED, rpcError, toResponse } from './rpc.ts';
import { mountServerCard } from './server-card.ts';
import { toolList } from './tools.ts';

export type McpParts = {
  readonly operations: readonly Operation[];
  readonly exchange: Exchange;
  /** The challenge of a paid operation as HTTP words it. */
  readonly challengeOf: (operation: Operation) => Challenge;
  /** An origin without a closing slash. */
  readonly baseUrl: string;
  readonly freeRequestsPerMinute: number;
  /** The bucket that free HTTP requests take from. */
  readonly freeLimit: RateLimit;
  /** Everything that is posted here takes from this one, paid or not. */
  readonly floodLimit: RateLimit;
  /** Names the caller for counting; never logged. */
  readonly callerOf: (context: Context) => string;
  readonly onBug: OnBug;
  readonly onCall: OnCall;
};

export type Mcp = {
  /** Loads what the first request would otherwise wait for, some 0.1 s of work. */
  warm(): Promise<void>;
};

/** Mounts POST /mcp for every tool of the catalog, and GET /mcp/server-card. */
export function mountMcp(app: Hono, parts: McpParts): Mcp {
  const { operations, baseUrl } = parts;
  const challenges = new Map(
    operations
      .filter(({ tool, price }) => tool && price !== null)
      .map((operation) => [operation.name, toolChallenge(operation, parts.challengeOf(operation))]),
  );
  const challengeFor = (operation: Operation): Challenge => {
    const challenge = challenges.get(operation.name);
    if (challenge === undefined) throw new Error(`Tool ${operation.name} is free`);
    return challenge;
  };
  const tools = new Map(operations.filter(({ tool }) => tool).map((tool) => [tool.name, tool]));
  const desk = createDesk({ ...parts, tools, challengeOf: challengeFor });
  const instructions = instructionsFor(operations, parts.freeRequestsPerMinute);

  // Schemas are rendered and the SDK is loaded once, but not before the service listens.
  const load = async (): Promise<Protocol> => {
    const list = toolList(operations, (operation) => challengeFor(operation).requirements);
    return loadProtocol({ tools: list, instructions, desk, onBug: parts.onBug });
  };
  let loading: Promise<Protocol> | undefined;
  const protocol = (): Promise<Protocol> => {
    loading ??= load();
    return loading;
  };
  app.post('/mcp', createEndpoint({ ...parts, protocol }));
  // Some clients ask for the stream that older revisions had, again and again, unless 405 names POST.
  app.all('/mcp', () => toResponse(notAllowed));
  mountServerCard(app, baseUrl);
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

/** The x402 MCP transport names a resource by its tool. */
function toolChallenge(operation: Operation, http: Challenge): Challenge {
  const resource = { ...http.resource, url: `mcp://tool/${operation.name}` };
  const roomBytes = roomForExtensions(http.requirements, resource);
  return challengeOf(operation, http.requirements, resource, toolBazaar(operation, roomBytes));
}
