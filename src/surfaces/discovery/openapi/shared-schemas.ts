import type { Schema } from '../../../catalog/schema.ts';
import { ref } from './schemas.ts';

/** A reference to a shorter schema would save too little to be worth looking up. */
const WORTH_SHARING = 120;

type Named = Readonly<Record<string, Schema>>;

/**
 * The same component schemas, with repeated parts as components named after their field. The descriptions of an object
 * stay with the references to it, because they explain its role there.
 */
export function shareSchemas(components: Named): Named {
  const occurrences = new Map<string, number>();
  function count(schema: Schema): Schema {
    const key = keyOf(schema);
    const before = occurrences.get(key) ?? 0;
    occurrences.set(key, before + 1);
    // The parts of a schema that was counted before are shared together with it.
    return before > 0 ? schema : withParts(schema, count);
  }
  for (const schema of Object.values(components)) count(schema);

  const names = new Map(Object.entries(components).map(([name, schema]) => [keyOf(schema), name]));
  const shared: Record<string, Schema> = {};
  function share(schema: Schema, field: string): Schema {
    const key = keyOf(schema);
    if (!names.has(key)) {
      if (key.length < WORTH_SHARING || (occurrences.get(key) ?? 0) < 2)
        return withParts(schema, share, field);
      const name = unusedName(field, [...names.values()]);
      names.set(key, name);
      shared[name] = withParts(
        isObject(schema) ? { ...schema, description: undefined } : schema,
        share,
        field,
      );
    }
    const { description } = schema;
    return {
      ...ref('schemas', names.get(key) ?? ''),
      ...(isObject(schema) && description !== undefined && { description }),
    };
  }
  const own = Object.entries(components).map(([name, schema]) => [name, withParts(schema, share, name)]);
  return { ...Object.fromEntries(own), ...shared };
}

const isObject = ({ properties }: Schema): boolean => properties !== undefined;

/** Equal for schemas that one component can stand for. */
const keyOf = (schema: Schema): string =>
  JSON.stringify(isObject(schema) ? { ...schema, description: undefined } : schema);

/** A schema with its parts replaced; `field` is the name of the field that it is the schema of. */
function withParts(schema: Schema, made: (part: Schema, field: string) => Schema, field = ''): Schema {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, made(part, name)]),
      ),
    }),
    ...(items && { items: made(items, field) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as readonly Schema[]).map((part) => made(part, field)) }),
  };
}

/** The name of a component for a field, in the style of type names: TaxBreakdown for tax_breakdown. */
function unusedName(field: string, used: readonly string[]): string {
  const name = field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [name, ...Array.from({ length: used.length }, (_, index) => `${name}${index + 2}`)];
  return names.find((candidate) => !used.includes(candidate)) ?? name;
}
