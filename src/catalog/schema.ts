import { z } from 'zod';
import type { Wire } from './fields.ts';
import type { Operation } from './operation.ts';

/** A JSON Schema of draft 2020-12 as plain data. */
export type Schema = { readonly [keyword: string]: unknown };

/** The input of an operation as a caller writes it: `json` for bodies and tools, `query` for URL parameters. */
export function inputSchema(operation: Operation, wire: keyof Wire): Schema {
  return render(operation.input, 'input', wire);
}

/** The answer of an operation; open to new fields, so that a cached schema outlives an addition. */
export function outputSchema(operation: Operation): Schema {
  return render(operation.output, 'output', 'json');
}

export function render(schema: z.ZodType, io: 'input' | 'output', wire: keyof Wire): Schema {
  const { $schema: _dialect, ...rendered } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const fields = (jsonSchema as { wire?: Wire }).wire;
      if (fields) {
        for (const keyword of Object.keys(jsonSchema))
          delete (jsonSchema as Record<string, unknown>)[keyword];
        Object.assign(jsonSchema, fields[wire]);
      }
    },
  });
  return rendered;
}
