import { chainWitness, poll, type Verdict, type WitnessParts } from '../chain/chain-witness.ts';
import { ANY_SENDER, prove, walletVerdict } from '../chain/proof.ts';
import type { Rpc } from '../chain/rpc.ts';
import { keepNewest } from '../keep-newest.ts';
import {
  declined,
  type End,
  EXPIRED,
  type Handover,
  handedOver,
  isFinal,
  notSent,
  type Order,
  type Settlement,
  settled,
  submittedElsewhere,
  USED,
  unknown,
} from '../settlement.ts';
import type { Hex } from '../x402/payment.ts';
import { facilitatorHttp, type Reply } from './http.ts';
import type { Facilitator } from './known-facilitators.ts';
import { type FacilitatorVerdict, readVerdict, settleBody, UNCLEAR, verdictOf } from './messages.ts';

export type FacilitatorSettlerParts = Facilitator &
  Pick<WitnessParts, 'now' | 'pollMs' | 'confirmations'> & {
    /** Null: only the facilitator can be asked. */
    readonly rpc: Rpc | null;
    /** How long the facilitator may take for one payment, including repetitions. */
    readonly deadlineMs?: number;
    /** Waits before the same bytes are posted again while the facilitator does not know the result. */
    readonly repeatMs?: readonly number[];
    /** How long the chain is polled for a payment that the facilitator reports as paid or leaves open. */
    readonly patienceMs?: number;
  };

const DEADLINE_MS = 25_000;
const REPEAT_MS = [2_000, 4_000, 8_000];
const PATIENCE_MS = 4_000;
const POLL_MS = 400;
// A buyer who repeats a request is asked to try again in a few seconds instead of waiting a long time.
const RECONCILE_DEADLINE_MS = 5_000;
const RECONCILE_PATIENCE_MS = 1_500;
const VERIFY_DEADLINE_MS = 5_000;
const MAX_TRANSACTIONS = 10_000;

/**
 * Settles through an x402 facilitator. With an RPC, the authorization is proven before it is sent, and only the chain
 * shows the result. Without an RPC, a well-formed answer of the facilitator counts as true, unless its transaction has
 * paid for another purchase of this process.
 */
export function createFacilitatorSettler(parts: FacilitatorSettlerParts): Settlement {
  const { now, deadlineMs = DEADLINE_MS, repeatMs = REPEAT_MS, patienceMs = PATIENCE_MS } = parts;
  const http = facilitatorHttp(parts);
  const chain = parts.rpc === null ? null : chainSide(parts.rpc, parts);
  /** Without an RPC: the nonce of the authorization that each transaction was reported for. */
  const paidFor = new Map<Hex, Hex>();

  function isAnothers(transaction: Hex, { payment }: Order): boolean {
    const { nonce } = payment.authorization;
    if ((paidFor.get(transaction) ?? nonce) !== nonce) return true;
    keepNewest(paidFor, [transaction, nonce], MAX_TRANSACTIONS);
    return false;
  }

  async function settle(order: Order, handover: Handover): Promise<End> {
    const early = chain === null ? verdictOf(await verified(order)) : await chain.before(order);
    if (early?.state === 'unknown') return submittedElsewhere(early, handover);
    if (early !== null) return early;
    if (!(await handover.proven()) || !(await handover.sending(null))) return notSent('stopped');
    const sent = handedOver(order);
    const claimed = await handOver(sent);
    return chain === null ? atItsWord(claimed, sent) : chain.judge(claimed, sent, patienceMs);
  }

  /** Without a chain, the facilitator says whether it would settle now, so that an invalid payment creates no claim. */
  const verified = (order: Order): Promise<Reply> =>
    http.post('/verify', settleBody(order), VERIFY_DEADLINE_MS);

  /** Posts the order, and repeats it while the facilitator reports that it does not know the result. */
  async function handOver(order: Order): Promise<FacilitatorVerdict> {
    const until = now() + deadlineMs;
    const body = settleBody(order);
    let claimed = await post(order, body, deadlineMs);
    for (const wait of repeatMs) {
      if (claimed.kind !== 'pending' || now() + wait >= until) return claimed;
      const { transaction } = claimed;
      const verdict = chain === null ? await pause(wait) : await chain.watch(order, transaction, wait);
      // The chain already shows the result, so the facilitator's answer does not matter.
      if (verdict && isFinal(verdict)) return claimed;
      const next = await post(order, body, Math.max(until - now(), 1));
      if (next.kind === 'paid') return next;
      // The facilitator has already sent it, so a later refusal does not mean that nothing was sent.
      if (next.kind === 'refused' || next.kind === 'used') return { kind: 'unclear', transaction };
      if (next.kind !== 'not_taken' && next.transaction !== null)
        claimed = { kind: 'pending', transaction: next.transaction };
    }
    return claimed;
  }

  async function post(order: Order, body: string, limitMs: number): Promise<FacilitatorVerdict> {
    const reply = await http.post('/settle', body, limitMs);
    // Without a chain even a gateway's 503 leaves the result unknown.
    const claimed = readVerdict(reply, order, parts.isEdge503 === true && chain !== null);
    const isNo = claimed.kind === 'used' || claimed.kind === 'refused';
    if (chain === null && claimed.kind === 'paid' && isAnothers(claimed.transaction, order)) return UNCLEAR;
    // The refused bytes may have been settled a moment before.
    return isNo && reply.kind === 'answered' && reply.isRepeated ? UNCLEAR : claimed;
  }

  async function reconcile(order: Order, transaction: Hex | null, handover: Handover | null) {
    const seen = chain === null ? null : await chain.look(order, transaction);
    if (seen !== null && isFinal(seen)) return seen;
    if (seen?.state === 'unclear') return unknown(transaction);
    if (!(await handover?.sending(transaction))) return unknown(transaction);
    const claimed = await post(order, settleBody(order), RECONCILE_DEADLINE_MS);
    const sent = 'transaction' in claimed ? (claimed.transaction ?? transaction) : transaction;
    if (chain === null) return wordOnSent(claimed, order, sent, now());
    const verdict = await chain.watch(order, sent, RECONCILE_PATIENCE_MS);
    // The facilitator may already have sent what it refuses now.
    return isFinal(verdict) ? verdict : unknown(sent);
  }

  /** Without a chain, a signature counts as valid if the facilitator would settle the payment now. */
  const isWalletSigned: Settlement['isWalletSigned'] = async (order, digest) => {
    if (parts.rpc !== null) return walletVerdict(parts.rpc, order, digest);
    const verdict = verdictOf(await verified(order));
    return verdict?.state === 'not_sent' ? null : verdict === null;
  };

  return { settle, reconcile, isWalletSigned };
}

