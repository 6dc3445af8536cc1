import { keepNewest } from './keep-newest.ts';
import { type End, type Handover, notSent, type Order, refused, type Settlement } from './settlement.ts';
import type { Hex } from './x402/payment.ts';
import { claimKey } from './x402/requirements.ts';

type NamedSettlement = { readonly name: string; readonly settlement: Settlement };

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

type FailoverParts = {
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
const NOT_ITS_FAULT: ReadonlySet<string> = new Set([
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

/**
 * Why a settler can probably not take a payment. For a facilitator: `unreached`, `unauthorized`, `not_listed` (it does
 * not list our network), `unclear` (only an attempt shows). For the chain behind a settler: `chain_unreached`,
 * `chain_unclear`, `wrong_chain`, `payee_blacklisted`, `clock_off`. For our own account there: `relayer_stuck`,
 * `gas_budget_spent`, `gas_too_dear` (with `wallet_` before them, only payers with code are refused), `no_gas_money`,
 * `relayer_in_use` (another process has the key). `failing`: the last payments could not be handed over.
 */
export type SettlerFault =
  | 'unreached'
  | 'unauthorized'
  | 'unclear'
  | 'not_listed'
  | 'chain_unreached'
  | 'chain_unclear'
  | 'wrong_chain'
  | 'payee_blacklisted'
  | 'clock_off'
  | 'relayer_stuck'
  | 'gas_budget_spent'
  | 'wallet_gas_budget_spent'
  | 'gas_too_dear'
  | 'wallet_gas_too_dear'
  | 'no_gas_money'
  | 'relayer_in_use'
  | 'failing';

/**
 * The health of a settler. `unasked`: not known yet. `degraded`: see `reason`; payments are still sent to it, because
 * only an attempt shows whether it works.
 */
export type SettlerHealth = {
  readonly settler: string;
  readonly state: 'ok' | 'degraded' | 'unasked';
  readonly reason: SettlerFault | null;
  /**
   * The settler still accepts some payments. It rejects those for the cheapest products, or those from accounts with
   * code.
   */
  readonly isPartial?: true;
};

type SettlerWatchParts = {
  readonly settler: string;
  /** Asks once whether the settler could accept a payment; null if it could. */
  readonly ask: () => Promise<SettlerFault | null>;
  /** Called when the answer changes. */
  readonly onChange?: ((health: SettlerHealth) => void) | undefined;
  /** Delays after one, two, three... failures in a row. The last one is repeated. */
  readonly retryMs?: readonly number[] | undefined;
  readonly renewMs?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
};

export type SettlerWatch = {
  health(): SettlerHealth;
  /** Records the result of a payment; a payment that could not be sent triggers a check. */
  note(report: Pick<SettlerReport, 'outcome' | 'reason'>): void;
  /** Asks now if the last answer is old: a minute, or five seconds if it was a fault. */
  askSoon(): void;
  /** The settler has changed: earlier answers, and pending ones, do not count. */
  askAgain(): void;
  stop(): void;
};

const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
const RENEW_MS = 600_000;
// How old an answer may be while somebody watches the health of the service.
const WATCHED_MS = { ok: 60_000, fault: 5_000 };
// Number of unsent payments in a row that count as a fault of the settler, and how long it lasts after the last one.
const FAILING_COUNT = 3;
const FAILING_MS = 60_000;

/** Repeatedly asks in the background whether a settler can accept payments. Nothing waits for it. */
export function watchSettler(parts: SettlerWatchParts): SettlerWatch {
  const { settler, ask, onChange, retryMs = RETRY_MS, renewMs = RENEW_MS, now = Date.now } = parts;
  const unasked: SettlerHealth = { settler, state: 'unasked', reason: null };
  let current = unasked;
  let failures = 0;
  let unsent = { count: 0, at: 0 };
  let isAsking = false;
  let answeredMs = Number.NEGATIVE_INFINITY;
  // Whether the next question is asked early. Its failure then does not lengthen the pauses.
  let isEarly = false;
  let isAnew = false;
  // Whether the settler has changed since it was last asked.
  let isChanged = false;
  let isStopped = false;
  let timer = later(0);

  function later(waitMs: number): NodeJS.Timeout {
    // Does not keep the process alive.
    return setTimeout(() => void round(), waitMs).unref();
  }

  async function round(): Promise<void> {
    isAsking = true;
    isAnew = false;
    const reason = await ask().catch(() => 'unclear' as const);
    isAsking = false;
    answeredMs = now();
    if (isStopped) return;
    if (isAnew) {
      timer = later(0);
      return;
    }
    isChanged = false;
    learn(reason);
    failures = reason === null ? 0 : Math.max(failures + (isEarly ? 0 : 1), 1);
    isEarly = false;
    timer = later(reason === null ? renewMs : (retryMs[failures - 1] ?? retryMs.at(-1) ?? renewMs));
  }

  function learn(reason: SettlerFault | null): void {
    const next: SettlerHealth = { settler, state: reason === null ? 'ok' : 'degraded', reason };
    const isNews = next.state !== current.state || next.reason !== current.reason;
    current = next;
    if (isNews) onChange?.(next);
  }

  return {
    health() {
      const isFailing = unsent.count >= FAILING_COUNT && now() - unsent.at < FAILING_MS;
      return isFailing && current.reason === null
        ? { settler, state: 'degraded', reason: 'failing' }
        : current;
    },
    note({ outcome, reason }) {
      if (isStopped || NOT_ITS_FAULT.has(reason ?? '')) return;
      unsent = outcome === 'not_sent' ? { count: unsent.count + 1, at: now() } : { count: 0, at: 0 };
      // A settled payment proves more than any status, but nothing about a settler that has changed since.
      if (outcome === 'settled' && !isChanged) learn(null);
      if (outcome !== 'not_sent' || isAsking || failures > 0) return;
      clearTimeout(timer);
      timer = later(0);
    },
    askSoon() {
      const enoughMs = current.state === 'ok' ? WATCHED_MS.ok : WATCHED_MS.fault;
      if (isStopped || isAsking || current.state === 'unasked' || Math.abs(now() - answeredMs) < enoughMs)
        return;
      isEarly = true;
      clearTimeout(timer);
      timer = later(0);
    },
    askAgain() {
      isAnew = true;
      isChanged = true;
      current = unasked;
      if (isAsking || isStopped) return;
      clearTimeout(timer);
      timer = later(0);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
