import { expect, it } from 'vitest';
import { orderOf } from '../../test/support/order.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import { digest, keysOf, type SignedPurchase } from './purchase.ts';

const purchaseOf = (signedBy: SignedPurchase['signedBy'], validBefore: bigint) => {
  const { payment, requirements } = orderOf();
  const authorization = { ...payment.authorization, validAfter: 0n, validBefore };
  return {
    operation: lateFeeNotice,
    input: { tone: 'firm' },
    payment: { ...payment, authorization },
    requirements,
    name: null,
    signedBy,
  } as unknown as SignedPurchase;
};

it('stores the signature of a key by itself, as every release did, and that of a wallet with its validity window', () => {
  const { payment } = orderOf();
  expect(keysOf(purchaseOf('key', 9n)).signature).toBe(digest(payment.signature));
  expect(keysOf(purchaseOf('wallet', 9n)).signature).toBe(digest(`0,9,${payment.signature}`));
});
