import { fetchTool } from '../../scripts/tool.js';

fetchTool('model-vendors');

type Schema = Record<string, unknown>;
type Declared = {
  readonly name: string;
  readonly parameters?: Schema;
  readonly parametersJsonSchema?: Schema;
};

// The name is not a literal, so that type checks do not need the types of six vendors.
const load = <Module>(name: string): Promise<Module> => import(name) as Promise<Module>;

export const { mcpToFunctionTool } = await load<{
  mcpToFunctionTool(tool: object, server: object, isStrict: boolean): { strict: boolean; parameters: Schema };
}>('@openai/agents-core');
export const { transformJSONSchema } = await load<{ transformJSONSchema(schema: Schema): Schema }>(
  '@anthropic-ai/sdk/lib/transform-json-schema',
);
export const { createGoogleGenerativeAI } = await load<{
  createGoogleGenerativeAI(settings: {
    apiKey: string;
    fetch: typeof fetch;
  }): (model: string) => { doGenerate(options: object): Promise<unknown> };
}>('@ai-sdk/google');
export const { ChatGoogleGenerativeAI } = await load<{
  ChatGoogleGenerativeAI: new (
    settings: object,
  ) => {
    bindTools(tools: readonly object[]): { config: { tools: { functionDeclarations: Declared[] }[] } };
  };
}>('@langchain/google-genai');
export const { mcpToTool } = await load<{
  mcpToTool(client: object): { tool(): Promise<{ functionDeclarations?: Declared[] }> };
}>('@google/genai');
export const { jsonSchemaToZod } = await load<{ jsonSchemaToZod(schema: Schema): string }>(
  'json-schema-to-zod',
);
