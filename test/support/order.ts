import type { Order } from '../../src/payments/settlement.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';

export const PAYER: Hex = `0x${'b'.repeat(40)}`;

/** An order of a cent; its signature is not checked. */
export const orderOf = (nonce = 1): Order => ({
  payment: {
    authorization: {
      from: PAYER,
      to: `0x${'a'.repeat(40)}`,
      value: 10_000n,
      validAfter: 0n,
      validBefore: 2_000_000_000n,
      nonce: `0x${String(nonce).padStart(64, '0')}`,
    },
    signature: `0x${'2'.repeat(130)}`,
    accepted: { scheme: 'exact', network: 'eip155:8453' },
    identifier: null,
    extensions: undefined,
  },
  requirements: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: `0x${'C'.repeat(40)}`,
    payTo: `0x${'a'.repeat(40)}`,
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  },
  resource: {
    url: 'https://calc.example/v1/x',
    description: '',
    mimeType: '',
    serviceName: '',
    tags: [],
    iconUrl: '',
  },
  extensions: {},
  usedSince: 0,
  signedBy: 'key',
});
