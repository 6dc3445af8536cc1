import { keepNewest } from './keep-newest.ts';
import { type End, type Handover, notSent, type Order, refused, type Settlement } from './settlement.ts';
import type { Hex } from './x402/payment.ts';
import { claimKey } from './x402/requirements.ts';

export type NamedSettlement = { readonly name: string; readonly settlement: Settlement };

/** The result of one payment with one settler, in fixed words, for logs. */
export type SettlerReport = {
  readonly settler: string;
  readonly outcome: End['state'];
  /** Why the payment was refused or not sent. */
  readonly reason: string | null;
  readonly transaction: Hex | null;
  readonly durationMs: number;
  readonly requestId?: string | null;
};

export type FailoverParts = {
  /** The settlers in order of preference; at least one. */
  readonly settlers: readonly NamedSettlement[];
  /** All settlers use the same nodes, so the first one's answer about an account is enough. */
  readonly isOneChain?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onSettler?: (report: SettlerReport) => void;
  /** Unsent payments in a row after which a settler is skipped. */
  readonly tries?: number;
  /** How long a settler is skipped. */
  readonly restMs?: number;
};

type Member = NamedSettlement & { failures: number; restsUntil: number };

const TRIES = 3;
const REST_MS = 10_000;
// The sender matters only while a result is unknown. Without an entry, all settlers are checked.
const MAX_SENDERS = 10_000;
// The gas of this payer's signature check is too expensive for a settler that pays for gas. Others may settle the
// payment.
const WALLET_GAS_TOO_DEAR = 'wallet_gas_too_dear';
/**
 * Reasons that concern the payment, its payer, the asset or the price of gas, and not the settler; and reasons that
 * are reported as faults elsewhere. A caller must not be able to make a settler look broken.
 */
export const NOT_ITS_FAULT: ReadonlySet<string> = new Set([
  'stopped',
  'asset_paused',
  'payer_busy',
  'payer_on_hold',
  'not_provable',
  'unsupported',
  'not_understood',
  'unclear',
  'gas_too_dear',
  'gas_budget_spent',
  'wallet_gas_budget_spent',
  'wrong_chain',
  'payee_blacklisted',
  'clock_off',
  'relayer_stuck',
  'relayer_busy',
  WALLET_GAS_TOO_DEAR,
  'relayer_in_use',
]);
// Every settler would give the same reason.
const SAME_ELSEWHERE = new Set(['stopped', 'payer_busy', 'payer_on_hold']);

/**
 * Several settlers as one, in order. The next one is used only when nothing was sent; an order that was handed over
 * stays with its settler. A failing settler is skipped for a while, unless no other is left.
 */
