import type { Fees } from '../chain/gas.ts';
import type { Hex } from '../x402/payment.ts';
import {
  type Call,
  MAX_PAST,
  noteVersions,
  type RelayerAccount,
  type SignedVersion,
  sentOf,
  worstOf,
} from './relayer-account.ts';

export type Signing = {
  readonly signCall: (call: Call, nonce: number, fees: Fees) => Promise<SignedVersion>;
};

// So many nonces that were never ours are filled; beyond, what waits is signed again at the chain's count.
const MOST_FILLED = 64;

/** Whether the chain expects a nonce, below the ones that were sent, that counts as spent here. */
export function isMissing({ nonces }: RelayerAccount, count: number, lowest: number): boolean {
  for (let nonce = count; nonce < Math.min(lowest, count + MAX_PAST); nonce += 1)
    if (!nonces.knows(nonce)) return true;
  return lowest > count + MAX_PAST;
}

/**
 * Recovers after a reorganisation, or after a node's wrong count. What could still be mined keeps its nonce, so that
 * the chain accepts it once at most.
 */
export async function recover(
  account: RelayerAccount & Signing,
  { count, lowest, at }: { count: number; lowest: number; at: number },
): Promise<void> {
  const { nonces, past, outstanding, ledger } = account;
  const missing = Array.from(
    { length: Math.min(lowest - count, MAX_PAST + MOST_FILLED + 1) },
    (_, index) => count + index,
  ).filter((nonce) => !nonces.knows(nonce));
  if (missing.filter((nonce) => !past.has(nonce)).length > MOST_FILLED) return restart(account, count, at);
  for (const nonce of missing) {
    const entry = past.get(nonce);
    nonces.reopen(nonce, entry === undefined ? 'free' : 'taken');
    if (entry === undefined) continue;
    past.delete(nonce);
    // The same bytes: they have the nonce that the chain expects and the payment that it has lost.
    outstanding.set(nonce, { ...entry, at });
    ledger.reserve(nonce, worstOf(account, entry), undefined);
  }
}

/**
 * Signs what waits again from the chain's count on: nodes do not keep transactions that are so far ahead. All nonces
 * and costs are reserved before anything is signed, so a failure in between is retried like any other.
 */
async function restart(account: RelayerAccount & Signing, count: number, at: number): Promise<void> {
  const { nonces, outstanding, ledger, signCall } = account;
  const waiting = sentOf(account);
  nonces.restart(count);
  for (const [nonce] of waiting) outstanding.delete(nonce);
  const moved = waiting.map(([old, entry]) => ({ old, nonce: nonces.take(), entry: { ...entry, at } }));
  ledger.move(moved);
  for (const { nonce, entry } of moved) outstanding.set(nonce, entry);
  for (const { nonce, entry } of moved) {
    const fresh = await signCall(entry.call, nonce, entry.fees);
    if (outstanding.get(nonce) !== entry) continue;
    noteVersions(account, [...entry.versions, fresh]);
    outstanding.set(nonce, { ...entry, versions: [fresh] });
  }
}

/** A call to ourselves that does nothing: it uses up a nonce and pays nobody. */
export const emptyCall = (address: Hex, gas: bigint, ceilingWei: bigint): Call => ({
  to: address,
  data: '0x',
  gas,
  ceilingWei,
});
