import type { Verdict } from './chain-witness.ts';
import { holdBacks } from './hold-backs.ts';
import {
  createOwnTransactions,
  notSent,
  type OwnTransactionsParts,
  orNotSent,
  type Reverted,
  unknown,
} from './own-transactions.ts';
import { payerFunds, type Share } from './payer-funds.ts';
import type { Hex } from './payment.ts';
import { ANYBODY, askWallet, prove } from './proof.ts';
import type { Rpc } from './rpc.ts';
import {
  type Declined,
  type End,
  type Handover,
  handedOver,
  type NotSent,
  type Order,
  type Refused,
  type Settlement,
} from './settlement.ts';

export type LocalSettlerParts = OwnTransactionsParts & {
  /** How long a payer waits whose transaction reverted although it had been proven. */
  readonly heldMs?: number;
};

const RETRY_PATIENCE_MS = 2_000;
// Blocks take two seconds: with so much time left when it was sent, a payment that came too late is not its payer's doing.
const ENOUGH_MS = 30_000;
const RAN_OUT = 'invalid_exact_evm_payload_authorization_valid_before';
const MAX_JUDGED = 10_000;

/** Settles on a chain of its own account: one simulation, one broadcast, and whatever it takes to know the end. */
export function createLocalSettler(parts: LocalSettlerParts): Settlement {
  const { rpc } = parts;
  const transactions = createOwnTransactions(parts);
  const { witness } = transactions;
  const funds = payerFunds(parts);
  const held = holdBacks(parts);
  /** Transactions whose revert has been looked into. */
  const judged = new Set<Hex>();

  async function settle(order: Order, handover: Handover): Promise<End> {
    const share = funds.enter(order);
    let hasSettled = false;
    try {
      const end = await proveAndSettle(order, share, handover);
      hasSettled = end.state === 'settled';
      return end;
    } finally {
      share.leave(hasSettled);
    }
  }

  async function proveAndSettle(order: Order, share: Share, handover: Handover): Promise<End> {
    const { from } = order.payment.authorization;
    const proof = await orNotSent(() => prove(rpc, transactions.sender(order), order));
    if (proof.state === 'used') return (await witness.used(order)) ?? notSent('unclear');
    if (proof.state !== 'proven') return proof;
    const room = held.isHeld(from) ? 'held' : await share.hold();
    // Another payment of the payer may have reverted while this one waited.
    if (held.isHeld(from)) return notSent('payer_on_hold');
    if (room !== 'held') return room === 'short' ? refused('insufficient_funds') : notSent('payer_busy');
    // Only what has room counts as under way: waiting, a payer keeps places of its own caller alone.
    if (!(await handover.proven())) return notSent('stopped');
    const sending = () => transactions.send(handedOver(order), proof.gas, handover);
    const end = (await held.inTurn(order, sending)) ?? notSent('payer_busy');
    return end.state === 'reverted' ? afterRevert(order, end) : end;
  }

  /**
   * The chain changed between simulation and block, or the payer's account answers as it likes. Not sent again. Who is
   * paid all the same has lost nothing by it, a node that contradicts itself proves nothing, and a pause of the asset
   * is nobody's doing: only what is left holds the payer back.
   */
  async function afterRevert(order: Order, { hash }: Reverted): Promise<Exclude<End, NotSent>> {
    judged.add(hash);
    forgetOldest(judged);
    const verdict = await witness.look(handedOver(order), hash);
    if (verdict.state === 'settled') return verdict;
    if (verdict.state === 'unclear') return unknown(hash);
    if (!(await isBlameless(order, hash, verdict))) await held.note(order);
    return verdict.state === 'refused' ? verdict : declined(hash);
  }

  /** Whether a payment that had time enough came too late, or nothing shows that its payer made it revert. */
  async function isBlameless(order: Order, hash: Hex, verdict: Verdict): Promise<boolean> {
    if (verdict.state !== 'refused') return !(await isPayersDoing(rpc, order, hash));
    const sentAtMs = transactions.sentAtMs(hash);
    const leftMs = Number(order.payment.authorization.validBefore) * 1_000 - (sentAtMs ?? 0);
    return verdict.reason === RAN_OUT && leftMs > ENOUGH_MS;
  }

  async function reconcile(order: Order, hash: Hex | null, handover: Handover | null) {
    const verdict = await witness.look(order, hash);
    if (verdict.state === 'settled' || verdict.state === 'refused') return verdict;
    if (verdict.state === 'unclear') {
      // A node may lag or be busy for a moment; nothing is sent while the chain is unclear.
      const later = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return later.state === 'reverted' ? declined(hash) : later;
    }
    // It came after whoever sent it had left off following it.
    if (verdict.state === 'reverted' && hash !== null && !judged.has(hash))
      return afterRevert(order, { state: 'reverted', hash });
    const open = verdict.state === 'reverted' ? declined(hash) : unknown(hash);
    if (handover === null || held.isHeld(order.payment.authorization.from)) return open;
    if (verdict.state === 'unused' && hash !== null) {
      const end = await transactions.resend(order, hash);
      if (end.state === 'reverted') return afterRevert(order, end);
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

const refused = (reason: string): Refused => ({ state: 'refused', reason });
const declined = (transaction: Hex | null): Declined => ({
  state: 'declined',
  reason: 'invalid_transaction_state',
  transaction,
});

function forgetOldest(judged: Set<Hex>): void {
  if (judged.size > MAX_JUDGED) for (const oldest of judged) return void judged.delete(oldest);
}

/**
 * Whether a revert shows to be its payer's doing: the asset refuses the payment in the block of the revert, or takes
 * that of an account whose code has refused it. Of what no node says, and of a pause of the asset, it is none.
 */
async function isPayersDoing(rpc: Rpc, order: Order, hash: Hex): Promise<boolean> {
  const receipt = await rpc
    .call<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash])
    .catch(() => null);
  if (receipt === null) return false;
  const { state } = await prove(rpc, ANYBODY, order, receipt.blockNumber);
  return state === 'refused' || (state === 'proven' && order.signedBy === 'wallet');
}
