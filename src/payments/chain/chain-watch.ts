import type { SettlerFault } from '../settler-watch.ts';
import type { Terms } from '../x402/requirements.ts';
import { createChainClock, type Look } from './chain-clock.ts';
import { RpcFailure, type RpcPool } from './rpc.ts';
import type { RpcBlock } from './rpc-shapes.ts';

/** What keeps payments from being taken for as long as it stands: they would be charged for nothing, or never end. */
export type ChainFault = Extract<SettlerFault, 'wrong_chain' | 'payee_blacklisted' | 'clock_off'>;
/** Why the chain could not be looked at. */
export type ChainSilence = Extract<SettlerFault, 'chain_unreached' | 'chain_unclear'>;

export type ChainWatch = {
  /** Looks at the chain's identity and the payee now; null when all is well. Calls at the same time share one look. */
  check(): Promise<ChainFault | ChainSilence | null>;
  /** What stands against new payments. */
  fault(): ChainFault | null;
  /** As `fault`, but while the chain was never seen to be ours it waits for that a little: unseen it takes none. */
  refusal(): Promise<ChainFault | ChainSilence | null>;
  /** The base fee that was seen last, in wei; null before. */
  baseFeeWei(): bigint | null;
  stop(): void;
};

export type ChainWatchParts = {
  readonly rpc: RpcPool;
  readonly terms: Terms;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called after each look at the newest block. */
  readonly onLook?: (() => void) | undefined;
  /** Called with the base fee that was seen. */
  readonly onBaseFee?: ((wei: bigint) => void) | undefined;
  readonly lookMs?: number;
  readonly soonMs?: number;
};

const LOOK_MS = 30_000;
// A second look tells what one cannot: whether a block that is new since carries a time of now. While nodes differ,
// a node that is left out may soon be the only one left.
const SOON_MS = 5_000;
// Blocks come every two seconds; public nodes are some seconds apart.
const LAG_SECONDS = 30;
// Clocks differ by some seconds; a node further ahead of our clock than another is not the measure for the others.
const AHEAD_SECONDS = 15;
const PATIENCE_MS = 5_000;

