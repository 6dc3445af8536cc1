import { expect, it } from 'vitest';
import { orderOf } from '../../test/support/order.ts';
import type { Answer } from '../catalog/operation.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import { digest, keysOf, type SignedPurchase, withoutAnswer } from './purchase.ts';

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

it("a claim has the digest of a key's signature alone, as in every release, and of a wallet's signature with its validity window", () => {
  const { payment } = orderOf();
  expect(keysOf(purchaseOf('key', 9n)).signature).toBe(digest(payment.signature));
  expect(keysOf(purchaseOf('wallet', 9n)).signature).toBe(digest(`0,9,${payment.signature}`));
});

it.each<[Answer<unknown>, object | null]>([
  [{ kind: 'answer', body: {} }, null],
  [
    { kind: 'invalid', faults: [] },
    { state: 'rejected', code: 'invalid_input', faults: [] },
  ],
  [
    { kind: 'not_found', detail: 'unknown' },
    { state: 'missing', detail: 'unknown' },
  ],
  [
    { kind: 'no_answer', detail: 'x' },
    { state: 'conflict', code: 'analysis_failed', detail: 'x' },
  ],
])('a run that ends in %j has the outcome %j', (answer, outcome) => {
  if (outcome === null) expect(withoutAnswer(answer)).toBeNull();
  else expect(withoutAnswer(answer)).toMatchObject(outcome);
});
