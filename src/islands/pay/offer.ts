import { networkNameOf } from '../../domain/networks.ts';
import { orNull } from '../or-null.ts';
import { fromBase64Json } from './base64.ts';

/** One of the `accepts` of an x402 v2 challenge: the part that a payment depends on. */
export type PaymentTerms = {
  readonly scheme: string;
  readonly network: string;
  /** Millionths of a USDC. */
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
};

/** The price of an answer, checked against the price on the page. */
export type Offer = {
  readonly terms: PaymentTerms;
  readonly chainId: number;
  /** Both members are returned with the payment exactly as the challenge had them. */
  readonly resource: unknown;
  readonly extensions: Readonly<Record<string, unknown>>;
};

/** The price on the page: dollars and cents ("0.05"), and the name of the network ("Base"). */
export type ShownTerms = { readonly price: string; readonly network: string };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const MAX_SECONDS = 86_400;

/**
 * Reads a PAYMENT-REQUIRED header. Returns null if it cannot be read or differs from the page; nothing may then be
 * signed.
 */
export function offerOf(header: string | null, shown: ShownTerms): Offer | null {
  const challenge = orNull(() => fromBase64Json(header ?? '') as Challenge | null);
  if (challenge?.x402Version !== 2) return null;
  const terms = challenge.accepts?.[0];
  const chain = /^eip155:([1-9][0-9]{0,14})$/.exec(terms?.network ?? '')?.[1];
  if (!terms || chain === undefined || !isWhole(terms)) return null;
  if (terms.amount !== millionths(shown.price)) return null;
  if (networkNameOf(terms.network) !== shown.network) return null;
  const { resource, extensions = {} } = challenge;
  return { terms, chainId: Number(chain), resource, extensions };
}

type Challenge = {
  readonly x402Version?: unknown;
  readonly accepts?: readonly PaymentTerms[];
  readonly resource?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>>;
};

const isWhole = ({ scheme, asset, payTo, maxTimeoutSeconds: seconds, extra }: PaymentTerms): boolean =>
  scheme === 'exact' &&
  ADDRESS.test(asset) &&
  ADDRESS.test(payTo) &&
  Number.isInteger(seconds) &&
  seconds > 0 &&
  seconds <= MAX_SECONDS &&
  typeof extra?.name === 'string' &&
  typeof extra.version === 'string';

/** "10000" for "0.01"; null if it is not a price in dollars and cents. */
function millionths(price: string): string | null {
  const match = /^(\d{1,4})\.(\d{2})$/.exec(price);
  return match && String(BigInt(`${match[1]}${match[2]}`) * 10_000n);
}
