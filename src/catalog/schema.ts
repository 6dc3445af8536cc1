import { z } from 'zod';
import type { Wire } from './field.ts';
import type { Operation } from './operation.ts';

/** A JSON Schema of draft 2020-12 as plain data. */
export type Schema = { readonly [keyword: string]: unknown };

// Every surface describes every operation; rendering is most of what the start costs, so it is done once.
const known = new WeakMap<z.ZodType, Map<string, Schema>>();

/** The input of an operation as a caller writes it: `json` for bodies and tools, `query` for URL parameters. */
export function inputSchema(operation: Operation, wire: keyof Wire): Schema {
  return renderedOnce(operation.input, 'input', wire);
}

/** The answer of an operation; open to new fields, so that a cached schema outlives an addition. */
export function outputSchema(operation: Operation): Schema {
  return renderedOnce(operation.output, 'output', 'json');
}

function renderedOnce(schema: z.ZodType, io: 'input' | 'output', wire: keyof Wire): Schema {
  const renderings = known.get(schema) ?? new Map<string, Schema>();
  known.set(schema, renderings);
  const before = renderings.get(`${io} ${wire}`);
  if (before !== undefined) return before;
  const rendered = render(schema, io, wire);
  renderings.set(`${io} ${wire}`, rendered);
  return rendered;
}

export function render(schema: z.ZodType, io: 'input' | 'output', wire: keyof Wire): Schema {
  const { $schema: _dialect, ...rendered } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const schema = jsonSchema as Record<string, unknown>;
      const fields = (jsonSchema as { wire?: Wire }).wire;
      if (fields) {
        for (const keyword of Object.keys(schema)) delete schema[keyword];
        Object.assign(schema, fields[wire]);
      }
      if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
      // What JSON can say of a whole number anyway.
      if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
      if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    },
  });
  return rendered;
}
