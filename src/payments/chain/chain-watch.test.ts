import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOON, terms } from '../../../test/support/app.ts';
import { domainSeparator } from '../x402/signature.ts';
import { type ChainWatch, type ChainWatchParts, watchChain } from './chain-watch.ts';
import { type Rpc, RpcFailure, type RpcPool } from './rpc.ts';

const hex = (value: number) => `0x${value.toString(16)}`;

type Node = {
  chainId?: number;
  /** How far the date of the node's newest block is from the current time, in seconds; 0 by default. */
  ahead?: number;
  isDown?: boolean;
  /** How many of the next requests for a block the node leaves unanswered. */
  loses?: number;
  /** The node gives wrong answers. */
  isOdd?: boolean;
  isPayeeListed?: boolean;
  /** The node accepts every question but answers none. */
  isSilent?: boolean;
  feeWei?: number;
};

/** Nodes that a test describes, with the test's clock. */
function poolOf(nodes: Node[]) {
  const apart = nodes.map(() => false);
  const rpcOf = (node: Node): Rpc => {
    const rpc: Rpc = {
      async call(method, params) {
        if (node.isSilent) return new Promise<never>(() => undefined);
        if (node.isDown) throw new RpcFailure('unreached');
        if (node.isOdd) throw new RpcFailure('unclear');
        if (method === 'eth_getBlockByNumber' && node.loses) {
          node.loses -= 1;
          throw new RpcFailure('unreached');
        }
        const data = (params[0] as { data?: string } | undefined)?.data ?? '';
        const seconds = Math.floor(Date.now() / 1_000) + (node.ahead ?? 0);
        const answers: Record<string, unknown> = {
          eth_chainId: hex(node.chainId ?? terms.chainId),
          eth_getBlockByNumber: {
            number: hex(Math.floor(seconds / 2)),
            timestamp: hex(seconds),
            baseFeePerGas: hex(node.feeWei ?? 7),
          },
          eth_call: data.startsWith('0x3644')
            ? `0x${domainSeparator(terms)}`
            : hex(node.isPayeeListed ? 1 : 0).replace('0x', '0x'.padEnd(65, '0')),
        };
        return answers[method] as never;
      },
      batch: async () => [],
      onOneNode: (work) => work(rpc),
    };
    return rpc;
  };
  const used = () => rpcOf(nodes.find((_, index) => !apart[index]) ?? { isDown: true });
  const pool: RpcPool = {
    call: (method, params) => used().call(method, params),
    batch: async () => [],
    onOneNode: (work) => work(used()),
    nodes: nodes.map((node, index) => ({
      rpc: rpcOf(node),
      setAside: (isAside) => {
        apart[index] = isAside;
      },
      isAside: () => apart[index] as boolean,
    })),
  };
  return { pool, apart };
}

