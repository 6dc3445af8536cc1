import { beforeAll, describe, expect, it } from 'vitest';
import { methodsOf, pageAddress } from '../../src/catalog/operation.ts';
import { inputSchema, outputSchema, type Schema } from '../../src/catalog/schema.ts';
import { documentedInput, shortAnswer } from '../../src/surfaces/discovery/openapi/openapi.ts';
import { SKILL_PATH } from '../../src/surfaces/discovery/texts.ts';
import { testApp } from '../support/app.ts';
import { callExample, decodedHeader, followed, httpOperations, paidOperations } from './support.ts';

type Described = {
  description: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; description: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
  'x-payment-info'?: { price: { amount: string } };
};
type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  _meta?: Record<string, unknown>;
};

const app = testApp();
const json = async <Body>(path: string): Promise<Body> => (await app.get(path)).json() as Promise<Body>;

let openapi: {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};
let prices: { paid: { tool: string; price_usd: string; amount_atomic: string }[] };
let tools: Tool[];
let texts: Record<string, string>;

beforeAll(async () => {
  const document = await json<typeof openapi>('/openapi.json');
  openapi = followed(document, document);
  ({ tools } = await rpc<{ tools: Tool[] }>('tools/list'));
  ({ structuredContent: prices } = await rpc<{ structuredContent: typeof prices }>('tools/call', {
    name: 'pricing',
    arguments: {},
  }));
  texts = Object.fromEntries(
    await Promise.all(
      ['/', '/index.md', '/docs', '/docs.md', '/developers.md', '/llms.txt', SKILL_PATH].map(async (path) => [
        path,
        // An amount is not separated from its currency at the end of a line.
        (await (await app.get(path)).text()).replaceAll('\u00a0', ' '),
      ]),
    ),
  );
});

async function rpc<Result>(method: string, params: object = {}): Promise<Result> {
  const answer = await app.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method, params },
    { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  );
  return ((await answer.json()) as { result: Result }).result;
}

/** A schema whose required fields are sorted: an object that extends another names them in another order. */
const inAnyOrder = (schema: unknown) =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'required' && Array.isArray(value) ? value.toSorted() : value,
    ),
  );

type HttpOperation = (typeof httpOperations)[number];
const described = ({ route }: HttpOperation, method: string = route?.method ?? '') =>
  openapi.paths[route?.path ?? '']?.[method.toLowerCase()] as Described;
const methods = ({ route }: HttpOperation) => methodsOf(route as NonNullable<typeof route>);
const fieldsOf = (operation: HttpOperation) =>
  Object.keys((inputSchema(operation).properties ?? {}) as object);
describe.each(httpOperations)('the description of the operation $name', (operation) => {
  it('has the same texts everywhere', () => {
    const { description, summary, title, route } = operation;
    expect(described(operation)).toMatchObject({ description, summary: title });
    expect(texts['/llms.txt']).toContain(`- ${route?.method} ${route?.path} (`);
    expect(texts['/llms.txt']).toContain(`: ${summary}.`);
    expect(texts['/docs.md']).toContain(title);
    const tool = tools.find(({ name }) => name === operation.name);
    if (operation.tool) expect(tool).toMatchObject({ title, description: operation.description });
    else expect(tool).toBeUndefined();
  });

  it('has the same input names everywhere', () => {
    const line = `- ${methods(operation).join(' or ')} ${operation.route?.path} (`;
    for (const page of ['/llms.txt', SKILL_PATH]) {
      const lines = texts[page]?.split('\n').filter((one) => one.startsWith(line)) ?? [];
      for (const name of fieldsOf(operation))
        expect([page, lines.at(-1)]).toEqual([page, expect.stringMatching(` ${name}\\*? `)]);
    }
    for (const name of fieldsOf(operation)) {
      expect(texts['/developers.md']).toMatch(new RegExp(` ${name}\\*? `));
      expect(texts['/docs.md']).toContain(`\`${name}\``);
    }
    if (operation.tool) {
      const tool = tools.find(({ name }) => name === operation.name);
      expect(Object.keys((tool?.inputSchema.properties ?? {}) as object)).toEqual(fieldsOf(operation));
    }
  });

  it.each(methods(operation))('has the same input schema for %s', (method) => {
    const { parameters = [], requestBody } = described(operation, method);
    if (method === 'POST') {
      expect(requestBody?.content['application/json']?.schema).toEqual(
        followed(documentedInput(operation), openapi),
      );
      expect(parameters.filter((parameter) => parameter.in !== 'header')).toEqual([]);
    } else {
      const { properties = {}, required = [] } = followed(documentedInput(operation), openapi) as {
        properties?: Record<string, Schema>;
        required?: string[];
      };
      const shown = parameters.filter((parameter) => parameter.in !== 'header');
      expect(
        Object.fromEntries(
          shown.map(({ name, schema, description = schema.description }) => [
            name,
            { ...schema, description },
          ]),
        ),
      ).toEqual(properties);
      expect(shown.filter((parameter) => parameter.required).map(({ name }) => name)).toEqual(required);
    }
  });

  it.each(methods(operation))('has the same answer schema for %s', (method) => {
    const answer = described(operation, method).responses['200']?.content['application/json'];
    expect(inAnyOrder(answer?.schema)).toEqual(inAnyOrder(shortAnswer(outputSchema(operation))));
  });
});

describe.each(paidOperations)('the price of the operation $name', (operation) => {
  const usd = operation.price?.usd ?? '';

  it('is the same in every document and in the live challenge', async () => {
    const challenge = decodedHeader(await callExample(app, operation), 'payment-required');
    const body = await (await callExample(app, operation)).json();
    const atomic = String(Math.round(Number(usd) * 1_000_000));
    expect(challenge.accepts[0].amount).toBe(atomic);
    expect(body).toMatchObject({ price_usd: usd, accepts: challenge.accepts });
    for (const method of methods(operation))
      expect(described(operation, method)['x-payment-info']?.price.amount).toBe(usd);
    expect(prices.paid.find(({ tool }) => tool === operation.name)).toMatchObject({
      price_usd: usd,
      amount_atomic: atomic,
    });
    expect(challenge.resource.description).toBe(operation.summary);
    expect(operation.description).toContain(`${Number(usd)}`);
  });

  it('is the same in the texts for people and models', () => {
    const path = operation.route?.path ?? '';
    expect(texts['/llms.txt']).toContain(`${path} (${usd} USD)`);
    expect(texts['/']).toContain(`$${usd}`);
    const page = operation.page === null ? '' : pageAddress(operation.page);
    expect(texts['/index.md']).toContain(`(https://calc.example${page}) | $${usd} |`);
    expect(texts['/developers.md']).toMatch(new RegExp(`${path}\\]\\([^)]*\\) \\| USD ${usd}`));
    expect(texts['/docs.md']).toMatch(new RegExp(`\`${operation.route?.method} ${path}\` · USD ${usd}`));
    expect(texts['/docs']).toContain(` · USD ${usd}`);
  });
});
