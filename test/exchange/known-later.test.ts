import { describe, expect, it } from 'vitest';
import { fakePayment } from '../support/app.ts';
import { exchangeWith } from './exchange-with.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;

describe('a purchase whose transaction is known only after it was sent', () => {
  it.each([
    { end: { state: 'unknown', transaction: HASH }, said: 'its result is not known yet' },
    {
      end: { state: 'declined', reason: 'invalid_transaction_state', transaction: HASH },
      said: 'was submitted but did not go through',
    },
  ] as const)('gets a conflict that names its transaction and says: “$said”', async ({ end, said }) => {
    const { call, purchases } = exchangeWith({
      settlement: {
        async settle(_, { proven, sending }) {
          await proven();
          // A facilitator signs the transaction itself, so no hash is known yet.
          await sending(null);
          return end;
        },
        reconcile: async () => ({ state: 'unknown', transaction: HASH }),
        isWalletSigned: async () => true,
      },
      onBug: (_, error) => {
        throw error;
      },
    });
    expect(await call('1', fakePayment())).toMatchObject({
      state: 'conflict',
      code: 'waiting',
      detail: expect.stringContaining(said),
      receipt: { transaction: HASH },
    });
    await purchases.drain();
  });
});
