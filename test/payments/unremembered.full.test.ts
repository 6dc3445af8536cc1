import { describe, expect, it } from 'vitest';
import { type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import { chainApp, noticePath } from '../support/chain-app.ts';
import { paymentHeader } from '../support/payments.ts';
import { proxiedBench } from './proxied.ts';

describe('a transaction of our own account', () => {
  const { chain, proxy, sign, gain } = proxiedBench();

  it('is sent only after the store has confirmed that it is saved', async () => {
    const kept = memoryClaims({ maxClaims: 1_000, now: () => Date.now() - 10_000 });
    const sentBefore: number[] = [];
    let isAway = true;
    const save: Claims['save'] = async (key, claim) => {
      if (claim.state !== 'sent') return kept.save(key, claim);
      await new Promise((resolve) => setTimeout(resolve, 150));
      sentBefore.push(proxy().sends());
      return isAway ? 'unconfirmed' : kept.save(key, claim);
    };
    const app = chainApp(chain(), { rpcUrl: proxy().url, claims: { ...kept, save } });
    const header = { 'payment-signature': paymentHeader(await sign()) };
    const away = await app.get(noticePath(), header);
    expect([away.status, proxy().sends(), await gain()]).toEqual([503, 0, 0n]);
    isAway = false;
    const back = await app.get(noticePath(), header);
    expect([back.status, proxy().sends(), await gain()]).toEqual([200, 1, 10_000n]);
    expect(sentBefore).toEqual([0, 0]);
  });
});
