import { z } from 'zod';
import type { Wire } from './field.ts';
import type { Operation } from './operation.ts';

/** A JSON Schema of draft 2020-12 as plain data. */
export type Schema = { readonly [keyword: string]: unknown };

// Every surface describes every operation; rendering is most of what the start costs, so it is done once.
const known = new WeakMap<z.ZodType, Schema>();

/** The input of an operation as a caller writes it. */
export function inputSchema(operation: Operation): Schema {
  return renderedOnce(operation.input, 'input');
}

/**
 * The input for those who make types and functions of it: what a field that is left out counts as is said in words, for
 * `default` would make the field required there. `defaults` are those of one surface alone.
 */
export function spokenInput(operation: Operation, defaults: Readonly<Record<string, unknown>> = {}): Schema {
  const schema = inputSchema(operation);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
    ([name, field]) => [
      name,
      spoken(Object.hasOwn(defaults, name) ? { ...field, default: defaults[name] } : field),
    ],
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

function spoken({ default: fallback, items, properties, ...schema }: Schema): Schema {
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  return {
    ...schema,
    ...(fallback !== undefined && { description: `${schema.description} Default: ${fallback}.` }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(fields.map(([name, field]) => [name, spoken(field)])),
    }),
    ...(items !== undefined && { items: spoken(items as Schema) }),
  };
}

/** The answer of an operation; open to new fields, so that a cached schema outlives an addition. */
export function outputSchema(operation: Operation): Schema {
  return renderedOnce(operation.output, 'output');
}

function renderedOnce(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const rendered = known.get(schema) ?? render(schema, io);
  known.set(schema, rendered);
  return rendered;
}

export function render(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...rendered } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const schema = jsonSchema as Record<string, unknown>;
      const fields = (jsonSchema as { wire?: Wire }).wire;
      if (fields) {
        for (const keyword of Object.keys(schema)) delete schema[keyword];
        Object.assign(schema, fields);
      }
      if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
      // What JSON can say of a whole number anyway.
      if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
      if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    },
  });
  return rendered;
}
