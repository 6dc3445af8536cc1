import { TRANSFER_TYPES } from '../signing-guide.ts';
import type { Site } from '../site.ts';

/** Explains how to pay to readers who know neither x402 nor EIP-3009. Every document shows this text. */

/** The rules of a payment, each a sentence. */
export const paymentRules: readonly string[] = [
  'accepted is accepts[0] of the challenge, unchanged: the price, the recipient and the EIP-712 domain are in it.',
  'Domain: name and version from accepted.extra, chainId the number in accepted.network (eip155:8453 is 8453), verifyingContract accepted.asset.',
  'Message: from your address, to accepted.payTo, value accepted.amount (USDC has six decimals: 10000 is 0.01 USD), validAfter 0, validBefore now in Unix seconds plus accepted.maxTimeoutSeconds, nonce 32 random bytes, new for each purchase.',
  'In JSON every number of authorization is a decimal string. The signature is 65 bytes in hex that end in 1b or 1c.',
  'A wallet needs USDC and no ETH. If the spending cap of your client is below the price, the client refuses before it sends anything: raise the cap (its default is 0.10 USD in some clients, and one operation costs more).',
  'Keep the payment until you have read the answer: the identical request with it gets the same answer until a day after validBefore. Requests with the same meaning are identical: field order, 1250.00 for 1250, a spelled-out default (except rate and pay_within_days), GET, POST or MCP make no difference.',
  'Each purchase needs its own payment. To sign again for the same purchase, send the same Idempotency-Key: it is charged once.',
];

/** A well-known key, so that anyone can check their own signing code with it. */
const EXAMPLE_KEY = `0x${'1'.padStart(64, '0')}`;

/** A payment of one cent by that key to the burn address; a test signs it again. */
export const examplePayment = {
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: '0x000000000000000000000000000000000000dEaD',
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  },
  payload: {
    signature:
      '0x4c5db1c440fe7b5ac012e696d29143edb9c164673c2b3c970d30c21ef46bf642338aca62a132116cea3cba3b1ac09eb88c4613f42f15b117f33d1f185290e3401b',
    authorization: {
      from: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
      to: '0x000000000000000000000000000000000000dEaD',
      value: '10000',
      validAfter: '0',
      validBefore: '1700000000',
      nonce: '0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    },
  },
} as const;

export const exampleWords = `The example is for checking your signer. Its private key ${EXAMPLE_KEY} is public, and it expired long ago and buys nothing:`;

/** The EIP-712 types and the PaymentPayload as JSON, as readers copy them. */
export const typesText = JSON.stringify(TRANSFER_TYPES);
export const payloadText = JSON.stringify(examplePayment, null, 2);

/** How to prove later what a payment was for; null if receipts are not signed. */
export const receiptWords = ({ baseUrl, didDocument }: Site): string | null =>
  didDocument === null
    ? null
    : `Receipts are signed: extensions["offer-receipt"].info.receipt is a JWS whose key is at ${baseUrl}/.well-known/did.json. One line verifies it with @x402/extensions/offer-receipt and returns what was paid for. It accepts any signer, so also check that the receipt's kid begins with ${didDocument.id}#:`;

export const VERIFY_RECEIPT = 'await verifyReceiptSignatureJWS(extractReceiptFromResponse(response))';

/** The typed client is part of the source and not published. */
export const TYPED_CLIENT =
  'The source of the service has a typed client for TypeScript in packages/client: every operation is a function, and the client asks for a lost reply again with the same payment.';
