import { describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { mine, returnTo, snapshot } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader, signAuthorization } from '../support/payments.ts';

const CENT = 10_000n;

describe('with CONFIRMATIONS', () => {
  const chain = sharedChain();

  async function seller(confirmations: number) {
    const app = chainApp(chain(), { confirmations, careMs: 50 });
    const accepted = await challengeOf(app);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    const before = await earned(chain());
    return {
      payment,
      present: async () =>
        (await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) })).status,
      gain: async () => (await earned(chain())) - before,
    };
  }

  it('an answer waits until its transfer is that deep', async () => {
    const { present, gain } = await seller(3);
    expect([await present(), await gain()]).toEqual([409, CENT]);
    await mine(chain(), 2);
    expect(await present()).toBe(409);
    await mine(chain());
    expect([await present(), await gain()]).toEqual([200, CENT]);
  });

  it('so does one whose payment somebody else submitted', async () => {
    const { payment, present, gain } = await seller(2);
    await frontRun(chain(), payment.payload);
    expect(await present()).toBe(503);
    await mine(chain(), 2);
    expect([await present(), await gain()]).toEqual([200, CENT]);
  });

  it('a chain that goes back less far costs nobody anything', async () => {
    await onCopyOf(chain(), async () => {
      const past = await snapshot(chain());
      const { present, gain } = await seller(2);
      expect(await present()).toBe(409);
      await returnTo(chain(), past);
      expect([await gain(), await present()]).toEqual([0n, 409]);
      await expect.poll(gain, { timeout: 10_000 }).toBe(CENT);
      await mine(chain(), 2);
      expect([await present(), await gain()]).toEqual([200, CENT]);
    });
  });

  it('of 0 an answer comes with the block', async () => {
    const { present, gain } = await seller(0);
    expect([await present(), await gain()]).toEqual([200, CENT]);
  });
});
