import { chainWitness, type Verdict, type Witness } from '../chain/chain-witness.ts';
import type { Proven, Sender } from '../chain/proof.ts';
import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import {
  type End,
  type Handover,
  type NotSent,
  notSent,
  type Order,
  type Refused,
  type Settled,
  type Unknown,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { broadcaster, type Declined as NotTaken, type Reply } from './broadcast.ts';
import { GasBudgetSpent } from './gas-ledger.ts';
import { GasTooDear } from './gas-price.ts';
import type { Call, Relayer, SignedTransaction } from './relayer.ts';
import { gasCeilingWei } from './relayer-funds.ts';

export type OwnTransactionsParts = {
  readonly rpc: Rpc;
  readonly relayer: Relayer;
  /** What the gas of a settlement may cost for each cent it brings. */
  readonly gasWeiPerCent: bigint;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** How long a buyer waits for a transaction that was sent before the answer is "waiting". */
  readonly patienceMs?: number;
  /** How many blocks deep a transfer must be before it counts; 0 for inclusion. */
  readonly confirmations?: number | undefined;
  /** Whether other processes may use the account, and share what was claimed with this one. */
  readonly isShared?: boolean | undefined;
};

/** The transactions of our own account that settle orders: signed in turn, sent, and followed to their end. */
export type OwnTransactions = {
  /** Tells what the chain knows of an order. */
  readonly witness: Witness;
  /** Our account, and what it would offer for the gas of an order. */
  sender(order: Order): Sender;
  /**
   * Signs and sends what was proven until a transaction is taken, and follows it to its end. `onEnd` is told of every transaction of it
   * that comes onto the chain, also when nobody follows it any more.
   */
  send(order: Order, proven: Proven, handover: Handover, onEnd: OnEnd): Promise<End | Reverted>;
  /**
   * Sends the same bytes again, where they are kept, and looks for their end: bytes of another process, or of a life
   * before this one, may be on their way all the same. `lost`: nothing of them is seen, and nothing can be done.
   */
  resend(order: Order, hash: Hex): Promise<Settled | Refused | Unknown | Reverted | { state: 'lost' }>;
  /** Whether it has no end yet. */
  isOut(hash: Hex): boolean;
  /** When one of the latest was signed, in milliseconds since the epoch; null for others. */
  sentAtMs(hash: Hex): number | null;
};

/** What came of one of our transactions: whether it moved the money, and its hash if it reverted. */
export type OnEnd = (end: { readonly isPaid: boolean; readonly reverted: Hex | null }) => void;

/** The transaction failed on the chain, and its authorization may still be good. */
export type Reverted = { readonly state: 'reverted'; readonly hash: Hex };

const MAX_ATTEMPTS = 3;
const RESEND_PATIENCE_MS = 2_000;
// Two blocks.
const LEAST_LEFT_MS = 4_000;
// Raw transactions kept for sending the same bytes again; older ones are signed anew.
const MAX_KEPT = 1_000;

export function createOwnTransactions(parts: OwnTransactionsParts): OwnTransactions {
  const { rpc, relayer, patienceMs = 20_000 } = parts;
  const kept = new Map<Hex, SignedTransaction & { readonly atMs: number }>();
  const broadcast = broadcaster(rpc);
  const isSignedHere = (hash: Hex) => kept.has(hash) || relayer.formsOf(hash).length > 0;
  const witness = chainWitness({
    ...parts,
    relayer: relayer.address,
    // Where claims are shared, what was used since they were complete and has none was sold by nobody.
    isSignedHere: parts.isShared ? () => true : isSignedHere,
    ...(!parts.isShared && { isOurs: isSignedHere }),
    onReceipt(receipt) {
      const signed = kept.get((receipt as { transactionHash: Hex }).transactionHash);
      if (signed !== undefined) relayer.mined(signed.nonce, receipt);
    },
  });

  const send: OwnTransactions['send'] = async (order, { data, gas }, handover, onEnd) => {
    const call: Call = {
      to: order.requirements.asset,
      data,
      gas,
      ...boundsOf(order, parts),
      onEnd: (receipt) => onEnd(endOf(receipt)),
    };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const sent = await orNotSent(() => handOver(call, order, handover));
      if ('state' in sent) return sent;
      const reply = await sent.reply;
      const { hash } = sent.signed;
      // Sent once more meanwhile, it may be out whatever became of the first time.
      if (reply.kind === 'sent' || relayer.mayBeOut(sent.signed)) {
        const end =
          (reply.kind === 'sent' ? witness.read(order, reply.receipt, hash) : null) ??
          (await witness.follow(order, hash, patienceMs));
        // Whatever ended the order came before ours, which then has reverted behind it.
        if (end.state === 'refused') await witness.look(order, hash);
        return end.state === 'reverted' ? { state: 'reverted', hash } : end;
      }
      release(relayer, reply.kind, sent.signed);
      if (reply.kind === 'not_sent') return notSent('unreached');
      // Whoever took the nonce, it may have been these very bytes.
      const verdict = reply.kind === 'stale_nonce' ? await witness.look(order, hash) : UNUSED;
      if (verdict.state !== 'unused') return certain(verdict) ?? unknown(hash);
    }
    return notSent('nonce');
  };

  /** Signs a call and starts to send it, once that is remembered. Throws what keeps it from being signed. */
  async function handOver(call: Call, order: Order, handover: Handover): Promise<HandedOver | NotSent> {
    const sent = await relayer.sign<HandedOver>(call, async (signed) => {
      if (!(await handover.sending(signed.hash)) || isTooLate(order, parts.now())) return null;
      kept.set(signed.hash, { ...signed, atMs: parts.now() });
      if (kept.size > MAX_KEPT) forgetOldest(kept);
      // The send starts here, in nonce order, and is awaited outside so that the next one can start.
      return { signed, reply: broadcast(signed) };
    });
    return sent ?? notSent('stopped');
  }

  return {
    witness,
    send,
    sender: (order) => senderOf(order, parts),
    isOut: relayer.looksAfter,
    sentAtMs: (hash) => kept.get(hash)?.atMs ?? null,
    async resend(order, hash) {
      const raw = kept.get(hash)?.raw;
      const isTaken = raw !== undefined && (await broadcast({ raw, hash })).kind === 'sent';
      // Bytes whose nonce went to something else are as good as lost.
      const isOut = isTaken || relayer.looksAfter(hash);
      const end = await witness.follow(order, hash, RESEND_PATIENCE_MS);
      if (end.state === 'reverted') return { state: 'reverted', hash };
      if (end.state !== 'unknown' || isOut) return end;
      // The same call at a better price has another hash.
      for (const form of relayer.formsOf(hash))
        if ((await witness.look(order, form)).state === 'reverted') return { state: 'reverted', hash: form };
      return { state: 'lost' };
    },
  };
}

