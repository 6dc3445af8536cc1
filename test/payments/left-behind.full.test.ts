import type { PaymentRequirements } from '@x402/core/types';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { Settlement } from '../../src/payments/settlement.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { increaseTime } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader, signAuthorization } from '../support/payments.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';

const CENT = 10_000n;
const FOR_EVER = new Promise<never>(() => {});

/** A store shared by two processes, one of which is gone. The next caller takes over what that process left open. */
function inherited(claims: Claims): Claims {
  return {
    ...claims,
    open: async (key, fresh) => {
      const found = await claims.find(key);
      return found.kind === 'held' && found.claim.state === 'open'
        ? { kind: 'opened' }
        : claims.open(key, fresh);
    },
  };
}

/** The settlement of a process that ends before it sends anything. */
const dying: Settlement = {
  settle: async (_order, { proven }) => {
    await proven();
    return FOR_EVER;
  },
  reconcile: () => FOR_EVER,
  isWalletSigned: () => FOR_EVER,
};

describe('a purchase whose process is gone', () => {
  const chain = sharedChain();
  let claims: Claims;
  let accepted: PaymentRequirements;
  let before: bigint;

  beforeEach(async () => {
    // The claims are older than any block of the test, because a chain's clock may be some seconds behind ours.
    claims = memoryClaims({ maxClaims: 100, now: () => Date.now() - 10_000 });
    accepted = await challengeOf(chainApp(chain()));
    before = await earned(chain());
  });

  const sign = () => signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
  const headers = (payment: Awaited<ReturnType<typeof sign>>, key?: string) => ({
    'payment-signature': paymentHeader(payment),
    ...(key && { 'idempotency-key': key }),
  });
  const gain = async () => (await earned(chain())) - before;
  /** Presents to a process that ends while the claim is open. */
  const leaveOpen = async (payment: Awaited<ReturnType<typeof sign>>) => {
    void chainApp(chain(), { claims, settlement: dying }).get(noticePath(), headers(payment));
    await expect.poll(() => claims.size()).toBe(1);
  };

  it('is looked up for a client that signs again with the same idempotency key and no longer has the first payment', async () => {
    const proxy = await startRpcProxy(chain().rpcUrl);
    const gone = chainApp(chain(), { claims, rpcUrl: proxy.url });
    proxy.fail('eth_sendRawTransactionSync', 'drop-reply');
    proxy.fail('eth_getTransactionReceipt', 'no-receipt');
    proxy.fail('eth_getLogs', 'no-receipt');
    const first = await gone.get(noticePath(), headers(await sign(), 'kept-nothing-0123456789'));
    expect([first.status, await gain()]).toEqual([409, CENT]);
    await proxy.stop();
    const heir = chainApp(chain(), { claims });
    const second = await heir.get(noticePath(), headers(await sign(), 'kept-nothing-0123456789'));
    expect([second.status, await gain()]).toEqual([200, CENT]);
  });

  it('frees its idempotency key once its authorization has expired unused, and the new payment is used', async () => {
    await onCopyOf(chain(), async () => {
      const proxy = await startRpcProxy(chain().rpcUrl);
      const gone = chainApp(chain(), { claims, rpcUrl: proxy.url });
      // The second method would send the bytes again after four seconds.
      for (const method of ['eth_sendRawTransactionSync', 'eth_sendRawTransaction'])
        proxy.fail(method, 'dead');
      const first = await gone.get(noticePath(), headers(await sign(), 'ran-out-0123456789'));
      expect([first.status, await gain()]).toEqual([409, 0n]);
      await proxy.stop();
      await increaseTime(chain(), 3_600);
      const now = () => Date.now() + 3_600_000;
      const heir = chainApp(chain(), { claims, now });
      const anew = await signAuthorization({
        buyer: chain().buyers[0] as DevAccount,
        accepted,
        authorization: { validBefore: String(Math.floor(now() / 1000) + 120) },
      });
      expect((await heir.get(noticePath(), headers(anew, 'ran-out-0123456789'))).status).toBe(503);
      expect((await heir.get(noticePath(), headers(anew, 'ran-out-0123456789'))).status).toBe(200);
      expect(await gain()).toBe(CENT);
    });
  });

  it('ends when its authorization expires on the chain, even if it was left open', async () => {
    await onCopyOf(chain(), async () => {
      const payment = await sign();
      await leaveOpen(payment);
      const heir = chainApp(chain(), { claims: inherited(claims), now: () => Date.now() + 200_000 });
      // By our clock the payment has expired. While the chain lags, it can still be used.
      for (const _ of ['left open', 'gone'])
        expect((await heir.get(noticePath(), headers(payment))).status).toBe(503);
      await increaseTime(chain(), 200);
      const last = await heir.get(noticePath(), headers(payment));
      expect(last.status).toBe(402);
      expect(await last.json()).toMatchObject({
        error: 'invalid_exact_evm_payload_authorization_valid_before',
      });
    });
  });

  it('is honored after its authorization has expired if somebody else had submitted the payment', async () => {
    const payment = await sign();
    await leaveOpen(payment);
    await frontRun(chain(), payment.payload);
    const heir = chainApp(chain(), { claims: inherited(claims), now: () => Date.now() + 200_000 });
    expect((await heir.get(noticePath(), headers(payment))).status).toBe(200);
    expect((await heir.get(noticePath('Other'), headers(payment))).status).toBe(409);
    expect(await gain()).toBe(CENT);
  });
});
