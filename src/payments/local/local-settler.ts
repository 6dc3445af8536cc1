import { chainWitness, isOfMany, pause, type Verdict, type Witness } from '../chain/chain-witness.ts';
import {
  ANY_SENDER,
  type CodeDigest,
  codeAt,
  type Proven,
  prove,
  type Sender,
  walletVerdict,
} from '../chain/proof.ts';
import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import { lacksMethod, type Rejection, type RpcReceipt, rejectionOf } from '../chain/rpc-node.ts';
import { movesMoney } from '../chain/usdc.ts';
import {
  type Declined,
  declined,
  type End,
  EXPIRED,
  type Handover,
  handedOver,
  isFinal,
  type NotSent,
  notSent,
  type Order,
  refused,
  type Settlement,
  submittedElsewhere,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { type Call, KeyNotHeld, type SignedTransaction } from './account.ts';
import { GasBudgetSpent, GasTooDear, gasCeilingWei, type Payer, SETTLEMENT_GAS } from './gas.ts';
import { type FundsReservation, payerFunds, payerHolds } from './payers.ts';
import type { Relayer } from './relayer.ts';

export type LocalSettlerParts = Pick<SendingParts, 'relayer' | 'now' | 'roomMs' | 'proofAgeMs'> & {
  readonly rpc: Rpc;
  /** Maximum gas cost of a settlement for each cent it earns. */
  readonly gasWeiPerCent: bigint;
  /** How often and for how long the chain is polled for a settlement before it is reported as pending. */
  readonly pollMs?: number;
  readonly patienceMs?: number;
  /** How many blocks deep a transfer must be before it counts; 0 for inclusion. */
  readonly confirmations?: number | undefined;
  /** Whether other processes share claims with this one. */
  readonly isShared?: boolean | undefined;
};

const PATIENCE_MS = 20_000;
const RETRY_PATIENCE_MS = 2_000;
// Blocks take two seconds. If a payment sent with this much time left is late, its payer is not at fault.
const ENOUGH_MS = 30_000;
// After a wait of this length, a payment must still have a minimum time left.
const LONG_WAIT_MS = 2_000;
const LEFT_AFTER_WAIT_MS = 6_000;

/** Settles with its own account: simulates, broadcasts, and follows the transaction to its result. */
export function createLocalSettler(parts: LocalSettlerParts): Settlement {
  const { rpc, relayer, now, patienceMs = PATIENCE_MS } = parts;
  const isSignedHere = (hash: Hex) => relayer.versionsOf(hash).length > 0;
  const witness = chainWitness({
    ...parts,
    relayer: relayer.address,
    // If claims are shared, an authorization that was used while they were complete and that has no claim was not sold.
    isSignedHere: parts.isShared ? () => true : isSignedHere,
    ...(!parts.isShared && { isOurs: isSignedHere }),
    onReceipt: relayer.saw,
  });
  const send = createSending({ ...parts, witness, patienceMs });
  const funds = payerFunds(parts);
  const held = payerHolds(parts);
  const proof = proving(parts, witness);

  async function settle(order: Order, handover: Handover): Promise<End> {
    const share = funds.enter(order);
    let isPending = false;
    try {
      const end = await proveAndSettle(order, share, handover);
      isPending = end.state === 'unknown' && end.transaction !== null && relayer.isPending(end.transaction);
      return end;
    } finally {
      // Money that a transaction may still move stays reserved until the transaction has ended.
      if (!isPending) share.leave(false);
    }
  }

  async function proveAndSettle(order: Order, share: FundsReservation, handover: Handover): Promise<End> {
    const { from } = order.payment.authorization;
    const again = async (): Promise<Proven | End> => {
      const found = await proof(order, handover);
      const isHeld = found.state === 'proven' && (await held.isHeld(from));
      return isHeld ? notSent('payer_on_hold') : found;
    };
    const proven = await again();
    if (proven.state !== 'proven') return proven;
    const { code } = proven;
    const provenAt = now();
    const room = await share.hold();
    if (room === 'short') return refused('insufficient_funds');
    if (room === 'busy') return notSent('payer_busy');
    const callOf = ({ data, gas, code }: Proven): Call => ({
      to: order.requirements.asset,
      data,
      gas,
      ...boundsOf(order, parts, code === null ? 'plain' : 'code'),
      onEnd(receipt) {
        share.leave(receipt !== null && isPaidBy(receipt, order));
        if (receipt?.status === '0x0') noteRevert(order, receipt.transactionHash.toLowerCase() as Hex, code);
      },
    });
    const end = await held.serialize(code, async (): Promise<End | Reverted> => {
      // A payment that waited for a long time must still have enough time, because a late payment would be our fault.
      if (now() - provenAt > LONG_WAIT_MS && leftOf(order, now()) < LEFT_AFTER_WAIT_MS)
        return notSent('payer_busy');
      // Another payment of the payer may have reverted while this one waited.
      if (await held.isHeld(from)) return notSent('payer_on_hold');
      // The payment counts as in progress only from here on. Until then, it uses only slots of its own caller.
      if (!(await handover.proven())) return notSent('stopped');
      return send({ order: handedOver(order), proven, handover, again, callOf });
    });
    if (end === null) return notSent('payer_busy');
    return end.state === 'reverted' ? afterRevert(order, end.hash) : end;
  }

  /** However a revert was noticed, its payer is held unless the payer turns out not to be at fault. */
  function noteRevert(order: Order, hash: Hex, code: CodeDigest | null = null): void {
    held.note(order, { transaction: hash, code }, async () => {
      const isAtFault = await isPayersDoing(order, hash);
      if (isAtFault !== true || code !== null) return { isAtFault, code };
      // The account may have received code only after the proof (EIP-7702).
      const late = await codeWhenReverted(rpc, order, hash).catch(() => null);
      if (late !== null) relayer.blameCode(hash);
      return { isAtFault, code: late };
    });
  }

  /**
   * Whether a revert is the payer's fault. It is, unless the payment was settled after all, the asset was paused, or it
   * expired although it was sent in good time. null while no node can tell.
   */
  async function isPayersDoing(order: Order, hash: Hex): Promise<boolean | null> {
    const verdict = await witness.look(handedOver(order), hash);
    if (verdict.state === 'unclear') return null;
    if (verdict.state === 'settled') return false;
    if (verdict.state === 'refused') {
      const sentAt = relayer.find(hash)?.at ?? 0;
      return verdict.reason !== EXPIRED.reason || leftOf(order, sentAt) <= ENOUGH_MS;
    }
    const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt === null) return null;
    const proof = await prove(rpc, ANY_SENDER, order, receipt.blockNumber);
    // In a transaction of an earlier release that settled many payments, others may have used up the gas.
    if (proof.state === 'proven' && isOfMany(receipt))
      return (await codeAt(rpc, order.payment.authorization.from, receipt.blockNumber)) !== null;
    // If a payment is valid again after its block, something within that block had made it invalid.
    if (proof.state === 'proven' || proof.state === 'refused') return true;
    return proof.state === 'not_sent' && proof.reason === 'asset_paused' ? false : null;
  }

  /**
   * The chain changed after the simulation, or the payer's contract gives inconsistent answers. The payment is not sent
   * again.
   */
  async function afterRevert(order: Order, hash: Hex): Promise<Exclude<End, NotSent>> {
    noteRevert(order, hash);
    const verdict = await witness.look(handedOver(order), hash);
    if (isFinal(verdict)) return verdict;
    return verdict.state === 'unclear' ? unknown(hash) : reverted(hash);
  }

  async function reconcile(order: Order, hash: Hex | null, handover: Handover | null) {
    const verdict = await witness.look(order, hash);
    if (isFinal(verdict)) return verdict;
    if (verdict.state === 'unclear') {
      if (handover === null) return unknown(hash);
      // A node may lag or be busy for a moment. Nothing is sent while the chain is unclear.
      const later = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return later.state === 'reverted' ? reverted(hash) : later;
    }
    // Another process may have sent the transaction, or this one before a restart.
    if (verdict.state === 'reverted' && hash !== null) noteRevert(order, hash);
    const open = verdict.state === 'reverted' ? reverted(hash) : unknown(hash);
    if (handover === null || (await held.isHeld(order.payment.authorization.from))) return open;
    // A payer that made the payment revert would do so again after each hold.
    if (verdict.state === 'reverted' && hash !== null && (await held.isAtFault(order, hash))) return open;
    if (verdict.state === 'unused' && hash !== null) {
      const end = await sendAgain(order, hash);
      if (end !== 'lost') return end;
    }
    // The transaction is lost, or it reverted while the payment is still valid: hand the payment over once more.
    const end = await settle(order, handover);
    // A refusal now is not final: an earlier transaction may still be pending somewhere.
    return end.state === 'refused' || end.state === 'not_sent' ? open : end;
  }

  /**
   * Sends the stored bytes for this hash again and looks for their result: they may be pending, or forgotten by the
   * chain. `lost`: no trace of them, and nothing can be done.
   */
  async function sendAgain(order: Order, hash: Hex): Promise<Exclude<End, NotSent> | 'lost'> {
    const isOut = (await relayer.sendAgain(hash)) || relayer.isPending(hash);
    const end = await witness.follow(order, hash, RETRY_PATIENCE_MS);
    if (end.state === 'reverted') return afterRevert(order, hash);
    if (end.state !== 'unknown' || isOut) return end;
    // A transaction that was signed again at a higher price has another hash.
    for (const version of relayer.versionsOf(hash))
      if ((await witness.look(order, version)).state === 'reverted') return afterRevert(order, version);
    return 'lost';
  }

  return { settle, reconcile, isWalletSigned: (order, digest) => walletVerdict(rpc, order, digest) };
}

