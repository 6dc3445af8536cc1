import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import type { Hex } from '../x402/payment.ts';
import {
  ended,
  forgotten,
  noteVersions,
  type Outstanding,
  type RelayerAccount,
  type SignedVersion,
  sentOf,
  worstOf,
} from './relayer-account.ts';
import { MAX_FEE_PER_GAS_WEI } from './relayer-funds.ts';
import { emptyCall, isMissing, recover, type Signing } from './relayer-recovery.ts';

export type ResenderParts = RelayerAccount &
  Signing & {
    readonly rpc: Rpc;
    readonly address: Hex;
    readonly now: () => number;
    /** Whether the key may be used now. */
    readonly mayUse: () => boolean;
    /** How often pending transactions are checked, and when they are sent again or at a higher price. */
    readonly checkMs?: number | undefined;
    readonly resendAfterMs?: number | undefined;
    readonly bumpAfterMs?: number | undefined;
  };

export type Resender = {
  /** Checks pending transactions for as long as there are any; signing never waits for it. */
  begin(): void;
  /** Whether sent transactions are not being mined. */
  isStuck(): boolean;
  stop(): void;
};

const CHECK_MS = 2_000;
const RESEND_AFTER_MS = 4_000;
const BUMP_AFTER_MS = 15_000;
const MAX_VERSIONS = 12;
const TRANSFER_GAS = 21_000n;
// A round sends this many at most, and requests as many receipts.
const MOST_A_ROUND = 16;
// Rounds in a row in which the chain expects a nonce that counts as spent: a node may lag for some seconds.
const ROUNDS_BEHIND = 3;
const STUCK_MS = 60_000;

/**
 * Gets pending transactions mined: sends the same bytes again, later the same call at a higher price, an empty
 * transaction into a gap that blocks later ones, and again what the chain has lost.
 */
