import { chainWitness, type Witness } from '../chain/chain-witness.ts';
import type { Proven, Sender } from '../chain/proof.ts';
import { keepNewest } from '../keep-newest.ts';
import type { Order, Refused, Settled, Unknown } from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { broadcaster } from './broadcast.ts';
import type { SignedTransaction } from './relayer.ts';
import { gasCeilingWei } from './relayer-funds.ts';
import { sendingWithin } from './relayer-term.ts';
import { createSendQueue, type SendQueue, type SendQueueParts } from './send-queue.ts';
import type { Reverted } from './submission.ts';

export type OwnTransactionsParts = Pick<
  SendQueueParts,
  'rpc' | 'relayer' | 'now' | 'pollMs' | 'roomMs' | 'maxTogether'
> & {
  /** What the gas of a settlement may cost for each cent it earns. */
  readonly gasWeiPerCent: bigint;
  /** How long a settlement is followed before its end is left open. */
  readonly patienceMs?: number;
  /** How many blocks deep a transfer must be before it counts; 0 for inclusion. */
  readonly confirmations?: number | undefined;
  /** Whether other processes may use the account and share claims with this one. */
  readonly isShared?: boolean | undefined;
};

/** The transactions of our own account that settle orders: signed in turn, sent, and followed to their end. */
export type OwnTransactions = SendQueue & {
  /** Reads what the chain knows of an order. */
  readonly witness: Witness;
  /** Our account, and what it would offer for the gas of an order. */
  sender(order: Order): Sender;
  /** Throws what `send` would throw for a proven order while its kind of payer has no gas budget left. */
  check(order: Order, proven: Proven): Promise<void>;
  /** Books the loss of a transaction on the accounts with code. */
  blameCode(hash: Hex): void;
  /**
   * Sends the same bytes again, where they are kept, and looks for their end: bytes of another process, or from
   * before a restart, may still be pending. `lost`: no trace of them, and nothing can be done.
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
  const isSignedHere = (hash: Hex) => kept.has(hash) || relayer.versionsOf(hash).length > 0;
  const witness = chainWitness({
    ...parts,
    relayer: relayer.address,
    // Where claims are shared, an authorization that was used since they are complete, and has none, was sold by nobody.
    isSignedHere: parts.isShared ? () => true : isSignedHere,
    ...(!parts.isShared && { isOurs: isSignedHere }),
    onReceipt(receipt) {
      const signed = kept.get((receipt as { transactionHash: Hex }).transactionHash);
      if (signed !== undefined) relayer.mined(signed.nonce, receipt);
    },
  });
  const ceilingOf = ({ requirements }: Order) => gasCeilingWei(requirements.amount, parts.gasWeiPerCent);
  const boundsOf: SendQueueParts['boundsOf'] = (order, { code }) => ({
    ceilingWei: ceilingOf(order),
    payer: code === null ? 'plain' : 'code',
  });
  const keep = (signed: SignedTransaction) =>
    keepNewest(kept, [signed.hash, { ...signed, atMs: parts.now() }], MAX_KEPT);
  const queue = createSendQueue({ ...parts, patienceMs, witness, broadcast, keep, boundsOf });

  return {
    ...queue,
    witness,
    sender(order) {
      const ceilingWei = ceilingOf(order);
      // Whether the account of a key has code is known with the proof.
      const payer = order.signedBy === 'key' ? 'plain' : 'code';
      const to = order.requirements.asset;
      return {
        address: relayer.address,
        fees: (limit) => relayer.fees({ ...limit, ceilingWei }, payer),
        // After the request has been written, the process has nothing to do but wait for the answer.
        whileAsked: (call, fees) =>
          void setImmediate(() => relayer.signAhead({ ...call, to, ceilingWei }, fees)),
      };
    },
    async check(order, proven) {
      const { ceilingWei, payer } = boundsOf(order, proven);
      await relayer.fees({ ...proven, ceilingWei }, payer);
    },
    blameCode: relayer.blameCode,
    isOut: relayer.looksAfter,
    sentAtMs: (hash) => kept.get(hash)?.atMs ?? null,
    async resend(order, hash) {
      const raw = kept.get(hash)?.raw;
      const isTaken = raw !== undefined && (await broadcast({ raw, hash })).kind === 'sent';
      // Bytes whose nonce was used for something else are lost.
      const isOut = isTaken || relayer.looksAfter(hash);
      const end = await witness.follow(order, hash, RESEND_PATIENCE_MS);
      if (end.state === 'reverted') return { state: 'reverted', hash };
      if (end.state !== 'unknown' || isOut) return end;
      // The same call at a higher price has another hash.
      for (const version of relayer.versionsOf(hash))
        if ((await witness.look(order, version)).state === 'reverted')
          return { state: 'reverted', hash: version };
      return { state: 'lost' };
    },
  };
}
