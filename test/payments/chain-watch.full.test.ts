import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { healthOf } from '../../src/health/health.ts';
import type { SettlerChoice } from '../../src/payments/facilitator/known-facilitators.ts';
import type { Settlers } from '../../src/payments/settlers/settlers.ts';
import type { TestApp } from '../support/app.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { blacklist, mine, returnTo, setBaseFee, snapshot, unBlacklist } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { ownSettlers } from './proxied.ts';

/** Makes a node report another time for its newest block than the chain has, both in seconds. */
async function redate(node: RpcProxy, chainUrl: string, to: (seconds: number) => number): Promise<void> {
  const block = await ask<{ timestamp: string }>(chainUrl, 'eth_getBlockByNumber', 'latest', false);
  const timestamp = `0x${to(Number(block.timestamp)).toString(16)}`;
  node.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
}

describe('the chain behind the settlers', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let settlers: Settlers;
  let app: TestApp;
  let before: bigint;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    before = await earned(chain());
  });
  const stop = async () => {
    settlers.stop();
    await proxy.stop();
  };
  afterEach(stop);
  const onCopy = (work: () => Promise<void>) => onCopyOf(chain(), work, stop);

  function start({ rpcUrls = [proxy.url], ...parts }: Parameters<typeof ownSettlers>[2] = {}): void {
    settlers = ownSettlers(chain(), rpcUrls, parts);
    app = chainApp(chain(), { settlement: settlers.settlement });
  }

  const buy = async () => {
    const accepted = await challengeOf(app);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    return (await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) })).status;
  };
  const reason = () => settlers.health()[0]?.reason;
  const until = (isSo: () => unknown, is: unknown) => expect.poll(isSo, { interval: 25 }).toBe(is);
  /** Expects that a payment is rejected before anything is claimed or sent. */
  const expectRefused = async () => {
    expect([await buy(), app.claims.size(), (await earned(chain())) - before]).toEqual([503, 0, 0n]);
    expect(proxy.calls('eth_sendRawTransactionSync')).toBe(0);
  };

  it('is checked before the first payment is accepted', async () => {
    start();
    expect(await buy()).toBe(200);
    expect(reason()).toBeNull();
  });

  it('does not accept payments until a node has answered, and one answer is enough', async () => {
    proxy.fail('*', 'error');
    start();
    await expectRefused();
    proxy.heal();
    expect(await buy()).toBe(200);
  });

  it.each<[string, () => void]>([
    ['the chain is another one', () => proxy.fail('eth_chainId', 'lie', { result: '0x1' })],
    ['the address of the asset has no code', () => proxy.fail('eth_call', 'lie', { result: '0x' })],
    ['another contract is there', () => proxy.fail('eth_call', 'lie', { result: `0x${'00'.repeat(32)}` })],
  ])('does not accept payments if %s', async (_name, lie) => {
    lie();
    start();
    await expectRefused();
    expect(reason()).toBe('wrong_chain');
    proxy.heal();
    await until(reason, null);
    expect(await buy()).toBe(200);
  });

  it('does not send payments to a facilitator while the nodes are on another chain', async () => {
    let posts = 0;
    const facilitator = createServer((request, response) => {
      if (request.method === 'POST') posts += 1;
      response.end(JSON.stringify({ kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] }));
    });
    const url = await opened(facilitator);
    proxy.fail('eth_chainId', 'lie', { result: '0x1' });
    start({ choices: [{ kind: 'facilitator', url }] });
    await expectRefused();
    expect([posts, reason()]).toEqual([0, 'wrong_chain']);
    await stopped(facilitator);
  });

  it('is not read from a node on another chain, which is asked only for its identity', async () => {
    const other = await startRpcProxy(chain().rpcUrl);
    other.fail('eth_chainId', 'lie', { result: '0x1' });
    start({ rpcUrls: [other.url, proxy.url] });
    expect([await buy(), reason()]).toEqual([200, null]);
    proxy.fail('*', 'dead');
    expect(await buy()).toBe(503);
    expect(other.calls() - other.calls('eth_chainId')).toBe(0);
    await other.stop();
  });

  it('does not accept payments to a payee that the asset has blacklisted', async () => {
    await onCopy(async () => {
      await blacklist(chain(), chain().payee);
      start();
      await expectRefused();
      expect(reason()).toBe('payee_blacklisted');
      await unBlacklist(chain(), chain().payee);
      await until(reason, null);
      expect(await buy()).toBe(200);
    });
  });

  it.each([
    [100_000_000n, true],
    [4_000_000_000n, undefined],
  ])(
    'reports with a base fee of %d wei that gas is too expensive, for some products: %s',
    async (wei, isPartial) => {
      await setBaseFee(chain(), wei);
      await mine(chain());
      start();
      await until(reason, 'gas_too_dear');
      expect(settlers.health()[0]?.isPartial).toBe(isPartial);
      // A letter for a cent must not cost that much gas.
      await expectRefused();
      for (let count = 0; count < 5; count += 1) await buy();
      expect(reason()).toBe('gas_too_dear');
      await setBaseFee(chain(), 5_000_000n);
      await mine(chain());
      await until(reason, null);
    },
  );

  it.each([
    [10_000_000n, 30_000_000_000_000n],
    [5_000_000n, 20_000_000_000_000n],
  ])(
    'is unavailable with a base fee of %d wei as soon as the %d wei for an hour are spent',
    async (baseFee, budget) => {
      await setBaseFee(chain(), baseFee);
      await mine(chain());
      start({ gasBudgetWeiPerHour: budget });
      const well = { isDraining: false, hasChainEnded: false, isPayeeShared: false };
      const facts = { ...well, redis: null, lowBalanceSettlers: new Set<string>() };
      const told = () => healthOf({ ...facts, settlers: settlers.health() }).payments;
      let status = 200;
      for (let sold = 0; sold < 60 && status === 200; sold += 1) {
        await setBaseFee(chain(), baseFee);
        status = await buy();
        expect(status === 200 ? 'ok' : told()).toBe(status === 200 ? 'ok' : 'unavailable');
      }
      expect([status, reason()]).toEqual([503, 'gas_budget_spent']);
    },
  );

  it('is not read from a lagging node until the node has caught up', async () => {
    const late = await startRpcProxy(chain().rpcUrl);
    await redate(late, chain().rpcUrl, (seconds) => seconds - 90);
    start({ rpcUrls: [late.url, proxy.url] });
    expect([await buy(), reason()]).toEqual([200, null]);
    expect(late.calls('eth_sendRawTransactionSync')).toBe(0);
    late.heal();
    await expect
      .poll(async () => (await buy()) === 200 && late.calls('eth_sendRawTransactionSync') > 0)
      .toBe(true);
    await late.stop();
  });

  it('is not read from a node whose blocks are dated in the future, but from another node', async () => {
    const ahead = await startRpcProxy(chain().rpcUrl);
    await redate(ahead, chain().rpcUrl, () => Math.floor(Date.now() / 1_000) + 90);
    start({ rpcUrls: [ahead.url, proxy.url] });
    expect([await buy(), reason()]).toEqual([200, null]);
    expect(ahead.calls('eth_sendRawTransactionSync')).toBe(0);
    await ahead.stop();
  });

  it('is asked once for the code of an account, however many settlers and nodes there are', async () => {
    const other = await startRpcProxy(chain().rpcUrl);
    const facilitator = { kind: 'facilitator', url: 'http://127.0.0.1:9' } as SettlerChoice;
    start({ choices: [{ kind: 'local' }, facilitator, facilitator], rpcUrls: [proxy.url, other.url] });
    expect(await buy()).toBe(200);
    const calls = () => proxy.calls('eth_call') + other.calls('eth_call');
    const accepted = await challengeOf(app);
    const from = '0x000000000000000000000000000000000000f102';
    const forge = async () => {
      const payment = await signAuthorization({
        buyer: chain().buyers[0] as DevAccount,
        accepted,
        authorization: { from },
        signature: `0x${'5a'.repeat(70)}`,
      });
      const present = () => app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
      const before = calls();
      return { statuses: [(await present()).status, (await present()).status], calls: calls() - before };
    };
    await ask(chain().rpcUrl, 'anvil_setCode', from, '0xfe');
    expect(await forge()).toEqual({ statuses: [402, 402], calls: 1 });
    // If a node answers with an unknown error, every node is tried.
    const reply = { status: 200, code: -32000, message: 'the machine has stopped' };
    for (const node of [proxy, other]) node.fail('eth_call', 'declines', { reply });
    expect(await forge()).toEqual({ statuses: [503, 503], calls: 2 });
    for (let times = 0; times < 3; times += 1) await forge();
    // The code of a stranger's account cannot discredit the nodes by what it returns.
    for (const node of [proxy, other]) node.heal();
    proxy.resetCalls();
    expect(await buy()).toBe(200);
    expect(proxy.calls('eth_sendRawTransactionSync')).toBe(1);
    await other.stop();
  });

  it('does not accept new payments while the relayer is stuck, and continues afterward', {
    timeout: 300_000,
  }, async () => {
    await onCopy(async () => {
      start();
      const past = await snapshot(chain());
      expect(await buy()).toBe(200);
      await returnTo(chain(), past);
      for (const method of ['eth_sendRawTransactionSync', 'eth_sendRawTransaction'])
        proxy.fail(method, 'dead');
      const waiting = buy();
      await until(reason, 'relayer_stuck');
      proxy.resetCalls();
      expect(await buy()).toBe(503);
      expect(proxy.calls('eth_sendRawTransactionSync')).toBe(0);
      proxy.heal();
      await until(reason, null);
      expect([await waiting, await buy()]).toEqual([200, 200]);
    });
  });
});
