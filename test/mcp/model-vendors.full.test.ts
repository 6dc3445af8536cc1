import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ChatGoogleGenerativeAI,
  createGoogleGenerativeAI,
  jsonSchemaToZod,
  mcpToFunctionTool,
  mcpToTool,
  transformJSONSchema,
} from '../../tools/model-vendors/index.ts';
import { catalog } from '../support/app.ts';
import { callTool, request, testApp } from './endpoint.ts';

// Each converter turns our tools into the request for its vendor; nothing is sent. A vendor rejects the whole
// request, with every tool of every server, because of one unknown keyword.

type Schema = Record<string, unknown>;
type Tool = { name: string; description: string; inputSchema: Schema };

const app = testApp();
let tools: Tool[];

beforeAll(async () => {
  const { body } = await request(app, 'legacy', 'tools/list');
  tools = (body.result as never as { tools: Tool[] }).tools;
});

/** Every keyword of a schema; field names do not count. */
function keywords(schema: Schema): string[] {
  const found = new Set<string>();
  const collect = (one: unknown): void => {
    if (Array.isArray(one)) for (const part of one) collect(part);
    else if (typeof one === 'object' && one !== null)
      for (const [name, value] of Object.entries(one)) {
        found.add(name);
        if (name === 'properties') for (const field of Object.values(value as Schema)) collect(field);
        else if (name !== 'enum' && name !== 'required') collect(value);
      }
  };
  collect(schema);
  return [...found].sort();
}

const beyond = (schema: Schema, known: readonly string[]): string[] =>
  keywords(schema).filter((name) => !known.includes(name));

const COMMON = ['type', 'description', 'properties', 'required', 'items', 'enum'];
/** The keywords in each vendor's documentation of functions, for its strictest mode. */
const OPENAI_STRICT = [
  ...[...COMMON, 'additionalProperties', 'anyOf', 'pattern', 'format', 'multipleOf', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', '$ref', '$defs'],
];
const ANTHROPIC_STRICT = [
  ...COMMON,
  'additionalProperties',
  'anyOf',
  'allOf',
  'format',
  'const',
  'default',
  '$ref',
  'minItems',
];
const GEMINI = [
  ...[...COMMON, 'format', 'title', 'nullable', 'maxItems', 'minItems', 'minProperties', 'maxProperties'],
  ...['minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering', 'minimum', 'maximum'],
];
const GEMINI_JSON = [...GEMINI, 'additionalProperties', 'prefixItems', 'oneOf', '$ref', '$defs'];

describe('each tool can be converted to a function', () => {
  it('for OpenAI in strict mode, without losing a field', () => {
    const server = { name: 'small-business-calculator', callTool: () => [] };
    for (const tool of tools) {
      const made = mcpToFunctionTool(tool, server, true);
      const { parameters } = made;
      expect([tool.name, made.strict, beyond(parameters, OPENAI_STRICT)]).toEqual([tool.name, true, []]);
      const fields = Object.keys(tool.inputSchema.properties as Schema);
      expect(parameters).toMatchObject({
        additionalProperties: false,
        required: expect.arrayContaining(fields),
      });
    }
  });

  it('for Anthropic in strict mode', () => {
    for (const { name, inputSchema } of tools) {
      const made = transformJSONSchema(structuredClone(inputSchema));
      expect([name, beyond(made, ANTHROPIC_STRICT)]).toEqual([name, []]);
    }
  });

  it('for Gemini by Google’s own SDK, which passes on the schema', async () => {
    const client = { listTools: async () => ({ tools }), callTool: async () => ({ content: [] }) };
    const { functionDeclarations = [] } = await mcpToTool(client).tool();
    expect(functionDeclarations.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, parametersJsonSchema } of functionDeclarations)
      expect([name, beyond(parametersJsonSchema ?? {}, GEMINI_JSON)]).toEqual([name, []]);
  });

  it('for Gemini by the AI SDK, which converts the schema to OpenAPI 3.0', async () => {
    let body: { tools: { functionDeclarations: { name: string; parameters: Schema }[] } } | undefined;
    const google = createGoogleGenerativeAI({
      apiKey: 'none',
      fetch: async (_url, init) => {
        body = JSON.parse(String(init?.body));
        return new Response('{}', { status: 400 });
      },
    });
    const asked = google('gemini-2.5-flash').doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema,
      })),
    });
    await expect(asked).rejects.toThrow();
    const declared = [body?.tools ?? []].flat().flatMap((tool) => tool.functionDeclarations);
    expect(declared.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, parameters } of declared)
      expect([name, beyond(parameters ?? {}, GEMINI)]).toEqual([name, []]);
  });

  it('for Gemini by LangChain', () => {
    const model = new ChatGoogleGenerativeAI({ apiKey: 'none', model: 'gemini-2.5-flash' });
    const bound = model.bindTools(
      tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
    );
    const declared = bound.config.tools.flatMap((tool) => tool.functionDeclarations);
    expect(declared.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, parameters } of declared)
      expect([name, beyond(parameters ?? {}, GEMINI)]).toEqual([name, []]);
  });

  it('for zod, by json-schema-to-zod and by zod itself, and the example is valid in both', () => {
    for (const { name, inputSchema } of tools) {
      const example = catalog.find((operation) => operation.name === name)?.example ?? {};
      const written = new Function('z', `return ${jsonSchemaToZod(inputSchema)}`)(z) as typeof z.ZodType;
      for (const schema of [written, z.fromJSONSchema(inputSchema)] as never as {
        safeParse(v: unknown): object;
      }[])
        expect([name, schema.safeParse(example)]).toEqual([name, expect.objectContaining({ success: true })]);
    }
  });
});

it('a null that a model sends in strict mode counts as an omitted field', async () => {
  for (const { name, inputSchema } of tools) {
    const example = catalog.find((operation) => operation.name === name)?.example ?? {};
    const nulls = Object.keys(inputSchema.properties as Schema).map((field) => [field, null]);
    const call = (values: unknown) => callTool(app, 'legacy', name, { arguments: values });
    const strict = await call({ ...Object.fromEntries(nulls), ...example });
    expect([name, strict.structuredContent]).toEqual([name, (await call(example)).structuredContent]);
  }
});
