import type { Witness } from '../chain/chain-witness.ts';
import { isOfMany } from '../chain/multicall.ts';
import { ANY_SENDER, type CodeDigest, codeAt, type Proven, prove, walletVerdict } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
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
import {
  createOwnTransactions,
  type OwnTransactions,
  type OwnTransactionsParts,
} from './own-transactions.ts';
import { type FundsReservation, payerFunds } from './payer-funds.ts';
import { type PayerHolds, payerHolds } from './payer-holds.ts';
import { orNotSent } from './send-queue.ts';
import { leftOf, type Reverted } from './submission.ts';

const RETRY_PATIENCE_MS = 2_000;
// Blocks take two seconds: sent with so much time left, a payment is late through no fault of its payer.
const ENOUGH_MS = 30_000;
// A long wait, and the time that a payment must have left after one.
const LONG_WAIT_MS = 2_000;
const LEAST_LEFT_MS = 6_000;

/** Settles with an account of its own: simulates, broadcasts, and follows the transaction to its end. */
export function createLocalSettler(parts: OwnTransactionsParts): Settlement {
  const { rpc } = parts;
  const transactions = createOwnTransactions(parts);
  const { witness } = transactions;
  const funds = payerFunds(parts);
  const held = payerHolds(parts);
  const proof = proving(rpc, transactions, held);

  async function settle(order: Order, handover: Handover): Promise<End> {
    const share = funds.enter(order);
    let isOut = false;
    try {
      const end = await proveAndSettle(order, share, handover);
      isOut = end.state === 'unknown' && end.transaction !== null && transactions.isOut(end.transaction);
      return end;
    } finally {
      // Money that a transaction may still move stays reserved until that has ended.
      if (!isOut) share.leave(false);
    }
  }

  async function proveAndSettle(order: Order, share: FundsReservation, handover: Handover): Promise<End> {
    const { from } = order.payment.authorization;
    const proven = await proof(order, handover);
    if (proven.state !== 'proven') return proven;
    const provenAt = parts.now();
    const room = await share.hold();
    if (room === 'short') return refused('insufficient_funds');
    if (room === 'busy') return notSent('payer_busy');
    const end = await held.inTurn(proven.code, async (): Promise<End | Reverted> => {
      // Proven before a long wait, it would come too late through our fault.
      if (parts.now() - provenAt > LONG_WAIT_MS && leftOf(order, parts.now()) < LEAST_LEFT_MS)
        return notSent('payer_busy');
      // Another payment of the payer may have reverted while this one waited.
      if (await held.isHeld(from)) return notSent('payer_on_hold');
      // Only now does it count as in progress: a waiting payment uses up slots of its own caller alone.
      if (!(await handover.proven())) return notSent('stopped');
      return transactions.send({
        order: handedOver(order),
        proven,
        handover,
        again: () => proof(order, handover),
        isHeld: () => held.isHeld(from),
        onEnd({ isPaid, reverted }) {
          share.leave(isPaid);
          if (reverted !== null) noteRevert(order, reverted, proven.code);
        },
      });
    });
    if (end === null) return notSent('payer_busy');
    return end.state === 'reverted' ? afterRevert(witness, order, end.hash) : end;
  }

  /** However a revert was noticed, its payer is held until it proves to be nobody's fault. */
  function noteRevert(order: Order, hash: Hex, code: CodeDigest | null = null): void {
    held.note(order, { transaction: hash, code }, async () => {
      const isGuilty = await isPayersDoing(rpc, transactions, { order: handedOver(order), hash });
      if (isGuilty !== true || code !== null) return { isGuilty, code };
      // The account may have got code only after it was proven (EIP-7702).
      const late = await codeWhenReverted(rpc, order, hash).catch(() => null);
      if (late !== null) transactions.blameCode(hash);
      return { isGuilty, code: late };
    });
  }

  async function reconcile(order: Order, hash: Hex | null, handover: Handover | null) {
    const verdict = await witness.look(order, hash);
    if (isFinal(verdict)) return verdict;
    if (verdict.state === 'unclear') {
      if (handover === null) return unknown(hash);
      // A node may lag or be busy for a moment; nothing is sent while the chain is unclear.
      const later = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return later.state === 'reverted' ? reverted(hash) : later;
    }
    // Another process may have sent it, or this one before a restart.
    if (verdict.state === 'reverted' && hash !== null) noteRevert(order, hash);
    const open = verdict.state === 'reverted' ? reverted(hash) : unknown(hash);
    if (handover === null || (await held.isHeld(order.payment.authorization.from))) return open;
    // A payer who made it revert would do so again after each hold.
    if (verdict.state === 'reverted' && hash !== null && (await held.isGuilty(order, hash))) return open;
    if (verdict.state === 'unused' && hash !== null) {
      const end = await transactions.resend(order, hash);
      if (end.state === 'reverted') noteRevert(order, end.hash);
      if (end.state === 'reverted') return afterRevert(witness, order, end.hash);
      if (end.state !== 'lost') return end;
    }
    // Its bytes are lost, or it reverted while still valid: hand it over once more.
    const end = await settle(order, handover);
    // A refusal now is not final: an earlier transaction may still be pending somewhere.
    return end.state === 'refused' || end.state === 'not_sent' ? open : end;
  }

  return { settle, reconcile, isWalletSigned: (order, digest) => walletVerdict(rpc, order, digest) };
}

