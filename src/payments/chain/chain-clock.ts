import type { RpcBlock } from './rpc-shapes.ts';

/** A look at the newest block: when it was asked for and answered, in milliseconds since the epoch. */
export type Look = {
  readonly block: Pick<RpcBlock, 'number' | 'timestamp'>;
  readonly askedMs: number;
  readonly answeredMs: number;
};

// A block is never made ahead of its time, but clocks differ by some seconds.
const AHEAD_MS = 15_000;
const BEHIND_MS = 30_000;

/**
 * Compares our clock with the chain's. A chain may be idle: that its newest block is old says nothing. A block ahead
 * of our clock does, and so does a new one that is dated long before we last looked and did not see it.
 */
export function createChainClock(): { judge(look: Look): boolean } {
  let last: Look | null = null;
  let isLate = false;
  return {
    /** Whether the two clocks agree, as far as this look shows. */
    judge(look) {
      const madeMs = Number(look.block.timestamp) * 1_000;
      if (madeMs - look.answeredMs > AHEAD_MS) return false;
      // Of a block from before the newest one that was seen, only its node's lag is known.
      if (last !== null && madeMs < Number(last.block.timestamp) * 1_000) return !isLate;
      const isNew = last !== null && Number(look.block.number) > Number(last.block.number);
      // Our own clock may have been set back meanwhile.
      if (last !== null && isNew) isLate = madeMs < Math.min(last.askedMs, look.answeredMs) - BEHIND_MS;
      last = look;
      return !isLate;
    },
  };
}
