import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../src/payments/settlement.ts';
import { type Signing, signingOf } from '../../src/payments/x402/signature.ts';
import { fakePayment, terms } from '../support/app.ts';
import { exchangeWith } from './exchange-with.ts';

const BUG = new Error('a bug');
const thrown = () => {
  throw BUG;
};

/** Breaks one part of a purchase, and returns the outcome of the call and the report. */
async function broken(where: 'signature' | 'wallet' | 'settling') {
  const said: unknown[] = [];
  const settlement: Settlement = {
    settle: async () => thrown(),
    reconcile: async () => thrown(),
    isWalletSigned: async () => where !== 'wallet' || thrown(),
  };
  const signing = signingOf(terms);
  const ofKey: Record<typeof where, Signing['ofKey']> = {
    signature: async () => thrown(),
    // The signature was not made with a key, so the wallet must decide.
    wallet: async () => null,
    settling: signing.ofKey,
  };
  const { call, purchases } = exchangeWith({
    settlement,
    signing: { ...signing, ofKey: ofKey[where] },
    onBug: (...told) => said.push(told),
  });
  return { outcome: await call('1', fakePayment(), 'ours'), said, underWay: purchases.underWay() };
}

describe('a bug in a purchase', () => {
  it.each(['signature', 'wallet', 'settling'] as const)(
    'is reported once, with the ID of its request, if it occurs in the step "%s"',
    async (where) => {
      const { outcome, said, underWay } = await broken(where);
      expect(outcome).toEqual({ state: 'failed' });
      expect(said).toEqual([['paid', BUG, 'ours']]);
      expect(underWay).toBe(0);
    },
  );
});
