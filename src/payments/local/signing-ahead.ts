import type { Fees } from '../chain/gas.ts';
import type { Call, Form } from './relayer-book.ts';

/** Signs a call with a nonce at a price; the same three give the same bytes. */
type Sign = (call: Call, nonce: number, fees: Fees) => Promise<Form>;

/** One transaction signed before its turn has come. */
export type SigningAhead = {
  /** Begins to sign what is expected next; does nothing while another one is kept. */
  sign(call: Call, nonce: number, fees: Fees): void;
  /** What was signed ahead, if it is this very one; else it is signed. Nothing is kept after it. */
  readonly form: Sign;
};

export function signingAhead(sign: Sign): SigningAhead {
  let kept: { readonly of: string; readonly form: Promise<Form> } | null = null;
  return {
    sign(call, nonce, fees) {
      if (kept !== null) return;
      const form = sign(call, nonce, fees);
      // Whoever asks for it is told.
      form.catch(() => undefined);
      kept = { of: textOf(call, nonce, fees), form };
    },
    form(call, nonce, fees) {
      const ready = kept;
      kept = null;
      return ready?.of === textOf(call, nonce, fees) ? ready.form : sign(call, nonce, fees);
    },
  };
}

/** All that is signed. */
const textOf = ({ to, data, gas }: Call, nonce: number, fees: Fees): string =>
  [to, data, gas, nonce, fees.maxFeePerGas, fees.maxPriorityFeePerGas].join();
