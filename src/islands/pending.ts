import type { Order } from './purchase.ts';

/*
 * A payment that is under way outlives a reload in the browser's own storage for this tab, until it is answered.
 * Where a browser keeps nothing, only the reload is lost.
 */

const keyOf = (operation: string): string => `payment:${operation}`;

export function keepPending(operation: string, order: Order): void {
  try {
    sessionStorage.setItem(keyOf(operation), JSON.stringify(order));
  } catch {
    // Storage is full or forbidden; the payment goes on in this page.
  }
}

/** The order of an operation that has no answer yet, or null. */
export function pendingOrder(operation: string): Order | null {
  try {
    const text = sessionStorage.getItem(keyOf(operation));
    return text === null ? null : (JSON.parse(text) as Order);
  } catch {
    return null;
  }
}

export function forgetPending(operation: string): void {
  try {
    sessionStorage.removeItem(keyOf(operation));
  } catch {
    // Nothing was kept.
  }
}
