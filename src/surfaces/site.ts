import type { Operation } from '../catalog/operation.ts';
import { networkNameOf } from '../domain/networks.ts';
import type { Fault } from '../domain/result.ts';
import type { Challenge } from '../payments/x402/challenge.ts';
import type { Terms } from '../payments/x402/requirements.ts';

export const SITE_NAME = 'Small-Business Calculator';
export const SITE_TAGS: readonly string[] = ['small-business', 'invoicing', 'quotes'];
export const SITE_SUMMARY =
  'Quotes, late fees, reminder letters and free software for small businesses, with free calculators and documents from one cent, for people and software agents.';

/** The content that all documents of the service are made from, so that the documents agree. */
export type Site = {
  /** An origin without a trailing slash. Every address begins with it. */
  readonly baseUrl: string;
  /** In reading order. */
  readonly operations: readonly Operation[];
  /** The real answer to an operation's example. */
  readonly answerOf: (operation: Operation) => unknown;
  /** The notes for the buyer of the example, next to its price; null if there is nothing to say. */
  readonly beforePayingOf: (operation: Operation) => Readonly<Record<string, unknown>> | null;
  /** The answer of a free operation on the day of the examples; null if there is none. */
  readonly ask: (operation: Operation, values: Readonly<Record<string, unknown>>) => unknown;
  /** The faults of an input, by the operation's own validation. */
  readonly faultsOf: (operation: Operation, values: Readonly<Record<string, unknown>>) => readonly Fault[];
  readonly challengeOf: (operation: Operation) => Challenge;
  readonly terms: Terms;
  readonly freeRequestsPerMinute: number;
  /** Key of a play-money account that visitors may pay with; null with real money. */
  readonly playMoneyKey: string | null;
  readonly contactEmail: string | null;
  /** The payee's signature over the origin. */
  readonly ownershipProof: string | null;
  /** The DID document of the key that signs receipts; null if receipts are not signed. */
  readonly didDocument: Readonly<Record<string, unknown>> | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
};

/** An operation that is reached over HTTP. */
export type Routed = Operation & { readonly route: NonNullable<Operation['route']> };

export const routed = ({ operations }: Pick<Site, 'operations'>): readonly Routed[] =>
  operations.filter((operation): operation is Routed => operation.route !== null);

export const isPaid = ({ price }: Operation): boolean => price !== null;

/** "0.01 USD", or "free". */
export const costOf = ({ price }: Operation): string => (price === null ? 'free' : `${price.usd} USD`);

/** The common name of a network. */
export const networkName = ({ network }: Terms): string => networkNameOf(network);

/** A page for people. `changedOn` is the day its content last changed, YYYY-MM-DD; null if unknown. */
export type Listed = { readonly path: string; readonly changedOn: string | null };

/** A page with its Markdown version, which is made at its first request. */
type Published = Listed & {
  readonly twin: {
    readonly path: string;
    readonly page: () => { readonly title: string; readonly description: string };
    readonly markdown: () => string;
  };
};

/** The pages for people, as the documents for programs list and quote them. */
export type PublishedPages = {
  /** The pages that documents name, in reading order. */
  readonly main: readonly Published[];
  /** The categories and listings of the directory. There are too many to name one by one. */
  readonly directory: readonly Listed[];
};
