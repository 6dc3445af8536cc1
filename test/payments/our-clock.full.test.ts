import { afterEach, describe, expect, it } from 'vitest';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { type ChainWatch, watchChain } from '../../src/payments/chain/chain-watch.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import type { Terms } from '../../src/payments/x402/requirements.ts';
import { terms } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { mine } from '../support/chain-actions.ts';
import { redate } from '../support/redate.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';

describe('the clock of this machine', () => {
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

  it.each([130, 600, -600, -20])(
    'is reported if it is %d s ahead of an active chain',
    async (aheadSeconds) => {
      await ask(chain().rpcUrl, 'evm_setIntervalMining', 1);
      look(aheadSeconds);
      await expect.poll(() => watch.fault()).toBe('clock_off');
      expect(await watch.refusal()).toBe('clock_off');
    },
  );

  it('is judged as right with one active node, even if another is a minute and a half behind', async () => {
    await ask(chain().rpcUrl, 'evm_setIntervalMining', 1);
    const late = await startRpcProxy(chain().rpcUrl);
    const fallBehind = () => redate(late, chain().rpcUrl, (seconds) => seconds - 90);
    await fallBehind();
    looks = 0;
    look(0, [late.url, chain().rpcUrl]);
    const told: unknown[] = [];
    for (let seen = 0; seen < 8; seen += 1) {
      const before = looks;
      await fallBehind();
      await expect.poll(() => looks, { interval: 20 }).toBeGreaterThan(before);
      told.push(watch.fault());
    }
    expect(told).toEqual(Array(8).fill(null));
    await late.stop();
  });

  it('is not judged by a node that lags while the other is down', async () => {
    const late = await startRpcProxy(chain().rpcUrl);
    const good = await startRpcProxy(chain().rpcUrl);
    await redate(late, chain().rpcUrl, (seconds) => seconds - 90);
    looks = 0;
    look(0, [late.url, good.url]);
    await expect.poll(() => looks).toBeGreaterThan(0);
    good.fail('eth_getBlockByNumber', 'declines', { reply: { status: 503, code: -32000, message: 'busy' } });
    const asked = late.calls('eth_chainId');
    const since = looks;
    await expect.poll(() => looks).toBeGreaterThan(since + 2);
    expect(watch.fault()).toBeNull();
    await expect(pool.call('eth_chainId', [])).resolves.toBeDefined();
    expect(late.calls('eth_chainId')).toBe(asked);
    await Promise.all([late.stop(), good.stop()]);
  });

  it.each([10, 18, 25, 29, 40])(
    'is judged as right with one good node, even if another is %d s ahead',
    async (by) => {
      await ask(chain().rpcUrl, 'evm_setIntervalMining', 1);
      const ahead = await startRpcProxy(chain().rpcUrl);
      const lie = () => redate(ahead, chain().rpcUrl, () => Math.floor(Date.now() / 1_000) + by);
      await lie();
      looks = 0;
      look(0, [chain().rpcUrl, ahead.url]);
      const told: unknown[] = [];
      for (let seen = 0; seen < 4; seen += 1) {
        const before = looks;
        await lie();
        await expect.poll(() => looks, { interval: 20 }).toBeGreaterThan(before);
        told.push(watch.fault());
      }
      expect(told).toEqual(Array(4).fill(null));
      await ahead.stop();
    },
  );

  it('is judged as right with the only node, even if the node comes back with an older head', async () => {
    const node = await startRpcProxy(chain().rpcUrl);
    const block = await ask<Record<string, Hex>>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    looks = 0;
    look(0, [node.url]);
    await expect.poll(() => looks).toBeGreaterThan(1);
    const timestamp = `0x${(Number(block.timestamp) - 45).toString(16)}`;
    node.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 1);
    await expect(pool.call('eth_chainId', [])).resolves.toBeDefined();
    await node.stop();
  });

  it("raises no alarm with an idle chain, or with the chain's next block", async () => {
    look(0);
    expect(await watch.refusal()).toBeNull();
    const lookedAgain = async (times: number) => {
      const seen = looks;
      await expect.poll(() => looks).toBeGreaterThanOrEqual(seen + times);
    };
    await lookedAgain(3);
    expect(watch.fault()).toBeNull();
    await mine(chain());
    await lookedAgain(2);
    expect(watch.fault()).toBeNull();
  });
});