export function createResender(parts: ResenderParts): Resender {
  const { rpc, address, now, outstanding, nonces, checkMs = CHECK_MS } = parts;
  let behind = 0;
  // The lowest pending nonce when the chain last expected one below it, until the chain has come so far; once that has
  // ended, it says nothing any more.
  let stopped: number | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;

  async function round(): Promise<void> {
    const count = Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'latest']));
    await endBelow(parts, count);
    const [first] = sentOf(parts);
    const lowest = first?.[0] ?? count;
    behind = isMissing(parts, count, lowest) ? behind + 1 : 0;
    if (behind >= ROUNDS_BEHIND) {
      await recover(parts, { count, lowest, at: now() - sendAgainMs(parts) - 1 });
      // All of them may have been signed with other nonces.
      stopped = outstanding.has(lowest) ? lowest : null;
    } else if (count >= (stopped ?? 0)) stopped = null;
    const waiting = sentOf(parts).slice(0, MOST_A_ROUND);
    await Promise.all(waiting.map(([nonce, entry]) => push(parts, nonce, entry)));
    const last = Math.max(-1, ...outstanding.keys());
    const gaps = nonces.gaps().filter((gap) => gap < last);
    for (const gap of gaps.slice(0, MOST_A_ROUND)) await fill(parts, gap);
  }

  const isDone = () => outstanding.size === 0 && nonces.gaps().length === 0;
  // What was sent a moment ago is most likely on its way.
  const isDue = () =>
    nonces.gaps().length > 0 || [...outstanding.values()].some(({ at }) => now() - at >= checkMs);

  function begin(): void {
    if (isStopped || timer !== null || isDone()) return;
    const turn = async () => {
      // A failed round is simply tried again.
      if (isDue() && parts.mayUse()) await round().catch(() => undefined);
      timer = null;
      begin();
    };
    timer = setTimeout(() => void turn(), checkMs).unref();
  }

  return {
    begin,
    isStuck: () =>
      (stopped !== null && outstanding.has(stopped)) ||
      [...outstanding.values()].some(({ at, isSent }) => isSent && now() - at > STUCK_MS),
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

const sendAgainMs = ({ resendAfterMs = RESEND_AFTER_MS }: ResenderParts): number => resendAfterMs;

/** Ends everything below the chain's count; the cost is looked up for some of it. */
async function endBelow(parts: ResenderParts, count: number): Promise<void> {
  const over = sentOf(parts).filter(([nonce]) => nonce < count);
  const ask = async ({ versions }: Outstanding) => {
    for (const { hash } of versions.toReversed().slice(0, 2)) {
      const receipt = await parts.rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
      if (receipt !== null) return receipt;
    }
    return null;
  };
  const some = over.slice(0, MOST_A_ROUND).map(([, entry]) => ask(entry).catch(() => null));
  const receipts = await Promise.all(some);
  for (const [index, [nonce]] of over.entries()) ended(parts, nonce, receipts[index] ?? null);
  parts.nonces.spendBelow(count);
}

async function push(parts: ResenderParts, nonce: number, entry: Outstanding): Promise<void> {
  const { now, outstanding, ledger, signCall, bumpAfterMs = BUMP_AFTER_MS } = parts;
  const { versions, at } = entry;
  const age = now() - at;
  const mayReplace = age > bumpAfterMs * versions.length && versions.length < MAX_VERSIONS;
  const better = mayReplace ? await replacement(parts, entry) : null;
  // It may have ended in the meantime.
  if (outstanding.get(nonce) !== entry) return;
  if (better === null) {
    if (age <= sendAgainMs(parts)) return;
    entry.isResent = true;
    await resend(parts, (versions.at(-1) as SignedVersion).raw);
    return;
  }
  const fresh = await signCall(better.call, nonce, better.fees);
  if (outstanding.get(nonce) !== entry) return;
  ledger.reserve(nonce, worstOf(parts, better), entry.call.payer);
  noteVersions(parts, [...versions, fresh]);
  outstanding.set(nonce, { ...entry, ...better, versions: [...versions, fresh], isResent: true });
  await resend(parts, fresh.raw);
}

/** The same call at a higher price; beyond its ceiling, an empty call with the same nonce for less gas. */
async function replacement(
  { gas, address }: ResenderParts,
  { call, fees }: Outstanding,
): Promise<Pick<Outstanding, 'call' | 'fees'> | null> {
  const better = await gas.bumped(fees, call);
  if (better !== null) return { call, fees: better };
  if (call.gas <= TRANSFER_GAS || (await gas.isEnough(fees).catch(() => true))) return null;
  // A transaction that is too cheap to be mined blocks all later ones.
  const nothing = {
    ...emptyCall(address, TRANSFER_GAS, TRANSFER_GAS * MAX_FEE_PER_GAS_WEI),
    onEnd: call.onEnd,
  };
  const dearer = await gas.bumped(fees, nothing);
  return dearer === null ? null : { call: nothing, fees: dearer };
}

async function fill(parts: ResenderParts, gap: number): Promise<void> {
  const { nonces, slots, gas, ledger, outstanding, address, now } = parts;
  // The next signature takes the lowest nonce, and no place is left for more.
  if (slots.isOneComing()) return;
  const call = emptyCall(address, TRANSFER_GAS, TRANSFER_GAS * MAX_FEE_PER_GAS_WEI);
  const fees = await gas.fees(call);
  // Free nonces are taken lowest first: this is the gap unless it was closed, or a lower one appeared, since.
  if (nonces.gaps()[0] !== gap) return;
  const nonce = nonces.take();
  ledger.reserve(nonce, worstOf(parts, { call, fees }), undefined);
  const first = await parts.signCall(call, nonce, fees).catch((error) => {
    forgotten(parts, nonce, 'free');
    throw error;
  });
  outstanding.set(nonce, { call, fees, versions: [first], at: now(), isSent: true });
  await resend(parts, first.raw);
}

async function resend({ rpc }: ResenderParts, raw: Hex): Promise<void> {
  try {
    await rpc.call('eth_sendRawTransaction', [raw], { sends: true });
  } catch (error) {
    // Known, mined, or not reachable now: the next round finds out.
    if (!(error instanceof RpcFailure)) throw error;
  }
}
