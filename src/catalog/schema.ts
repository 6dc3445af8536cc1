import { z } from 'zod';
import type { WireSchema } from './field.ts';
import type { Operation } from './operation.ts';

/** A JSON Schema of draft 2020-12 as plain data. */
export type Schema = {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/** What `made` makes of each field of an object's schema, by name. */
export const fieldsAs = <Made>(
  { properties = {} }: Schema,
  made: (field: Schema, name: string) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, made(field, name)]));

// Every surface describes every operation, and rendering schemas is most of the start time: each is rendered once.
const known = new WeakMap<z.ZodType, Schema>();

/** The input of an operation as a caller writes it. */
export function inputSchema(operation: Operation): Schema {
  return renderedOnce(operation.input, 'input');
}

/**
 * The input schema for generators of types and functions. Defaults are written into the descriptions, since `default`
 * would make a field required there. `defaults` are those of one surface.
 */
export function spokenInput(operation: Operation, defaults: Readonly<Record<string, unknown>> = {}): Schema {
  const schema = inputSchema(operation);
  const properties = fieldsAs(schema, (field, name) =>
    spoken(Object.hasOwn(defaults, name) ? { ...field, default: defaults[name] } : field),
  );
  return { ...schema, properties };
}

function spoken({ default: fallback, items, properties, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(fallback !== undefined && { description: `${schema.description} Default: ${fallback}.` }),
    ...(properties && { properties: fieldsAs({ properties }, spoken) }),
    ...(items && { items: spoken(items) }),
  };
}

/** The answer of an operation. New fields are allowed, so that a cached schema stays valid when one is added. */
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
      const fields = (jsonSchema as { wire?: WireSchema }).wire;
      if (fields) {
        for (const keyword of Object.keys(schema)) delete schema[keyword];
        Object.assign(schema, fields);
      }
      if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
      // Zod adds the safe integer range to every whole number; it says nothing.
      if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
      if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    },
  });
  return rendered as Schema;
}
