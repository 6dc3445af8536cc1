import type { Verdict, Witness } from '../chain/chain-witness.ts';
import { pause } from '../chain/poll.ts';
import type { Proven } from '../chain/proof.ts';
import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import { lacksMethod, type Rejection, rejectionOf } from '../chain/rpc-verdicts.ts';
import {
  type End,
  type Handover,
  isFinal,
  type NotSent,
  notSent,
  type Order,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { type Call, KeyNotHeld, type SignedTransaction } from './account.ts';
import { GasBudgetSpent, GasTooDear } from './gas.ts';
import type { Relayer } from './relayer.ts';

/** The transaction failed on the chain, but its authorization may still be valid. */
export type Reverted = { readonly state: 'reverted'; readonly hash: Hex };

/** A proven order with everything needed to send it. */
export type Departing = {
  readonly order: Order;
  readonly proven: Proven;
  readonly handover: Handover;
  /** The transaction that settles the order, as it was proven. */
  callOf(proven: Proven): Call;
  /** Proves it again after a wait; returns its result if it can no longer be settled. */
  again(): Promise<Proven | End>;
};

export type SendingParts = {
  readonly relayer: Relayer;
  readonly witness: Witness;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** How long an order waits for a slot among our transactions. */
  readonly roomMs?: number | undefined;
  /** How old a proof may be when the order is signed. */
  readonly proofAgeMs?: number | undefined;
  /** Total time that a buyer waits before the answer is "waiting". */
  readonly patienceMs: number;
};

const MAX_ATTEMPTS = 3;
const ROOM_MS = 15_000;
// One block: what was proven before may have changed.
const PROOF_AGE_MS = 2_000;
// How often a parked transaction is checked.
const PARKED_MS = 100;
// Two blocks.
const LEAST_LEFT_MS = 4_000;

/** Returns a function that sends an order when its turn comes and follows it to its result. */
export function createSending(parts: SendingParts): (departing: Departing) => Promise<End | Reverted> {
  const { relayer, now, roomMs = ROOM_MS, proofAgeMs = PROOF_AGE_MS } = parts;
  const broadcast = broadcaster(relayer.rpc);

  return async (departing) => {
    const sinceMs = performance.now();
    const age = () => performance.now() - sinceMs;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const leftMs = Math.min(roomMs - age(), leftOf(departing.order, now()) - LEAST_LEFT_MS);
      const leave = await relayer.inFlight.enter({ forMs: Math.max(0, leftMs), isNext: attempt > 1 });
      if (leave === null) return notSent('relayer_busy');
      const sent = await depart(departing, { isFresh: age() < proofAgeMs, isAgain: attempt > 1 }).finally(
        leave,
      );
      if ('state' in sent) return sent;
      const end = await arrival(departing.order, sent, age);
      if (end !== 'not taken') return end;
    }
    return notSent('nonce');
  };

  /** Signs the call that settles an order and starts to send it; returns its result if that is not possible. */
  async function depart(
    { order, handover, callOf, again, ...departing }: Departing,
    { isFresh, isAgain }: { readonly isFresh: boolean; readonly isAgain: boolean },
  ): Promise<Sent | End> {
    const proven = isFresh ? departing.proven : await again();
    // A payment that was sent before and not accepted is still valid: only the chain can end it.
    if (proven.state === 'refused' && isAgain) return notSent('nonce');
    if (proven.state !== 'proven') return proven;
    return orNotSent(async () => {
      const sent = await relayer.sign(callOf(proven), async (signed) => {
        if (!(await handover.sending(signed.hash)) || leftOf(order, now()) < LEAST_LEFT_MS) return null;
        // Saving the claim may have taken a while.
        if (!relayer.mayUse()) throw new KeyNotHeld();
        // The send starts here, in nonce order, and is awaited outside so that the next one can start.
        if (!relayer.inFlight.isCrowded()) return { signed, reply: broadcast(signed, true) };
        const reply = await broadcast(signed, false);
        if (reply.kind === 'no_room') relayer.rejected(signed, reply.kind);
        return { signed, reply: Promise.resolve(reply) };
      });
      return sent ?? notSent('stopped');
    });
  }

  /** Waits for the result of a sent transaction; `not taken` if it cannot be mined and may be sent again. */
  async function arrival(
    order: Order,
    { signed, reply }: Sent,
    age: () => number,
  ): Promise<End | Reverted | 'not taken'> {
    const { witness, patienceMs } = parts;
    const { hash } = signed;
    const said = await reply;
    if (said.kind !== 'sent' && relayer.rejected(signed, said.kind)) {
      if (said.kind === 'not_sent') return notSent('unreached');
      // The nonce may have been used by exactly these bytes.
      const verdict = said.kind === 'stale_nonce' ? await witness.look(order, hash) : UNUSED;
      if (verdict.state === 'unused') return 'not taken';
      return isFinal(verdict) ? verdict : unknown(hash);
    }
    // Until a node has room, the chain has nothing to report.
    while (relayer.isParked(hash) && age() < patienceMs) await pause(PARKED_MS);
    const receipt = said.kind === 'sent' ? said.receipt : null;
    const read = receipt && witness.read(order, receipt, hash);
    const forMs = Math.max(patienceMs - age(), patienceMs / 4);
    const end = read ?? (await witness.follow(order, hash, forMs));
    // The order was settled before our transaction, which has therefore reverted.
    if (end.state === 'refused') await witness.look(order, hash);
    return end.state === 'reverted' ? { state: 'reverted', hash } : end;
  }
}