export function createFailover({
  settlers,
  isOneChain = false,
  now,
  onSettler,
  tries = TRIES,
  restMs = REST_MS,
}: FailoverParts): Settlement {
  const members: Member[] = settlers.map((settler) => ({ ...settler, failures: 0, restsUntil: 0 }));
  const senders = new Map<string, Member>();

  async function settle(order: Order, handover: Handover): Promise<End> {
    const key = keyOf(order);
    const awake = members.filter(({ restsUntil }) => restsUntil <= now());
    let end: End = notSent('unreached');
    // `not_sent` from a settler that was already told to send: it may still hold the payment.
    let handedBack: End | null = null;
    let isWalletTooDear = false;
    for (const member of awake.length > 0 ? awake : members) {
      const answer = await timed(member, order, () =>
        member.settlement.settle(order, marking(member, order, handover)),
      );
      note(member, answer);
      const wasHandedOver = senders.get(key) === member;
      // While an earlier settler may hold the payment, a refusal by a later one is not final.
      end = answer.state === 'refused' && !wasHandedOver ? (handedBack ?? answer) : answer;
      if (end.state !== 'not_sent' || SAME_ELSEWHERE.has(end.reason)) break;
      if (wasHandedOver) handedBack = end;
      isWalletTooDear ||= end.reason === WALLET_GAS_TOO_DEAR;
    }
    // No settler has the payment, and its buyer can pay from a plain account instead.
    if (end.state === 'not_sent' && isWalletTooDear && !senders.has(key)) return refused(WALLET_GAS_TOO_DEAR);
    if (!isOpen(end)) senders.delete(key);
    return end;
  }

  async function reconcile(order: Order, transaction: Hex | null, handover: Handover | null) {
    const sender = senders.get(keyOf(order));
    let known = transaction;
    let last: Open = { state: 'unknown', transaction };
    for (const member of sender === undefined ? members : [sender]) {
      const end = await timed(member, order, () =>
        member.settlement.reconcile(order, known, handover && marking(member, order, handover)),
      );
      if (!isOpen(end)) {
        senders.delete(keyOf(order));
        return end;
      }
      known = end.transaction ?? known;
      last = { ...end, transaction: known };
    }
    return last;
  }

  const questions = walletQuestions(isOneChain ? members.slice(0, 1) : members, now);

  /** Remembers which settler is about to send. */
  function marking(member: Member, order: Order, { proven, sending }: Handover): Handover {
    return {
      proven,
      async sending(transaction) {
        if (!(await sending(transaction))) return false;
        keepNewest(senders, [keyOf(order), member], MAX_SENDERS);
        return true;
      },
    };
  }

  function note(member: Member, end: End): void {
    if (end.state !== 'not_sent') member.failures = 0;
    else if (!NOT_ITS_FAULT.has(end.reason)) member.failures += 1;
    if (member.failures >= tries) member.restsUntil = now() + restMs;
  }

  async function timed<Result extends End>(
    { name }: Member,
    { requestId = null }: Order,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedMs = performance.now();
    const end = await work();
    onSettler?.({
      settler: name,
      outcome: end.state,
      reason: 'reason' in end ? end.reason : null,
      transaction: 'transaction' in end ? end.transaction : null,
      durationMs: performance.now() - startedMs,
      requestId,
    });
    return end;
  }

  return { settle, reconcile, isWalletSigned: questions, refusal: () => refusalOf(members) };
}

/** The first settler's reason if none takes new payments. */
async function refusalOf(members: readonly NamedSettlement[]): Promise<string | null> {
  const reasons = await Promise.all(
    members.map(async ({ settlement }) => (await settlement.refusal?.()) ?? null),
  );
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

// How long buyers are asked to wait before they repeat a payment.
const UNSAID_MS = 2_000;
const MAX_UNSAID = 10_000;

/**
 * Asks the settlers in turn whether an account with code has signed. The first answer counts. Simultaneous identical
 * questions are asked only once. A question without an answer is not repeated for a moment.
 */
function walletQuestions(
  members: readonly NamedSettlement[],
  now: () => number,
): Settlement['isWalletSigned'] {
  const asked = new Map<string, { said: Promise<boolean | null>; until: number }>();

  async function ask(order: Order, digest: Uint8Array): Promise<boolean | null> {
    for (const { settlement } of members) {
      const said = await settlement.isWalletSigned(order, digest);
      if (said !== null) return said;
    }
    return null;
  }

  return async (order, digest) => {
    const { signature, authorization } = order.payment;
    const key = [authorization.from, Buffer.from(digest).toString('base64'), signature].join();
    const known = asked.get(key);
    if (known !== undefined && known.until > now()) return known.said;
    const question = { said: ask(order, digest), until: Number.POSITIVE_INFINITY };
    keepNewest(asked, [key, question], MAX_UNSAID);
    const said = await question.said.catch(() => undefined);
    question.until = now() + UNSAID_MS;
    // The caller caches the answer, because it knows how long the answer is valid.
    if (said !== null && asked.get(key) === question) asked.delete(key);
    return question.said;
  };
}

type Open = Extract<End, { state: 'unknown' | 'declined' }>;

/** Whether the authorization may still move money. */
const isOpen = (end: End): end is Open => end.state === 'unknown' || end.state === 'declined';

const keyOf = ({ payment, requirements }: Order): string => claimKey(requirements, payment.authorization);
