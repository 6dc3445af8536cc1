import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { healthOf } from '../../src/health/health.ts';
import { type ChainWatch, watchChain } from '../../src/payments/chain/chain-watch.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import { type SettlerChoice, type Settlers, settlersOf } from '../../src/payments/settlers/settlers.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import type { Terms } from '../../src/payments/x402/requirements.ts';
import { type TestApp, terms } from '../support/app.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { blacklist, mine, returnTo, setBaseFee, snapshot, unBlacklist } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

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
  afterEach(async () => {
    settlers.stop();
    await proxy.stop();
  });

  function start({
    choices = [{ kind: 'local' }] as SettlerChoice[],
    rpcUrls = [proxy.url],
    ours = {} as Partial<Terms>,
    gasBudgetWeiPerHour = 2n * 10n ** 16n,
  } = {}): void {
    const sold = { ...terms, payTo: chain().payee, ...ours };
    settlers = settlersOf(choices, {
      rpcUrls,
      keys: [chain().relayerKey],
      cdpApiKey: null,
      terms: sold,
      prices: { cheapest: '10000', dearest: '500000' },
      gasWeiPerCent: 10n ** 13n,
      gasBudgetWeiPerHour,
      confirmations: 0,
      now: Date.now,
    });
    app = chainApp(chain(), { settlement: settlers.settlement });
  }

  const buy = async () => {
    const accepted = await challengeOf(app);
    const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
    return (await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) })).status;
  };
  const reason = () => settlers.health()[0]?.reason;
  const until = (isSo: () => unknown, is: unknown, timeout = 10_000) =>
    expect.poll(isSo, { timeout, interval: 25 }).toBe(is);
  /** A payment is refused before anything is claimed or sent. */
  const expectRefused = async () => {
    expect([await buy(), app.claims.size(), (await earned(chain())) - before]).toEqual([503, 0, 0n]);
    expect(proxy.calls('eth_sendRawTransactionSync')).toBe(0);
  };

  it('is looked at before the first payment is taken', async () => {
    start();
    expect(await buy()).toBe(200);
    expect(reason()).toBeNull();
  });

  it('takes no payment while it was never seen, and the same node’s next answer is enough', async () => {
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
  ])('takes no payment where %s', async (_name, lie) => {
    lie();
    start();
    await expectRefused();
    expect(reason()).toBe('wrong_chain');
    proxy.heal();
    await until(reason, null);
    expect(await buy()).toBe(200);
  });

  it('hands a payment to no facilitator while the nodes are of another chain', async () => {
    let posts = 0;
    const facilitator = createServer((request, response) => {
      if (request.method === 'POST') posts += 1;
      response.end(JSON.stringify({ kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] }));
    });
    await new Promise<void>((resolve) => facilitator.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(facilitator.address() as AddressInfo).port}`;
    proxy.fail('eth_chainId', 'lie', { result: '0x1' });
    start({ choices: [{ kind: 'facilitator', url }] });
    await expectRefused();
    expect([posts, reason()]).toEqual([0, 'wrong_chain']);
    facilitator.close();
  });

  it('never asks a node of another chain for anything but who it is', async () => {
    const other = await startRpcProxy(chain().rpcUrl);
    other.fail('eth_chainId', 'lie', { result: '0x1' });
    start({ rpcUrls: [other.url, proxy.url] });
    expect([await buy(), reason()]).toEqual([200, null]);
    proxy.fail('*', 'dead');
    expect(await buy()).toBe(503);
    expect(other.calls() - other.calls('eth_chainId')).toBe(0);
    await other.stop();
  });

  it('takes no payment to a payee that the asset has blacklisted', async () => {
    await onCopyOf(chain(), async () => {
      await blacklist(chain(), chain().payee);
      start();
      await expectRefused();
      expect(reason()).toBe('payee_blacklisted');
      await unBlacklist(chain(), chain().payee);
      await until(reason, null);
      expect(await buy()).toBe(200);
      settlers.stop();
    });
  });

  it.each([
    [100_000_000n, true],
    [4_000_000_000n, undefined],
  ])('with a base fee of %d wei says that gas is too dear, for some products: %s', async (wei, isPartial) => {
    await setBaseFee(chain(), wei);
    await mine(chain());
    start();
    await until(reason, 'gas_too_dear');
    expect(settlers.health()[0]?.isPartial).toBe(isPartial);
    // A letter of a cent may not cost that much.
    await expectRefused();
    for (let count = 0; count < 5; count += 1) await buy();
    expect(reason()).toBe('gas_too_dear');
    await setBaseFee(chain(), 5_000_000n);
    await mine(chain());
    await until(reason, null);
  });

  it.each([
    [10_000_000n, 30_000_000_000_000n],
    [5_000_000n, 20_000_000_000_000n],
  ])(
    'with a base fee of %d wei is unavailable as soon as an hour’s %d wei are spent',
    async (baseFee, budget) => {
      await setBaseFee(chain(), baseFee);
      await mine(chain());
      start({ gasBudgetWeiPerHour: budget });
      const facts = {
        isDraining: false,
        redis: null,
        hasChainEnded: false,
        lowBalanceSettlers: new Set<string>(),
      };
      const told = () =>
        healthOf({ ...facts, isPayeeShared: false, areRatesEnding: false, settlers: settlers.health() })
          .payments;
      let status = 200;
      for (let sold = 0; sold < 60 && status === 200; sold += 1) {
        await setBaseFee(chain(), baseFee);
        status = await buy();
        expect(status === 200 ? 'ok' : told()).toBe(status === 200 ? 'ok' : 'unavailable');
      }
      expect([status, reason()]).toEqual([503, 'gas_budget_spent']);
    },
  );

  it('asks a node that is behind the others for nothing, until it is not', async () => {
    const late = await startRpcProxy(chain().rpcUrl);
    const old = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    const timestamp = `0x${(Number(old.timestamp) - 90).toString(16)}`;
    late.fail('eth_getBlockByNumber', 'lie', { result: { ...old, timestamp } });
    start({ rpcUrls: [late.url, proxy.url] });
    expect([await buy(), reason()]).toEqual([200, null]);
    expect(late.calls('eth_sendRawTransactionSync')).toBe(0);
    late.heal();
    await expect
      .poll(async () => (await buy()) === 200 && late.calls('eth_sendRawTransactionSync') > 0, {
        timeout: 15_000,
      })
      .toBe(true);
    await late.stop();
  });

  it('asks a node that is dated ahead for nothing, and another one goes on', async () => {
    const ahead = await startRpcProxy(chain().rpcUrl);
    const block = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    const timestamp = `0x${(Math.floor(Date.now() / 1_000) + 90).toString(16)}`;
    ahead.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
    start({ rpcUrls: [ahead.url, proxy.url] });
    expect([await buy(), reason()]).toEqual([200, null]);
    expect(ahead.calls('eth_sendRawTransactionSync')).toBe(0);
    await ahead.stop();
  });

  it('asks an account with code once, however many settlers and nodes there are', async () => {
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
    // In words that no node uses, it is each node that is asked.
    const reply = { status: 200, code: -32000, message: 'the machine has stopped' };
    for (const node of [proxy, other]) node.fail('eth_call', 'declines', { reply });
    expect(await forge()).toEqual({ statuses: [503, 503], calls: 2 });
    for (let times = 0; times < 3; times += 1) await forge();
    // What a stranger's code makes of a call says nothing against the nodes.
    for (const node of [proxy, other]) node.heal();
    proxy.resetCalls();
    expect(await buy()).toBe(200);
    expect(proxy.calls('eth_sendRawTransactionSync')).toBe(1);
    await other.stop();
  });

  it('takes no new payment while the relayer is stuck, and then goes on', { timeout: 60_000 }, async () => {
    await onCopyOf(chain(), async () => {
      start();
      const past = await snapshot(chain());
      expect(await buy()).toBe(200);
      await returnTo(chain(), past);
      for (const method of ['eth_sendRawTransactionSync', 'eth_sendRawTransaction'])
        proxy.fail(method, 'dead');
      const waiting = buy();
      await until(reason, 'relayer_stuck', 20_000);
      proxy.resetCalls();
      expect(await buy()).toBe(503);
      expect(proxy.calls('eth_sendRawTransactionSync')).toBe(0);
      proxy.heal();
      await until(reason, null, 20_000);
      expect([await waiting, await buy()]).toEqual([200, 200]);
      settlers.stop();
    });
  });
});

describe('our clock', () => {
  const chain = sharedChain();
  let pool: ReturnType<typeof rpcOver>;
  let watch: ChainWatch;
  let looks = 0;
  afterEach(async () => {
    watch.stop();
    await ask(chain().rpcUrl, 'evm_setIntervalMining', 0);
    await ask(chain().rpcUrl, 'evm_setAutomine', true);
  });

  const look = (aheadSeconds: number, nodes = [chain().rpcUrl]) => {
    const sold: Terms = { ...terms, payTo: chain().payee as Hex };
    const now = () => Date.now() + aheadSeconds * 1_000;
    const onLook = () => {
      looks += 1;
    };
    pool = rpcOver(nodes);
    watch = watchChain({ rpc: pool, terms: sold, now, onLook, lookMs: 300, soonMs: 300 });
  };

  it.each([130, 600, -600, -20])('that is %d s ahead of a living chain is seen', async (aheadSeconds) => {
    await ask(chain().rpcUrl, 'evm_setIntervalMining', 1);
    look(aheadSeconds);
    await expect.poll(() => watch.fault(), { timeout: 10_000 }).toBe('clock_off');
    expect(await watch.refusal()).toBe('clock_off');
  });

  it('is right beside a living node, whatever one says that is a minute and a half behind', async () => {
    await ask(chain().rpcUrl, 'evm_setIntervalMining', 1);
    const late = await startRpcProxy(chain().rpcUrl);
    const fallBehind = async () => {
      const block = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
      const timestamp = `0x${(Number(block.timestamp) - 90).toString(16)}`;
      late.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
    };
    await fallBehind();
    looks = 0;
    look(0, [late.url, chain().rpcUrl]);
    const told: unknown[] = [];
    for (let seen = 0; seen < 8; seen += 1) {
      const before = looks;
      await fallBehind();
      await expect.poll(() => looks, { timeout: 10_000, interval: 20 }).toBeGreaterThan(before);
      told.push(watch.fault());
    }
    expect(told).toEqual(Array(8).fill(null));
    await late.stop();
  });

  it('is not told by a node that is behind while the other is away', async () => {
    const late = await startRpcProxy(chain().rpcUrl);
    const good = await startRpcProxy(chain().rpcUrl);
    const block = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    const timestamp = `0x${(Number(block.timestamp) - 90).toString(16)}`;
    late.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
    looks = 0;
    look(0, [late.url, good.url]);
    await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(0);
    good.fail('eth_getBlockByNumber', 'declines', { reply: { status: 503, code: -32000, message: 'busy' } });
    const asked = late.calls('eth_chainId');
    const since = looks;
    await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(since + 2);
    expect(watch.fault()).toBeNull();
    await expect(pool.call('eth_chainId', [])).resolves.toBeDefined();
    expect(late.calls('eth_chainId')).toBe(asked);
    await Promise.all([late.stop(), good.stop()]);
  });

  it.each([10, 18, 25, 29, 40])(
    'is right beside a good node, whatever one says that is %d s ahead',
    async (by) => {
      await ask(chain().rpcUrl, 'evm_setIntervalMining', 1);
      const ahead = await startRpcProxy(chain().rpcUrl);
      const lie = async () => {
        const block = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
        const timestamp = `0x${(Math.floor(Date.now() / 1_000) + by).toString(16)}`;
        ahead.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
      };
      await lie();
      looks = 0;
      look(0, [chain().rpcUrl, ahead.url]);
      const told: unknown[] = [];
      for (let seen = 0; seen < 4; seen += 1) {
        const before = looks;
        await lie();
        await expect.poll(() => looks, { timeout: 10_000, interval: 20 }).toBeGreaterThan(before);
        told.push(watch.fault());
      }
      expect(told).toEqual(Array(4).fill(null));
      await ahead.stop();
    },
  );

  it('goes on with the only node there is, also when it comes back with an older head', async () => {
    const node = await startRpcProxy(chain().rpcUrl);
    const block = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    looks = 0;
    look(0, [node.url]);
    await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(1);
    const timestamp = `0x${(Number(block.timestamp) - 45).toString(16)}`;
    node.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
    const before = looks;
    await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(before + 1);
    await expect(pool.call('eth_chainId', [])).resolves.toBeDefined();
    await node.stop();
  });

  it('raises no alarm beside an idle chain, nor with its next block', async () => {
    look(0);
    expect(await watch.refusal()).toBeNull();
    const lookedAgain = async (times: number) => {
      const seen = looks;
      await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThanOrEqual(seen + times);
    };
    await lookedAgain(3);
    expect(watch.fault()).toBeNull();
    await mine(chain());
    await lookedAgain(2);
    expect(watch.fault()).toBeNull();
  });
});
