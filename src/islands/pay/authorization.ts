import { hexText, toBase64Json } from './base64.ts';
import type { Offer } from './offer.ts';

/** An EIP-3009 authorization in the notation of x402: decimal strings, Unix seconds. */
export type Authorization = {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: string;
};

/** Authorizes exactly the price to exactly the recipient, from now until the challenge's time limit. */
export const authorizationOf = ({ terms }: Offer, from: string, nowSeconds: number): Authorization => ({
  from,
  to: terms.payTo,
  value: terms.amount,
  validAfter: '0',
  validBefore: String(nowSeconds + terms.maxTimeoutSeconds),
  nonce: `0x${randomHex(32)}`,
});

/** A name for a purchase, reused for a retry (the payment-identifier extension of x402). */
export const purchaseName = (): string => `page_${randomHex(16)}`;

const randomHex = (bytes: number): string => hexText(crypto.getRandomValues(new Uint8Array(bytes)));

const field = (name: string, type: string) => ({ name, type });

/** The data that the wallet signs: EIP-712 typed data, sent as JSON with eth_signTypedData_v4. */
export const typedDataOf = ({ terms, chainId }: Offer, message: Authorization) => ({
  types: {
    EIP712Domain: [
      field('name', 'string'),
      field('version', 'string'),
      field('chainId', 'uint256'),
      field('verifyingContract', 'address'),
    ],
    TransferWithAuthorization: [
      field('from', 'address'),
      field('to', 'address'),
      field('value', 'uint256'),
      field('validAfter', 'uint256'),
      field('validBefore', 'uint256'),
      field('nonce', 'bytes32'),
    ],
  },
  domain: {
    name: terms.extra.name,
    version: terms.extra.version,
    chainId,
    verifyingContract: terms.asset,
  },
  primaryType: 'TransferWithAuthorization' as const,
  message,
});

/** The PAYMENT-SIGNATURE header: an x402 v2 PaymentPayload. */
export function paymentHeader(
  { terms, resource, extensions }: Offer,
  signed: { readonly authorization: Authorization; readonly signature: string },
  name: string,
): string {
  const declared = extensions['payment-identifier'] as { readonly info?: object } | undefined;
  return toBase64Json({
    x402Version: 2,
    resource,
    accepted: terms,
    payload: { signature: withRecovery(signed.signature), authorization: signed.authorization },
    extensions: {
      ...extensions,
      'payment-identifier': { ...declared, info: { ...declared?.info, id: name } },
    },
  });
}

// Some hardware wallets end a signature with 0 or 1 but USDC expects 27 or 28.
const withRecovery = (signature: string): string => {
  const last = /^0x[0-9a-fA-F]{128}(0[01])$/.exec(signature)?.[1];
  return last === undefined ? signature : `${signature.slice(0, -2)}${last === '00' ? '1b' : '1c'}`;
};
