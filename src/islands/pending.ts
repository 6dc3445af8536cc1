import type { Order } from './purchase.ts';

/*
 * What was paid for outlives a reload in the browser's own storage for this tab: the payment until it is answered, and
 * then the answer. Where a browser keeps nothing, only the reload is lost.
 */

/** A bought answer with the transaction that paid for it. */
export type Answer = { readonly body: unknown; readonly transaction: string | null };

const paymentOf = (operation: string): string => `payment:${operation}`;
const answerOf = (operation: string): string => `answer:${operation}`;

function keep(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden; it goes on in this page.
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

export const keepPending = (operation: string, order: Order): void => keep(paymentOf(operation), order);

/** The order of an operation that has no answer yet, or null. */
export const pendingOrder = (operation: string): Order | null => kept(paymentOf(operation));

export const forgetPending = (operation: string): void => forget(paymentOf(operation));

export const keepAnswer = (operation: string, answer: Answer): void => keep(answerOf(operation), answer);

/** What was bought last in this tab, or null. */
export const keptAnswer = (operation: string): Answer | null => kept(answerOf(operation));

export const forgetAnswer = (operation: string): void => forget(answerOf(operation));
