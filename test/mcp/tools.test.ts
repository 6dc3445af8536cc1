import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { catalog, freeTools, paidTools } from '../support/app.ts';
import { callTool, ERAS, request, type ToolResult, testApp } from './endpoint.ts';

type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: Record<string, boolean>;
  readonly _meta?: Record<string, unknown>;
};

const app = testApp();

async function listed(): Promise<readonly Tool[]> {
  const { body } = await request(app, 'legacy', 'tools/list');
  return (body.result as never as { tools: Tool[] }).tools;
}

async function toolNamed(name: string): Promise<Tool> {
  const found = (await listed()).find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`No tool ${name}`);
  return found;
}

const exampleOf = (name: string): unknown =>
  catalog.find((operation) => operation.name === name)?.example ?? {};

describe('the list of tools', () => {
  it(
    proves(
      '4-rule-tools',
      'has the seven tools and all others of the catalog, sorted by name, in every revision and every time',
    ),
    async () => {
      const lists = [];
      for (const era of [...ERAS, ...ERAS]) {
        const { body } = await request(app, era, 'tools/list');
        lists.push((body.result as never as { tools: Tool[] }).tools);
      }
      const names = lists[0]?.map(({ name }) => name);
      expect(names).toEqual([...freeTools, ...paidTools].toSorted());
      expect(names).toEqual(
        expect.arrayContaining([
          ...'late_fee late_fee_notice list_tools pricing quote_pack quote_totals'.split(' '),
          ...'small_business_stack_report'.split(' '),
        ]),
      );
      for (const list of lists) expect(list).toEqual(lists[0]);
    },
  );

  it('has at most 24 KiB in total, with a limit for each tool', async () => {
    const sizes = (await listed()).map((tool) => `${tool.name} ${Buffer.byteLength(JSON.stringify(tool))}`);
    for (const era of ERAS)
      expect(
        Buffer.byteLength((await request(app, era, 'tools/list')).text),
        `bytes of tools/list: ${sizes.join(', ')}; shorten descriptions of fields (docs/decisions/0018)`,
      ).toBeLessThanOrEqual(24_576);
    const most: Record<string, number> = {
      late_fee: 3_300,
      late_fee_notice: 6_600,
      small_business_stack_report: 2_800,
    };
    for (const tool of await listed())
      expect(Buffer.byteLength(JSON.stringify(tool)), tool.name).toBeLessThanOrEqual(
        most[tool.name] ?? 6_300,
      );
  });

  it('has numbers with their bounds, and describes the defaults in words', async () => {
    const { inputSchema } = await toolNamed('late_fee');
    expect(inputSchema.properties).toMatchObject({
      amount: { type: 'number', minimum: 0.01, maximum: 1_000_000_000 },
      grace_days: {
        type: 'integer',
        minimum: 0,
        maximum: 365,
        description: expect.stringMatching(/Default: 0\.$/),
      },
    });
  });

  it('begins every description with the price', async () => {
    for (const { name, title, description } of await listed()) {
      expect(title).not.toBe('');
      expect(description.length).toBeLessThanOrEqual(300);
      const priceWords: Record<string, RegExp> = {
        late_fee_notice: /^Paid: 0\.01 USDC/,
        quote_pack: /^Paid: 0\.05 USDC/,
        small_business_stack_report: /^Paid: 1 USDC/,
      };
      expect([name, description]).toEqual([
        name,
        expect.stringMatching(
          priceWords[name] ??
            (paidTools.includes(name) ? /^Paid: \d+(\.\d\d)? USDC/ : /^(Free\.|Directory of free )/),
        ),
      ]);
    }
  });

  it('has input schemas that every model vendor accepts: an object without combinators or references', async () => {
    for (const { name, inputSchema } of await listed()) {
      expect([name, inputSchema.type]).toEqual([name, 'object']);
      for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', '$ref', '$schema', '$defs', 'x-mcp-header'])
        expect(JSON.stringify(inputSchema)).not.toContain(`"${keyword}"`);
    }
  });

  it('has output schemas whose root is an object and that allow new fields', async () => {
    for (const { name, outputSchema } of await listed()) {
      expect([name, outputSchema.type]).toEqual([name, 'object']);
      expect(JSON.stringify(outputSchema)).not.toContain('additionalProperties');
    }
  });

  it('marks free tools as read-only, but not paid ones', async () => {
    for (const { name, annotations } of await listed())
      expect([name, annotations]).toEqual([
        name,
        freeTools.includes(name)
          ? { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
          : { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      ]);
  });

  it('states the price of every paid tool where clients look for it', async () => {
    const prices = Object.fromEntries((await listed()).map(({ name, _meta }) => [name, _meta]));
    for (const name of freeTools) expect(JSON.stringify(prices[name] ?? {})).not.toContain('x402');
    const price = (amount: string, usd: number) => ({
      x402: {
        paymentRequired: true,
        scheme: 'exact',
        network: 'eip155:8453',
        amount,
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payTo: '0x00000000000000000000000000000000000000Aa',
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
        payIn: 'params._meta["x402/payment"]',
      },
      'agents-x402/paymentRequired': true,
      'agents-x402/priceUSD': usd,
    });
    expect(prices.late_fee_notice).toEqual(price('10000', 0.01));
    expect(prices.quote_pack).toEqual(price('50000', 0.05));
    expect(prices.small_business_stack_report).toEqual(price('1000000', 1));
  });
});

describe('the result of a tool', () => {
  const validator = new AjvJsonSchemaValidator();
  const fits = ({ outputSchema }: Tool, result: ToolResult): boolean =>
    validator.getValidator(outputSchema)(result.structuredContent).valid;
  const textOf = (result: ToolResult) => result.content[0]?.text ?? '';

  it.each(freeTools)('fits its schema and is repeated as text if %s runs its example', async (name) => {
    const tool = await toolNamed(name);
    for (const era of ERAS) {
      const result = await callTool(app, era, name, { arguments: exampleOf(name) });
      expect(result.isError).toBeUndefined();
      expect(textOf(result)).toBe(JSON.stringify(result.structuredContent));
      expect(fits(tool, result)).toBe(true);
    }
  });

  it.each([...freeTools, ...paidTools])('fits its schema if %s returns an error', async (name) => {
    const tool = await toolNamed(name);
    const result = await callTool(app, 'legacy', name, { arguments: { nonsense: 1 } });
    expect(result.isError).toBe(true);
    expect(fits(tool, result)).toBe(true);
  });

  it.each(paidTools)(
    'fits its schema, which does not allow arbitrary content, if %s returns a challenge',
    async (name) => {
      const tool = await toolNamed(name);
      const result = await callTool(app, 'legacy', name, { arguments: exampleOf(name) });
      expect(result).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
      expect(fits(tool, result)).toBe(true);
      expect(fits(tool, { ...result, structuredContent: { garbage: true } })).toBe(false);
    },
  );

  it('has the prices, the payee and how to pay if the tool is pricing', async () => {
    const { structuredContent } = await callTool(app, 'modern', 'pricing');
    expect(structuredContent).toMatchObject({
      network: 'eip155:8453',
      recipient: '0x00000000000000000000000000000000000000Aa',
      paid: expect.arrayContaining([
        expect.objectContaining({ tool: 'late_fee_notice', price_usd: '0.01' }),
        expect.objectContaining({ tool: 'quote_pack', price_usd: '0.05' }),
        expect.objectContaining({
          tool: 'small_business_stack_report',
          price_usd: '1.00',
          http: expect.objectContaining({ method: 'GET', url: 'http://127.0.0.1:4021/v1/stack-report' }),
        }),
      ]),
    });
    expect((structuredContent as { paid: unknown[] }).paid).toHaveLength(paidTools.length);
  });
});

describe('a call for tools without a limit', () => {
  it('returns a page of twenty listings, as the schema says, and the offset of the next page', async () => {
    const { inputSchema } = await toolNamed('list_tools');
    const { limit } = inputSchema.properties as Record<string, { description: string }>;
    expect(limit?.description).toMatch(/Default: 20\.$/);
    const page = (await callTool(app, 'modern', 'list_tools')).structuredContent as Page;
    expect([page.tools.length, page.next_offset, page.count > 200]).toEqual([20, 20, true]);
    const more = (await callTool(app, 'modern', 'list_tools', { arguments: { limit: 1_000 } }))
      .structuredContent as Page;
    expect(more.tools.length).toBe(more.count);
  });
});

type Page = { tools: unknown[]; next_offset: number | null; count: number };
