import type { Fault } from '../../domain/result.ts';
import type { RawInput } from '../../exchange/validate.ts';

/** The longest name of a purchase. */
export const MAX_NAME_CHARACTERS = 255;

const TOO_LONG: Fault = {
  pointer: '/idempotency-key',
  code: 'too_long',
  detail: `is a header of over ${MAX_NAME_CHARACTERS} characters`,
  hint: 'send a name of your own for the purchase, such as a UUID',
};

/** The client's own name for a purchase, as Idempotency-Key has it: a blank one is none, a long one a fault of the input. */
export function named(
  raw: RawInput,
  header: string | undefined,
): { readonly raw: RawInput; readonly idempotencyKey: string | null } {
  const name = header?.trim() ?? '';
  if (name.length > MAX_NAME_CHARACTERS)
    return { raw: { ...raw, faults: [...raw.faults, TOO_LONG] }, idempotencyKey: null };
  return { raw, idempotencyKey: name === '' ? null : name };
}
