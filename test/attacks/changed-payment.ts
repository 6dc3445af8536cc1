import type { SignedPayment } from '../support/payments.ts';

/** A payment with other fields than those that its payer signed, or with another signature. */
export const changed = (
  payment: SignedPayment,
  authorization: object,
  signature?: `0x${string}`,
): SignedPayment => ({
  ...payment,
  payload: {
    signature: signature ?? payment.payload.signature,
    authorization: { ...payment.payload.authorization, ...authorization },
  },
});