/** Watches the chain behind all settlers in the background. Nodes that are not of our chain are set aside. */
export function watchChain(parts: ChainWatchParts): ChainWatch {
  const { rpc, onLook, lookMs = LOOK_MS, soonMs = SOON_MS } = parts;
  const clock = createChainClock();
  const standing: Standing = { admitted: new Set(), apart: new Set(), newest: 0 };
  let identity: 'wrong_chain' | 'payee_blacklisted' | null = null;
  let isSeen = false;
  let isClockRight = true;
  let baseFee: bigint | null = null;
  let checking: Promise<ChainFault | ChainSilence | null> | null = null;
  let looks = 0;
  let isStopped = false;
  // Until a node has shown that it is of our chain, nothing that it says counts.
  for (const node of rpc.nodes) node.setAside(true);
  let hasLooked = false;
  let looked = () => {};
  const firstLook = new Promise<void>((resolve) => {
    looked = resolve;
  });
  let timer = later(0);

  function later(waitMs: number): NodeJS.Timeout {
    return setTimeout(() => void look(), waitMs).unref();
  }

  async function look(): Promise<void> {
    try {
      if (!isSeen) await check();
      const newest = await newestBlock(parts, standing);
      baseFee = BigInt(newest.block.baseFeePerGas);
      isClockRight = clock.judge(newest);
      looks += 1;
      parts.onBaseFee?.(baseFee);
    } catch {
      // The caller that needs the chain reports that it is away.
    }
    hasLooked = true;
    looked();
    if (isStopped) return;
    onLook?.();
    timer = later(looks === 1 || !isClockRight || !isSeen || standing.apart.size > 0 ? soonMs : lookMs);
  }

  function check(): Promise<ChainFault | ChainSilence | null> {
    checking ??= inspect(parts, standing)
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
      if ((isSeen && hasLooked) || identity !== null) return fault();
      const patience = new Promise<'chain_unreached'>((resolve) => {
        setTimeout(() => resolve('chain_unreached'), PATIENCE_MS).unref();
      });
      const known = check().then(async (found) => found ?? firstLook.then(() => null));
      return (await Promise.race([known, patience])) ?? fault();
    },
    baseFeeWei: () => baseFee,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Which nodes have shown to be of our chain, which of them are far from the others, and the newest block's date. */
type Standing = { readonly admitted: Set<number>; readonly apart: Set<number>; newest: number };

/** Asks those nodes that are of our chain and up with the others. */
function applyStanding({ rpc }: ChainWatchParts, { admitted, apart }: Standing): void {
  for (const [index, node] of rpc.nodes.entries()) node.setAside(!admitted.has(index) || apart.has(index));
}

/**
 * The newest block that nodes agree on; a node far from it is set aside until it is near again, also while no
 * other node answers. Throws RpcFailure when no node is left.
 */
async function newestBlock(parts: ChainWatchParts, standing: Standing): Promise<Look & { block: RpcBlock }> {
  const { rpc, now } = parts;
  const asked = [...standing.admitted].map(async (index) => {
    const askedMs = now();
    const block = await rpc.nodes[index]?.rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
    return block === undefined ? [] : [{ index, block, askedMs, answeredMs: now() }];
  });
  const seen = (await Promise.all(asked.map((look) => look.catch(() => [])))).flat();
  const latest = now() / 1_000 + AHEAD_SECONDS;
  // Where all have answered, what they say is the newest there is.
  const before = seen.length < asked.length ? standing.newest : 0;
  const measure = measureOf(seen.map(dateOf), before, now() / 1_000);
  for (const look of seen) {
    // Ahead of our clock beside others that are not, it would make our clock look wrong.
    const isAhead = measure <= latest && dateOf(look) > latest;
    if (isAhead || Math.abs(measure - dateOf(look)) > LAG_SECONDS) standing.apart.add(look.index);
    else standing.apart.delete(look.index);
  }
  applyStanding(parts, standing);
  const [newest] = seen
    .filter(({ index }) => !standing.apart.has(index))
    .toSorted((a, b) => dateOf(b) - dateOf(a));
  if (newest === undefined) throw new RpcFailure('unreached');
  standing.newest = measure;
  return newest;
}

/**
 * By which nodes are measured: the newest block of all that were seen, of those that are ahead of our clock only where
 * all are, for then it is our clock that is behind.
 */
function measureOf(dates: readonly number[], newest: number, nowSeconds: number): number {
  const believed = dates.filter((date) => date <= nowSeconds + AHEAD_SECONDS);
  if (believed.length === 0) return Math.max(...dates);
  return Math.max(...believed, Math.min(newest, nowSeconds));
}

const dateOf = ({ block }: Look): number => Number(block.timestamp);

/** Asks every node who it is, lets those in that are of our chain, and one of them for the payee. Never throws. */
async function inspect(
  parts: ChainWatchParts,
  standing: Standing,
): Promise<'wrong_chain' | 'payee_blacklisted' | ChainSilence | null> {
  const { rpc, terms } = parts;
  const { admitted } = standing;
  try {
    const { isBlacklisted, isOurs } = await import('./usdc-identity.ts');
    const seen = await Promise.all(
      rpc.nodes.map((node) => isOurs(node.rpc, terms).catch((error: unknown) => error)),
    );
    for (const [index, found] of seen.entries()) {
      if (found === true) admitted.add(index);
      if (found === false) admitted.delete(index);
    }
    applyStanding(parts, standing);
    if (seen.includes(false) && !seen.includes(true)) return 'wrong_chain';
    if (!seen.includes(true)) throw seen[0];
    return (await isBlacklisted(rpc, terms.asset, terms.payTo)) ? 'payee_blacklisted' : null;
  } catch (error) {
    // Away, or answering in a shape it should not have.
    return error instanceof RpcFailure && error.kind === 'unreached' ? 'chain_unreached' : 'chain_unclear';
  }
}
