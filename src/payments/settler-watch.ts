import { NOT_ITS_FAULT, type SettlerReport } from './failover.ts';

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

export type SettlerWatchParts = {
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
