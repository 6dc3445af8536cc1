import type { Order } from './purchase.ts';

/*
 * What was paid for outlives a reload in the browser's own storage for this tab: the payment until it is answered, and
 * then the answer. Where a browser keeps nothing, only the reload is lost.
 */

/** A bought answer with the transaction that paid for it. */
export type Answer = {
  /** That of its purchase. */
  readonly name: string;
  readonly body: unknown;
  readonly transaction: string | null;
  /** What was written for it, in a line. */
  readonly about: string;
  /** Milliseconds since the epoch. */
  readonly boughtMs: number;
};

export const MAX_ANSWERS = 10;

const paymentOf = (operation: string): string => `payment:${operation}`;
const answersOf = (operation: string): string => `answers:${operation}`;

/** False when storage is full or forbidden; it goes on in this page. */
function keep(key: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function kept<Value>(key: string): Value | null {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}

function forget(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

export const keepPending = (operation: string, order: Order): void => void keep(paymentOf(operation), order);

/** The order of an operation that has no answer yet, or null. */
export const pendingOrder = (operation: string): Order | null => kept(paymentOf(operation));

export const forgetPending = (operation: string): void => forget(paymentOf(operation));

/** What was bought in this tab, the newest first. */
export const keptAnswers = (operation: string): readonly Answer[] => kept(answersOf(operation)) ?? [];

/** Keeps as many answers as there is room for, the first ones before the others. */
export function keepAnswers(operation: string, answers: readonly Answer[]): void {
  for (let count = answers.length; count > 0; count -= 1)
    if (keep(answersOf(operation), answers.slice(0, count))) return;
  forget(answersOf(operation));
}
