import type { Hex } from 'viem';
import { encodeFunctionData, keccak256, numberToHex, parseAbi } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import { MULTICALL, MULTICALL_CODE_HASH } from '../../src/payments/chain/multicall.ts';
import { deal } from '../support/batch.ts';
import { onCopyOf } from '../support/chain.ts';
import { returnTo, setAutomine, snapshot } from '../support/chain-actions.ts';
import { challengeOf, earned, headerJson } from '../support/chain-app.ts';
import { type SignedPayment, signAuthorization } from '../support/payments.ts';
import { CENT, togetherBench } from './together.ts';

const transferAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
// INVALID: whoever calls it loses all the gas that goes along.
const BURNS_GAS = '0xfe';

type Mined = { gasUsed: Hex };

describe('orders that one transaction settles', () => {
  const { chain, proxy, appOf, mine, buyerOf, present, statusesOf, pooled, isForMany, waiting } =
    togetherBench();

  it('are paid each by its own transfer, at the price of a third less gas', async () => {
    await onCopyOf(chain(), async () => {
      const before = await earned(chain());
      const buyers = await Promise.all(Array.from({ length: 10 }, () => buyerOf()));
      const { first, responses } = await waiting(appOf(), buyers);
      await mine();
      const { hash, gas } = await pooled(isForMany);
      await mine();
      expect(await statusesOf([first, ...responses])).toEqual(Array(11).fill(200));
      for (const response of responses) {
        const receipt = headerJson<{ transaction: Hex }>(await response, 'payment-response');
        expect(receipt?.transaction).toBe(hash);
      }
      expect((await earned(chain())) - before).toBe(11n * CENT);
      const mined = await rpc<Mined>(chain().rpcUrl, 'eth_getTransactionReceipt', hash);
      expect(Number(mined.gasUsed) / 10).toBeLessThan(60_000);
      expect(Number(mined.gasUsed)).toBeLessThan(Number(gas));
    });
  });

  it('go together before all places are taken: in the block of those who came first', async () => {
    await onCopyOf(chain(), async () => {
      const app = appOf({ maxOutstanding: 4 });
      let release = () => {};
      const until = new Promise<void>((resolve) => {
        release = resolve;
      });
      proxy().fail('eth_getCode', 'slow', { until });
      const accepted = await challengeOf(app);
      const buyers = await Promise.all(Array.from({ length: 12 }, () => buyerOf()));
      const payments = await Promise.all(buyers.map((buyer) => signAuthorization({ buyer, accepted })));
      await setAutomine(chain(), false);
      const responses = payments.map((payment) => present(app, payment));
      // All are proven at once, also on a slow machine.
      await expect.poll(() => proxy().calls('eth_getCode'), { timeout: 10_000 }).toBe(12);
      release();
      await pooled(isForMany);
      expect(proxy().calls('eth_sendRawTransactionSync')).toBe(4);
      // Who was proven too late for it is in the next one.
      await setAutomine(chain(), true);
      await mine();
      expect(await statusesOf(responses)).toEqual(Array(12).fill(200));
    });
  });

  it('leave out who cannot pay any more, and tell them so', async () => {
    await onCopyOf(chain(), async () => {
      const buyers = await Promise.all(Array.from({ length: 4 }, () => buyerOf()));
      const { responses } = await waiting(appOf(), buyers);
      await deal(chain(), (buyers[1] as DevAccount).address, 0n);
      await mine();
      await pooled(isForMany);
      await mine();
      expect(await statusesOf(responses)).toEqual([200, 402, 200, 200]);
    });
  });

  it('fail one by one: who moved the money away pays nothing, is told to wait, and is not sent again', async () => {
    await onCopyOf(chain(), async () => {
      const { rpcUrl, usdc } = chain();
      const before = await earned(chain());
      // Longer than this test may take: the chain says at once that it has failed.
      const app = appOf({ patienceMs: 60_000 });
      const buyers = await Promise.all(Array.from({ length: 4 }, () => buyerOf()));
      const { payments, responses } = await waiting(app, buyers);
      await mine();
      await pooled(isForMany);
      const from = (buyers[2] as DevAccount).address;
      await rpc(rpcUrl, 'anvil_impersonateAccount', from);
      await rpc(rpcUrl, 'anvil_setBalance', from, numberToHex(10n ** 18n));
      await rpc(rpcUrl, 'eth_sendTransaction', {
        from,
        to: usdc,
        gas: numberToHex(100_000),
        maxFeePerGas: numberToHex(10n ** 11n),
        maxPriorityFeePerGas: numberToHex(10n ** 10n),
        data: encodeFunctionData({
          abi: transferAbi,
          functionName: 'transfer',
          args: [chain().usdcOwner, CENT],
        }),
      });
      await mine();
      expect(await statusesOf(responses)).toEqual([200, 200, 409, 200]);
      await setAutomine(chain(), true);
      await deal(chain(), from, 5n * CENT);
      const sent = proxy().calls('eth_sendRawTransactionSync');
      const again = await present(app, payments[2] as SignedPayment);
      const { code } = (await again.json()) as { code: string };
      expect([again.status, code]).toEqual([409, 'waiting']);
      const other = await signAuthorization({
        buyer: buyers[2] as DevAccount,
        accepted: await challengeOf(app),
      });
      expect((await present(app, other)).status).toBe(503);
      expect(proxy().calls('eth_sendRawTransactionSync')).toBe(sent);
      expect((await earned(chain())) - before).toBe(4n * CENT);
    });
  });

  it('are nobody’s loss but ours when one takes all the gas: the others are answered, and then go alone', async () => {
    await onCopyOf(chain(), async () => {
      const before = await earned(chain());
      const app = appOf();
      const buyers = await Promise.all(Array.from({ length: 5 }, () => buyerOf(3n)));
      const { payments, responses } = await waiting(app, buyers);
      await mine();
      await pooled(isForMany);
      const griefer = (buyers[0] as DevAccount).address;
      // As an account that is delegated just now.
      await rpc(chain().rpcUrl, 'anvil_setCode', griefer, BURNS_GAS);
      await mine();
      expect(await statusesOf(responses)).toEqual([409, 409, 409, 409, 409]);
      await setAutomine(chain(), true);
      const others = payments.slice(1);
      await expect
        .poll(async () => new Set(await statusesOf(others.map((payment) => present(app, payment)))))
        .toEqual(new Set([200]));
      expect((await present(app, payments[0] as SignedPayment)).status).toBe(409);
      expect((await earned(chain())) - before).toBe(5n * CENT);
      // Their payers are not held for it, but who took the gas is; and nobody goes together for a while.
      const { first, responses: later } = await waiting(app, buyers.slice(1));
      await mine();
      for (let block = 0; block < 4; block += 1) {
        expect(isForMany(await pooled())).toBe(false);
        await mine();
      }
      expect(await statusesOf([first, ...later])).toEqual([200, 200, 200, 200, 200]);
    });
  });

  it('do not hold an account with code: it goes alone', async () => {
    await onCopyOf(chain(), async () => {
      const buyers = await Promise.all(Array.from({ length: 3 }, () => buyerOf()));
      // It takes every signature.
      await rpc(
        chain().rpcUrl,
        'anvil_setCode',
        (buyers[0] as DevAccount).address,
        '0x631626ba7e60e01b60005260206000f3',
      );
      const { responses } = await waiting(appOf(), buyers);
      await mine();
      const own = await pooled();
      await mine();
      const shared = await pooled();
      await mine();
      // Whose proof came first went first.
      expect([own, shared].filter(isForMany)).toHaveLength(1);
      expect(await statusesOf(responses)).toEqual([200, 200, 200]);
    });
  });

  it('are the same ones at a better price', async () => {
    await onCopyOf(chain(), async () => {
      const app = appOf({ checkMs: 50, bumpAfterMs: 1_000 });
      const { responses } = await waiting(app, await Promise.all([buyerOf(), buyerOf(), buyerOf()]));
      await mine();
      const first = await pooled(isForMany);
      const second = await pooled(({ maxFeePerGas }) => BigInt(maxFeePerGas) > BigInt(first.maxFeePerGas));
      expect(second.hash).not.toBe(first.hash);
      expect(second.input).toBe(first.input);
      await mine();
      expect(await statusesOf(responses)).toEqual([200, 200, 200]);
    });
  });

  it('go without the one that could not be remembered, which is told that nothing was sent', async () => {
    await onCopyOf(chain(), async () => {
      const memory = memoryClaims({ maxClaims: 100, now: Date.now });
      let lost = '';
      const claims: Claims = {
        ...memory,
        save: async (key, claim) =>
          key.endsWith(lost) && claim.state === 'sent' ? 'unconfirmed' : memory.save(key, claim),
      };
      lost = 'none';
      const buyers = await Promise.all([buyerOf(), buyerOf(), buyerOf()]);
      const { payments, responses } = await waiting(appOf({ claims }), buyers);
      lost = payments[1]?.payload.authorization.nonce.toLowerCase() ?? '';
      await mine();
      await pooled(isForMany);
      await mine();
      expect(await statusesOf(responses)).toEqual([200, 503, 200]);
    });
  });

  it('are all paid again when the chain goes back behind them', async () => {
    await onCopyOf(chain(), async () => {
      const before = await earned(chain());
      const app = appOf({ checkMs: 50 });
      const { first, responses } = await waiting(app, await Promise.all([buyerOf(), buyerOf(), buyerOf()]));
      await mine();
      await first;
      const past = await snapshot(chain());
      await pooled(isForMany);
      await mine();
      expect(await statusesOf(responses)).toEqual([200, 200, 200]);
      await returnTo(chain(), past);
      await setAutomine(chain(), true);
      expect(await earned(chain())).toBe(before + CENT);
      const payment = await signAuthorization({ buyer: await buyerOf(), accepted: await challengeOf(app) });
      expect((await present(app, payment)).status).toBe(200);
      await expect.poll(() => earned(chain())).toBe(before + 5n * CENT);
    });
  });

  it('are settled by the contract that is on Base', async () => {
    const code = await rpc<Hex>(chain().rpcUrl, 'eth_getCode', MULTICALL, 'latest');
    expect(keccak256(code)).toBe(MULTICALL_CODE_HASH);
  });

  it('go alone where that contract is missing', async () => {
    await onCopyOf(chain(), async () => {
      await rpc(chain().rpcUrl, 'anvil_setCode', MULTICALL, '0x');
      const { responses } = await waiting(appOf(), await Promise.all([buyerOf(), buyerOf()]));
      for (let block = 0; block < 3; block += 1) {
        expect(isForMany(await pooled())).toBe(false);
        await mine();
      }
      expect(await statusesOf(responses)).toEqual([200, 200]);
    });
  });
});
