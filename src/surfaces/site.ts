import type { Operation } from '../catalog/operation.ts';
import { networkNameOf } from '../domain/networks.ts';
import type { Fault } from '../domain/result.ts';
import type { Challenge } from '../payments/x402/challenge.ts';
import type { Terms } from '../payments/x402/requirements.ts';

export const SITE_NAME = 'Small-Business Calculator';
export const SITE_TAGS: readonly string[] = ['small-business', 'invoicing', 'quotes'];
export const SITE_SUMMARY =
  'Quotes, late fees, reminder letters and free software for small businesses, worked out for free or made for cents, for people and for software agents.';

/** The only source of every document of the service, so that no two documents can differ. */
export type Site = {
  /** An origin without a closing slash: the only source of every address. */
  readonly baseUrl: string;
  /** In the order a reader should meet them. */
  readonly operations: readonly Operation[];
  /** The real answer to an operation's example. */
  readonly answerOf: (operation: Operation) => unknown;
  /** What the buyer of the example is told with its price; null when nothing. */
  readonly beforePayingOf: (operation: Operation) => Readonly<Record<string, unknown>> | null;
  /** The answer of a free operation as on the day of release; null when there is none. */
  readonly ask: (operation: Operation, values: Readonly<Record<string, unknown>>) => unknown;
  /** The faults of an input, by the operation's own validation. */
  readonly faultsOf: (operation: Operation, values: Readonly<Record<string, unknown>>) => readonly Fault[];
  /** The challenge of a paid operation. */
  readonly challengeOf: (operation: Operation) => Challenge;
  readonly terms: Terms;
  readonly freeRequestsPerMinute: number;
  /** Key of an account of play money that visitors may pay with; null where money is real. */
  readonly playMoneyKey: string | null;
  readonly contactEmail: string | null;
  /** Signature of the origin by the recipient's key. */
  readonly ownershipProof: string | null;
  /** The DID document of the key that signs receipts; null when none are signed. */
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

/** The name of a network as people know it. */
export const networkName = ({ network }: Terms): string => networkNameOf(network);
