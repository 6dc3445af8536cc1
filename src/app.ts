import type { Context, Hono } from 'hono';
import type { Operation } from './catalog/operation.ts';
import { exampleAnswer, seal } from './catalog/seal.ts';
import { type Day, utcDay } from './domain/calendar.ts';
import type { Claims } from './exchange/claims/claims.ts';
import { createExchange, type Exchange, type OnBug } from './exchange/exchange.ts';
import type { PurchaseEnd } from './exchange/purchase.ts';
import { createPurchases } from './exchange/purchases.ts';
import { withSignedReceipts } from './exchange/signed-receipts.ts';
import { unprovenPayments } from './exchange/unproven.ts';
import { validate } from './exchange/validate.ts';
import { type Health, mountHealth } from './health.ts';
import { pricing } from './operations/pricing.ts';
import type { Settlement } from './payments/settlement.ts';
import { type Challenge, challengeOf, roomForExtensions } from './payments/x402/challenge.ts';
import type { ReceiptSigner } from './payments/x402/receipt-signer.ts';
import { requirementsOf, type Terms } from './payments/x402/requirements.ts';
import { signingOf } from './payments/x402/signature.ts';
import { releaseDay } from './platform/release.ts';
import type { OnCall } from './surfaces/calls.ts';
import { bazaarExtension } from './surfaces/discovery/bazaar.ts';
import { mountDiscovery } from './surfaces/discovery/discovery.ts';
import { SITE_NAME, SITE_TAGS, type Site } from './surfaces/discovery/site.ts';
import { type AddressRange, createClientAddress } from './surfaces/http/client-address.ts';
import { createHttp, mountOperations } from './surfaces/http/http.ts';
import { createRateLimit, type RateLimit, type RateLimitOptions } from './surfaces/http/rate-limit.ts';
import { refusalLimit } from './surfaces/http/refusal-limit.ts';
import { mountMcp } from './surfaces/mcp/mcp.ts';
import { mountCalculators } from './surfaces/pages/calculators.ts';
import { forBrowsers } from './surfaces/pages/for-browsers.ts';
import { mountMissing } from './surfaces/pages/missing.ts';
import { withText } from './surfaces/pages/text-answers.ts';

/** Everything the service is made of. Nothing here reads the environment or the clock on its own. */
export type AppParts = {
  readonly operations: readonly Operation[];
  readonly terms: Terms;
  readonly settlement: Settlement;
  readonly claims: Claims;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** An origin without a closing slash; the only source of every address the service names. */
  readonly baseUrl: string;
  readonly freeRequestsPerMinute: number;
  /** Refused payments that one caller may present in a minute. */
  readonly refusedPaymentsPerMinute: number;
  readonly trustedProxies: readonly AddressRange[];
  readonly coldProbe: 400 | 402;
  /** Where requests are counted; in memory when left out. */
  readonly countersOf?: (options: RateLimitOptions) => NonNullable<RateLimitOptions['counters']>;
  /** Whom the documents name, and the signature that proves who is paid; nobody and none when left out. */
  readonly about?: {
    readonly contactEmail: string | null;
    readonly ownershipProof: string | null;
    readonly mcpRegistryAuth?: string | null;
  };
  /** Signs receipts; left out, none are signed. */
  readonly receipts?: ReceiptSigner;
  /** Key of an account of play money that pages may pay with; left out where money is real. */
  readonly playMoneyKey?: string;
  /** What the service knows of itself; asks nobody. */
  readonly health: () => Health;
  /** Who shows it is told why; nobody when left out. */
  readonly healthToken?: string | null;
  readonly onBug: OnBug;
  /** Told how a purchase came out, whenever that is found out. */
  readonly onEnd?: (end: PurchaseEnd) => void;
  /** Told whenever a limit refuses a request. */
  readonly onLimited?: (limit: 'free' | 'payments' | 'mcp') => void;
  readonly onCall: OnCall;
};

export type App = {
  readonly http: Hono;
  /** Resolves when no purchase is under way. */
  idle(): Promise<void>;
  /** Purchases that have no end yet. */
  underWay(): number;
  /** Does once, after the port is open, what the first requests would otherwise wait for. */
  warm(): Promise<void>;
};

const WINDOW_SECONDS = 60;
const MAX_CALLERS = 100_000;
// A conversation over MCP takes several requests, and many people may share one hosted client's address.
const POSTS_PER_MINUTE = 300;
const POSTS_PER_FREE_REQUEST = 10;

