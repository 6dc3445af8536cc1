import type { Fault } from '../domain/result.ts';
import { type Answer, type Context, methodsOf, type Operation } from './operation.ts';
import { inputSchema, outputSchema, type Schema } from './schema.ts';

/** Validates an input. The exchange passes its own function, so that both always validate in the same way. */
export type Validate = (
  operation: Operation,
  raw: { values: Readonly<Record<string, unknown>>; faults: readonly Fault[] },
  context: Context,
) => { ok: true; input: unknown } | { ok: false; faults: Fault[] };

/**
 * Checks a catalog at start and freezes it: unique names and routes, described and bounded fields, hints that lead to
 * fields of their own operation, examples that parse, run and fit their own output schema. Throws on the first fault,
 * which is a bug of this service.
 */
export function seal(
  operations: readonly Operation[],
  validate: Validate,
  context: Context,
): readonly Operation[] {
  unique(operations.map(({ name }) => name));
  unique(operations.map(({ operationId }) => operationId));
  unique(
    operations.flatMap(({ route }) =>
      route ? methodsOf(route).map((method) => `${method} ${route.path}`) : [],
    ),
  );
  for (const operation of operations) {
    if (operation.description.length > 300) fail(operation, 'description is over 300 characters');
    checkSchema(operation, inputSchema(operation), 'input');
    if (operation.route?.method === 'GET') checkQuery(operation);
    checkSchema(operation, outputSchema(operation), 'output');
    checkHints(operation, operations);
    const answer = exampleAnswer(operation, validate, context);
    // Each schema parses one value here: compiling it would take longer than interpreting it.
    const fits = operation.output.safeParse(answer, { jitless: true });
    if (!fits.success) fail(operation, `example does not fit the output: ${fits.error.message}`);
  }
  return Object.freeze([...operations]);
}

/**
 * The documented answer of an operation: the result of running its example. Throws when the example has no answer.
 */
export function exampleAnswer(operation: Operation, validate: Validate, context: Context): unknown {
  const validated = validate(operation, { values: operation.example, faults: [] }, context);
  if (!validated.ok) return fail(operation, `example is invalid: ${JSON.stringify(validated.faults)}`);
  const answer: Answer<unknown> = operation.run(validated.input, context);
  return answer.kind === 'answer' ? answer.body : fail(operation, `example ends in ${answer.kind}`);
}

function unique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`The catalog names ${twice} twice`);
}

function fail(operation: Operation, reason: string): never {
  throw new Error(`Operation ${operation.name}: ${reason}`);
}

/** Every field described, every string and list bounded. */
function checkSchema(operation: Operation, schema: Schema, path: string): void {
  const { type, properties, description } = schema;
  if (path !== 'input' && path !== 'output' && !path.endsWith('[]') && typeof description !== 'string')
    fail(operation, `${path} has no description`);
  const types = Array.isArray(type) ? type : [type];
  const bounded = 'maxLength' in schema || 'enum' in schema || 'const' in schema;
  if (types.includes('string') && !bounded) fail(operation, `${path} is text without a bound`);
  if (types.includes('array') && !('maxItems' in schema))
    fail(operation, `${path} is a list without a bound`);
  for (const [name, property] of Object.entries((properties ?? {}) as Record<string, Schema>))
    checkSchema(operation, property, `${path}.${name}`);
  for (const part of partsOf(schema)) checkSchema(operation, part, `${path}[]`);
}

/** Names as only fields have them: one such as `rate` is a word of a sentence too, unless it is asked for. */
const NAMED = /\b[a-z]+(?:_[a-z]+)+\b|(?<=did you mean )[a-z]+(?=\?)/g;

/** No hint names a field of another operation, which would be refused in its turn; no field of its own has a hint. */
function checkHints(operation: Operation, operations: readonly Operation[]): void {
  const input = inputSchema(operation);
  const own = namesIn(input);
  const foreign = new Set(operations.flatMap((other) => namesIn(inputSchema(other))));
  for (const name of own) foreign.delete(name);
  for (const [name, hint] of Object.entries(operation.meant)) {
    if (Object.hasOwn(input.properties ?? {}, name))
      fail(operation, `meant.${name} is a field of its own, so its hint is never said`);
    const other = hint.match(NAMED)?.find((word) => foreign.has(word));
    if (other !== undefined) fail(operation, `meant.${name} leads to ${other}, which is no field of it`);
  }
}

/** The names of all fields in a schema, however deep. */
function namesIn(schema: Schema): string[] {
  const fields = Object.entries(schema.properties ?? {});
  const inner = [...fields.map(([, field]) => field), ...partsOf(schema)];
  return [...fields.map(([name]) => name), ...inner.flatMap(namesIn)];
}

/** Lists and objects have no standard spelling in a query, so a route by GET may not have any. */
function checkQuery(operation: Operation): void {
  const properties = Object.entries((inputSchema(operation).properties ?? {}) as Record<string, Schema>);
  const nested = properties.find(([, { type }]) => type === 'array' || type === 'object');
  if (nested !== undefined) fail(operation, `${nested[0]} does not fit a query`);
}

/** The schemas inside a schema that have no name of their own. */
function partsOf(schema: Schema): Schema[] {
  const lists = ['prefixItems', 'anyOf', 'oneOf', 'allOf'].flatMap((keyword) => schema[keyword] ?? []);
  const parts = [schema.items, schema.additionalProperties, ...lists];
  return parts.filter((part): part is Schema => typeof part === 'object' && part !== null);
}
