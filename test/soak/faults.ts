import { rpc } from '../../src/devnet/chain-rpc.ts';
import { mine, pause as pauseAsset, setAutomine, unpause } from '../support/chain-actions.ts';
import type { RpcProxy } from '../support/rpc-proxy.ts';
import type { Gate } from './gate.ts';
import type { Signal } from './instance.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A temporary failure. */
type Fault = (stage: Stage, random: Random) => Promise<void>;
export type Stage = {
  readonly world: World;
  /** Held by tasks that must not meet a Redis restart. */
  readonly memory: Gate;
  /** Held by tasks that need a chain that makes blocks. */
  readonly blocks: Gate;
};

const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));
const SENDS = ['eth_sendRawTransactionSync', 'eth_sendRawTransaction'] as const;
const EVERY = ['*'] as const;
const RECEIPTS = ['eth_sendRawTransactionSync', 'eth_getTransactionReceipt', 'eth_getLogs'] as const;

type FaultOf = [Parameters<RpcProxy['fail']>[1], Parameters<RpcProxy['fail']>[2]?];

/** A fault of all nodes of one instance or of both. */
const node =
  (methods: readonly string[], ...[kind, options]: FaultOf): Fault =>
  async ({ world }, random) => {
    const struck = random.chance(0.3) ? world.nodes.flat() : random.pick(world.nodes);
    for (const proxy of struck) for (const method of methods) proxy.fail(method, kind, options);
    await wait(random.whole(200, 2_500));
    for (const proxy of struck) for (const method of methods) proxy.heal(method);
  };

const REFUSALS = [
  { status: 429, code: 429, message: 'too many requests' },
  { status: 200, code: -32005, message: 'limit exceeded' },
  { status: 200, code: -32603, message: 'internal error' },
  { status: 401, code: -32000, message: 'must be authenticated' },
] as const;

/** The first of two nodes answers every call with the same error. */
const declining: Fault = async ({ world }, random) => {
  const struck = world.nodes.flatMap(([front, second]) => (front && second ? [front] : []));
  const reply = random.pick(REFUSALS);
  for (const proxy of struck) proxy.fail('*', 'declines', { reply });
  await wait(random.whole(200, 2_500));
  for (const proxy of struck) proxy.heal('*');
};

/** Stops the chain's blocks for a while; transactions in the pool may be forgotten. */
const late =
  (isForgotten: boolean): Fault =>
  async ({ world: { chain }, blocks }, random) => {
    const open = await blocks.close();
    await setAutomine(chain, false);
    await wait(random.whole(200, 4_000));
    if (isForgotten) await rpc(chain.rpcUrl, 'anvil_dropAllTransactions');
    await setAutomine(chain, true);
    await mine(chain);
    open();
  };

const restarted =
  (signal: Signal): Fault =>
  ({ world }, random) =>
    random.pick(world.instances).restart(signal, random.whole(0, 400));

// A payment that was used before a restart of Redis, but never presented before it, is not honored: two seconds of
// margin, plus the time in which both instances notice the restart.
export const MEMORY_SETTLES_MS = 6_000;

/** Every fault, by name; kills are planned separately. */
export const faults: Readonly<Record<string, Fault>> = {
  'reply to a broadcast lost': node(SENDS, 'drop-reply', { chance: 0.6 }),
  'broadcast lost': node(SENDS, 'dead', { chance: 0.6 }),
  'node dead': node(EVERY, 'dead'),
  'node slow': node(EVERY, 'slow', { chance: 0.4, delayMs: 700 }),
  'replies lost': node(EVERY, 'drop-reply', { chance: 0.3 }),
  'receipts and logs missing': node(RECEIPTS, 'no-receipt'),
  'receipt of another transaction': node(RECEIPTS.slice(0, 2), 'wrong-receipt', { chance: 0.7 }),
  'no synchronous broadcast': node(SENDS.slice(0, 1), 'unsupported'),
  'no JSON': node(EVERY, 'non-json', { chance: 0.3 }),
  'too many requests (429)': node(EVERY, 'too-many', { chance: 0.3 }),
  'node refuses with an error': node(EVERY, 'error', { chance: 0.3 }),
  'first of two nodes declines': declining,
  'mined late': late(false),
  'pool forgotten': late(true),
  'asset paused': async ({ world: { chain }, blocks }, random) => {
    const open = await blocks.close();
    await pauseAsset(chain);
    await wait(random.whole(100, 800));
    await unpause(chain);
    open();
  },
  'Redis restarted, append-only file': async ({ world: { redis }, memory }, random) => {
    const open = await memory.close();
    await redis.kill();
    await wait(random.whole(50, 1_000));
    await redis.start();
    await wait(MEMORY_SETTLES_MS);
    open();
  },
  'Redis frozen': async ({ world: { redis } }, random) => {
    redis.freeze();
    await wait(random.whole(100, 2_000));
    redis.thaw();
  },
};

export const kills: Readonly<Record<Signal, Fault>> = {
  SIGKILL: restarted('SIGKILL'),
  SIGTERM: restarted('SIGTERM'),
};