/** The call that would settle an order now, or its end where none would. */
const proving =
  (rpc: Rpc, { witness, sender, check }: OwnTransactions, held: PayerHolds) =>
  async (order: Order, handover: Handover): Promise<Proven | End> => {
    const proof = await orNotSent(async () => {
      const found = await prove(rpc, sender(order), order);
      if (found.state === 'proven') await check(order, found);
      return found;
    });
    if (proof.state === 'used') return submittedElsewhere(await witness.used(order), handover);
    const isHeld = proof.state === 'proven' && (await held.isHeld(order.payment.authorization.from));
    return isHeld ? notSent('payer_on_hold') : proof;
  };

/** The chain changed after the simulation, or the payer's contract answers as it likes. It is not sent again. */
async function afterRevert(witness: Witness, order: Order, hash: Hex): Promise<Exclude<End, NotSent>> {
  const verdict = await witness.look(handedOver(order), hash);
  if (isFinal(verdict)) return verdict;
  return verdict.state === 'unclear' ? unknown(hash) : reverted(hash);
}

const reverted = (transaction: Hex | null): Declined => declined('invalid_transaction_state', transaction);

/** The code of the payer at the end of the block in which the payment reverted; null when it has none. */
async function codeWhenReverted(rpc: Rpc, { payment }: Order, hash: Hex): Promise<CodeDigest | null> {
  const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
  return codeAt(rpc, payment.authorization.from, receipt?.blockNumber ?? 'latest');
}

/**
 * Whether a revert is its payer's fault. It is, unless the payment was settled after all, the asset was paused, or it
 * expired although it had enough time when it was sent. null while no node can tell.
 */
async function isPayersDoing(
  rpc: Rpc,
  { witness, sentAtMs, goAlone }: OwnTransactions,
  { order, hash }: { order: Order; hash: Hex },
): Promise<boolean | null> {
  const verdict = await witness.look(order, hash);
  if (verdict.state === 'unclear') return null;
  if (verdict.state === 'settled') return false;
  if (verdict.state === 'refused') {
    return verdict.reason !== EXPIRED.reason || leftOf(order, sentAtMs(hash) ?? 0) <= ENOUGH_MS;
  }
  const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
  if (receipt === null) return null;
  const proof = await prove(rpc, ANY_SENDER, order, receipt.blockNumber);
  if (isOfMany(receipt)) {
    // Others in the batch may have used up its gas: no fault of its payer, unless that account has code by now.
    const { from } = order.payment.authorization;
    const hasCode = (await codeAt(rpc, from, receipt.blockNumber)) !== null;
    if (hasCode || proof.state === 'proven') goAlone();
    if (proof.state === 'proven') return hasCode;
  }
  // Valid again at the end of its block, it was made invalid within that block.
  if (proof.state === 'proven' || proof.state === 'refused') return true;
  return proof.state === 'not_sent' && proof.reason === 'asset_paused' ? false : null;
}
