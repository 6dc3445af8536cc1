import type { Rpc } from '../payments/chain/rpc.ts';
import { type IncomingTransfer, incomingTransfers, type Payee } from '../payments/chain/usdc.ts';
import type { Hex } from '../payments/x402/payment.ts';
import { claimKey } from '../payments/x402/requirements.ts';
import type { Claims } from './claims/claims.ts';

/** Watches for another seller with the same payee: a payment to that seller could buy an answer here as well. */
export type PayeeWatch = {
  /** Whether a payment to the payee that was never presented here was found within the last hour. */
  isShared(): boolean;
  stop(): void;
};

export type PayeeWatchParts = {
  /** Resolves to the nodes; null if there is none. */
  readonly rpc: () => Promise<Rpc | null>;
  /** `network` as CAIP-2. */
  readonly payee: Payee & { readonly network: string };
  readonly claims: Pick<Claims, 'find' | 'completeSince'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called at most once an hour with the latest such transaction and their number since the last call. */
  readonly onShared: (transaction: Hex, count: number) => void;
  readonly firstMs?: number;
  readonly everyMs?: number;
};

/** The latest block at a certain time. */
type Sight = { readonly block: number; readonly ms: number };

const FIRST_MS = 10_000;
const EVERY_MS = 300_000;
const TOLD_MS = 3_600_000;
/** The largest range of blocks that public nodes answer in one reply. */
const MOST_BLOCKS = 9_000;
// To detect another seller, one sale is enough.
const LIMITS = { most: 500, fewestBlocks: 500 };

/**
 * Every five minutes, checks the blocks that existed at the previous check. Buyers had at least five minutes to present
 * the payments in them here. The first check only records the block to begin at. A failed check is repeated with the
 * next check, and blocks from before a loss of claims are not reported. The watch never stops a payment, because a
 * stranger can trigger it by sending money.
 */
export function watchPayee(parts: PayeeWatchParts): PayeeWatch {
  const { now, firstMs = FIRST_MS, everyMs = EVERY_MS } = parts;
  let seen: Sight = { block: Number.NaN, ms: Number.NaN };
  let head = seen;
  let foundMs = Number.NEGATIVE_INFINITY;
  let toldMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const rpc = await parts.rpc();
    if (rpc === null) return;
    const latest: Sight = { block: Number(await rpc.call<Hex>('eth_blockNumber', [])), ms: now() };
    const last = Math.min(head.block, latest.block);
    const first = Math.max(seen.block + 1, last - MOST_BLOCKS + 1);
    if (first <= last && (await isComplete(parts.claims, seen.ms))) {
      const foreign = await unclaimedPayments(
        await incomingTransfers(rpc, parts.payee, { first, last }, LIMITS),
        parts,
      );
      tell(foreign);
    }
    if (Number.isNaN(seen.block)) seen = latest;
    else if (last >= seen.block) seen = { block: last, ms: last === head.block ? head.ms : seen.ms };
    head = latest;
  }

  function tell(foreign: readonly IncomingTransfer[]): void {
    const latest = foreign.at(-1);
    if (latest === undefined) return;
    foundMs = now();
    if (foundMs - toldMs < TOLD_MS) return;
    toldMs = foundMs;
    parts.onShared(latest.transaction, foreign.length);
  }

  async function round(): Promise<void> {
    await look().catch(() => undefined);
    if (!isStopped) timer = later(everyMs);
  }

  const later = (afterMs: number) => setTimeout(() => void round(), afterMs).unref();
  let isStopped = false;
  let timer = later(firstMs);
  return {
    isShared: () => now() - foundMs < TOLD_MS,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Whether every claim since then is still known. Throws if that cannot be determined. */
async function isComplete(claims: Pick<Claims, 'completeSince'>, sinceMs: number): Promise<boolean> {
  const complete = await claims.completeSince();
  if (complete === null) throw new Error('The claims cannot be read');
  return complete * 1000 <= sinceMs;
}

/** The payments for which no claim was ever opened here. Throws if that cannot be determined. */
async function unclaimedPayments(
  incoming: readonly IncomingTransfer[],
  { claims, payee }: PayeeWatchParts,
): Promise<readonly IncomingTransfer[]> {
  const foreign: IncomingTransfer[] = [];
  for (const payment of incoming) {
    const { from, nonce } = payment;
    if (nonce === null) continue;
    const found = await claims.find(claimKey(payee, { from, nonce }));
    if (found.kind === 'down') throw new Error('The claims cannot be read');
    if (found.kind === 'absent') foreign.push(payment);
  }
  return foreign;
}
