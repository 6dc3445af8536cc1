import type { Operation } from '../catalog/operation.ts';
import { fieldsAs, inputSchema, type Schema } from '../catalog/schema.ts';

/** How much of an answer a sketch keeps: names at the top and below, levels of nesting, the longest text. */
type Detail = {
  readonly fields: number;
  readonly nestedFields: number;
  readonly levels: number;
  readonly characters: number;
};

const detailsOf = (fields: number): readonly Detail[] =>
  [5, 3, 2, 1].flatMap((levels) =>
    [40, 6, 4, 2].flatMap((nestedFields) =>
      [60, 24, 14].map((characters) => ({ fields, nestedFields, levels, characters })),
    ),
  );

// All names of the top level tell more than one branch to its leaves.
const generosity = [40, 12, 8, 5, 2].map(detailsOf);

/**
 * The `bazaar` extension of x402 for a paid operation: how to call it and a sketch of its answer, for the
 * catalogues that facilitators keep. It takes at most `roomBytes` of JSON, for a challenge travels in a header: where
 * room is short, the types of the input go first, then the sketch; throws when not even the names of the input fit.
 */
export function bazaarExtension(
  operation: Operation,
  answer: unknown,
  roomBytes: number,
): { readonly bazaar: unknown } {
  const inputs = [inputOf(operation, slim), inputOf(operation, namesAlone)];
  for (const input of inputs) {
    const output = fullestSketch(input, answer, roomBytes);
    if (output !== null) return { bazaar: declaration(input, output) };
  }
  const bare = inputs.map((input) => ({ bazaar: declaration(input, null) }));
  const fitting = bare.find((extension) => bytesOf(extension) <= roomBytes);
  if (fitting === undefined)
    throw new Error(`The input of ${operation.name} does not fit a challenge of ${roomBytes} bytes`);
  return fitting;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** As much of an answer as fits beside an input; null when nothing does. */
function fullestSketch(input: Input, answer: unknown, roomBytes: number): unknown {
  const around = bytesOf({ bazaar: declaration(input, {}) }) - bytesOf({});
  for (const details of generosity) {
    const fitting = details
      .map((detail) => sketch(answer, detail))
      .map((output) => ({ output, size: around + bytesOf(output) }))
      .filter(({ size }) => size <= roomBytes);
    const fullest = fitting.reduce((best, next) => (next.size > best.size ? next : best), NOTHING);
    if (fullest !== NOTHING) return fullest.output;
  }
  return null;
}

/**
 * The same for the MCP tool of a paid operation. A model that reads this challenge has the tool's own schemas, so it
 * holds only how to call the tool, in `roomBytes` of JSON.
 */
export function toolBazaar(operation: Operation, roomBytes: number): { readonly bazaar: unknown } {
  const typed = toolDeclaration(operation, slim);
  return bytesOf(typed) <= roomBytes ? typed : toolDeclaration(operation, namesAlone);
}

function toolDeclaration(operation: Operation, describe: (schema: Schema) => Schema) {
  const info = {
    type: 'mcp',
    toolName: operation.name,
    transport: 'streamable-http',
    inputSchema: describe(inputSchema(operation)),
    example: exampleBody(operation),
  };
  const properties = {
    type: { type: 'string', const: 'mcp' },
    toolName: { type: 'string' },
    transport: { type: 'string', enum: ['streamable-http'] },
    inputSchema: { type: 'object' },
    example: { type: 'object' },
  };
  return { bazaar: declaration({ info, properties, required: ['type', 'toolName', 'inputSchema'] }, null) };
}

const NOTHING = { output: null as unknown, size: 0 };

type Input = { readonly info: Schema; readonly properties: Schema; readonly required: readonly string[] };

function declaration(input: Input, output: unknown) {
  const example = output !== null;
  return {
    info: { input: input.info, ...(example && { output: { type: 'json', example: output } }) },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: input.properties,
          required: input.required,
          additionalProperties: false,
        },
        ...(example && {
          output: {
            type: 'object',
            properties: { type: { type: 'string' }, example: { type: 'object', description: 'shortened' } },
            required: ['type'],
          },
        }),
      },
      required: ['input'],
    },
  };
}

function inputOf(operation: Operation, describe: (schema: Schema) => Schema): Input {
  const method = operation.route?.method ?? 'POST';
  const common = { type: { type: 'string', const: 'http' }, method: { type: 'string', enum: [method] } };
  if (method === 'GET')
    return {
      info: { type: 'http', method, queryParams: exampleQuery(operation) },
      properties: { ...common, queryParams: describe(inputSchema(operation)) },
      required: ['type', 'method'],
    };
  return {
    info: { type: 'http', method, bodyType: 'json', body: exampleBody(operation) },
    properties: {
      ...common,
      bodyType: { type: 'string', enum: ['json'] },
      body: describe(inputSchema(operation)),
    },
    required: ['type', 'method', 'bodyType', 'body'],
  };
}

/** The example as values of a query: numbers are numbers, as the schema has them. */
const exampleQuery = ({ example }: Operation): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );

/** The example as JSON with one item of each list. */
const exampleBody = ({ example }: Operation): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 1) : value]),
  );

/** Names, types and choices alone: bounds and descriptions are in the OpenAPI document. */
function slim(schema: Schema): Schema {
  const kept: Record<string, unknown> = {};
  for (const keyword of ['type', 'enum', 'required'])
    if (schema[keyword] !== undefined) kept[keyword] = schema[keyword];
  if (kept.enum !== undefined) delete kept.type;
  if (schema.items) kept.items = slim(schema.items);
  if (schema.properties) kept.properties = fieldsAs(schema, slim);
  return kept as Schema;
}

/** The names of the fields alone, and which are required. */
const namesAlone = (schema: Schema): Schema => ({
  type: 'object',
  ...(schema.required && { required: schema.required }),
  properties: fieldsAs(schema, () => ({})),
});

/**
 * An answer in few bytes: one item of a list, the first fields, the short texts. A long text is left out, since a
 * shortened one would look like an answer.
 */
function sketch(value: unknown, detail: Detail): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (detail.levels === 0) return Array.isArray(value) ? [] : {};
  const isShort = (part: unknown) => typeof part !== 'string' || part.length <= detail.characters;
  if (Array.isArray(value))
    return value
      .slice(0, 1)
      .filter(isShort)
      .map((item) => sketch(item, detail));
  const deeper = { ...detail, fields: detail.nestedFields, levels: detail.levels - 1 };
  const fields = Object.entries(value).filter(([, field]) => isShort(field));
  return Object.fromEntries(
    foremost(fields, detail.fields).map(([name, field]) => [name, sketch(field, deeper)]),
  );
}

/** The first fields; where not all have room, those with nested fields go first. */
function foremost(fields: [string, unknown][], limit: number): [string, unknown][] {
  if (fields.length <= limit) return fields;
  const holds = ([, value]: [string, unknown]) => typeof value === 'object' && value !== null;
  return [...fields.filter(holds), ...fields.filter((field) => !holds(field))].slice(0, limit);
}
