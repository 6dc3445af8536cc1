import { expect, it } from 'vitest';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import { type Exchange, withSignedReceipts } from './exchange.ts';
import type { Outcome } from './purchase.ts';

it('gives an unsigned receipt for a claim of an older release, which does not say when it was paid', async () => {
  const receipt = { success: true, network: 'eip155:8453', payer: '0xaa', transaction: '0xbb' };
  const settled = { state: 'settled', body: {}, receipt } as unknown as Outcome;
  const dated = { ...settled, claimedAt: 5 } as Outcome;
  const signedAt: number[] = [];
  const bugs: unknown[] = [];
  const receiptsOf = async (outcome: Outcome) => {
    const exchange = withSignedReceipts({ call: async () => outcome } as Exchange, {
      signer: {
        sign: async ({ issuedAt }: { issuedAt: number }) => {
          signedAt.push(issuedAt);
          return { signed: true };
        },
      } as never,
      resourceUrlOf: () => 'https://x.example/v1/late-fee-notice',
      onBug: (_, error) => bugs.push(error),
    });
    return exchange.call({ operation: lateFeeNotice } as never);
  };
  expect(await receiptsOf(settled)).toEqual(settled);
  expect(await receiptsOf(dated)).toMatchObject({ receipt: { ...receipt, extensions: { signed: true } } });
  expect([signedAt, bugs]).toEqual([[5], []]);
});
