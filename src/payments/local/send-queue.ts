import type { Proven } from '../chain/proof.ts';
import { RpcFailure } from '../chain/rpc.ts';
import { isHalt } from '../chain/rpc-verdicts.ts';
import { type End, type NotSent, notSent, type Order } from '../settlement.ts';
import { batchCall, type Member, simulateBatch, singleCall } from './batch.ts';
import { GasBudgetSpent } from './gas-ledger.ts';
import { GasTooDear } from './gas-price.ts';
import type { Call } from './relayer.ts';
import { KeyNotHeld } from './relayer-term.ts';
import {
  age,
  followed,
  type HandedOver,
  handOver,
  LEAST_LEFT_MS,
  leftOf,
  type PendingOrder,
  type Reverted,
  type SubmissionParts,
} from './submission.ts';
import { waitQueue } from './wait-queue.ts';

/** A proven order, with what is needed on its way to the chain. */
export type QueuedOrder = Member & {
  readonly handover: PendingOrder['handover'];
  /** Proves it again after a wait; its end where it can no longer be settled. */
  again(): Promise<Proven | End>;
  /** Whether its payer has to wait because another of their payments reverted. */
  isHeld(): Promise<boolean>;
};

export type SendQueueParts = SubmissionParts & {
  /** The gas ceiling of an order, and which share of the hourly budget a revert is taken from. */
  readonly boundsOf: (order: Order, proven: Proven) => Required<Pick<Call, 'ceilingWei' | 'payer'>>;
  /** How long an order waits for a place among our transactions. */
  readonly roomMs?: number | undefined;
  /** How many orders one transaction settles at most, where many wait. */
  readonly maxTogether?: number | undefined;
};

export type SendQueue = {
  /**
   * Sends an order in its turn and follows it to its end. `onEnd` is called for every transaction of it that is
   * mined, even when nobody follows it any more.
   */
  send(departing: QueuedOrder): Promise<End | Reverted>;
  /** Sends each order alone for a while, because somebody made others fail in the same transaction. */
  goAlone(): void;
};

/** An order that waits or is being sent. */
type Entry = QueuedOrder &
  PendingOrder & {
    readonly attempt: number;
    /** Its proof is out of date. */
    readonly isStale: boolean;
    /** Whether it may be sent in a batch: its account has no code that could use up the gas of all. */
    readonly mayJoin: boolean;
    resolve(end: End | Reverted | Promise<End | Reverted>): void;
  };
const MAX_ATTEMPTS = 3;
const ROOM_MS = 15_000;
// A block: what was proven before may have changed.
const PROOF_AGE_MS = 2_000;
const ALONE_MS = 600_000;
// A fortieth of a block.
const GATHER_MS = 50;

