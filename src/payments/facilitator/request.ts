import type { Order } from '../settlement.ts';

/**
 * The body of `POST /settle`: our requirements, our resource and our extensions for catalogs, never the client's copies
 * of them; and the client's signed data and extensions, unchanged. The same order always gives the same bytes.
 */
export function settleBody({ payment, requirements, resource, extensions }: Order): string {
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization;
  const authorization = {
    from,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  };
  return JSON.stringify({
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource,
      accepted: requirements,
      payload: { signature: payment.signature, authorization },
      extensions: { ...payment.extensions, ...extensions },
    },
    paymentRequirements: requirements,
  });
}
