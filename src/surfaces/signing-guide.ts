import type { Requirements } from '../payments/x402/requirements.ts';

/** The types that a buyer signs (EIP-712). */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/**
 * The typed data of a payment and the payload around it, for a buyer who has only a challenge. Angle brackets mark what
 * the buyer fills in.
 */
export const signingGuide = ({ asset, payTo, amount, network, extra, maxTimeoutSeconds }: Requirements) => ({
  sign: {
    primaryType: 'TransferWithAuthorization',
    domain: {
      name: extra.name,
      version: extra.version,
      chainId: Number(network.split(':')[1]),
      verifyingContract: asset,
    },
    types: TRANSFER_TYPES,
    message: {
      from: '<your address>',
      to: payTo,
      value: amount,
      validAfter: '0',
      validBefore: `<Unix time now + ${maxTimeoutSeconds}, as text>`,
      nonce: '<0x and 32 random bytes in hex>',
    },
  },
  payment_payload: {
    x402Version: 2,
    accepted: '<accepts[0]>',
    payload: { signature: '<of sign, as EIP-712>', authorization: '<sign.message>' },
  },
});
