import type { RpcBlock } from './rpc-shapes.ts';

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
