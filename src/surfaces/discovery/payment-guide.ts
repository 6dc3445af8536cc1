import { TRANSFER_TYPES } from '../challenges.ts';
import type { Site } from '../site.ts';

/** Explains how to pay to developers who know neither x402 nor EIP-3009. Every document shows this text. */

/** The rules of a payment, each a sentence. */
export const paymentRules: readonly string[] = [
  'accepted is accepts[0] of the challenge, unchanged. It contains the price, the recipient and the EIP-712 domain.',
  'Domain: name and version are those in accepted.extra, chainId is the number in accepted.network (8453 for eip155:8453), and verifyingContract is accepted.asset.',
  'Message: from is your address, to is accepted.payTo, value is accepted.amount (USDC has six decimals: 10000 is 0.01 USD), validAfter is 0, validBefore is now in Unix seconds plus accepted.maxTimeoutSeconds, and nonce is 32 random bytes, new for each purchase.',
  'In JSON, send every number in authorization as a decimal string. The signature of a plain account is 65 bytes in hex and ends in 1b or 1c; a smart-contract wallet has its own format.',
  'The wallet needs USDC but no ETH. If your client has a spending cap below the price, it refuses before it sends anything: raise the cap (some clients default to 0.10 USD, and one operation costs more).',
  'Keep the payment until you have read the answer: until a day after validBefore, the identical request with it gets the same answer. Requests with the same meaning are identical: it makes no difference in which order the fields are, whether you write 1250.00 or 1250, whether you send a default (except rate and pay_within_days), or whether you use GET, POST or MCP.',
  'Each purchase needs its own payment. If you sign again for the same purchase, send the same Idempotency-Key, so that you are charged only once.',
];

/** A well-known key, so that developers can check their signing code with it. */
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

export const exampleWords = `The example is for checking your signer. Its private key ${EXAMPLE_KEY} is public. The payment expired long ago and is worth nothing:`;

/** The EIP-712 types and the PaymentPayload as JSON, as developers copy them. */
export const typesText = JSON.stringify(TRANSFER_TYPES);
export const payloadText = JSON.stringify(examplePayment, null, 2);

/** How to prove later what a payment was for; null if receipts are not signed. */
export const receiptWords = ({ baseUrl, didDocument }: Site): string | null =>
  didDocument === null
    ? null
    : `Receipts are signed: extensions["offer-receipt"].info.receipt is a JWS whose key is at ${baseUrl}/.well-known/did.json. This line verifies it with @x402/extensions/offer-receipt and returns what was paid for. It accepts any signer, so also check that the receipt's kid begins with ${didDocument.id}#:`;

export const VERIFY_RECEIPT = 'await verifyReceiptSignatureJWS(extractReceiptFromResponse(response))';

/** The typed client is part of the source and not published. */
export const TYPED_CLIENT =
  'The source code of the service includes a typed client for TypeScript in packages/client. Each operation is a function, and after a lost reply the client repeats the request with the same payment.';
