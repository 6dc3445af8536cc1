import type { Schema } from '../../catalog/schema.ts';

const PAYMENT_REQUIRED: Schema = { required: ['x402Version', 'accepts'] };
const PROBLEM: Schema = { required: ['code', 'detail'] };

/**
 * What structuredContent may be: the answer, for a paid tool the x402 challenge, and a problem. Clients of the
 * SDK 1.x validate it even when isError is set, and a buyer whose client throws there can never pay. Of an answer only
 * the fields are named that are no inputs, since every client fetches the list and caches it for an hour.
 */
export function resultSchema(answer: Schema, input: Schema, isPaid: boolean): Schema {
  const asked = Object.keys((input.properties ?? {}) as object);
  const required = ((answer.required ?? []) as readonly string[]).filter((name) => !asked.includes(name));
  return { type: 'object', anyOf: [{ required }, ...(isPaid ? [PAYMENT_REQUIRED] : []), PROBLEM] };
}
