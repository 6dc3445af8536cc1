import type { Hex } from './payment.ts';
import type { BeforeSending, NotSent, Order, Refused, Settled, Settlement, Unknown } from './settlement.ts';
import { NOT_ITS_FAULT } from './settler-watch.ts';

export type NamedSettlement = { readonly name: string; readonly settlement: Settlement };

/** How one settler ended one payment, in fixed words; for logs. */
export type SettlerReport = {
  readonly settler: string;
  readonly outcome: (Settled | Refused | Unknown | NotSent)['state'];
  /** Why it was refused or not sent. */
  readonly reason: string | null;
  readonly transaction: Hex | null;
  readonly durationMs: number;
};

export type FailoverParts = {
  /** In order of preference, at least one. */
  readonly settlers: readonly NamedSettlement[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onSettler?: (report: SettlerReport) => void;
  /** Payments in a row that a settler may leave unsent before it is passed over. */
  readonly tries?: number;
  /** How long it is passed over. */
  readonly restMs?: number;
};

type End = Settled | Refused | Unknown | NotSent;
type Member = NamedSettlement & { failures: number; restsUntil: number };

const TRIES = 3;
const REST_MS = 10_000;
// Who sent what is only worth knowing while an end is unknown; a forgotten one is found by asking all.
const MAX_SENDERS = 10_000;

/**
 * Several settlers as one, in order. The next one is asked only when nothing was sent; an order that was handed over
 * stays with its settler. One that keeps failing is passed over for a while, never when no other is left.
 */
export function createFailover({
  settlers,
  now,
  onSettler,
  tries = TRIES,
  restMs = REST_MS,
}: FailoverParts): Settlement {
  const members: Member[] = settlers.map((settler) => ({ ...settler, failures: 0, restsUntil: 0 }));
  const senders = new Map<string, Member>();

  async function settle(order: Order, beforeSending: BeforeSending): Promise<End> {
    const awake = members.filter(({ restsUntil }) => restsUntil <= now());
    let end: End = { state: 'not_sent', reason: 'unreached' };
    for (const member of awake.length > 0 ? awake : members) {
      end = await timed(member, () => member.settlement.settle(order, marking(member, order, beforeSending)));
      note(member, end);
      if (end.state !== 'not_sent' || end.reason === 'stopped') break;
    }
    if (end.state !== 'unknown') senders.delete(keyOf(order));
    return end;
  }

  async function reconcile(order: Order, transaction: Hex | null, beforeSending: BeforeSending | null) {
    const sender = senders.get(keyOf(order));
    let known = transaction;
    for (const member of sender === undefined ? members : [sender]) {
      const end = await timed(member, () =>
        member.settlement.reconcile(order, known, beforeSending && marking(member, order, beforeSending)),
      );
      if (end.state !== 'unknown') {
        senders.delete(keyOf(order));
        return end;
      }
      known = end.transaction ?? known;
    }
    return { state: 'unknown', transaction: known } as const;
  }

  /** Remembers who is about to send. */
  function marking(member: Member, order: Order, beforeSending: BeforeSending): BeforeSending {
    return async (transaction) => {
      if (!(await beforeSending(transaction))) return false;
      senders.set(keyOf(order), member);
      if (senders.size > MAX_SENDERS) forgetOldest(senders);
      return true;
    };
  }

  function note(member: Member, end: End): void {
    if (end.state !== 'not_sent') member.failures = 0;
    else if (!NOT_ITS_FAULT.has(end.reason)) member.failures += 1;
    if (member.failures >= tries) member.restsUntil = now() + restMs;
  }

  async function timed<Result extends End>({ name }: Member, work: () => Promise<Result>): Promise<Result> {
    const startedMs = performance.now();
    const end = await work();
    onSettler?.({
      settler: name,
      outcome: end.state,
      reason: 'reason' in end ? end.reason : null,
      transaction: 'transaction' in end ? end.transaction : null,
      durationMs: performance.now() - startedMs,
    });
    return end;
  }

  /** None takes new payments: the first one's reason. */
  async function refusal(): Promise<string | null> {
    const reasons = await Promise.all(
      members.map(async ({ settlement }) => (await settlement.refusal?.()) ?? null),
    );
    return reasons.includes(null) ? null : (reasons[0] ?? null);
  }

  return { settle, reconcile, refusal };
}

const keyOf = ({ payment, requirements }: Order): string =>
  `${requirements.network}:${requirements.asset.toLowerCase()}:${payment.authorization.from}:${payment.authorization.nonce}`;

function forgetOldest(senders: Map<string, unknown>): void {
  for (const oldest of senders.keys()) return void senders.delete(oldest);
}
