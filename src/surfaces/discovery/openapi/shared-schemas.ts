import type { Schema } from '../../../catalog/schema.ts';
import { ref } from './schemas.ts';

/** A reference to a shorter schema would save too little to be worth looking up. */
const WORTH_SHARING = 120;
/** If two objects have fewer fields in common, they are easier to read without a shared component. */
const WORTH_EXTENDING = 700;

type Named = Readonly<Record<string, Schema>>;

/**
 * Returns the component schemas, with repeated parts moved to components that are named after their field. The
 * descriptions of an object stay with the references to it, because they explain its role there.
 */
export function shareSchemas(components: Named): Named {
  const whole = extended(components);
  const occurrences = new Map<string, number>();
  function count(schema: Schema): Schema {
    const key = keyOf(schema);
    const before = occurrences.get(key) ?? 0;
    occurrences.set(key, before + 1);
    // The parts of a schema that was counted before are shared together with it.
    return before > 0 ? schema : withParts(schema, count);
  }
  for (const schema of Object.values(whole)) count(schema);

  const names = new Map(Object.entries(whole).map(([name, schema]) => [keyOf(schema), name]));
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
  const own = Object.entries(whole).map(([name, schema]) => [name, withParts(schema, share, name)]);
  return { ...Object.fromEntries(own), ...shared };
}

/**
 * Returns the component schemas, with the fields that two answers share moved to a component that both extend. Inputs
 * stay whole, because tools that turn them into functions for a model often ignore `allOf`.
 */
function extended(components: Named): Named {
  const objects = new Map<string, { readonly field: string; readonly schema: Schema }>();
  function collect(schema: Schema, field: string): Schema {
    if (isOpen(schema)) objects.set(keyOf(schema), { field, schema });
    return withParts(schema, collect, field);
  }
  for (const [name, schema] of Object.entries(components)) collect(schema, name);
  const [largest] = [...objects.values()]
    .flatMap(({ schema, field }, index, all) =>
      all.slice(0, index).map((other) => ({ field, common: commonOf(schema, other.schema) })),
    )
    .sort((a, b) => keyOf(b.common).length - keyOf(a.common).length);
  if (largest === undefined || keyOf(largest.common).length < WORTH_EXTENDING) return components;

  const { field, common } = largest;
  const name = unusedName(`${field}_base`, Object.keys(components));
  function extend(schema: Schema, at: string): Schema {
    const parts = withParts(schema, extend, at);
    if (!isOpen(schema) || sizeOf(commonOf(schema, common)) < sizeOf(common)) return parts;
    const { description, properties, required = [], ...rest } = parts;
    const isOwn = (one: string) => common.properties?.[one] === undefined;
    const own = Object.entries(properties ?? {}).filter(([one]) => isOwn(one));
    const words = description !== undefined && { description };
    const base = ref('schemas', name);
    if (own.length === 0) return { ...base, ...words };
    const demanded = required.filter(isOwn);
    const more = {
      ...rest,
      properties: Object.fromEntries(own),
      ...(demanded.length > 0 && { required: demanded }),
    };
    return {
      ...words,
      allOf: [base, more],
    };
  }
  const made = Object.entries(components).map(([one, schema]) => [one, extend(schema, one)]);
  return extended({ ...Object.fromEntries(made), [name]: common });
}

/** The fields that two objects describe alike and require alike, as an object. */
function commonOf(a: Schema, b: Schema): Schema {
  const isRequired = ({ required }: Schema, name: string) => required?.includes(name) === true;
  const names = Object.entries(a.properties ?? {}).flatMap(([name, field]) =>
    JSON.stringify(field) === JSON.stringify(b.properties?.[name]) &&
    isRequired(a, name) === isRequired(b, name)
      ? [name]
      : [],
  );
  const required = names.filter((name) => isRequired(a, name));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, a.properties?.[name] ?? {}])),
    ...(required.length > 0 && { required }),
  };
}

/** The number of fields, required ones counted twice: equal for an object and its part only if the part is the whole. */
const sizeOf = ({ properties = {}, required = [] }: Schema): number =>
  Object.keys(properties).length + required.length;

const isObject = ({ properties }: Schema): boolean => properties !== undefined;
const isOpen = (schema: Schema): boolean => isObject(schema) && schema.additionalProperties !== false;

/** Equal for schemas that one component can represent. */
const keyOf = (schema: Schema): string =>
  JSON.stringify(isObject(schema) ? { ...schema, description: undefined } : schema);

/** A schema with its parts replaced; `field` is the name of the field that it is the schema of. */
function withParts(schema: Schema, made: (part: Schema, field: string) => Schema, field = ''): Schema {
  const { properties, items, anyOf, allOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, made(part, name)]),
      ),
    }),
    ...(items && { items: made(items, field) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as readonly Schema[]).map((part) => made(part, field)) }),
    ...(allOf !== undefined && { allOf: (allOf as readonly Schema[]).map((part) => made(part, field)) }),
  };
}

/** The name of a component for a field, in the style of type names: TaxBreakdown for tax_breakdown. */
function unusedName(field: string, used: readonly string[]): string {
  const name = field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const names = [name, ...Array.from({ length: used.length }, (_, index) => `${name}${index + 2}`)];
  return names.find((candidate) => !used.includes(candidate)) ?? name;
}
