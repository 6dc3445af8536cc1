import type { Verdict, Witness } from '../chain/chain-witness.ts';
import { poll } from '../chain/poll.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import { type End, type Handover, isFinal, notSent, type Order, unknown } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Rejection, Reply } from './broadcast.ts';
import type { Call, Relayer, SignedTransaction } from './relayer.ts';
import { KeyNotHeld } from './relayer-term.ts';

/** The transaction failed on the chain, and its authorization may still be good. */
export type Reverted = { readonly state: 'reverted'; readonly hash: Hex };

export type SubmissionParts = {
  readonly rpc: Rpc;
  readonly relayer: Relayer;
  readonly witness: Witness;
  readonly broadcast: (signed: SignedTransaction) => Promise<Reply>;
  /** Remembers what is about to be sent. */
  readonly keep: (signed: SignedTransaction) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** Total time that a buyer waits before the answer is "waiting". */
  readonly patienceMs: number;
};

/** An order that is being sent, with the handover that can stop it. */
export type PendingOrder = {
  readonly order: Order;
  readonly handover: Handover;
  /** When it arrived, by `performance.now()`. */
  readonly sinceMs: number;
  reject(error: unknown): void;
};

/** The result of sending: it may be out, with its receipt where that is known, or it cannot be mined. */
type Arrival = { readonly kind: 'out'; readonly receipt: RpcReceipt | null } | { readonly kind: Rejection };
export type HandedOver = { readonly hash: Hex; readonly arrival: Promise<Arrival> };

// Two blocks.
export const LEAST_LEFT_MS = 4_000;
const POLL_MS = 200;

/** Waits for the end of what was sent; `not taken` when it cannot be mined and may be sent again. */
export async function followed(
  { witness, patienceMs }: SubmissionParts,
  { order, sinceMs }: PendingOrder,
  { hash, arrival }: HandedOver,
): Promise<End | Reverted | 'not taken'> {
  const seen = await arrival;
  if (seen.kind === 'out') {
    const { receipt } = seen;
    const read = receipt && witness.read(order, receipt, receipt.transactionHash.toLowerCase() as Hex);
    const end = read ?? (await witness.follow(order, hash, leftOfPatience(patienceMs, sinceMs)));
    // What ended the order came before our transaction, which has reverted behind it.
    if (end.state === 'refused') await witness.look(order, hash);
    return end.state === 'reverted' ? { state: 'reverted', hash } : end;
  }
  if (seen.kind === 'not_sent') return notSent('unreached');
  // The nonce may have been used by these very bytes.
  const verdict = seen.kind === 'stale_nonce' ? await witness.look(order, hash) : UNUSED;
  if (verdict.state === 'unused') return 'not taken';
  return isFinal(verdict) ? verdict : unknown(hash);
}

/**
 * Signs a call for these orders and starts to send it once each has remembered it. When one of them calls it off,
 * nothing is sent. Throws what prevents signing.
 */
export async function handOver<Going extends PendingOrder>(
  parts: SubmissionParts,
  call: Call,
  entries: readonly Going[],
): Promise<{ readonly sent: HandedOver | null; readonly calledOff: readonly Going[] }> {
  const { relayer, broadcast, keep, now } = parts;
  let calledOff: readonly Going[] = [];
  const sent = await relayer.sign(call, async (signed) => {
    const remembered = await Promise.all(
      entries.map(({ handover, reject }) =>
        handover.sending(signed.hash).catch((error: unknown) => {
          reject(error);
          return false;
        }),
      ),
    );
    calledOff = entries.filter(
      ({ order }, index) => !remembered[index] || leftOf(order, now()) < LEAST_LEFT_MS,
    );
    if (calledOff.length > 0) return null;
    // Remembering it may have taken a while.
    if (!relayer.mayUse()) throw new KeyNotHeld();
    keep(signed);
    // The send starts here, in nonce order, and is awaited outside so that the next one can start.
    return { signed, reply: broadcast(signed) };
  });
  if (sent === null) return { sent, calledOff };
  const { hash } = sent.signed;
  return { sent: { hash, arrival: arrivalOf(parts, entries, sent) }, calledOff };
}

/** The result of a broadcast, found out once for all orders in it. */
async function arrivalOf(
  { rpc, relayer, now, pollMs = POLL_MS, patienceMs }: SubmissionParts,
  entries: readonly PendingOrder[],
  { signed, reply }: { readonly signed: SignedTransaction; readonly reply: Promise<Reply> },
): Promise<Arrival> {
  const said = await reply;
  // It may have been sent again since, and be out whatever happened the first time.
  if (said.kind !== 'sent' && !relayer.mayBeOut(signed)) {
    release(relayer, said.kind, signed);
    return said;
  }
  const receipt = said.kind === 'sent' ? said.receipt : null;
  if (receipt !== null || entries.length === 1) return { kind: 'out', receipt };
  // Otherwise each order would request the same long receipt.
  const versions = () => [...new Set([signed.hash, ...relayer.versionsOf(signed.hash)])];
  const look = async () => {
    for (const hash of versions()) {
      const found = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]).catch(() => null);
      if (found !== null) return found;
    }
    return null;
  };
  const forMs = leftOfPatience(patienceMs, Math.min(...entries.map(({ sinceMs }) => sinceMs)));
  const found = await poll(look, { isEnd: (seen) => seen !== null, forMs, pollMs, now });
  return { kind: 'out', receipt: found };
}

/** Time left until an authorization expires: slow nodes or a slow store may use it up. */
export const leftOf = ({ payment }: Order, nowMs: number): number =>
  Number(payment.authorization.validBefore) * 1_000 - nowMs;
export const age = (sinceMs: number): number => performance.now() - sinceMs;
const leftOfPatience = (patienceMs: number, sinceMs: number): number =>
  Math.max(patienceMs - age(sinceMs), patienceMs / 4);

const UNUSED: Verdict = { state: 'unused' };

/** Releases the nonce of a transaction that was not accepted. */
function release(relayer: Relayer, why: Rejection, signed: SignedTransaction): void {
  if (why === 'stale_nonce') relayer.taken(signed);
  else if (why === 'too_cheap') relayer.tooCheap(signed);
  else relayer.unsent(signed);
}