describe('the watch over a chain', () => {
  beforeEach(() => vi.useFakeTimers({ now: NOON }));
  afterEach(() => {
    for (const watch of watches.splice(0)) watch.stop();
    vi.useRealTimers();
  });
  const watches: ChainWatch[] = [];
  const watching = (nodes: Node[], parts: Partial<ChainWatchParts> = {}) => {
    const { pool, apart } = poolOf(nodes);
    const watch = watchChain({ rpc: pool, terms, now: Date.now, ...parts });
    watches.push(watch);
    return { watch, apart };
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  /** Waits for the first check, because the loading of modules does not use the test's clock. */
  const identified = async (watch: ChainWatch) => {
    await watch.check();
    await pass(0);
  };

  it("reports no fault for the right chain, and passes on the chain's base fee", async () => {
    const told: bigint[] = [];
    const { watch, apart } = watching([{ feeWei: 9 }]);
    watch.onBaseFee((wei) => told.push(wei));
    expect([watch.baseFeeWei(), apart]).toEqual([null, [true]]);
    await identified(watch);
    expect(await watch.refusal()).toBeNull();
    expect([watch.fault(), watch.baseFeeWei(), told, apart]).toEqual([null, 9n, [9n], [false]]);
  });

  it.each([
    ['wrong_chain', [{ chainId: 1 }]],
    ['payee_blacklisted', [{ isPayeeListed: true }]],
  ] as const)('refuses payments if it reports %s', async (fault, nodes) => {
    const { watch } = watching([...nodes]);
    expect(await watch.check()).toBe(fault);
    expect([watch.fault(), await watch.refusal()]).toEqual([fault, fault]);
  });

  it('does not use a node of another chain if there is one of the right chain', async () => {
    const { watch, apart } = watching([{ chainId: 1 }, {}]);
    expect(await watch.check()).toBeNull();
    expect(apart).toEqual([true, false]);
  });

  it('reports a chain as unreached only until one of its nodes can be reached', async () => {
    const node: Node = { isDown: true };
    const { watch } = watching([node]);
    expect(await watch.check()).toBe('chain_unreached');
    expect(await watch.refusal()).toBe('chain_unreached');
    expect(watch.fault()).toBeNull();
    node.isDown = false;
    expect(await watch.check()).toBeNull();
  });

  it('reports a chain as unclear if its nodes give no valid answer', async () => {
    const { watch } = watching([{ isOdd: true }]);
    expect(await watch.check()).toBe('chain_unclear');
    expect(watch.fault()).toBeNull();
  });

  it('makes a payment wait five seconds for a node that does not answer, and then reports the chain as unreached', async () => {
    const { watch } = watching([{ isSilent: true }]);
    let refusal: unknown = 'waiting';
    void watch.refusal().then((found) => {
      refusal = found;
    });
    await pass(4_999);
    expect(refusal).toBe('waiting');
    await pass(1);
    expect(refusal).toBe('chain_unreached');
  });

  it('checks again after five seconds, because only a second block shows the time, and then every thirty seconds', async () => {
    let looks = 0;
    const { watch } = watching([{}], { onLook: () => (looks += 1) });
    await identified(watch);
    expect(looks).toBe(1);
    await pass(4_999);
    expect(looks).toBe(1);
    await pass(1);
    expect(looks).toBe(2);
    await pass(29_999);
    expect(looks).toBe(2);
    await pass(1);
    expect(looks).toBe(3);
    watch.stop();
    await pass(60_000);
    expect(looks).toBe(3);
  });

  it('checks at once when a payment comes, but only if the last check is at least five seconds old', async () => {
    const node: Node = {};
    const { watch } = watching([node]);
    await identified(watch);
    await pass(5_000);
    node.ahead = 120;
    await pass(4_999);
    await watch.refusal();
    await pass(0);
    expect(watch.fault()).toBeNull();
    await pass(1);
    await watch.refusal();
    await pass(0);
    expect(watch.fault()).toBe('clock_off');
  });

  it('reports that no node answers until one does, but does not block payments', async () => {
    const node: Node = {};
    const { watch } = watching([node]);
    await identified(watch);
    node.isDown = true;
    await pass(5_000);
    expect([watch.silence(), watch.fault(), await watch.refusal()]).toEqual(['chain_unreached', null, null]);
    node.isDown = false;
    await pass(5_000);
    expect(watch.silence()).toBeNull();
  });

  it('reports a lost answer only if the next one is lost, too', async () => {
    const node: Node = {};
    const { watch } = watching([node]);
    await identified(watch);
    node.loses = 1;
    await pass(5_000);
    expect([node.loses, watch.silence()]).toEqual([0, null]);
    node.loses = 2;
    watch.lookSoon();
    await pass(30_000);
    expect([node.loses, watch.silence()]).toEqual([0, 'chain_unreached']);
  });

  it('checks early on request even after the clock was set back', async () => {
    let looks = 0;
    const { watch } = watching([{}], { onLook: () => (looks += 1) });
    await identified(watch);
    await pass(5_000);
    vi.setSystemTime(NOON - 3_600_000);
    watch.lookSoon();
    await pass(0);
    expect(looks).toBe(3);
  });

  it('excludes a node that is more than thirty seconds behind another until it has caught up', async () => {
    const late: Node = { ahead: -31 };
    const { watch, apart } = watching([late, {}]);
    await identified(watch);
    expect(apart).toEqual([true, false]);
    late.ahead = -30;
    // While nodes disagree, the next check comes sooner.
    await pass(5_000);
    expect(apart).toEqual([false, false]);
  });

  it('excludes a node that is more than fifteen seconds ahead of this machine if another node is not', async () => {
    const fast: Node = { ahead: 16 };
    const { watch, apart } = watching([fast, {}]);
    await identified(watch);
    expect(apart).toEqual([true, false]);
    fast.ahead = 15;
    await pass(5_000);
    expect(apart).toEqual([false, false]);
  });

  it('keeps the only node, even if it comes back with an older head', async () => {
    const node: Node = {};
    const { watch, apart } = watching([node]);
    await identified(watch);
    node.ahead = -45;
    await pass(35_000);
    expect([apart, watch.fault()]).toEqual([[false], null]);
  });

  it('compares a node with the blocks that other nodes had before they went down', async () => {
    const [good, late]: [Node, Node] = [{}, {}];
    const { watch, apart } = watching([good, late]);
    await identified(watch);
    Object.assign(good, { isDown: true });
    Object.assign(late, { ahead: -60 });
    await pass(5_000);
    expect(apart).toEqual([false, true]);
  });
});
