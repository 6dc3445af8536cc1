import type { Tool } from '@modelcontextprotocol/server';
import type { Operation } from '../../catalog/operation.ts';
import { inputSchema, outputSchema } from '../../catalog/schema.ts';
import type { Requirements } from '../../payments/requirements.ts';
import { resultSchema } from './output-schema.ts';

// MCP's defaults are the worst case, so all four are said. A paid call moves money: clients approve it by name.
const FREE = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const PAID = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** The document of every tool, sorted by name so that lists compare equal. Rendered once at start. */
export function toolList(
  operations: readonly Operation[],
  requirementsOf: (operation: Operation) => Requirements,
): readonly Tool[] {
  return operations
    .filter(({ tool }) => tool)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((operation) => {
      const { name, title, description, price } = operation;
      return {
        name,
        title,
        description,
        inputSchema: toolInput(operation) as Tool['inputSchema'],
        outputSchema: resultSchema(outputSchema(operation), price !== null) as Tool['outputSchema'],
        annotations: price === null ? FREE : PAID,
        ...(price !== null && { _meta: priceMeta(Number(price.usd), requirementsOf(operation)) }),
      };
    });
}

/** The input of the HTTP twin, with the defaults that a tool call gets. */
function toolInput(operation: Operation) {
  const schema = inputSchema(operation, 'json');
  const { toolDefaults } = operation;
  const properties = Object.entries(schema.properties as Record<string, object>).map(([field, property]) => [
    field,
    field in toolDefaults ? { ...property, default: toolDefaults[field] } : property,
  ]);
  return plain({ ...schema, properties: Object.fromEntries(properties) });
}

/**
 * Without the keywords that the functions of some model vendors refuse, and with them every tool of a request: the
 * pattern of a day and the words of a number say the same.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([name, value]) => {
    // A field may have the name of a keyword; its value is a schema then.
    if ((name === 'format' || name === 'title') && typeof value === 'string') return [];
    return [[name === 'exclusiveMinimum' ? 'minimum' : name, plain(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** The price as the clients in use read it before any call: mcpc by `x402`, Cloudflare's agents by `agents-x402/*`. */
const priceMeta = (usd: number, requirements: Requirements) => ({
  x402: { paymentRequired: true, ...requirements },
  'agents-x402/paymentRequired': true,
  'agents-x402/priceUSD': usd,
});