/** Waits, and keeps the process alive during the wait: a facilitator may be settling. */
const pause = (forMs: number) => new Promise<void>((resolve) => setTimeout(resolve, forMs));

/** The result of a payment if there is no chain to ask. */
function atItsWord(claimed: FacilitatorVerdict, order: Order): End {
  switch (claimed.kind) {
    case 'paid':
      return settled(order, claimed.transaction);
    case 'pending':
    case 'unclear':
      return unknown(claimed.transaction);
    // The facilitator was ready to settle, so it may have done so.
    case 'used':
      return unknown(null);
    // The facilitator has the authorization and may still use it.
    case 'refused':
      return declined(claimed.reason);
    case 'not_taken':
      return notSent(claimed.reason);
  }
}

// Clocks differ, and a block takes time.
const RUN_OUT_MS = 60_000;

/**
 * The result of a sent payment, based only on the facilitator's word. Once the authorization has expired, a refusal is
 * final.
 */
function wordOnSent(claimed: FacilitatorVerdict, order: Order, sent: Hex | null, nowMs: number) {
  if (claimed.kind === 'paid') return settled(order, claimed.transaction);
  const { validBefore } = order.payment.authorization;
  const hasRunOut = nowMs > Number(validBefore) * 1_000 + RUN_OUT_MS;
  if (claimed.kind === 'used' && hasRunOut) return USED;
  if (claimed.kind !== 'refused') return unknown(sent);
  return hasRunOut ? EXPIRED : declined(claimed.reason, sent);
}

type ChainSide = {
  /** The end of an order that must not be sent; null if the chain would accept it. */
  before(order: Order): Promise<End | null>;
  /** Polls until there is a result or the time is up. */
  watch(order: Order, transaction: Hex | null, forMs: number): Promise<Verdict>;
  look(order: Order, transaction: Hex | null): Promise<Verdict>;
  /** The result of a payment, whatever the facilitator claims. */
  judge(claimed: FacilitatorVerdict, order: Order, forMs: number): Promise<End>;
};

function chainSide(rpc: Rpc, { now, pollMs = POLL_MS, confirmations }: FacilitatorSettlerParts): ChainSide {
  const witness = chainWitness({ rpc, now, pollMs, confirmations });

  const before: ChainSide['before'] = async (order) => {
    const proof = await prove(rpc, ANY_SENDER, order);
    if (proof.state === 'used') return (await witness.used(order)) ?? notSent('unclear');
    return proof.state === 'proven' ? null : proof;
  };

  const watch: ChainSide['watch'] = (order, transaction, forMs) =>
    poll(() => witness.look(order, transaction), { isEnd: isFinal, forMs, pollMs, now });

  const judge: ChainSide['judge'] = async (claimed, order, forMs) => {
    if (claimed.kind === 'not_taken' && !claimed.heard) return notSent(claimed.reason);
    const said = 'transaction' in claimed ? claimed.transaction : null;
    // A facilitator that rejected the call must not delay the next settler.
    const verdict = await watch(order, said, claimed.kind === 'not_taken' ? 0 : forMs);
    if (isFinal(verdict)) return verdict;
    if (claimed.kind === 'not_taken') return notSent(claimed.reason);
    if (verdict.state === 'unclear') return unknown(said);
    if (claimed.kind === 'refused') return declined(claimed.reason);
    // A transaction that the chain does not confirm is not reported.
    return unknown(claimed.kind === 'paid' ? null : said);
  };

  return { before, watch, look: witness.look, judge };
}
