import type { Verdict, Witness } from '../chain/chain-witness.ts';
import { poll } from '../chain/poll.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import {
  type End,
  type Handover,
  notSent,
  type Order,
  type Refused,
  type Settled,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import type { Declined as NotTaken, Reply, Signed } from './broadcast.ts';
import type { Call, Relayer, SignedTransaction } from './relayer.ts';
import { KeyNotHeld } from './relayer-term.ts';

/** The transaction failed on the chain, and its authorization may still be good. */
export type Reverted = { readonly state: 'reverted'; readonly hash: Hex };

export type HandingOverParts = {
  readonly rpc: Rpc;
  readonly relayer: Relayer;
  readonly witness: Witness;
  readonly broadcast: (signed: Signed) => Promise<Reply>;
  /** Keeps what is about to be sent. */
  readonly keep: (signed: SignedTransaction) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** How long a buyer waits, all in all, before the answer is "waiting". */
  readonly patienceMs: number;
};

/** An order on its way, and who has to agree before it is sent. */
export type Passenger = {
  readonly order: Order;
  readonly handover: Handover;
  /** When it came, by the clock of `performance`. */
  readonly sinceMs: number;
  reject(error: unknown): void;
};

/** What came of sending: it may be out, with its receipt where that is known, or nothing of it can be mined. */
type Arrival = { readonly kind: 'out'; readonly receipt: RpcReceipt | null } | { readonly kind: NotTaken };
export type HandedOver = { readonly hash: Hex; readonly arrival: Promise<Arrival> };

// Two blocks.
export const LEAST_LEFT_MS = 4_000;
const POLL_MS = 200;

/** Waits for the end of what was sent; `not taken` when nothing of it can be mined and it may be sent anew. */
export async function followed(
  { witness, patienceMs }: HandingOverParts,
  { order, sinceMs }: Passenger,
  { hash, arrival }: HandedOver,
): Promise<End | Reverted | 'not taken'> {
  const seen = await arrival;
  if (seen.kind === 'out') {
    const { receipt } = seen;
    const read = receipt && witness.read(order, receipt, receipt.transactionHash.toLowerCase() as Hex);
    const end = read ?? (await witness.follow(order, hash, leftOfPatience(patienceMs, sinceMs)));
    // Whatever ended the order came before ours, which then has reverted behind it.
    if (end.state === 'refused') await witness.look(order, hash);
    return end.state === 'reverted' ? { state: 'reverted', hash } : end;
  }
  if (seen.kind === 'not_sent') return notSent('unreached');
  // Whoever took the nonce, it may have been these very bytes.
  const verdict = seen.kind === 'stale_nonce' ? await witness.look(order, hash) : UNUSED;
  return verdict.state === 'unused' ? 'not taken' : (certain(verdict) ?? unknown(hash));
}

/**
 * Signs a call for these orders and starts to send it, once each has remembered it. When one of them calls it off,
 * nothing is sent. Throws what keeps it from being signed.
 */
export async function handOver<Going extends Passenger>(
  parts: HandingOverParts,
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
    // Remembering it may have taken its time.
    if (!relayer.mayUse()) throw new KeyNotHeld();
    keep(signed);
    // The send starts here, in nonce order, and is awaited outside so that the next one can start.
    return { signed, reply: broadcast(signed) };
  });
  if (sent === null) return { sent, calledOff };
  const { hash } = sent.signed;
  return { sent: { hash, arrival: arrivalOf(parts, entries, sent) }, calledOff };
}

/** What came of a broadcast, found out once for all orders in it. */
async function arrivalOf(
  { rpc, relayer, now, pollMs = POLL_MS, patienceMs }: HandingOverParts,
  entries: readonly Passenger[],
  { signed, reply }: { readonly signed: SignedTransaction; readonly reply: Promise<Reply> },
): Promise<Arrival> {
  const said = await reply;
  // Sent once more meanwhile, it may be out whatever became of the first time.
  if (said.kind !== 'sent' && !relayer.mayBeOut(signed)) {
    release(relayer, said.kind, signed);
    return said;
  }
  const receipt = said.kind === 'sent' ? said.receipt : null;
  if (receipt !== null || entries.length === 1) return { kind: 'out', receipt };
  // Each for itself would ask for the same long receipt.
  const forms = () => [...new Set([signed.hash, ...relayer.formsOf(signed.hash)])];
  const look = async () => {
    for (const hash of forms()) {
      const found = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]).catch(() => null);
      if (found !== null) return found;
    }
    return null;
  };
  const forMs = leftOfPatience(patienceMs, Math.min(...entries.map(({ sinceMs }) => sinceMs)));
  const found = await poll(look, { isEnd: (seen) => seen !== null, forMs, pollMs, now });
  return { kind: 'out', receipt: found };
}

/** How much time is left of it: nodes, a store or others before it may take so long that it would run out on its way. */
export const leftOf = ({ payment }: Order, nowMs: number): number =>
  Number(payment.authorization.validBefore) * 1_000 - nowMs;
export const age = (sinceMs: number): number => performance.now() - sinceMs;
const leftOfPatience = (patienceMs: number, sinceMs: number): number =>
  Math.max(patienceMs - age(sinceMs), patienceMs / 4);

const UNUSED: Verdict = { state: 'unused' };

/** A verdict that ends a payment; null for one that leaves it open. */
const certain = (verdict: Verdict): Settled | Refused | null =>
  verdict.state === 'settled' || verdict.state === 'refused' ? verdict : null;

/** What becomes of the nonce of a transaction that was not taken. */
function release(relayer: Relayer, why: NotTaken, signed: SignedTransaction): void {
  if (why === 'stale_nonce') relayer.taken(signed);
  else if (why === 'too_cheap') relayer.tooCheap(signed);
  else relayer.unsent(signed);
}
