import type { Operation } from '../catalog/operation.ts';
import { fieldsAs, inputSchema, type Schema } from '../catalog/schema.ts';

/**
 * The part of an answer that a sketch keeps: the number of names at the top and below, the levels of nesting, and the
 * longest text.
 */
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

// Ordered by information: all names of the top level say more than one branch with all of its leaves.
const generosity = [40, 12, 8, 5, 2].map(detailsOf);

/** The `bazaar` extension of x402 tells the catalogs of facilitators how to call a paid operation. */
type Bazaar = { readonly bazaar: ReturnType<typeof declaration> };

/** The extension for a body: it has every input with its bounds, and a sketch of the answer. */
export function fullBazaar(operation: Operation, answer: unknown): Bazaar {
  const input = inputOf(operation, kept(inputSchema(operation), BOUNDED));
  return { bazaar: declaration(input, fullestSketch(answer, MAX_SKETCH_BYTES)) };
}

// A client may send the whole extension back in a payment's header, which proxies limit to 8 KiB.
const MAX_SKETCH_BYTES = 700;

/** The JSON of an extension has at most `roomBytes`; `schemaUrl` has the inputs that do not fit. */
type Room = { readonly roomBytes: number; readonly schemaUrl: string };

/**
 * The extension for a header. It omits everything that does not fit and then links to the full schema. It drops the
 * sketch of the answer first, then fields of list items that the example does not have, then the inputs that the
 * specification does not name, then its optional inputs, always the last one first. Throws if the required inputs do
 * not fit.
 */
export function fittedBazaar(operation: Operation, answer: unknown, { roomBytes, schemaUrl }: Room): Bazaar {
  const schema = kept(inputSchema(operation), TYPED);
  const all = inputOf(operation, schema);
  const around = bytesOf({ bazaar: declaration(all, {}) }) - bytesOf({});
  const example = fullestSketch(answer, roomBytes - around);
  if (example !== null) return { bazaar: declaration(all, example) };
  const names = byImportance(operation, schema);
  for (let count = names.length; count >= (schema.required?.length ?? 0); count -= 1) {
    const part = {
      ...partOf(operation, schema, names.slice(0, count)),
      description: `Full schema: ${schemaUrl}`,
    };
    const extension = { bazaar: declaration(inputOf(operation, part), null) };
    if (bytesOf(extension) <= roomBytes) return extension;
  }
  throw new Error(`The input of ${operation.name} does not fit a challenge of ${roomBytes} bytes`);
}

/** A schema with some of its fields, in their order. Objects in a list keep the fields of the example. */
const partOf = ({ example }: Operation, schema: Schema, names: readonly string[]): Schema => {
  const shown = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(shown.map(([name, field]) => [name, withFieldsOf(field, example[name])])),
  };
};

function withFieldsOf(field: Schema, example: unknown): Schema {
  const properties = field.items?.properties;
  if (properties === undefined || !Array.isArray(example)) return field;
  const used = Object.entries(properties).filter(([name]) =>
    example.some((item) => Object.hasOwn(item, name)),
  );
  return { ...field, items: { ...field.items, properties: Object.fromEntries(used) } };
}

/** The names of all inputs: first required inputs, then inputs that the specification names, then all others. */
function byImportance({ specifiedInputs }: Operation, { properties = {}, required = [] }: Schema): string[] {
  const names = Object.keys(properties);
  const optional = names.filter((name) => !required.includes(name));
  return [
    ...names.filter((name) => required.includes(name)),
    ...optional.filter((name) => specifiedInputs.includes(name)),
    ...optional.filter((name) => !specifiedInputs.includes(name)),
  ];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The largest sketch of an answer that fits; null if none does. */
function fullestSketch(answer: unknown, roomBytes: number): unknown {
  for (const details of generosity) {
    const fitting = details
      .map((detail) => sketch(answer, detail))
      .map((output) => ({ output, size: bytesOf(output) }))
      .filter(({ size }) => size <= roomBytes);
    const fullest = fitting.reduce((best, next) => (next.size > best.size ? next : best), NOTHING);
    if (fullest !== NOTHING) return fullest.output;
  }
  return null;
}

const NOTHING = { output: null as unknown, size: 0 };

type Input = { readonly info: Schema; readonly properties: Schema; readonly required: readonly string[] };

function declaration(input: Input, output: unknown) {
  const sketched = output !== null;
  return {
    info: { input: input.info, ...(sketched && { output: { type: 'json', example: output } }) },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: { type: 'object', properties: input.properties, required: input.required },
        // Catalogs reject an extension without `output`, even if there is no sketch.
        output: {
          type: 'object',
          properties: { example: { type: 'object', ...(sketched && { description: 'shortened' }) } },
        },
      },
      required: ['input'],
    },
  };
}

function inputOf(operation: Operation, schema: Schema): Input {
  const method = operation.route?.method ?? 'POST';
  const common = { type: { const: 'http' }, method: { enum: [method] } };
  if (method === 'GET')
    return {
      info: { type: 'http', method, queryParams: exampleQuery(operation) },
      properties: { ...common, queryParams: schema },
      required: ['type', 'method'],
    };
  return {
    info: { type: 'http', method, bodyType: 'json', body: exampleBody(operation) },
    properties: { ...common, bodyType: { enum: ['json'] }, body: schema },
    required: ['type', 'method', 'bodyType', 'body'],
  };
}

/** The example as query values. Numbers stay numbers, as in the schema. */
const exampleQuery = ({ example }: Operation): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );

/** The example as JSON with one item of each list. */
const exampleBody = ({ example }: Operation): Schema =>
  Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 1) : value]),
  );

/** The keywords of a schema to keep. */
type Keywords = (schema: Schema) => readonly string[];

// Choices need no type, so a header can hold more inputs.
const TYPED: Keywords = ({ enum: choices }) => (choices === undefined ? ['type', 'required'] : ['enum']);
// Descriptions are in the OpenAPI document.
const BOUNDED: Keywords = () => [
  'type',
  'enum',
  'required',
  'minimum',
  'maximum',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'default',
  'additionalProperties',
];

/** A schema with all its fields, each with some keywords. */
function kept(schema: Schema, keywords: Keywords): Schema {
  const names = keywords(schema);
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name))),
    ...(schema.items && { items: kept(schema.items, keywords) }),
    ...(schema.properties && { properties: fieldsAs(schema, (field) => kept(field, keywords)) }),
  };
}

/**
 * An answer in few bytes: one item of a list, the first fields, the short texts. A long text is omitted, because a
 * shortened text would look like an answer.
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

/** The first fields, at most `limit`. If there are more, those with nested fields are kept before the others. */
function foremost(fields: [string, unknown][], limit: number): [string, unknown][] {
  if (fields.length <= limit) return fields;
  const holds = ([, value]: [string, unknown]) => typeof value === 'object' && value !== null;
  return [...fields.filter(holds), ...fields.filter((field) => !holds(field))].slice(0, limit);
}
