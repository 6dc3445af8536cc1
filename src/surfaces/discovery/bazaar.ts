import type { Operation } from '../../catalog/operation.ts';
import { inputSchema, type Schema } from '../../catalog/schema.ts';
import { queryValues } from './example-request.ts';

/** How much of an answer a sketch keeps: fields of an object, characters of a text. */
type Detail = { readonly fields: number; readonly characters: number };

// From generous to terse; the first that fits is taken.
const details: readonly Detail[] = [
  { fields: 40, characters: 60 },
  { fields: 12, characters: 40 },
  { fields: 8, characters: 24 },
  { fields: 5, characters: 24 },
  { fields: 3, characters: 16 },
  { fields: 1, characters: 16 },
];

/**
 * The `bazaar` extension of x402 for a paid operation: how to call it and a sketch of its answer, for the
 * catalogues that facilitators keep. As an HTTP resource, or as a tool of the MCP server. It takes at most
 * `roomBytes` of JSON, for a challenge travels in a header; throws when not even its input fits.
 */
export function bazaarExtension(
  operation: Operation,
  answer: unknown,
  { as, roomBytes }: { as: 'http' | 'mcp'; roomBytes: number },
): { readonly bazaar: unknown } {
  const input = as === 'http' ? httpInput(operation) : toolInput(operation);
  const outputs = [...details.map((detail) => sketch(answer, detail)), null];
  for (const output of outputs) {
    const bazaar = declaration(input, output);
    if (Buffer.byteLength(JSON.stringify({ bazaar })) <= roomBytes) return { bazaar };
  }
  throw new Error(`The input of ${operation.name} does not fit a challenge of ${roomBytes} bytes`);
}

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
            properties: { type: { type: 'string' }, example: { type: 'object' } },
            required: ['type'],
          },
        }),
      },
      required: ['input'],
    },
  };
}

function httpInput(operation: Operation): Input {
  const method = operation.route?.method ?? 'POST';
  const common = { type: { type: 'string', const: 'http' }, method: { type: 'string', enum: [method] } };
  if (method === 'GET')
    return {
      info: { type: 'http', method, queryParams: queryValues(operation) },
      properties: { ...common, queryParams: slim(inputSchema(operation, 'query')) },
      required: ['type', 'method'],
    };
  return {
    info: { type: 'http', method, bodyType: 'json', body: operation.example },
    properties: {
      ...common,
      bodyType: { type: 'string', enum: ['json'] },
      body: slim(inputSchema(operation, 'json')),
    },
    required: ['type', 'method', 'bodyType', 'body'],
  };
}

function toolInput(operation: Operation): Input {
  const transport = 'streamable-http';
  return {
    info: {
      type: 'mcp',
      toolName: operation.name,
      transport,
      inputSchema: slim(inputSchema(operation, 'json')),
      example: operation.example,
    },
    properties: {
      type: { type: 'string', const: 'mcp' },
      toolName: { type: 'string' },
      transport: { type: 'string', enum: [transport] },
      inputSchema: { type: 'object' },
      example: { type: 'object' },
    },
    required: ['type', 'toolName', 'inputSchema'],
  };
}

/** Names, types and choices alone: bounds and descriptions are in the OpenAPI document. */
function slim(schema: Schema): Schema {
  const kept: Record<string, unknown> = {};
  for (const keyword of ['type', 'enum', 'required'])
    if (schema[keyword] !== undefined) kept[keyword] = schema[keyword];
  if (kept.enum !== undefined) delete kept.type;
  if (schema.items !== undefined) kept.items = slim(schema.items as Schema);
  if (schema.properties !== undefined)
    kept.properties = Object.fromEntries(
      Object.entries(schema.properties as Record<string, Schema>).map(([name, field]) => [name, slim(field)]),
    );
  return kept;
}

/** The shape of an answer in few bytes: one item of a list, the first fields, the beginnings of texts. */
function sketch(value: unknown, detail: Detail): unknown {
  if (typeof value === 'string') {
    const characters = [...value];
    return characters.length <= detail.characters
      ? value
      : `${characters.slice(0, detail.characters - 1).join('')}…`;
  }
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => sketch(item, detail));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, detail.fields)
      .map(([name, field]) => [name, sketch(field, detail)]),
  );
}
