import { broadcaster, type Declined as NotTaken, type Reply } from './broadcast.ts';
import { chainWitness, type Verdict } from './chain-witness.ts';
import { GasBudgetSpent } from './gas-ledger.ts';
import { GasTooDear } from './gas-price.ts';
import { holdBacks } from './hold-backs.ts';
import { payerFunds } from './payer-funds.ts';
import type { Hex } from './payment.ts';
import { ANYBODY, askWallet, dataOf, prove, type Sender } from './proof.ts';
import type { Call, Relayer, SignedTransaction } from './relayer.ts';
import { gasCeilingWei } from './relayer-funds.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import {
  type Declined,
  type End,
  type Handover,
  handedOver,
  type NotSent,
  type Order,
  type Refused,
  type Settled,
  type Settlement,
  type Unknown,
} from './settlement.ts';

export type LocalSettlerParts = {
  readonly rpc: Rpc;
  readonly relayer: Relayer;
  /** What may be spent on gas for each cent that is sold, in wei. */
  readonly gasWeiPerCent: bigint;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pollMs?: number;
  /** Blocks on top of a transfer before it counts. */
  readonly confirmations?: number | undefined;
  /** How long a buyer waits for a transaction that was sent before the answer is "waiting". */
  readonly patienceMs?: number;
  /** How long a payer waits whose transaction reverted although it had been proven. */
  readonly heldMs?: number;
};

const RETRY_PATIENCE_MS = 2_000;
const MAX_ATTEMPTS = 3;
// Raw transactions kept for sending the same bytes again; older ones are signed anew.
const MAX_KEPT = 1_000;

/** Settles on a chain of its own account: one simulation, one broadcast, and whatever it takes to know the end. */
export function createLocalSettler(parts: LocalSettlerParts): Settlement {
  const { rpc, relayer, patienceMs = 20_000 } = parts;
  const kept = new Map<Hex, SignedTransaction>();
  const onReceipt = (receipt: unknown) => {
    const signed = kept.get((receipt as { transactionHash: Hex }).transactionHash);
    if (signed !== undefined) relayer.mined(signed.nonce, receipt);
  };
  const witness = chainWitness({ ...parts, relayer: relayer.address, onReceipt });
  const broadcast = broadcaster(rpc);
  const funds = payerFunds(rpc);
  const held = holdBacks(parts);

  async function settle(order: Order, handover: Handover): Promise<End> {
    const share = funds.enter(order);
    try {
      const proof = await orNotSent(() => prove(rpc, senderOf(order, parts), order));
      if (proof.state === 'used') return (await witness.used(order)) ?? notSent('unclear');
      if (proof.state !== 'proven') return proof;
      if (held.isHeld(order.payment.authorization.from)) return refused('payer_on_hold');
      const room = await share.hold();
      if (room !== 'held') return room === 'short' ? refused('insufficient_funds') : notSent('payer_busy');
      if (!(await handover.proven())) return notSent('stopped');
      const settling = () => submit(handedOver(order), proof.gas, handover);
      return (await held.inTurn(order, settling)) ?? notSent('payer_busy');
    } finally {
      share.leave();
    }
  }

  /** Signs and sends until a transaction is taken, and follows it to its end. What reverts is not sent again. */
  async function submit(order: Order, gas: bigint, handover: Handover): Promise<End> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const call: Call = { to: order.requirements.asset, data: dataOf(order), gas, ...termsOf(order, parts) };
      const sent = await orNotSent(() => handOver({ relayer, broadcast, kept }, call, handover));
      if ('state' in sent) return sent;
      const reply = await sent.reply;
      const { hash, nonce } = sent.signed;
      if (reply.kind === 'sent') {
        const seen = witness.read(order, reply.receipt, hash);
        const end = seen ?? (await witness.follow(order, hash, patienceMs));
        return end.state === 'reverted' ? afterRevert(order, hash) : end;
      }
      release(relayer, reply.kind, nonce);
      if (reply.kind === 'not_sent') return notSent('unreached');
      // Whoever took the nonce, it may have been these very bytes.
      const verdict = reply.kind === 'stale_nonce' ? await witness.look(order, hash) : UNUSED;
      if (verdict.state !== 'unused') return certain(verdict) ?? unknown(hash);
    }
    return notSent('nonce');
  }

  /** The chain changed between simulation and block, or the payer's account answers as it likes. */
  async function afterRevert(order: Order, hash: Hex): Promise<Exclude<End, NotSent>> {
    const verdict = await witness.look(order, hash);
    const end = certain(verdict) ?? (verdict.state === 'unclear' ? unknown(hash) : declined(hash));
    // Two of our own, one of them thought lost, are nobody else's doing; nor is a pause of the asset.
    const isOurs = end.state === 'settled' && kept.has(end.transaction);
    if (!isOurs && !(await isPaused(rpc, order))) await held.note(order);
    return end;
  }

  async function reconcile(order: Order, hash: Hex | null, handover: Handover | null) {
    const verdict = await witness.look(order, hash);
    if (verdict.state === 'settled' || verdict.state === 'refused') return verdict;
    if (verdict.state === 'unclear') {
      // A node may lag or be busy for a moment; nothing is sent while the chain is unclear.
      const later = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return later.state === 'reverted' ? declined(hash) : later;
    }
    const open = verdict.state === 'reverted' ? declined(hash) : unknown(hash);
    if (handover === null || held.isHeld(order.payment.authorization.from)) return open;
    const raw = hash === null ? undefined : kept.get(hash)?.raw;
    const isKept = verdict.state === 'unused' && hash !== null && raw !== undefined;
    // Bytes whose nonce went to something else are as good as lost.
    if (isKept && ((await broadcast(raw)).kind === 'sent' || relayer.looksAfter(hash))) {
      const end = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return end.state === 'reverted' ? afterRevert(order, hash) : end;
    }
    // Lost with its bytes, or reverted while still good: hand it over once more.
    const end = await settle(order, handover);
    // Refused now is not refused for ever: what was sent before may still be waiting somewhere.
    return end.state === 'refused' || end.state === 'not_sent' ? open : end;
  }

  return { settle, reconcile, isWalletSigned: (order, digest) => askWallet(rpc, order, digest) };
}

