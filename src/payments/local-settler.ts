import { broadcaster, type Declined, type Reply } from './broadcast.ts';
import { chainWitness, type Verdict } from './chain-witness.ts';
import { GasBudgetSpent } from './gas-ledger.ts';
import { GasTooDear } from './gas-price.ts';
import type { Hex } from './payment.ts';
import { dataOf, MAX_GAS, prove } from './proof.ts';
import type { Call, Relayer, SignedTransaction } from './relayer.ts';
import { gasCeilingWei } from './relayer-funds.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import {
  type BeforeSending,
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
  /** How long a buyer waits for a transaction that was sent before the answer is "waiting". */
  readonly patienceMs?: number;
};

const RETRY_PATIENCE_MS = 2_000;
const MAX_ATTEMPTS = 3;
// Raw transactions kept for sending the same bytes again; older ones are signed anew.
const MAX_KEPT = 1_000;

/** Settles on a chain of its own account: one simulation, one broadcast, and whatever it takes to know the end. */
export function createLocalSettler(parts: LocalSettlerParts): Settlement {
  const { rpc, relayer, patienceMs = 20_000 } = parts;
  const witness = chainWitness(parts);
  const broadcast = broadcaster(rpc);
  const kept = new Map<Hex, Hex>();

  async function settle(order: Order, beforeSending: BeforeSending): Promise<End> {
    const proof = await prove(rpc, relayer.address, order);
    if (proof.state === 'used') return (await witness.used(order)) ?? notSent('unclear');
    return proof.state === 'proven' ? submit(handedOver(order), proof.gas, beforeSending) : proof;
  }

  /** Signs and sends until a transaction is taken and does not revert; follows it to its end. */
  async function submit(order: Order, firstGas: bigint, beforeSending: BeforeSending): Promise<End> {
    let last: End = notSent('nonce');
    let gas = firstGas;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const ceilingWei = gasCeilingWei(order.requirements.amount, parts.gasWeiPerCent);
      const call = { to: order.requirements.asset, data: dataOf(order), gas, ceilingWei };
      const sent = await handOver(call, beforeSending);
      if ('state' in sent) return sent;
      const reply = await sent.reply;
      const { hash, nonce } = sent.signed;
      if (reply.kind !== 'sent') {
        release(relayer, reply.kind, nonce);
        if (reply.kind === 'not_sent') return notSent('unreached');
        // Whoever took the nonce, it may have been these very bytes.
        const verdict = reply.kind === 'stale_nonce' ? await witness.look(order, hash) : UNUSED;
        if (verdict.state !== 'unused') return certain(verdict) ?? unknown(hash);
        continue;
      }
      if (reply.receipt !== null) relayer.mined(nonce, reply.receipt);
      const end = witness.read(order, reply.receipt) ?? (await witness.follow(order, hash, patienceMs));
      if (end.state !== 'reverted') return end;
      // The chain changed between simulation and block: simulate anew to learn whether another try can work.
      const proof = await prove(rpc, relayer.address, order);
      if (proof.state === 'used') return certain(await witness.look(order, null)) ?? unknown(hash);
      if (proof.state === 'refused') return proof;
      if (proof.state === 'not_sent') return unknown(hash);
      last = { state: 'refused', reason: 'invalid_transaction_state' };
      gas = MAX_GAS;
    }
    return last;
  }

  async function handOver(call: Call, beforeSending: BeforeSending): Promise<HandedOver | NotSent> {
    try {
      const sent = await relayer.sign<HandedOver>(call, async (signed) => {
        if (!(await beforeSending(signed.hash))) return null;
        keep(kept, signed);
        // The send starts here, in nonce order, and is awaited outside so that the next one can start.
        return { signed, reply: broadcast(signed.raw) };
      });
      return sent ?? notSent('stopped');
    } catch (error) {
      return notSent(whyUnsigned(error));
    }
  }

  async function reconcile(order: Order, hash: Hex | null, beforeSending: BeforeSending | null) {
    const verdict = await witness.look(order, hash);
    if (verdict.state === 'settled' || verdict.state === 'refused') return verdict;
    if (verdict.state === 'unclear') {
      // A node may lag or be busy for a moment; nothing is sent while the chain is unclear.
      const later = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return later.state === 'reverted' ? unknown(hash) : later;
    }
    if (beforeSending === null) return unknown(hash);
    const raw = hash === null ? undefined : kept.get(hash);
    const isKept = verdict.state === 'unused' && hash !== null && raw !== undefined;
    // Bytes whose nonce went to something else are as good as lost.
    if (isKept && ((await broadcast(raw)).kind === 'sent' || relayer.looksAfter(hash))) {
      const end = await witness.follow(order, hash, RETRY_PATIENCE_MS);
      return end.state === 'reverted' ? unknown(hash) : end;
    }
    // Lost with its bytes, or reverted while still good: hand it over once more.
    const end = await settle(order, beforeSending);
    if (end.state === 'settled' || end.state === 'unknown') return end;
    // Refused now is not refused for ever: what was sent before may still be waiting somewhere.
    return end.state === 'refused' && verdict.state === 'reverted' ? end : unknown(hash);
  }

  return { settle, reconcile };
}

type End = Settled | Refused | Unknown | NotSent;
type HandedOver = { readonly signed: SignedTransaction; readonly reply: Promise<Reply> };

const UNUSED: Verdict = { state: 'unused' };

/** Why nothing was signed, in a word. Throws what is a bug. */
function whyUnsigned(error: unknown): string {
  if (error instanceof RpcFailure) return 'relayer';
  if (error instanceof GasTooDear) return 'gas_too_dear';
  if (error instanceof GasBudgetSpent) return 'gas_budget_spent';
  throw error;
}

/** What becomes of the nonce of a transaction that was not taken. */
function release(relayer: Relayer, why: Declined, nonce: number): void {
  if (why === 'stale_nonce') relayer.taken(nonce);
  else if (why === 'too_cheap') relayer.tooCheap(nonce);
  else relayer.unsent(nonce);
}

/** A verdict that ends a payment; null for one that leaves it open. */
const certain = (verdict: Verdict): Settled | Refused | null =>
  verdict.state === 'settled' || verdict.state === 'refused' ? verdict : null;

const unknown = (transaction: Hex | null): Unknown => ({ state: 'unknown', transaction });
const notSent = (reason: string): NotSent => ({ state: 'not_sent', reason });

function keep(kept: Map<Hex, Hex>, { hash, raw }: SignedTransaction): void {
  kept.set(hash, raw);
  if (kept.size > MAX_KEPT) for (const oldest of kept.keys()) return void kept.delete(oldest);
}