type Sent = { readonly signed: SignedTransaction; readonly reply: Promise<Reply> };
type Reply = { kind: 'sent'; receipt: RpcReceipt | null } | { kind: Rejection };

const UNUSED: Verdict = { state: 'unused' };
const SENT: Reply = { kind: 'sent', receipt: null };
const SYNC_DEADLINE_MS = 10_000;

/**
 * Sends raw bytes. `waits`: also waits for the receipt if the node can (EIP-7966). Sending the same bytes twice is
 * safe.
 */
function broadcaster(rpc: Rpc): (signed: SignedTransaction, waits: boolean) => Promise<Reply> {
  let hasSync = true;
  const sentOnly = async (raw: Hex): Promise<Reply> => {
    await rpc.call('eth_sendRawTransaction', [raw], { sends: true });
    return SENT;
  };
  return async ({ raw, hash }, waits) => {
    try {
      if (!hasSync || !waits) return await sentOnly(raw);
      const options = { deadlineMs: SYNC_DEADLINE_MS, sends: true };
      const receipt = await rpc.call<RpcReceipt>('eth_sendRawTransactionSync', [raw], options);
      // The receipt belongs to another transaction.
      return receipt.transactionHash.toLowerCase() === hash ? { kind: 'sent', receipt } : SENT;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      if (hasSync && error.kind !== 'unclear' && lacksMethod(error)) {
        hasSync = false;
        return sentOnly(raw).catch(classify);
      }
      return classify(error);
    }
  };
}

function classify(error: unknown): Reply {
  if (!(error instanceof RpcFailure)) throw error;
  if (error.kind === 'unreached') return { kind: 'not_sent' };
  const end = rejectionOf(error);
  // An uncertain result may mean that the node accepted it.
  if (end === null || end === 'taken') return SENT;
  return error.kind === 'answered' || end === 'no_room' ? { kind: end } : SENT;
}

/** Milliseconds until an authorization expires: slow nodes or a slow store may use them up. */
export const leftOf = ({ payment }: Order, nowMs: number): number =>
  Number(payment.authorization.validBefore) * 1_000 - nowMs;

/** Turns the errors that prevent signing into `not_sent`: nothing was handed over. */
export async function orNotSent<Result>(work: () => Promise<Result>): Promise<Result | NotSent> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcFailure) return notSent('relayer');
    if (error instanceof GasTooDear) return notSent(error.isOfCode ? 'wallet_gas_too_dear' : 'gas_too_dear');
    if (error instanceof GasBudgetSpent)
      return notSent(error.isOfCode ? 'wallet_gas_budget_spent' : 'gas_budget_spent');
    if (error instanceof KeyNotHeld) return notSent('relayer_in_use');
    throw error;
  }
}
