import type { SettlerFault } from '../failover.ts';
import type { Terms } from '../x402/requirements.ts';
import { RpcFailure, type RpcPool } from './rpc.ts';
import type { RpcBlock } from './rpc-node.ts';
import { isBlacklisted, isOurs } from './usdc.ts';

/**
 * Why payments are refused at the moment: a buyer would be charged without an answer, or the payment could not
 * complete.
 */
export type ChainFault = Extract<SettlerFault, 'wrong_chain' | 'payee_blacklisted' | 'clock_off'>;
/** Why the state of the chain is not known. */
export type ChainSilence = Extract<SettlerFault, 'chain_unreached' | 'chain_unclear'>;

export type ChainWatch = {
  /**
   * Checks the chain's identity and the payee now. Returns null if both are fine. Simultaneous calls share one check.
   */
  check(): Promise<ChainFault | ChainSilence | null>;
  /** Why new payments are refused; null if they are accepted. */
  fault(): ChainFault | null;
  /**
   * Like `fault`, but first waits a moment for the first identification of the chain, because no payment is accepted
   * before it. The service calls this for each payment, so it also starts a check if the last one is some seconds
   * old.
   */
  refusal(): Promise<ChainFault | ChainSilence | null>;
  /** Starts a check if the last one is some seconds old. */
  lookSoon(): void;
  /** Why the latest check found no newest block; null if it found one. Payments are still tried. */
  silence(): ChainSilence | null;
  /** The base fee of the newest known block, in wei; null before the first one. */
  baseFeeWei(): bigint | null;
  /** Calls the listener with the base fee of each newest block from now on. */
  onBaseFee(listener: (wei: bigint) => void): void;
  stop(): void;
};

export type ChainWatchParts = {
  readonly rpc: RpcPool;
  readonly terms: Terms;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called after each request for the newest block. */
  readonly onLook?: (() => void) | undefined;
};

const LOOK_MS = 30_000;
// The interval between checks while nodes disagree, or while only a second block can show whether new blocks have the
// current time. The excluded node may soon be the only one left.
const SOON_MS = 5_000;
// Blocks come every two seconds. Public nodes differ by a few seconds.
const LAG_SECONDS = 30;
// Clocks differ by some seconds. A node further ahead of this machine's clock is not a reference for others.
const AHEAD_SECONDS = 15;
const PATIENCE_MS = 5_000;
// A single lost answer is not a fault, so a check that fails this quickly is repeated once.
const QUICK_MS = 1_000;

