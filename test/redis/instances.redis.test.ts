import type { PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { Saved } from '../../src/exchange/claims/claims.ts';
import { receiptSigner } from '../../src/payments/x402/receipt-signer.ts';
import { BASE_URL } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { type RedisServer, redisMissing, startRedis } from '../support/redis.ts';
import { everythingIn, type Instance, instanceOn } from './instances.ts';

const CENT = 10_000n;

describe.skipIf(redisMissing)('two instances on one Redis', () => {
  const chain = sharedChain();
  let server: RedisServer;
  let a: Instance;
  let b: Instance;
  let accepted: PaymentRequirements;

  beforeAll(async () => {
    server = await startRedis();
    // Long enough that the instance that comes second still gets the result, even on a busy machine.
    const claimParts = { patienceMs: 30_000 };
    a = await instanceOn(chain(), server, { claimParts });
    // A typical deployment: each instance has its own relayer key.
    const relayerKey = (chain().buyers[8] as DevAccount).privateKey;
    b = await instanceOn({ ...chain(), relayerKey }, server, { claimParts });
    accepted = await challengeOf(a);
  });
  afterAll(async () => {
    a.close();
    b.close();
    await server.stop();
  });

  const sign = (options: Partial<Parameters<typeof signAuthorization>[0]> = {}) =>
    signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted, ...options });
  const present = (at: Instance, payment: SignedPayment, name?: string, key?: string) =>
    at.get(noticePath(name), {
      'payment-signature': paymentHeader(payment),
      ...(key && { 'idempotency-key': key }),
    });
  const gained = async (work: () => Promise<void>): Promise<bigint> => {
    const before = await earned(chain());
    await work();
    return (await earned(chain())) - before;
  };

  it('settle a payment once if it arrives at both at the same moment, and give the same answer', async () => {
    for (let round = 0; round < 10; round += 1) {
      const gain = await gained(async () => {
        const payment = await sign();
        const [first, second] = await Promise.all([present(a, payment), present(b, payment)]);
        expect([first.status, second.status]).toEqual([200, 200]);
        expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
        expect(await second.text()).toBe(await first.text());
      });
      expect(gain).toBe(CENT);
    }
  });

  it('sign the same receipt for one purchase, even with different clocks', async () => {
    const receipts = await receiptSigner({ seed: Buffer.alloc(32, 7), retired: [], baseUrl: BASE_URL });
    const early = await instanceOn(chain(), server, { receipts });
    const late = await instanceOn(chain(), server, { receipts, now: () => Date.now() + 20_000 });
    const payment = await sign();
    const first = await present(early, payment);
    const second = await present(late, payment);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(headerJson(first, 'payment-response')).toHaveProperty('extensions.offer-receipt');
    expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    early.close();
    late.close();
  });

  it('let only one request win if both get the same payment for different requests at once', async () => {
    const gain = await gained(async () => {
      const payment = await sign();
      const ends = await Promise.all([present(a, payment, 'One'), present(b, payment, 'Other')]);
      expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
    });
    expect(gain).toBe(CENT);
  });

  it('return the same answer and receipt from an instance that was started later', async () => {
    const gain = await gained(async () => {
      const payment = await sign();
      const first = await present(a, payment);
      expect(first.status).toBe(200);
      const restarted = await instanceOn(chain(), server);
      const again = await present(restarted, payment);
      expect(again.status).toBe(200);
      expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
      expect(await again.text()).toBe(await first.text());
      restarted.close();
    });
    expect(gain).toBe(CENT);
  });

  it('share idempotency keys', async () => {
    const gain = await gained(async () => {
      const first = await present(a, await sign(), 'Acme', 'name-across-instances');
      const second = await present(b, await sign(), 'Acme', 'name-across-instances');
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
      const other = await present(b, await sign(), 'Other', 'name-across-instances');
      expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' });
    });
    expect(gain).toBe(CENT);
  });

  it('charge once if two signatures with one idempotency key arrive at both at once', async () => {
    const gain = await gained(async () => {
      const payments = [await sign(), await sign()] as const;
      await Promise.all([
        present(a, payments[0], 'Acme', 'race-across-instances'),
        present(b, payments[1], 'Acme', 'race-across-instances'),
      ]);
      for (const payment of payments)
        expect((await present(a, payment, 'Acme', 'race-across-instances')).status).toBe(200);
    });
    expect(gain).toBe(CENT);
  });

  it('take over a purchase after its lease if its instance crashed before it sent anything', async () => {
    // Long enough that the heir asks before the lease is over, even on a busy machine.
    const claimParts = { leaseMs: 3_000, patienceMs: 0 };
    let died = () => {};
    const death = new Promise<void>((resolve) => {
      died = resolve;
    });
    const dying = await instanceOn(chain(), server, {
      claimParts,
      around: (claims) => ({
        ...claims,
        // The instance stops here, between its claim and its first send.
        save: () => {
          died();
          return new Promise(() => {});
        },
      }),
    });
    const heir = await instanceOn(chain(), server, { claimParts });
    const gain = await gained(async () => {
      const payment = await sign();
      void present(dying, payment);
      await death;
      dying.close();
      const early = await present(heir, payment);
      expect(await early.json()).toMatchObject({ code: 'waiting' });
      await expect.poll(async () => (await present(heir, payment)).status).toBe(200);
    });
    expect(gain).toBe(CENT);
    heir.close();
  });

  it('send nothing from a slow instance after another has taken over', async () => {
    const claimParts = { leaseMs: 200, patienceMs: 0 };
    let [goOn, claimed] = [() => {}, () => {}];
    const allowed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const isClaimed = new Promise<void>((resolve) => {
      claimed = resolve;
    });
    const saved: Saved[] = [];
    const slow = await instanceOn(chain(), server, {
      claimParts,
      around: (claims) => ({
        ...claims,
        save: async (key, claim) => {
          claimed();
          await allowed;
          saved.push(await claims.save(key, claim));
          return saved.at(-1) as Saved;
        },
      }),
    });
    const heir = await instanceOn(chain(), server, { claimParts });
    const gain = await gained(async () => {
      const payment = await sign();
      const first = present(slow, payment, 'One');
      await isClaimed;
      await expect.poll(async () => (await present(heir, payment, 'Other')).status).toBe(200);
      goOn();
      expect((await first).status).toBe(503);
      expect(saved).toEqual(['conflict']);
      expect((await present(slow, payment, 'One')).status).toBe(409);
    });
    expect(gain).toBe(CENT);
    slow.close();
    heir.close();
  });

  it('store no caller input in Redis', async () => {
    const [client, key] = ['Planted-Client-4711', 'planted-idempotency-key-4711'];
    const payment = await sign();
    const paid = await a.get(noticePath(client), {
      'payment-signature': paymentHeader(payment),
      'idempotency-key': key,
      'x-forwarded-for': '203.0.113.77',
      'user-agent': 'Planted-Agent-4711',
    });
    expect(paid.status).toBe(200);
    await b.get(`/v1/late-fee?amount=1250&due_date=2026-09-01`, { 'user-agent': 'Planted-Agent-4711' });
    const dump = await everythingIn(server);
    const { signature, authorization } = payment.payload;
    expect(dump.toLowerCase()).toContain(authorization.nonce.toLowerCase());
    const planted = [client, key, signature.slice(2), 'Planted-Agent', '203.0.113.77', '2026-09-01'];
    for (const text of planted) expect(dump.toLowerCase()).not.toContain(text.toLowerCase());
    expect(headerJson<{ success: boolean }>(paid, 'payment-response')?.success).toBe(true);
  });

  it('let every key expire, except the one that records since when claims are complete', async () => {
    const keys = (await server.command('KEYS', '*')) as string[];
    const lasting = [];
    for (const key of keys) if ((await server.command('TTL', key)) === -1) lasting.push(key);
    expect(lasting).toEqual(['{paid}:complete']);
    expect(keys.length).toBeGreaterThan(10);
  });
});
