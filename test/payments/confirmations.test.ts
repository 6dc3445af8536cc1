import { describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { mine, returnTo, setAutomine, snapshot } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader, signAuthorization } from '../support/payments.ts';

const CENT = 10_000n;

describe('with CONFIRMATIONS', () => {
  const chain = sharedChain();

  type Times = { clock: { aheadMs: number }; validBefore?: string };

  async function seller(
    confirmations: number,
    { clock, ...authorization }: Times = { clock: { aheadMs: 0 } },
  ) {
    const now = () => Date.now() + clock.aheadMs;
    const app = chainApp(chain(), { confirmations, checkMs: 50, now });
    const accepted = await challengeOf(app);
    const buyer = chain().buyers[0] as DevAccount;
    const payment = await signAuthorization({ buyer, accepted, authorization });
    const before = await earned(chain());
    return {
      payment,
      present: async () =>
        (await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) })).status,
      gain: async () => (await earned(chain())) - before,
    };
  }

  it('an answer waits until its transfer has the required confirmations', async () => {
    const { present, gain } = await seller(3);
    expect([await present(), await gain()]).toEqual([409, CENT]);
    await mine(chain(), 2);
    expect(await present()).toBe(409);
    await mine(chain());
    await expect.poll(present).toBe(200);
    expect(await gain()).toBe(CENT);
  });

  it('an answer also waits if somebody else submitted the payment', async () => {
    const { payment, present, gain } = await seller(2);
    await frontRun(chain(), payment.payload);
    expect(await present()).toBe(409);
    await mine(chain(), 2);
    expect([await present(), await gain()]).toEqual([200, CENT]);
  });

  it('an answer also waits for more than two minutes, and the buyer is not told to sign again', async () => {
    await onCopyOf(chain(), async () => {
      const clock = { aheadMs: 0 };
      const validBefore = String(Math.floor(Date.now() / 1_000) + 600);
      const { payment, present, gain } = await seller(64, { clock, validBefore });
      await frontRun(chain(), payment.payload);
      expect(await present()).toBe(409);
      clock.aheadMs = 130_000;
      await mine(chain(), 65);
      expect([await present(), await gain()]).toEqual([200, CENT]);
    });
  });

  it('a short reorganization costs neither side anything', async () => {
    await onCopyOf(chain(), async () => {
      const past = await snapshot(chain());
      const { present, gain } = await seller(2);
      expect(await present()).toBe(409);
      // Without blocks, the transaction cannot be mined again before the income is read.
      await setAutomine(chain(), false);
      await returnTo(chain(), past);
      expect([await gain(), await present()]).toEqual([0n, 409]);
      await setAutomine(chain(), true);
      await mine(chain());
      await expect.poll(gain).toBe(CENT);
      await mine(chain(), 2);
      await expect.poll(present).toBe(200);
      expect(await gain()).toBe(CENT);
    });
  });
});