/** The gas limits of an order, and the share of the hourly budget that it uses. */
const boundsOf = (
  { requirements }: Order,
  { gasWeiPerCent }: Pick<LocalSettlerParts, 'gasWeiPerCent'>,
  payer: Payer,
) => ({
  ceilingWei: gasCeilingWei(requirements.amount, gasWeiPerCent, payer),
  payer,
});

/** Returns a function that proves an order: the call that would settle it now, or its result if none would. */
function proving(parts: LocalSettlerParts, witness: Witness) {
  const { rpc, relayer } = parts;

  /** Throws what signing would throw. For an account with code, GasTooDear says whether a plain account could pay. */
  async function fees(order: Order, limit: Parameters<NonNullable<Sender['fees']>>[0], payer: Payer) {
    try {
      return await relayer.fees({ ...limit, ...boundsOf(order, parts, payer) }, payer);
    } catch (error) {
      if (!(error instanceof GasTooDear) || payer === 'plain') throw error;
      await relayer.fees({ ...limit, gas: SETTLEMENT_GAS, ...boundsOf(order, parts, 'plain') });
      throw new GasTooDear(true);
    }
  }

  return async (order: Order, handover: Handover): Promise<Proven | End> => {
    const payer = order.signedBy === 'key' ? 'plain' : 'code';
    const sender: Sender = { address: relayer.address, fees: (limit) => fees(order, limit, payer) };
    const proof = await orNotSent(async () => {
      const found = await prove(rpc, sender, order);
      // The proof shows whether the account of a key has code.
      if (found.state === 'proven') await fees(order, found, found.code === null ? 'plain' : 'code');
      return found;
    });
    return proof.state === 'used' ? submittedElsewhere(await witness.used(order), handover) : proof;
  };
}

