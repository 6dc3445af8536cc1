import type { Fees } from '../chain/gas.ts';
import type { Hex } from '../x402/payment.ts';
import { type Book, type Call, type Form, MAX_PAST, noteForms, sentOf, worstOf } from './relayer-book.ts';

export type Signing = { readonly form: (call: Call, nonce: number, fees: Fees) => Promise<Form> };

// Nonces that were never ours are filled up to here; farther ahead, what waits is signed anew at the chain's own.
const MOST_FILLED = 64;

/** Whether the chain asks for a nonce below what was sent that is thought to be spent. */
export function isMissing({ nonces }: Book, count: number, lowest: number): boolean {
  for (let nonce = count; nonce < Math.min(lowest, count + MAX_PAST); nonce += 1)
    if (!nonces.knows(nonce)) return true;
  return lowest > count + MAX_PAST;
}

/**
 * The chain has gone back behind what was on it, or a node had counted wrong. What could still be mined stays at its
 * own nonce, so that the chain takes it once at most.
 */
export async function recover(
  book: Book & Signing,
  { count, lowest, at }: { count: number; lowest: number; at: number },
): Promise<void> {
  const { nonces, past, outstanding, ledger } = book;
  const missing = Array.from(
    { length: Math.min(lowest - count, MAX_PAST + MOST_FILLED + 1) },
    (_, index) => count + index,
  ).filter((nonce) => !nonces.knows(nonce));
  if (missing.filter((nonce) => !past.has(nonce)).length > MOST_FILLED) return restart(book, count, at);
  for (const nonce of missing) {
    const entry = past.get(nonce);
    nonces.reopen(nonce, entry === undefined ? 'free' : 'taken');
    if (entry === undefined) continue;
    past.delete(nonce);
    // The same bytes: they hold the nonce that the chain asks for, and the payment that it has lost.
    outstanding.set(nonce, { ...entry, at });
    ledger.reserve(nonce, worstOf(book, entry), undefined);
  }
}

/**
 * Signs what waits anew, from the chain's own count on: so far ahead no node keeps what was sent. All of it has its
 * nonce, and what it may cost stays counted, before any of it is signed: what fails then is tried again like the rest.
 */
async function restart(book: Book & Signing, count: number, at: number): Promise<void> {
  const { nonces, outstanding, ledger, form } = book;
  const waiting = sentOf(book);
  nonces.restart(count);
  for (const [nonce] of waiting) outstanding.delete(nonce);
  const moved = waiting.map(([old, entry]) => ({ old, nonce: nonces.take(), entry: { ...entry, at } }));
  ledger.move(moved);
  for (const { nonce, entry } of moved) outstanding.set(nonce, entry);
  for (const { nonce, entry } of moved) {
    const fresh = await form(entry.call, nonce, entry.fees);
    if (outstanding.get(nonce) !== entry) continue;
    noteForms(book, [...entry.forms, fresh]);
    outstanding.set(nonce, { ...entry, forms: [fresh] });
  }
}

/** Nothing, sent to ourselves: what holds a nonce and pays nobody. */
export const emptyCall = (address: Hex, gas: bigint, ceilingWei: bigint): Call => ({
  to: address,
  data: '0x',
  gas,
  ceilingWei,
});
