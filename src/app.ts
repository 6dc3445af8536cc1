import type { Operation } from './catalog/operation.ts';
import type { Claims } from './exchange/claims/claims.ts';
import { createExchange, shownAnswer, shownFaults } from './exchange/exchange.ts';
import { unprovenPayments } from './exchange/limits.ts';
import type { OnBug, PurchaseEnd } from './exchange/purchase.ts';
import { createPurchases, type Purchases } from './exchange/purchases.ts';
import { exampleAnswer, exampleBeforePaying } from './exchange/validate.ts';
import type { Health } from './health/health.ts';
import { pricing } from './operations/pricing.ts';
import type { Settlement } from './payments/settlement.ts';
import type { ReceiptSigner } from './payments/x402/receipt-signer.ts';
import { claimKey, type Terms } from './payments/x402/requirements.ts';
import { signingOf } from './payments/x402/signature.ts';
import { exampleDay } from './platform/release.ts';
import type { CallsParts, OnCall } from './surfaces/calls/calls.ts';
import { type LimitsParts, limitsOf } from './surfaces/calls/limits.ts';
import { type ChallengeOf, routeChallenges } from './surfaces/challenges.ts';
import { mountDiscovery } from './surfaces/discovery/discovery.ts';
import { type AddressRange, callersBehind } from './surfaces/http/client-address.ts';
import { mountHealth } from './surfaces/http/health-routes.ts';
import type { Answering } from './surfaces/http/listener.ts';
import { mountOperations } from './surfaces/http/operations.ts';
import { createRouter } from './surfaces/http/router.ts';
import { mountMcp } from './surfaces/mcp/mcp.ts';
import { chatDocument } from './surfaces/pages/chat/chat-document.ts';
import { forBrowsers } from './surfaces/pages/for-browsers.ts';
import { mountPages } from './surfaces/pages/pages.ts';
import { payPages } from './surfaces/pages/pay-page.ts';
import { withText } from './surfaces/pages/views/views.ts';
import type { Site } from './surfaces/site.ts';

/** The parts of the service. Nothing here reads the environment or the clock on its own. */
export type AppParts = LimitsParts & {
  readonly operations: readonly Operation[];
  readonly terms: Terms;
  readonly settlement: Settlement;
  readonly claims: Claims;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** An origin without a trailing slash; every address that the service names begins with it. */
  readonly baseUrl: string;
  readonly trustedProxies: readonly AddressRange[];
  readonly coldProbe: 400 | 402;
  /** The contact in the documents, and the payee's signature over the origin. */
  readonly about?: Partial<Pick<Site, 'contactEmail' | 'ownershipProof'>>;
  /** Signs receipts; without it, receipts are not signed. */
  readonly receipts?: ReceiptSigner;
  /** Key of a play-money account that pages may pay with; absent with real money. */
  readonly playMoneyKey?: string;
  /** The latest known health. A call may start checks, but does not wait for them. */
  readonly health: () => Health;
  /** Token that unlocks the reasons in health replies; if null, replies never contain reasons. */
  readonly healthToken?: string | null;
  readonly onBug: OnBug;
  /** Called when the result of a purchase is known. */
  readonly onEnd?: (end: PurchaseEnd) => void;
  readonly onCall: OnCall;
};

export type App = Pick<Purchases, 'drain' | 'underWay'> & {
  readonly http: Answering;
  /** Prepares everything that the first requests would otherwise wait for. Call it once the port is open. */
  warm(): Promise<void>;
};

export function createApp(parts: AppParts): App {
  const { baseUrl, now, onBug, health, healthToken: token = null } = parts;
  const operations = servedOperations(parts);
  const answerOf = exampleAnswers();
  const challengeOf = routeChallenges(operations, { ...parts, answerOf });
  const { refusals, ...limits } = limitsOf(parts);
  const unproven = unprovenPayments({ limit: refusals, now });
  const purchases = createPurchases({ ...parts, signing: signingOf(parts.terms), unproven });
  const exchange = createExchange({ ...parts, challenge: challengeOf, purchases });
  const callerOf = callersBehind(parts.trustedProxies);
  const isClaimed = claimedIn(parts.claims, challengeOf);
  const surface = { ...parts, ...limits, operations, exchange, challengeOf, callerOf, isClaimed };
  const site = siteOf(parts, { operations, answerOf, challengeOf });

  const router = createRouter({ baseUrl, onBug });
  mountOperations(router, { ...surface, forBrowsers: forBrowsers(site) });
  const mcp = mountMcp(router, { ...surface, payPageOf: payPages(baseUrl), viewHtml: chatDocument(baseUrl) });
  const pages = mountPages(router, { ...surface, site });
  const discovery = mountDiscovery(router, site, pages.pages);
  mountHealth(router, { health, token });

  const warm = async () => {
    for (const part of [mcp, discovery, pages]) await part.warm();
  };
  return { http: router, drain: purchases.drain, underWay: purchases.underWay, warm };
}

/** Whether an operation has a claim for a payment. While the claims cannot be read, the result is true as well. */
const claimedIn =
  (claims: Claims, challengeOf: ChallengeOf): CallsParts['isClaimed'] =>
  async (operation, { authorization }) => {
    const found = await claims.find(claimKey(challengeOf(operation).requirements, authorization));
    return found.kind !== 'absent';
  };

/** The catalog as served, with the price list and with the text forms of answers. */
const servedOperations = (parts: AppParts): readonly Operation[] =>
  [...parts.operations, pricing(parts)].map(withText(parts.baseUrl));

/**
 * The answers to the examples, on the day of the examples. Each answer is calculated at its first use, after the port
 * is open.
 */
function exampleAnswers(): Site['answerOf'] {
  const made = new Map<Operation, unknown>();
  return (operation) => {
    const answer = made.get(operation) ?? exampleAnswer(operation, { today: exampleDay });
    made.set(operation, answer);
    return answer;
  };
}

/** The content of the documents. The examples in it have a fixed day. */
function siteOf(
  { about, receipts, ...parts }: AppParts,
  made: Pick<Site, 'operations' | 'answerOf' | 'challengeOf'>,
): Site {
  return {
    ...parts,
    contactEmail: null,
    ownershipProof: null,
    ...about,
    ...made,
    playMoneyKey: parts.playMoneyKey ?? null,
    didDocument: receipts?.didDocument ?? null,
    beforePayingOf: (operation) => exampleBeforePaying(operation, { today: exampleDay }),
    ask: (operation, values) => shownAnswer(operation, values, exampleDay),
    faultsOf: (operation, values) => shownFaults(operation, values, exampleDay),
    startedAt: parts.now(),
  };
}
