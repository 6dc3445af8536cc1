import type { Witness } from '../chain/chain-witness.ts';
import { isOfMany } from '../chain/multicall.ts';
import { ANYBODY, askWallet, type Proven, prove } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
import {
  type Declined,
  type End,
  type Handover,
  handedOver,
  type NotSent,
  notSent,
  type Order,
  type Refused,
  type Settlement,
  submittedElsewhere,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { orNotSent } from './departures.ts';
import type { Reverted } from './handing-over.ts';
import { type HoldBacks, holdBacks } from './hold-backs.ts';
import {
  createOwnTransactions,
  type OwnTransactions,
  type OwnTransactionsParts,
} from './own-transactions.ts';
import { payerFunds, type Share } from './payer-funds.ts';

export type LocalSettlerParts = OwnTransactionsParts & {
  /** How long a payer waits whose transaction reverted although it had been proven. */
  readonly heldMs?: number;
};

const RETRY_PATIENCE_MS = 2_000;
// Blocks take two seconds: with so much time left when it was sent, a payment that came too late is not its payer's doing.
const ENOUGH_MS = 30_000;
// A wait behind others, and what must be left of a payment after it.
const LONG_WAIT_MS = 2_000;
const LEAST_LEFT_MS = 6_000;
const RAN_OUT = 'invalid_exact_evm_payload_authorization_valid_before';

/** Settles on a chain of its own account: one simulation, one broadcast, and whatever it takes to know the end. */
export function createLocalSettler(parts: LocalSettlerParts): Settlement {
  const { rpc } = parts;
  const transactions = createOwnTransactions(parts);
  const { witness } = transactions;
  const funds = payerFunds(parts);
  const held = holdBacks(parts);
  const proof = proving(rpc, transactions, held);

  async function settle(order: Order, handover: Handover): Promise<End> {
    const share = funds.enter(order);
    let isOut = false;
    try {
      const end = await proveAndSettle(order, share, handover);
      isOut = end.state === 'unknown' && end.transaction !== null && transactions.isOut(end.transaction);
      return end;
    } finally {
      // What a transaction may still take stays set aside until that has come to its end.
      if (!isOut) share.leave(false);
    }
  }

  async function proveAndSettle(order: Order, share: Share, handover: Handover): Promise<End> {
    const { from } = order.payment.authorization;
    const proven = await proof(order, handover);
    if (proven.state !== 'proven') return proven;
    const provenAt = parts.now();
    const room = await share.hold();
    if (room === 'short') return refused('insufficient_funds');
    if (room === 'busy') return notSent('payer_busy');
    const end = await held.inTurn(order, async (): Promise<End | Reverted> => {
      // Proven before it waited, it would come too late by our doing.
      if (parts.now() - provenAt > LONG_WAIT_MS && leftMs(order, parts.now()) < LEAST_LEFT_MS)
        return notSent('payer_busy');
      // Another payment of the payer may have reverted while this one waited.
      if (await held.isHeld(from)) return notSent('payer_on_hold');
      // Only what has room and its turn counts as under way: waiting, a payer keeps places of its own caller alone.
      if (!(await handover.proven())) return notSent('stopped');
      return transactions.send({
        order: handedOver(order),
        proven,
        handover,
        again: () => proof(order, handover),
        isHeld: () => held.isHeld(from),
        onEnd({ isPaid, reverted }) {
          share.leave(isPaid);
          if (reverted !== null) noteRevert(order, reverted);
        },
      });
    });
    if (end === null) return notSent('payer_busy');
    return end.state === 'reverted' ? afterRevert(witness, order, end.hash) : end;
  }

  /** However a revert was seen, its payer waits until it is shown to be nobody's doing. */
  const noteRevert = (order: Order, hash: Hex): void =>
    held.note(order, hash, () => isPayersDoing(rpc, transactions, { order: handedOver(order), hash }));

  async function reconcile(order: Order, hash: Hex | null, handover: Handover | null) {
    const verdict = await witness.look(order, hash);
    if (verdict.state === 'settled' || verdict.state === 'refused') return verdict;
    if (verdict.state === 'unclear') {
      if (handover === null) return unknown(hash);
      // A node may lag or be busy for a moment; nothing is sent while the chain is unclear.
      const later = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return later.state === 'reverted' ? declined(hash) : later;
    }
    // Another process may have sent it, or a life of this one before.
    if (verdict.state === 'reverted' && hash !== null) noteRevert(order, hash);
    const open = verdict.state === 'reverted' ? declined(hash) : unknown(hash);
    if (handover === null || (await held.isHeld(order.payment.authorization.from))) return open;
    // Whoever made it revert would do so again after each hold.
    if (verdict.state === 'reverted' && hash !== null && (await held.isGuilty(order, hash))) return open;
    if (verdict.state === 'unused' && hash !== null) {
      const end = await transactions.resend(order, hash);
      if (end.state === 'reverted') noteRevert(order, end.hash);
      if (end.state === 'reverted') return afterRevert(witness, order, end.hash);
      if (end.state !== 'lost') return end;
    }
    // Lost with its bytes, or reverted while still good: hand it over once more.
    const end = await settle(order, handover);
    // Refused now is not refused for ever: what was sent before may still be waiting somewhere.
    return end.state === 'refused' || end.state === 'not_sent' ? open : end;
  }

  const isWalletSigned: Settlement['isWalletSigned'] = (order, digest) => askWallet(rpc, order, digest);

  return { settle, reconcile, isWalletSigned };
}

/** The call that would settle an order now; its end where nothing would. */
const proving =
  (rpc: Rpc, { witness, sender }: OwnTransactions, held: HoldBacks) =>
  async (order: Order, handover: Handover): Promise<Proven | End> => {
    const proof = await orNotSent(() => prove(rpc, sender(order), order));
    if (proof.state === 'used') return submittedElsewhere(await witness.used(order), handover);
    const isHeld = proof.state === 'proven' && (await held.isHeld(order.payment.authorization.from));
    return isHeld ? notSent('payer_on_hold') : proof;
  };

/** The chain changed between simulation and block, or the payer's account answers as it likes. Not sent again. */
async function afterRevert(witness: Witness, order: Order, hash: Hex): Promise<Exclude<End, NotSent>> {
  const verdict = await witness.look(handedOver(order), hash);
  if (verdict.state === 'settled' || verdict.state === 'refused') return verdict;
  return verdict.state === 'unclear' ? unknown(hash) : declined(hash);
}

const leftMs = ({ payment }: Order, nowMs: number): number =>
  Number(payment.authorization.validBefore) * 1_000 - nowMs;
const refused = (reason: string): Refused => ({ state: 'refused', reason });
const declined = (transaction: Hex | null): Declined => ({
  state: 'declined',
  reason: 'invalid_transaction_state',
  transaction,
});

/**
 * Whether a revert is its payer's doing: all are, but of those who are paid all the same, a pause of the asset, and a
 * payment that had time enough when it was sent. null while no node says it.
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
    const leftMs = Number(order.payment.authorization.validBefore) * 1_000 - (sentAtMs(hash) ?? 0);
    return verdict.reason !== RAN_OUT || leftMs <= ENOUGH_MS;
  }
  const receipt = await rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [hash]);
  if (receipt === null) return null;
  const proof = await prove(rpc, ANYBODY, order, receipt.blockNumber);
  if (isOfMany(receipt)) {
    // Others in it may have taken its gas: that is not its payer's doing, unless the payer has come by code since.
    const { from } = order.payment.authorization;
    const hasCode = (await rpc.call<Hex>('eth_getCode', [from, receipt.blockNumber])) !== '0x';
    if (hasCode || proof.state === 'proven') goAlone();
    if (proof.state === 'proven') return hasCode;
  }
  // Good again at the end of its block, it was made bad within it.
  if (proof.state === 'proven' || proof.state === 'refused') return true;
  return proof.state === 'not_sent' && proof.reason === 'asset_paused' ? false : null;
}