export function createSendQueue(parts: SendQueueParts): SendQueue {
  const { relayer, now, roomMs = ROOM_MS, maxTogether = 1 } = parts;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  const goAlone = () => {
    aloneUntil = performance.now() + ALONE_MS;
  };

  const isTogether = () => maxTogether > 1 && performance.now() > aloneUntil;

  const line = waitQueue<Entry>({
    slots: relayer.slots,
    along: (first, others) =>
      first.mayJoin && isTogether()
        ? others.filter((other) => other.mayJoin && hasSamePrice(first, other)).slice(0, maxTogether - 1)
        : [],
    begin(entries, leave) {
      const going = entries.length === 1 ? depart(entries[0]) : departTogether(entries);
      void arrival(entries, going.finally(leave));
    },
    tooLate: ({ resolve }) => resolve(notSent('relayer_busy')),
  });

  /** Waits for a place, then sends. */
  function enter(
    departing: QueuedOrder,
    { attempt = 1, sinceMs = performance.now(), isStale = false } = {},
  ): Promise<End | Reverted> {
    return new Promise((resolve, reject) => {
      const mayJoin = !isStale && departing.proven.code === null;
      const entry: Entry = { ...departing, attempt, sinceMs, isStale, mayJoin, resolve, reject };
      const leftMs = Math.min(roomMs - age(sinceMs), leftOf(departing.order, now()) - LEAST_LEFT_MS);
      const isNext = attempt > 1 || isStale;
      const gatherMs = mayJoin && isTogether() ? GATHER_MS : 0;
      line.enter(entry, { forMs: Math.max(0, leftMs), isNext, gatherMs });
    });
  }

  /** Signs an order and starts to send it. */
  async function depart(entry: Entry): Promise<Gone> {
    const sent = await signed(parts, entry);
    if (!('state' in sent)) return { sent, going: [entry] };
    entry.resolve(sent);
    return NOBODY;
  }

  /** Sends together the orders that one transaction settles now; others, or all where unknown, are sent alone. */
  async function departTogether(entries: readonly [Entry, ...Entry[]]): Promise<Gone> {
    const isGood = await settledTogether(parts, entries, goAlone);
    const alone = entries.filter((_, index) => isGood[index] !== true);
    for (const entry of alone.toReversed()) entry.resolve(enter(entry, { ...entry, isStale: true }));
    const bounds = parts.boundsOf(entries[0].order, entries[0].proven);
    for (let left = entries.filter((entry) => !alone.includes(entry)); left.length > 0; ) {
      const call = batchCall(left, bounds, goAlone);
      const done = await orNotSent(() => handOver(parts, call, left));
      const ended = 'state' in done ? left : done.calledOff;
      for (const { resolve } of ended) resolve('state' in done ? done : notSent('stopped'));
      left = left.filter((entry) => !ended.includes(entry));
      if (!('state' in done) && done.sent !== null) return { sent: done.sent, going: left };
    }
    return NOBODY;
  }

  /** Follows what was sent to its end, or sends it again when it cannot be mined. */
  async function arrival(entries: readonly Entry[], gone: Promise<Gone>): Promise<void> {
    try {
      const { sent, going } = await gone;
      if (sent !== null) await Promise.all(going.map((entry) => arrive(entry, sent).catch(entry.reject)));
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }

  async function arrive(entry: Entry, sent: HandedOver): Promise<void> {
    const end = await followed(parts, entry, sent);
    if (end !== 'not taken') entry.resolve(end);
    else if (entry.attempt >= MAX_ATTEMPTS) entry.resolve(notSent('nonce'));
    else entry.resolve(enter(entry, { ...entry, attempt: entry.attempt + 1 }));
  }

  return { send: (departing) => enter(departing), goAlone };
}

/** What was sent, and for which orders; nothing when each of them has its end already. */
type Gone =
  | { readonly sent: HandedOver; readonly going: readonly Entry[] }
  | { readonly sent: null; readonly going: readonly [] };
const NOBODY: Gone = { sent: null, going: [] };

/** Signs the call that settles one order and starts to send it; returns its end where that is not possible. */
async function signed(parts: SendQueueParts, entry: Entry): Promise<HandedOver | End> {
  const isFresh = !entry.isStale && age(entry.sinceMs) < PROOF_AGE_MS;
  const proven = isFresh ? entry.proven : await entry.again();
  // What was handed over before and not accepted is still valid: only the chain can end it.
  if (proven.state === 'refused' && entry.attempt > 1) return notSent('nonce');
  if (proven.state !== 'proven') return proven;
  const call = singleCall({ ...entry, proven }, parts.boundsOf(entry.order, proven));
  return orNotSent(async () => {
    const { sent } = await handOver(parts, call, [entry]);
    return sent ?? notSent('stopped');
  });
}

/** Which of these orders one transaction would settle now, leaving out payers who have to wait. */
async function settledTogether(
  { rpc, relayer, boundsOf }: SendQueueParts,
  entries: readonly [Entry, ...Entry[]],
  goAlone: () => void,
): Promise<readonly boolean[]> {
  const call = batchCall(entries, boundsOf(entries[0].order, entries[0].proven), goAlone);
  const isGood = await simulateBatch(rpc, relayer, call, entries.length).catch(noneTogether);
  if (isGood === null) goAlone();
  const isHeld = await Promise.all(entries.map((entry) => entry.isHeld()));
  return entries.map((_, index) => isGood?.[index] === true && !isHeld[index]);
}

const hasSamePrice = ({ order: one }: Entry, { order: other }: Entry): boolean =>
  one.requirements.amount === other.requirements.amount &&
  one.requirements.asset === other.requirements.asset;

/** The result of a simulation without an answer: no order passes, or null when the call as a whole is at fault. */
function noneTogether(error: unknown): readonly boolean[] | null {
  if (error instanceof RpcFailure) return error.kind === 'answered' && isHalt(error) ? null : [];
  if (error instanceof GasTooDear || error instanceof GasBudgetSpent) return [];
  throw error;
}

/** Turns the errors that prevent signing into `not_sent`: nothing was handed over. */
export async function orNotSent<Result>(work: () => Promise<Result>): Promise<Result | NotSent> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcFailure) return notSent('relayer');
    if (error instanceof GasTooDear) return notSent('gas_too_dear');
    if (error instanceof GasBudgetSpent)
      return notSent(error.isOfCode ? 'wallet_gas_budget_spent' : 'gas_budget_spent');
    if (error instanceof KeyNotHeld) return notSent('no_relayer_key');
    throw error;
  }
}