const reverted = (transaction: Hex | null): Declined => declined('invalid_transaction_state', transaction);

function isPaidBy({ status, logs }: RpcReceipt, { payment, requirements }: Order): boolean {
  try {
    return status === '0x1' && movesMoney(logs, requirements.asset, payment.authorization) === true;
  } catch {
    // The log does not have the shape of the asset's logs.
    return false;
  }
}

/** The code of the payer after the block in which the payment reverted; null if it has none. */
async function codeWhenReverted(rpc: Rpc, { payment }: Order, hash: Hex): Promise<CodeDigest | null> {
  const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
  return codeAt(rpc, payment.authorization.from, receipt?.blockNumber ?? 'latest');
}

/** The transaction failed on the chain, but its authorization may still be valid. */
type Reverted = { readonly state: 'reverted'; readonly hash: Hex };

/** A proven order with everything needed to send it. */
type Departing = {
  readonly order: Order;
  readonly proven: Proven;
  readonly handover: Handover;
  /** The transaction that settles the order, as it was proven. */
  callOf(proven: Proven): Call;
  /** Proves the order again after a wait; returns its result if the order can no longer be settled. */
  again(): Promise<Proven | End>;
};

type SendingParts = {
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
// The time of one block, after which the facts of a proof may have changed.
const PROOF_AGE_MS = 2_000;
// How often a parked transaction is checked.
const PARKED_MS = 100;
// The time of two blocks.
const LEAST_LEFT_MS = 4_000;

/** Returns a function that sends an order when its turn comes and follows it to its result. */
function createSending(parts: SendingParts): (departing: Departing) => Promise<End | Reverted> {
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
      // A receipt of another transaction is ignored.
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
const leftOf = ({ payment }: Order, nowMs: number): number =>
  Number(payment.authorization.validBefore) * 1_000 - nowMs;

/** Turns the errors that prevent signing into `not_sent`: nothing was handed over. */
async function orNotSent<Result>(work: () => Promise<Result>): Promise<Result | NotSent> {
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
