import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { type NetworkId, networks } from './operations.ts';
import { type Problem, RefusedError } from './purchase.ts';

/** The maximum that a buyer agrees to pay for one call, and the payee. */
export type Limits = {
  /** The list price, or the buyer's limit instead of it. */
  readonly maxPriceUsd: string;
  readonly network: NetworkId;
  /** Seconds for which a payment may be valid. */
  readonly maxTimeoutSeconds: number;
  /** The only account that may be paid; null until the first payment. */
  readonly payTo: string | null;
};

type Offer = { readonly required: PaymentRequired; readonly accepted: PaymentRequirements };

/**
 * Reads a 402 and returns the first offer within the limits, rebuilt from known values only, so that no other data from
 * a service is signed. Throws a RefusedError that names the limit if no offer is within the limits.
 */
export function offerWithin(response: Response, limits: Limits): Offer {
  const required = requiredIn(response);
  const faults = required.accepts.map((accepted) => faultOf(accepted, limits));
  const index = faults.indexOf(null);
  const accepted = required.accepts[index];
  if (accepted === undefined)
    throw new RefusedError(response.status, faults.find((fault) => fault !== null) ?? unreadable);
  const { usdc, usdcName: name, usdcVersion: version } = networks[limits.network];
  const clean: PaymentRequirements = {
    scheme: 'exact',
    network: limits.network,
    amount: accepted.amount,
    asset: usdc,
    payTo: accepted.payTo,
    maxTimeoutSeconds: accepted.maxTimeoutSeconds,
    extra: { name, version },
  };
  const { resource } = required;
  return { accepted: clean, required: { x402Version: 2, resource, accepts: [clean], extensions: {} } };
}

const unreadable: Problem = { code: 'unreadable', detail: 'The price of the service cannot be read.' };

function requiredIn({ status, headers }: Response): PaymentRequired {
  try {
    const required = decodePaymentRequiredHeader(headers.get('payment-required') ?? '');
    if (required.x402Version === 2 && Array.isArray(required.accepts)) return required as PaymentRequired;
  } catch (cause) {
    throw new RefusedError(status, unreadable, { cause });
  }
  throw new RefusedError(status, unreadable);
}

/** Why an offer must not be signed; null if it may be signed. */
function faultOf(offer: PaymentRequirements, limits: Limits): Problem | null {
  const { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra } = offer ?? {};
  const { usdc, usdcName, usdcVersion } = networks[limits.network];
  const said = (value: unknown): string => String(value).slice(0, 60);
  if (scheme !== 'exact' || (extra?.assetTransferMethod ?? 'eip3009') !== 'eip3009')
    return { code: 'other_scheme', detail: `The service asks for another way to pay (${said(scheme)}).` };
  if (network !== limits.network)
    return {
      code: 'other_network',
      detail: `The service asks for a payment on ${said(network)} instead of ${limits.network}.`,
    };
  if (
    `${asset}`.toLowerCase() !== usdc.toLowerCase() ||
    extra?.name !== usdcName ||
    extra?.version !== usdcVersion
  )
    return { code: 'other_asset', detail: `The service asks for ${said(asset)} instead of USDC (${usdc}).` };
  if (!/^[1-9]\d{0,17}$/.test(`${amount}`) || BigInt(amount) > atomicOf(limits.maxPriceUsd))
    return {
      code: 'price_too_high',
      detail: `The service asks for ${said(amount)} millionths of a dollar, and the limit is ${limits.maxPriceUsd} USD. Set maxPriceUsd to pay more.`,
    };
  if (
    !Number.isInteger(maxTimeoutSeconds) ||
    maxTimeoutSeconds < 1 ||
    maxTimeoutSeconds > limits.maxTimeoutSeconds
  )
    return {
      code: 'valid_too_long',
      detail: `The payment would be valid for ${said(maxTimeoutSeconds)} s, and the limit is ${limits.maxTimeoutSeconds} s.`,
    };
  if (!/^0x[0-9a-fA-F]{40}$/.test(`${payTo}`))
    return { code: 'other_payee', detail: 'The service does not say which account to pay.' };
  if (limits.payTo !== null && payTo.toLowerCase() !== limits.payTo.toLowerCase())
    return {
      code: 'other_payee',
      detail: `The service asks to pay ${payTo} instead of ${limits.payTo}. If that is right, make a new client.`,
    };
  return null;
}

/** Millionths of a dollar; throws a TypeError if the text is not a price. */
function atomicOf(usd: string): bigint {
  const [, dollars, cents = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(usd) ?? [];
  if (dollars === undefined)
    throw new TypeError(`maxPriceUsd is a price in dollars such as 0.05, not ${usd}.`);
  return BigInt(dollars + cents.padEnd(6, '0'));
}

/**
 * Throws unless a signed payment matches the offer, because a payer may be third-party code. The service never receives
 * a payment that could move more than was agreed.
 */
export function checkSigned(
  payload: PaymentPayload,
  accepted: PaymentRequirements,
  nowSeconds: number,
): void {
  const { authorization } = payload.payload as { authorization?: Readonly<Record<string, string>> };
  const isAgreed =
    authorization?.value === accepted.amount &&
    authorization.to?.toLowerCase() === accepted.payTo.toLowerCase() &&
    Number(authorization.validBefore) <= nowSeconds + accepted.maxTimeoutSeconds + CLOCK_SECONDS;
  if (isAgreed) return;
  const detail = 'The payer signed something other than the offer. The payment was not sent.';
  throw new RefusedError(null, { code: 'payer_failed', detail });
}

// The payer reads the clock a moment later.
const CLOCK_SECONDS = 5;
