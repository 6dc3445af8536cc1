import { chainWitness, isOfMany, type Witness } from '../chain/chain-witness.ts';
import {
  ANY_SENDER,
  type CodeDigest,
  codeAt,
  type Proven,
  prove,
  type Sender,
  walletVerdict,
} from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { RpcReceipt } from '../chain/rpc-shapes.ts';
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
import type { Call } from './account.ts';
import { GasTooDear, gasCeilingWei, type Payer, SETTLEMENT_GAS } from './gas.ts';
import { type FundsReservation, payerFunds, payerHolds } from './payers.ts';
import { createSending, leftOf, orNotSent, type Reverted, type SendingParts } from './sending.ts';

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
const LEAST_LEFT_MS = 6_000;

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
      // A payment that waited for a long time must still have enough time, because a late one would be our fault.
      if (now() - provenAt > LONG_WAIT_MS && leftOf(order, now()) < LEAST_LEFT_MS)
        return notSent('payer_busy');
      // Another payment of the payer may have reverted while this one waited.
      if (await held.isHeld(from)) return notSent('payer_on_hold');
      // Only now does it count as in progress: a waiting payment uses only slots of its own caller.
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
    // Another process may have sent it, or this one before a restart.
    if (verdict.state === 'reverted' && hash !== null) noteRevert(order, hash);
    const open = verdict.state === 'reverted' ? reverted(hash) : unknown(hash);
    if (handover === null || (await held.isHeld(order.payment.authorization.from))) return open;
    // A payer that made it revert would do so again after each hold.
    if (verdict.state === 'reverted' && hash !== null && (await held.isAtFault(order, hash))) return open;
    if (verdict.state === 'unused' && hash !== null) {
      const end = await sendAgain(order, hash);
      if (end !== 'lost') return end;
    }
    // Its bytes are lost, or it reverted while still valid: hand it over once more.
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
    // The same call at a higher price has another hash.
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
