import { chainWitness, type Witness } from '../chain/chain-witness.ts';
import type { Sender } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { Order, Refused, Settled, Unknown } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { broadcaster } from './broadcast.ts';
import { createDepartures, type Departures, type DeparturesParts } from './departures.ts';
import type { Reverted } from './handing-over.ts';
import type { Relayer, SignedTransaction } from './relayer.ts';
import { gasCeilingWei } from './relayer-funds.ts';
import { sendingWithin } from './relayer-term.ts';

export type OwnTransactionsParts = {
  readonly rpc: Rpc;
  readonly relayer: Relayer;
  /** What the gas of a settlement may cost for each cent it brings. */
  readonly gasWeiPerCent: bigint;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** How long a buyer waits, all in all, before the answer is "waiting". */
  readonly patienceMs?: number;
  /** How long an order waits for a place among our transactions. */
  readonly roomMs?: number | undefined;
  /** How many orders one transaction settles at most, where many wait. */
  readonly maxTogether?: number | undefined;
  /** How many blocks deep a transfer must be before it counts; 0 for inclusion. */
  readonly confirmations?: number | undefined;
  /** Whether other processes may use the account, and share what was claimed with this one. */
  readonly isShared?: boolean | undefined;
};

/** The transactions of our own account that settle orders: signed in turn, sent, and followed to their end. */
export type OwnTransactions = Departures & {
  /** Tells what the chain knows of an order. */
  readonly witness: Witness;
  /** Our account, and what it would offer for the gas of an order. */
  sender(order: Order): Sender;
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

const PATIENCE_MS = 20_000;
const RESEND_PATIENCE_MS = 2_000;
// Raw transactions kept for sending the same bytes again; older ones are signed anew.
const MAX_KEPT = 1_000;

export function createOwnTransactions(parts: OwnTransactionsParts): OwnTransactions {
  const { rpc, relayer, patienceMs = PATIENCE_MS } = parts;
  const kept = new Map<Hex, SignedTransaction & { readonly atMs: number }>();
  const broadcast = broadcaster(sendingWithin(relayer, rpc));
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
  const boundsOf: DeparturesParts['boundsOf'] = ({ requirements, signedBy }) => ({
    ceilingWei: gasCeilingWei(requirements.amount, parts.gasWeiPerCent),
    payer: signedBy === 'key' ? 'plain' : 'code',
  });
  const keep = (signed: SignedTransaction) => {
    kept.set(signed.hash, { ...signed, atMs: parts.now() });
    if (kept.size > MAX_KEPT) forgetOldest(kept);
  };
  const departures = createDepartures({ ...parts, patienceMs, witness, broadcast, keep, boundsOf });

  return {
    ...departures,
    witness,
    sender(order) {
      const { ceilingWei, payer } = boundsOf(order);
      const to = order.requirements.asset;
      return {
        address: relayer.address,
        fees: (limit) => relayer.fees({ ...limit, ceilingWei }, payer),
        // Once the question has left: what waits for its answer has nothing else to do.
        whileAsked: (call, fees) =>
          void setImmediate(() => relayer.signAhead({ ...call, to, ceilingWei }, fees)),
      };
    },
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

function forgetOldest(kept: Map<Hex, unknown>): void {
  for (const oldest of kept.keys()) return void kept.delete(oldest);
}