type Way = {
  readonly relayer: Relayer;
  readonly broadcast: (raw: Hex) => Promise<Reply>;
  readonly kept: Map<Hex, SignedTransaction>;
};

/** Signs a call and starts to send it, once that is remembered. Throws what keeps it from being signed. */
async function handOver(
  { relayer, broadcast, kept }: Way,
  call: Call,
  handover: Handover,
): Promise<HandedOver | NotSent> {
  const sent = await relayer.sign<HandedOver>(call, async (signed) => {
    if (!(await handover.sending(signed.hash))) return null;
    keep(kept, signed);
    // The send starts here, in nonce order, and is awaited outside so that the next one can start.
    return { signed, reply: broadcast(signed.raw) };
  });
  return sent ?? notSent('stopped');
}

/** Our account, and what it would offer for the gas of an order. */
function senderOf(order: Order, parts: LocalSettlerParts): Sender {
  const { relayer } = parts;
  const { ceilingWei, payer } = termsOf(order, parts);
  return { address: relayer.address, fees: (gas) => relayer.fees(gas, ceilingWei, payer) };
}

type HandedOver = { readonly signed: SignedTransaction; readonly reply: Promise<Reply> };

const UNUSED: Verdict = { state: 'unused' };
const refused = (reason: string): Refused => ({ state: 'refused', reason });

/** What the settlement of an order may cost, and whose share of the hour's gas a revert is taken from. */
const termsOf = (
  { requirements, signedBy }: Order,
  { gasWeiPerCent }: LocalSettlerParts,
): Required<Pick<Call, 'ceilingWei' | 'payer'>> => ({
  ceilingWei: gasCeilingWei(requirements.amount, gasWeiPerCent),
  payer: signedBy === 'key' ? 'plain' : 'code',
});

/** What becomes of the nonce of a transaction that was not taken. */
function release(relayer: Relayer, why: NotTaken, nonce: number): void {
  if (why === 'stale_nonce') relayer.taken(nonce);
  else if (why === 'too_cheap') relayer.tooCheap(nonce);
  else relayer.unsent(nonce);
}

async function isPaused(rpc: Rpc, order: Order): Promise<boolean> {
  const proof = await prove(rpc, ANYBODY, order);
  return proof.state === 'not_sent' && proof.reason === 'asset_paused';
}

/** A verdict that ends a payment; null for one that leaves it open. */
const certain = (verdict: Verdict): Settled | Refused | null =>
  verdict.state === 'settled' || verdict.state === 'refused' ? verdict : null;

const unknown = (transaction: Hex | null): Unknown => ({ state: 'unknown', transaction });
const declined = (transaction: Hex | null): Declined => ({
  state: 'declined',
  reason: 'invalid_transaction_state',
  transaction,
});
const notSent = (reason: string): NotSent => ({ state: 'not_sent', reason });

/** What keeps a transaction from being signed: nothing of it was handed over. */
async function orNotSent<Result>(work: () => Promise<Result>): Promise<Result | NotSent> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcFailure) return notSent('relayer');
    if (error instanceof GasTooDear) return notSent('gas_too_dear');
    if (error instanceof GasBudgetSpent) return notSent('gas_budget_spent');
    throw error;
  }
}

function keep(kept: Map<Hex, SignedTransaction>, signed: SignedTransaction): void {
  kept.set(signed.hash, signed);
  if (kept.size > MAX_KEPT) for (const oldest of kept.keys()) return void kept.delete(oldest);
}