export function createApp(parts: AppParts): App {
  const { baseUrl, now, onBug } = parts;
  const prices = pricing(parts);
  const operations = seal([...parts.operations, prices].map(withText(baseUrl)), validate, {
    today: utcDay(now()),
  });
  const answers = new Map(
    operations.map((operation) => [operation, exampleAnswer(operation, validate, { today: releaseDay })]),
  );
  const challenges = challengesOf(answers, parts);
  const challenge = (operation: Operation): Challenge => {
    const found = challenges.get(operation.name);
    if (found === undefined) throw new Error(`Operation ${operation.name} is free`);
    return found;
  };
  const refusals = refusalLimit(parts.refusedPaymentsPerMinute, () => parts.onLimited?.('payments'));
  const unproven = unprovenPayments({ limit: refusals, now });
  const purchases = createPurchases({ ...parts, signing: signingOf(parts.terms), unproven });
  const exchange = exchangeOf(createExchange({ challenge, purchases, now, onBug }), challenge, parts);
  const http = createHttp({ baseUrl, onBug });
  const callerOf = callers(parts.trustedProxies);
  const { freeRequestsPerMinute } = parts;
  const surface = {
    ...parts,
    operations,
    exchange,
    challengeOf: challenge,
    callerOf,
    forBrowsers: forBrowsers(() => site),
    freeLimit: perMinute('free', freeRequestsPerMinute, parts),
  };
  mountOperations(http, surface);
  const posts = Math.max(POSTS_PER_MINUTE, POSTS_PER_FREE_REQUEST * freeRequestsPerMinute);
  const mcp = mountMcp(http, { ...surface, floodLimit: perMinute('mcp', posts, parts) });
  const site: Site = {
    ...surface,
    contactEmail: parts.about?.contactEmail ?? null,
    ownershipProof: parts.about?.ownershipProof ?? null,
    mcpRegistryAuth: parts.about?.mcpRegistryAuth ?? null,
    didDocument: parts.receipts?.didDocument ?? null,
    playMoneyKey: parts.playMoneyKey ?? null,
    answerOf: (operation) => answers.get(operation),
    ask: (operation, values) => freeAnswer(operation, values, releaseDay),
    faultsOf: (operation, values) => faultsOf(operation, values, releaseDay),
    startedAt: now(),
  };
  mountCalculators(http, { ...surface, site });
  mountMissing(http, site);
  const discovery = mountDiscovery(http, site);
  mountHealth(http, { baseUrl, health: parts.health, token: parts.healthToken ?? null });
  const warm = async () => {
    await mcp.warm();
    await discovery.warm();
  };
  return { http, idle: purchases.idle, underWay: purchases.underWay, warm };
}

function exchangeOf(
  exchange: Exchange,
  challenge: (operation: Operation) => Challenge,
  { receipts: signer, onBug }: AppParts,
): Exchange {
  const resourceUrlOf = (operation: Operation) => challenge(operation).resource.url;
  return signer === undefined ? exchange : withSignedReceipts(exchange, { signer, resourceUrlOf, onBug });
}

function faultsOf(operation: Operation, values: Readonly<Record<string, unknown>>, today: Day) {
  const validated = validate(operation, { values, faults: [] }, { today });
  return validated.ok ? [] : validated.faults;
}

/** What a page shows of a free operation; nothing that is paid for is ever run for a page. */
function freeAnswer(operation: Operation, values: Readonly<Record<string, unknown>>, today: Day): unknown {
  if (operation.price !== null) throw new Error(`Operation ${operation.name} is paid for`);
  const validated = validate(operation, { values, faults: [] }, { today });
  const answer = validated.ok ? operation.run(validated.input, { today }) : null;
  return answer?.kind === 'answer' ? answer.body : null;
}

function perMinute(name: 'free' | 'mcp', limit: number, { countersOf, onLimited }: AppParts): RateLimit {
  const onRefused = () => onLimited?.(name);
  const options = { name, limit, windowSeconds: WINDOW_SECONDS, maxKeys: MAX_CALLERS, onRefused };
  return createRateLimit(countersOf ? { ...options, counters: countersOf(options) } : options);
}

/** The challenge of every paid operation, by name. */
function challengesOf(
  answers: ReadonlyMap<Operation, unknown>,
  { terms, baseUrl }: AppParts,
): Map<string, Challenge> {
  const paid = [...answers].filter(([{ price }]) => price !== null);
  return new Map(
    paid.map(([operation, answer]) => {
      const resource = {
        // The path alone: a query could carry names and amounts of the caller to third parties.
        url: `${baseUrl}${operation.route?.path ?? '/mcp'}`,
        description: operation.summary,
        mimeType: 'application/json',
        serviceName: SITE_NAME,
        tags: SITE_TAGS,
      };
      const requirements = requirementsOf(operation, terms);
      const roomBytes = roomForExtensions(requirements, resource);
      const extensions = bazaarExtension(operation, answer, roomBytes);
      return [operation.name, challengeOf(operation, requirements, resource, extensions)];
    }),
  );
}

/** Node's connection as @hono/node-server hands it over; absent when a test calls the app directly. */
type NodeEnv = { incoming?: { socket?: { remoteAddress?: string } } };

function callers(trustedProxies: readonly AddressRange[]): (context: Context) => string {
  const clientAddress = createClientAddress(trustedProxies);
  return (context) =>
    clientAddress({
      socketAddress: (context.env as NodeEnv | undefined)?.incoming?.socket?.remoteAddress,
      forwardedFor: trustedProxies.length === 0 ? null : context.req.header('x-forwarded-for'),
    });
}
