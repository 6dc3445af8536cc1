import { z } from 'zod';
import { objectSchema } from './field.ts';
import type { Operation } from './operation.ts';

/** A JSON Schema of draft 2020-12 as plain data. */
export type Schema = {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
};

/** The result of `made` for each field of an object's schema, by name. */
export const fieldsAs = <Made>(
  { properties = {} }: Schema,
  made: (field: Schema, name: string) => Made,
): Record<string, Made> =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, made(field, name)]));

// Every surface describes every operation, and rendering takes most of the startup time, so each schema is rendered
// once.
const rendered = new WeakMap<object, Schema>();

function renderedOnce(of: object, render: () => Schema): Schema {
  const schema = rendered.get(of) ?? render();
  rendered.set(of, schema);
  return schema;
}

/** The input schema of an operation as a caller writes it. */
export const inputSchema = ({ input }: Pick<Operation, 'input'>): Schema =>
  renderedOnce(input, () => objectSchema(input));

/**
 * The input schema for generators of types and functions. Defaults are written into the descriptions, since `default`
 * would make a field required there. `defaults` are the defaults of one surface.
 */
export function describedInput(
  operation: Operation,
  defaults: Readonly<Record<string, unknown>> = {},
): Schema {
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

/** The answer of an operation. New fields are allowed, so that a cached schema stays valid when a field is added. */
export const outputSchema = ({ output }: Pick<Operation, 'output'>): Schema =>
  renderedOnce(output, () => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(output, {
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // Zod adds the safe integer range to every whole number, which adds no information.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        shortenNullable(jsonSchema);
      },
    });
    return schema as Schema;
  });

/**
 * Writes a nullable value in the short form: `{ type: ['string', 'null'] }`, if the value has no description of its
 * own.
 */
function shortenNullable(schema: {
  anyOf?: unknown;
  type?: unknown;
  enum?: unknown;
  description?: unknown;
}): void {
  const [value, none, ...more] = (schema.anyOf ?? []) as Schema[];
  if (typeof value?.type !== 'string' || value.properties || none?.type !== 'null' || more.length > 0) return;
  if (value.description !== undefined && value.description !== schema.description) return;
  delete schema.anyOf;
  const { type, enum: values } = value;
  Object.assign(schema, { ...value, type: [type, 'null'] });
  if (Array.isArray(values)) schema.enum = [...values, null];
}
