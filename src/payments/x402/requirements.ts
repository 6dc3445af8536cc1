import type { Operation } from '../../catalog/operation.ts';
import type { Hex, Payment } from './payment.ts';

/** x402 v2 PaymentRequirements of one operation; amounts in atomic USDC. */
export type Requirements = {
  readonly scheme: 'exact';
  readonly network: string;
  readonly amount: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
};

/** The description of a resource in a challenge (x402 v2 ResourceInfo). */
export type ResourceInfo = {
  readonly url: string;
  readonly description: string;
  readonly mimeType: string;
  readonly serviceName: string;
  readonly tags: readonly string[];
  readonly iconUrl: string;
};

/** Where payments go: one network, one asset, one recipient for every operation. */
export type Terms = {
  readonly network: string;
  readonly chainId: number;
  readonly asset: Hex;
  readonly assetName: string;
  readonly assetVersion: string;
  readonly payTo: Hex;
};

/**
 * Seconds in which a client signs and sends. After this time, the authorization expires, and its result is known
 * soon.
 */
const MAX_TIMEOUT_SECONDS = 120;
// Clocks differ, and some clients sign for an hour. Beyond a day, a claim would have to be kept too long.
export const MAX_VALIDITY_SECONDS = 86_400n;
// The time that mining may take. The official facilitators require the same.
const MIN_VALIDITY_SECONDS = 6n;

/** The payment requirements of a paid operation. Built once at startup. */
export function requirementsOf(operation: Operation, terms: Terms): Requirements {
  if (operation.price === null) throw new Error(`Operation ${operation.name} is free`);
  return Object.freeze({
    scheme: 'exact',
    network: terms.network,
    amount: operation.price.atomic,
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: { name: terms.assetName, version: terms.assetVersion },
  });
}

/** The key under which an authorization is claimed; payer and nonce in lower case. */
export const claimKey = (
  { network, asset }: Pick<Requirements, 'network' | 'asset'>,
  { from, nonce }: Pick<Payment['authorization'], 'from' | 'nonce'>,
): string => `${network}:${asset.toLowerCase()}:${from}:${nonce}`;

/**
 * Compares a payment with the requirements in everything that money depends on: scheme, network, asset, recipient and
 * exact amount. Returns an x402 reason code, or null if they agree.
 */
export function mismatch(payment: Payment, required: Requirements): string | null {
  const { accepted, authorization } = payment;
  const same = (given: string | undefined, ours: string) =>
    given === undefined || given.toLowerCase() === ours.toLowerCase();
  if (accepted.scheme !== required.scheme) return 'unsupported_scheme';
  if (accepted.network !== required.network) return 'invalid_network';
  if (!same(accepted.asset, required.asset)) return 'invalid_payment_requirements';
  if (!same(accepted.payTo, required.payTo) || !same(authorization.to, required.payTo))
    return 'invalid_exact_evm_payload_recipient_mismatch';
  if (
    (accepted.amount ?? required.amount) !== required.amount ||
    authorization.value !== BigInt(required.amount)
  )
    return 'invalid_exact_evm_payload_authorization_value_mismatch';
  return null;
}

/** A reason code if an authorization is not valid now or is valid for too long; null if it is fine. */
export function outsideWindow({ authorization }: Payment, nowSeconds: number): string | null {
  const now = BigInt(nowSeconds);
  if (authorization.validAfter > now) return 'invalid_exact_evm_payload_authorization_valid_after';
  const left = authorization.validBefore - now;
  if (left < MIN_VALIDITY_SECONDS || left > MAX_VALIDITY_SECONDS)
    return 'invalid_exact_evm_payload_authorization_valid_before';
  return null;
}