/** Watches the chain behind all settlers in the background. Nodes on another chain are excluded. */
export function watchChain(parts: ChainWatchParts): ChainWatch {
  const { rpc, onLook } = parts;
  const clock = createChainClock();
  const pool: NodePool = { admitted: new Set(), apart: new Set(), newest: 0 };
  let identity: 'wrong_chain' | 'payee_blacklisted' | null = null;
  const listeners: ((wei: bigint) => void)[] = [];
  let isSeen = false;
  let isClockRight = true;
  let baseFee: bigint | null = null;
  let checking: Promise<ChainFault | ChainSilence | null> | null = null;
  let looks = 0;
  let isStopped = false;
  // A node is not used until it has proved that it is on the right chain.
  for (const node of rpc.nodes) node.setAside(true);
  let hasLooked = false;
  let isLooking = false;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let silence: ChainSilence | null = null;
  let looked = () => {};
  const firstLook = new Promise<void>((resolve) => {
    looked = resolve;
  });
  let timer = later(0);

  function later(waitMs: number): NodeJS.Timeout {
    return setTimeout(() => void look(), waitMs).unref();
  }

  /** Checks early, because buyers and health checks should not wait for the next regular check. */
  function lookSoon(): void {
    if (isStopped || isLooking || !hasLooked || Math.abs(parts.now() - lookedMs) < SOON_MS) return;
    clearTimeout(timer);
    void look();
  }

  async function look(): Promise<void> {
    isLooking = true;
    lookedMs = parts.now();
    try {
      if (!isSeen) await check();
      const newest = await newestBlock(parts, pool).catch((error: unknown) => {
        if (parts.now() - lookedMs > QUICK_MS) throw error;
        return newestBlock(parts, pool);
      });
      baseFee = BigInt(newest.block.baseFeePerGas);
      isClockRight = clock.judge(newest);
      looks += 1;
      silence = null;
      for (const listener of listeners) listener(baseFee);
    } catch (error) {
      // Until a node is identified, only a check can tell why there is no block.
      silence = isSeen ? silenceOf(error) : null;
    }
    isLooking = false;
    hasLooked = true;
    looked();
    if (isStopped) return;
    onLook?.();
    const isUnclear = looks === 1 || silence !== null || !isClockRight || !isSeen || pool.apart.size > 0;
    timer = later(isUnclear ? SOON_MS : LOOK_MS);
  }

  function check(): Promise<ChainFault | ChainSilence | null> {
    checking ??= inspect(parts, pool)
      .then((found) => {
        isSeen ||= found === null || found === 'payee_blacklisted';
        if (found === null || found === 'wrong_chain' || found === 'payee_blacklisted') identity = found;
        return found;
      })
      .finally(() => {
        checking = null;
      });
    return checking;
  }

  const fault = () => identity ?? (isClockRight ? null : 'clock_off');

  return {
    check,
    fault,
    async refusal() {
      lookSoon();
      if ((isSeen && hasLooked) || identity !== null) return fault();
      const patience = new Promise<'chain_unreached'>((resolve) => {
        setTimeout(() => resolve('chain_unreached'), PATIENCE_MS).unref();
      });
      const known = check().then(async (found) => found ?? firstLook.then(() => null));
      return (await Promise.race([known, patience])) ?? fault();
    },
    lookSoon,
    silence: () => silence,
    baseFeeWei: () => baseFee,
    onBaseFee: (listener) => void listeners.push(listener),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** The nodes on the right chain, those that disagree with the others, and the date of the newest block. */
type NodePool = { readonly admitted: Set<number>; readonly apart: Set<number>; newest: number };

/** Makes the pool use the admitted nodes that agree with each other. */
function applyPool({ rpc }: ChainWatchParts, { admitted, apart }: NodePool): void {
  for (const [index, node] of rpc.nodes.entries()) node.setAside(!admitted.has(index) || apart.has(index));
}

/**
 * The newest block that nodes agree on. A node far from it is excluded until it is near again, even while no other node
 * answers. Throws RpcFailure if no node is left.
 */
async function newestBlock(
  parts: ChainWatchParts,
  pool: NodePool,
): Promise<BlockSighting & { block: RpcBlock }> {
  const { rpc, now } = parts;
  const asked = [...pool.admitted].map(async (index) => {
    const askedMs = now();
    const block = await rpc.nodes[index]?.rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
    return block === undefined ? [] : [{ index, block, askedMs, answeredMs: now() }];
  });
  let failure: unknown = new RpcFailure('unreached');
  const answers = asked.map((look) =>
    look.catch((error: unknown) => {
      failure = error;
      return [];
    }),
  );
  const seen = (await Promise.all(answers)).flat();
  const latest = now() / 1_000 + AHEAD_SECONDS;
  // When all nodes have answered, earlier blocks do not matter.
  const before = seen.length < asked.length ? pool.newest : 0;
  const measure = measureOf(seen.map(dateOf), before, now() / 1_000);
  for (const look of seen) {
    // A single node that is ahead of this machine's clock would make the clock look wrong.
    const isAhead = measure <= latest && dateOf(look) > latest;
    if (isAhead || Math.abs(measure - dateOf(look)) > LAG_SECONDS) pool.apart.add(look.index);
    else pool.apart.delete(look.index);
  }
  applyPool(parts, pool);
  const [newest] = seen
    .filter(({ index }) => !pool.apart.has(index))
    .toSorted((a, b) => dateOf(b) - dateOf(a));
  if (newest === undefined) throw failure;
  pool.newest = measure;
  return newest;
}

/**
 * The date that nodes are compared with: the newest one that is not ahead of this machine's clock. If all are ahead,
 * this machine's clock is behind, and the newest of all counts.
 */
function measureOf(dates: readonly number[], newest: number, nowSeconds: number): number {
  const believed = dates.filter((date) => date <= nowSeconds + AHEAD_SECONDS);
  if (believed.length === 0) return Math.max(...dates);
  return Math.max(...believed, Math.min(newest, nowSeconds));
}

const dateOf = ({ block }: BlockSighting): number => Number(block.timestamp);

/**
 * Identifies every node, admits those on the right chain, and asks one of them about the payee. Returns what is
 * wrong, or null. Never throws.
 */
async function inspect(
  parts: ChainWatchParts,
  pool: NodePool,
): Promise<'wrong_chain' | 'payee_blacklisted' | ChainSilence | null> {
  const { rpc, terms } = parts;
  const { admitted } = pool;
  try {
    const seen = await Promise.all(
      rpc.nodes.map((node) => isOurs(node.rpc, terms).catch((error: unknown) => error)),
    );
    for (const [index, found] of seen.entries()) {
      if (found === true) admitted.add(index);
      if (found === false) admitted.delete(index);
    }
    applyPool(parts, pool);
    if (seen.includes(false) && !seen.includes(true)) return 'wrong_chain';
    if (!seen.includes(true)) throw seen[0];
    return (await isBlacklisted(rpc, terms.asset, terms.payTo)) ? 'payee_blacklisted' : null;
  } catch (error) {
    return silenceOf(error);
  }
}

/** Why a call has no result: no node was reached, or none gave a usable answer. */
export const silenceOf = (error: unknown): ChainSilence =>
  error instanceof RpcFailure && error.kind === 'unreached' ? 'chain_unreached' : 'chain_unclear';

/** The newest block of a node, with the time of the request and of the answer in milliseconds since the epoch. */
export type BlockSighting = {
  readonly block: Pick<RpcBlock, 'number' | 'timestamp'>;
  readonly askedMs: number;
  readonly answeredMs: number;
};

// A block is never dated ahead of its time, but clocks differ by some seconds.
const AHEAD_MS = 15_000;
const BEHIND_MS = 30_000;

/**
 * Compares the clock of this machine with the chain's. An old newest block proves nothing, since a chain may be idle.
 * The clock is wrong when a block is dated ahead of it, or when a new block is dated long before the previous
 * request, which did not return it.
 */
export function createChainClock(): { judge(look: BlockSighting): boolean } {
  let last: BlockSighting | null = null;
  let isLate = false;
  return {
    /** Whether the two clocks agree, according to this block. */
    judge(look) {
      const madeMs = Number(look.block.timestamp) * 1_000;
      if (madeMs - look.answeredMs > AHEAD_MS) return false;
      // A block older than the newest one only shows that its node lags.
      if (last !== null && madeMs < Number(last.block.timestamp) * 1_000) return !isLate;
      const isNew = last !== null && Number(look.block.number) > Number(last.block.number);
      // The clock of this machine may have been set back in the meantime.
      if (last !== null && isNew) isLate = madeMs < Math.min(last.askedMs, look.answeredMs) - BEHIND_MS;
      last = look;
      return !isLate;
    },
  };
}
