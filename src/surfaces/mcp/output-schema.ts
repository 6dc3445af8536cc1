import type { Schema } from '../../catalog/schema.ts';

const PAYMENT_REQUIRED: Schema = { required: ['x402Version', 'error', 'resource', 'accepts'] };
const PROBLEM: Schema = { required: ['code', 'detail', 'charged'] };

/**
 * What structuredContent may be: the answer, for a paid tool the x402 challenge, and a problem. Clients of the
 * SDK 1.x check it even when isError is set, and a buyer whose client throws there can never pay.
 */
export function resultSchema(answer: Schema, isPaid: boolean): Schema {
  const success = outline(answer);
  return { type: 'object', anyOf: isPaid ? [success, PAYMENT_REQUIRED, PROBLEM] : [success, PROBLEM] };
}

/** Names and types of the top level: every client fetches the list, and keeps it open to new fields for an hour. */
function outline({ properties, required }: Schema): Schema {
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  return { properties: Object.fromEntries(fields.map(([name, field]) => [name, typeOf(field)])), required };
}

function typeOf({ type, anyOf }: Schema): Schema {
  if (type !== undefined) return { type };
  const types = ((anyOf ?? []) as readonly Schema[]).map((branch) => branch.type);
  return types.length > 0 && types.every((one) => typeof one === 'string') ? { type: types } : {};
}
