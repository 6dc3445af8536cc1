import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import type { SignedTransaction } from '../../src/payments/local/account.ts';
import { createRelayer, type Relayer, type RelayerParts } from '../../src/payments/local/relayer.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import type { TestApp } from '../support/app.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { mine, returnTo, setAutomine, setBaseFee, snapshot } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { call } from './self-call.ts';

const CENT = 10_000n;

describe('the relayer', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let relayer: Relayer;
  let app: TestApp;

  const make = (options: Partial<RelayerParts> = {}) =>
    createRelayer({
      key: chain().relayerKey,
      chainId: 8453,
      rpc: rpcOver([proxy.url]),
      now: Date.now,
      maxFeePerGasWei: 10n ** 12n,
      checkMs: 30,
      resendAfterMs: 60,
      bumpAfterMs: 200,
      ...options,
    });
  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    relayer = make();
    app = chainApp(chain(), { rpcUrl: proxy.url, checkMs: 50, patienceMs: 10_000 });
  });
  const stop = async () => {
    relayer.stop();
    await proxy.stop();
  };
  afterEach(stop);
  const onCopy = (work: () => Promise<void>) => onCopyOf(chain(), work, stop);

  const buy = async (name: string): Promise<number> => {
    const accepted = await challengeOf(app);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    return (await app.get(noticePath(name), { 'payment-signature': paymentHeader(payment) })).status;
  };
  const count = async () =>
    Number(await ask<string>(chain().rpcUrl, 'eth_getTransactionCount', relayer.address, 'latest'));
  const until = (isSo: () => Promise<unknown>, is: unknown) => expect.poll(isSo, { interval: 25 }).toBe(is);
  const send = (raw: Hex) => ask<Hex>(chain().rpcUrl, 'eth_sendRawTransaction', raw);

  it('recovers by itself from a chain that drops its transactions, which are sent again and settle', async () => {
    await onCopy(async () => {
      const before = await earned(chain());
      const past = await snapshot(chain());
      for (const name of ['A', 'B', 'C']) expect(await buy(name)).toBe(200);
      await returnTo(chain(), past);
      expect(await earned(chain())).toBe(before);
      expect(await buy('D')).toBe(200);
      expect((await earned(chain())) - before).toBe(4n * CENT);
    });
  });

  it.each([
    ['too high', 5],
    ['too low', -2],
  ])('recovers by itself from a transaction count that is %s', async (_name, wrongBy) => {
    expect([await buy('A'), await buy('B')]).toEqual([200, 200]);
    app = chainApp(chain(), { rpcUrl: proxy.url, checkMs: 50, patienceMs: 10_000 });
    const before = await earned(chain());
    const lie = `0x${((await count()) + wrongBy).toString(16)}`;
    proxy.fail('eth_getTransactionCount', 'lie', { result: lie, times: 1 });
    expect([await buy('C'), await buy('D')]).toEqual([200, 200]);
    expect((await earned(chain())) - before).toBe(2n * CENT);
  });

  it.each([-1, '0x'])(
    'recovers by itself from a transaction count that is not a number: %j',
    async (result) => {
      proxy.fail('eth_getTransactionCount', 'lie', { result });
      expect(await buy('A')).toBe(503);
      proxy.heal();
      expect(await buy('A')).toBe(200);
    },
  );

  it.each([{ status: '0x0' }, null])(
    'recovers by itself from a receipt that is not a receipt: %j',
    async (result) => {
      const before = await earned(chain());
      proxy.fail('eth_sendRawTransactionSync', 'lie', { result, times: 1 });
      // The lie replaced the send, so the same bytes must be sent again.
      expect([await buy('A'), await buy('B')]).toEqual([200, 200]);
      expect((await earned(chain())) - before).toBe(2n * CENT);
    },
  );

  it('trusts a receipt only if it is of a transaction that the relayer signed for the nonce', async () => {
    const start = await count();
    await relayer.sign(call, async (signed) => signed.nonce);
    relayer.saw({ status: '0x0' });
    relayer.saw(await foreignReceipt());
    await until(count, start + 1);
  });

  /** On a chain that mines at once, returns the receipt of a transaction a moment after the send. */
  async function receiptOf(hash: Hex | undefined): Promise<unknown> {
    let receipt: unknown = null;
    const look = async () => {
      receipt = await ask(chain().rpcUrl, 'eth_getTransactionReceipt', hash);
      return receipt !== null;
    };
    await until(look, true);
    return receipt;
  }

  async function foreignReceipt(): Promise<unknown> {
    const block = await ask<{ transactions: Hex[] }>(chain().rpcUrl, 'eth_getBlockByNumber', '0x1', false);
    return ask(chain().rpcUrl, 'eth_getTransactionReceipt', block.transactions[0]);
  }

  it('is reported as stuck for as long as the chain lacks its transactions', async () => {
    await onCopy(async () => {
      const past = await snapshot(chain());
      const signed = await relayer.sign(call, async (made) => ({ ...made, sent: await send(made.raw) }));
      relayer.saw(await receiptOf(signed?.hash));
      // The fault is set before the chain is reset, so that the transaction cannot be sent again in between.
      proxy.fail('eth_sendRawTransaction', 'dead');
      await returnTo(chain(), past);
      await relayer.sign(call, async ({ nonce }) => nonce);
      await until(async () => relayer.fault(), 'relayer_stuck');
      for (let look = 0; look < 40; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        expect(relayer.fault()).toBe('relayer_stuck');
      }
      proxy.heal();
      await until(async () => relayer.fault(), null);
      await until(count, (signed?.nonce as number) + 2);
    });
  });

  it('is reported as stuck after eight seconds in which a node had room for none of its transactions', async () => {
    await onCopy(async () => {
      relayer.stop();
      let aheadMs = 0;
      relayer = make({ now: () => Date.now() + aheadMs, bumpAfterMs: 10_000_000 });
      const refuse = async (signed: SignedTransaction) => signed;
      const reply = { status: 200, code: -32003, message: 'txpool is full' };
      await setAutomine(chain(), false);
      const first = await relayer.sign(call, async (signed) => ({ ...signed, sent: await send(signed.raw) }));
      proxy.fail('eth_sendRawTransaction', 'declines', { reply });
      const second = await relayer.sign(call, refuse);
      relayer.rejected(second as SignedTransaction, 'no_room');
      // The first transaction waits at the node, so the node lacks room only for further transactions.
      aheadMs = 9_000;
      expect(relayer.fault()).toBe(null);
      await mine(chain());
      relayer.saw(await receiptOf(first?.hash));
      expect(relayer.fault()).toBe(null);
      aheadMs = 18_000;
      expect(relayer.fault()).toBe('relayer_stuck');
      proxy.heal();
      await until(async () => relayer.fault(), null);
      await setAutomine(chain(), true);
    });
  });

  it('is stuck only as long as one of its transactions is, whenever the relayer learns the result', async () => {
    await onCopy(async () => {
      relayer.stop();
      let aheadMs = 0;
      relayer = make({ now: () => Date.now() + aheadMs, checkMs: 300, bumpAfterMs: 10_000_000 });
      const sent = async (signed: SignedTransaction) => ({ ...signed, sent: await send(signed.raw) });
      const end = async (signed: SignedTransaction | null) => relayer.saw(await receiptOf(signed?.hash));
      await setAutomine(chain(), false);
      const first = await relayer.sign(call, sent);
      aheadMs = 70_000;
      await until(async () => relayer.fault(), 'relayer_stuck');
      await mine(chain());
      await end(first);
      await setAutomine(chain(), true);
      const told = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const next = await relayer.sign(call, sent);
        told.push(relayer.fault());
        await end(next);
      }
      expect(told).toEqual([null, null, null]);
    });
  });

  it('recovers by itself from a count that is far too high, even if all pending transactions exceed the hourly budget by then', async () => {
    await onCopy(async () => {
      const start = await count();
      const worst = (await relayer.fees(call)).maxFeePerGas * call.gas;
      relayer.stop();
      relayer = make({ gasBudgetWeiPerHour: 4n * 3n * worst, bumpAfterMs: 1 });
      const lie = `0x${(start + 100_000).toString(16)}`;
      proxy.fail('eth_getTransactionCount', 'lie', { result: lie, times: 1 });
      for (let made = 0; made < 3; made += 1) await relayer.sign(call, async ({ hash }) => hash);
      await until(count, start + 3);
    });
  });

  it('recognizes its own transactions, however many are mined at once', async () => {
    relayer.stop();
    relayer = make({ bumpAfterMs: 10_000_000 });
    proxy.fail('eth_sendRawTransaction', 'dead');
    const paying = { ...call, data: '0x01', gas: 30_000n } as const;
    const start = await count();
    const hashes = [];
    for (let made = 0; made < 600; made += 1)
      hashes.push(await relayer.sign(paying, async ({ hash }) => hash));
    const [first] = hashes as Hex[];
    proxy.fail('eth_getTransactionCount', 'lie', { result: `0x${(start + 600).toString(16)}` });
    await until(async () => relayer.isPending(first as Hex), false);
    expect(relayer.versionsOf(first as Hex)).toEqual([first]);
    relayer.stop();
  });

  it("recovers by itself from a price that is too high for a cheap sale: an empty transaction with less gas replaces that sale's", async () => {
    await onCopy(async () => {
      const start = await count();
      await setBaseFee(chain(), 5_000_000n);
      await mine(chain());
      await setAutomine(chain(), false);
      const cheap = { ...call, data: '0x01', gas: 160_000n, ceilingWei: 160_000n * 12_000_000n } as const;
      const first = await relayer.sign(cheap, async ({ raw }) => send(raw));
      await relayer.sign({ ...call, gas: 160_000n }, async ({ raw }) => send(raw));
      await setBaseFee(chain(), 20_000_000n);
      await mine(chain());
      await until(async () => {
        await setBaseFee(chain(), 20_000_000n);
        await mine(chain());
        return count();
      }, start + 2);
      expect(await ask(chain().rpcUrl, 'eth_getTransactionReceipt', first)).toBeNull();
      expect(relayer.isPending(first as Hex)).toBe(false);
      await setAutomine(chain(), true);
    });
    await setBaseFee(chain(), 5_000_000n);
  });

  it('sends at most sixteen transactions at a time, while signing does not wait for them', async () => {
    await onCopy(async () => {
      // The replies are slow, so that no round ends before all forty are ready to be sent again.
      proxy.fail('eth_getTransactionCount', 'slow', { delayMs: 2_500, times: 2 });
      proxy.fail('eth_sendRawTransaction', 'slow', { until: new Promise(() => {}) });
      for (let made = 0; made < 40; made += 1) await relayer.sign(call, async ({ hash }) => hash);
      await until(async () => proxy.calls('eth_sendRawTransaction'), 16);
      await relayer.sign(call, async ({ hash }) => hash);
      // All are signed before any of the sixteen has been answered.
      expect([proxy.answered('eth_sendRawTransaction'), proxy.calls('eth_sendRawTransaction')]).toEqual([
        0, 16,
      ]);
      relayer.stop();
    });
  });
});
