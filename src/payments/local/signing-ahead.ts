import type { Fees } from '../chain/gas.ts';
import type { Call, SignedVersion } from './relayer-account.ts';

/** Signs a call with a nonce and fees; equal arguments give equal bytes. */
type Sign = (call: Call, nonce: number, fees: Fees) => Promise<SignedVersion>;

/** Keeps one transaction that was signed in advance. */
export type SigningAhead = {
  /** Starts to sign the expected next call; does nothing while another one is kept. */
  sign(call: Call, nonce: number, fees: Fees): void;
  /** The transaction signed in advance if it matches, else a new one. Nothing is kept afterwards. */
  readonly take: Sign;
};

export function signingAhead(sign: Sign): SigningAhead {
  let kept: { readonly of: string; readonly version: Promise<SignedVersion> } | null = null;
  return {
    sign(call, nonce, fees) {
      if (kept !== null) return;
      const version = sign(call, nonce, fees);
      // The caller that uses it sees the error.
      version.catch(() => undefined);
      kept = { of: textOf(call, nonce, fees), version };
    },
    take(call, nonce, fees) {
      const ready = kept;
      kept = null;
      return ready?.of === textOf(call, nonce, fees) ? ready.version : sign(call, nonce, fees);
    },
  };
}

/** All that is signed. */
const textOf = ({ to, data, gas }: Call, nonce: number, fees: Fees): string =>
  [to, data, gas, nonce, fees.maxFeePerGas, fees.maxPriorityFeePerGas].join();
