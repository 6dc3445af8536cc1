import { expect, it } from 'vitest';
import { type Context, methodsOf, type Operation } from '../../src/catalog/operation.ts';
import { inputSchema, outputSchema, type Schema } from '../../src/catalog/schema.ts';
import { utcDay } from '../../src/domain/calendar.ts';
import { exampleAnswer } from '../../src/exchange/validate.ts';
import { pricing } from '../../src/operations/pricing.ts';
import { BASE_URL, catalog, NOON, terms } from '../support/app.ts';

it('in the served catalog, names and routes are unique, every field has a description and bounds, every hint names a field that exists, and every example runs', () => {
  const prices = pricing({ terms, operations: catalog, freeRequestsPerMinute: 60, baseUrl: BASE_URL });
  expect(() => checkCatalog([...catalog, prices], { today: utcDay(NOON) })).not.toThrow();
});

/**
 * Throws on the first fault of a catalog. Faults are duplicate names or routes, fields without a description or a
 * bound, and hints that name fields of another operation. Each example must also parse, run and fit the output schema.
 */
function checkCatalog(operations: readonly Operation[], context: Context): void {
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
    const fits = operation.output.safeParse(exampleAnswer(operation, context));
    if (!fits.success) fail(operation, `example does not fit the output: ${fits.error.message}`);
  }
}

function unique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`The catalog names ${twice} twice`);
}

function fail(operation: Operation, reason: string): never {
  throw new Error(`Operation ${operation.name}: ${reason}`);
}

/** Checks that every field has a description, and every string and list a bound. */
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

/**
 * Matches names that can only be fields. A name such as `rate` is also an ordinary word, so it is matched only after
 * "did you mean".
 */
const NAMED = /\b[a-z]+(?:_[a-z]+)+\b|(?<=did you mean )[a-z]+(?=\?)/g;

/**
 * Checks that no hint names a field of another operation, which would also be rejected, and that no field of the
 * operation has a hint.
 */
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

/** Lists and objects have no standard spelling in a query, so a GET route must not have any. */
function checkQuery(operation: Operation): void {
  const properties = Object.entries((inputSchema(operation).properties ?? {}) as Record<string, Schema>);
  const nested = properties.find(([, { type }]) => type === 'array' || type === 'object');
  if (nested !== undefined) fail(operation, `${nested[0]} does not fit a query`);
}

/** The schemas inside a schema that have no name. */
function partsOf(schema: Schema): Schema[] {
  const lists = ['prefixItems', 'anyOf', 'oneOf', 'allOf'].flatMap((keyword) => schema[keyword] ?? []);
  const parts = [schema.items, schema.additionalProperties, ...lists];
  return parts.filter((part): part is Schema => typeof part === 'object' && part !== null);
}
