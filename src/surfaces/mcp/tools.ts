import type { Operation } from '../../catalog/operation.ts';
import { fieldsAs, outputSchema, type Schema, spokenInput } from '../../catalog/schema.ts';
import type { Requirements } from '../../payments/x402/requirements.ts';
import { PAY_IN } from './identity.ts';

// MCP's defaults are the worst case, so all four are given. A paid call moves money: clients ask before it.
const FREE = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const PAID = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** A tool as `tools/list` shows it. */
export type ToolDocument = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: typeof FREE;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

/** The document of every tool, sorted by name so that lists compare equal. */
export function toolList(
  operations: readonly Operation[],
  requirementsOf: (operation: Operation) => Requirements,
): readonly ToolDocument[] {
  return operations
    .filter(({ tool }) => tool)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((operation) => {
      const { name, title, description, price } = operation;
      // That of the HTTP twin, with the defaults that a tool call gets.
      const input = plain(spokenInput(operation, operation.toolDefaults));
      return {
        name,
        title,
        description,
        inputSchema: input,
        outputSchema: resultSchema(outputSchema(operation), input, price !== null),
        annotations: price === null ? FREE : PAID,
        ...(price !== null && { _meta: priceMeta(Number(price.usd), requirementsOf(operation)) }),
      };
    });
}

/** The keywords that every model vendor accepts; with any other one, some refuse all tools of a request. */
const PLAIN = [
  'type',
  'description',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'required',
  'additionalProperties',
];

/** A schema of these keywords alone; the server checks the rest and reports its faults. */
function plain(schema: Schema): Schema {
  const { properties, items } = schema;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => PLAIN.includes(keyword))),
    ...(properties && { properties: fieldsAs(schema, plain) }),
    ...(items && { items: plain(items) }),
  };
}

const PAYMENT_REQUIRED: Schema = { required: ['x402Version', 'accepts'] };
const PROBLEM: Schema = { required: ['code', 'detail'] };

/**
 * What structuredContent may be: the answer, for a paid tool the x402 challenge, and a problem. Clients of the
 * SDK 1.x validate it even when isError is set, and a buyer whose client throws there can never pay. Of an answer only
 * the fields are named that are no inputs, since every client fetches the list and caches it for an hour.
 */
function resultSchema(answer: Schema, { properties: asked = {} }: Schema, isPaid: boolean): Schema {
  const required = (answer.required ?? []).filter((name) => !Object.hasOwn(asked, name));
  return { type: 'object', anyOf: [{ required }, ...(isPaid ? [PAYMENT_REQUIRED] : []), PROBLEM] };
}

/** The price as the clients in use read it before any call: mcpc by `x402`, Cloudflare's agents by `agents-x402/*`. */
const priceMeta = (usd: number, requirements: Requirements) => ({
  x402: { paymentRequired: true, ...requirements, payIn: PAY_IN },
  'agents-x402/paymentRequired': true,
  'agents-x402/priceUSD': usd,
});