function senderOf(order: Order, parts: OwnTransactionsParts): Sender {
  const { relayer } = parts;
  const { ceilingWei, payer } = boundsOf(order, parts);
  const to = order.requirements.asset;
  return {
    address: relayer.address,
    fees: (limit) => relayer.fees({ ...limit, ceilingWei }, payer),
    // Once the question has left: what waits for its answer has nothing else to do.
    whileAsked: (call, fees) => void setImmediate(() => relayer.signAhead({ ...call, to, ceilingWei }, fees)),
  };
}

/** Whether nodes, a store or others before it took so long that it would run out on its way by our doing. */
const isTooLate = ({ payment }: Order, nowMs: number): boolean =>
  Number(payment.authorization.validBefore) * 1_000 - nowMs < LEAST_LEFT_MS;

const endOf = (receipt: RpcReceipt | null): Parameters<OnEnd>[0] => ({
  // An empty transaction in its place succeeds too, and writes nothing.
  isPaid: receipt?.status === '0x1' && receipt.logs.length > 0,
  reverted: receipt?.status === '0x0' ? (receipt.transactionHash.toLowerCase() as Hex) : null,
});

type HandedOver = { readonly signed: SignedTransaction; readonly reply: Promise<Reply> };

const UNUSED: Verdict = { state: 'unused' };

/** A verdict that ends a payment; null for one that leaves it open. */
const certain = (verdict: Verdict): Settled | Refused | null =>
  verdict.state === 'settled' || verdict.state === 'refused' ? verdict : null;

/** What the settlement of an order may cost, and whose share of the hour's gas a revert is taken from. */
const boundsOf = (
  { requirements, signedBy }: Order,
  { gasWeiPerCent }: OwnTransactionsParts,
): Required<Pick<Call, 'ceilingWei' | 'payer'>> => ({
  ceilingWei: gasCeilingWei(requirements.amount, gasWeiPerCent),
  payer: signedBy === 'key' ? 'plain' : 'code',
});

/** What becomes of the nonce of a transaction that was not taken. */
function release(relayer: Relayer, why: NotTaken, signed: SignedTransaction): void {
  if (why === 'stale_nonce') relayer.taken(signed);
  else if (why === 'too_cheap') relayer.tooCheap(signed);
  else relayer.unsent(signed);
}

/** What keeps a transaction from being signed: nothing of it was handed over. */
export async function orNotSent<Result>(work: () => Promise<Result>): Promise<Result | NotSent> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcFailure) return notSent('relayer');
    if (error instanceof GasTooDear) return notSent('gas_too_dear');
    if (error instanceof GasBudgetSpent) return notSent('gas_budget_spent');
    throw error;
  }
}

function forgetOldest(kept: Map<Hex, unknown>): void {
  for (const oldest of kept.keys()) return void kept.delete(oldest);
}
