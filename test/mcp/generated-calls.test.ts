import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { inputRules } from '../../src/surfaces/discovery/input-rules.ts';
import { breaks, obedient, object, type Schema, type Values } from '../discovery/generated-requests.ts';
import { catalog } from '../support/app.ts';
import { callTool, request, testApp } from './endpoint.ts';

type Tool = { readonly name: string; readonly inputSchema: Schema };

const app = testApp();
const rules = new Set(inputRules.map(({ code }) => code));
const names = catalog.filter(({ tool }) => tool).map(({ name }) => name);
let tools: readonly Tool[];

beforeAll(async () => {
  const { body } = await request(app, 'legacy', 'tools/list');
  tools = (body.result as never as { tools: Tool[] }).tools;
});

/** The faults of a call; empty for an answer, a price, or a valid input without an answer (409 over HTTP). */
async function faultsOf(name: string, values: Values): Promise<readonly { code: string }[]> {
  const { isError, structuredContent = {} } = await callTool(app, 'legacy', name, { arguments: values });
  if (isError === undefined || 'accepts' in structuredContent) return [];
  if (structuredContent.code === 'analysis_failed') return [];
  return (structuredContent.errors ?? [{ code: structuredContent.code }]) as { code: string }[];
}

describe.each(names)('a call generated from the schema of the tool %s', (name) => {
  const inputSchema = () => tools.find((tool) => tool.name === name)?.inputSchema as Schema;
  const asserted = (check: (values: Values) => Promise<void>) =>
    fc.assert(fc.asyncProperty(object(inputSchema()), check), { numRuns: 40, seed: 18 });

  it('is answered, or rejected by a listed rule that no schema can express', async () => {
    await asserted(async (values) => {
      expect((await faultsOf(name, values)).filter(({ code }) => !rules.has(code))).toEqual([]);
    });
  });

  it('is answered if it follows those rules', async () => {
    await asserted(async (values) => {
      const codes = {
        ...('currency' in values && !('jurisdiction' in values) && { currency: 'USD' }),
        ...('country' in values && { country: 'GB' }),
      };
      expect(await faultsOf(name, { ...obedient(values, inputSchema()), ...codes })).toEqual([]);
    });
  });

  it('is rejected if it is invalid in one place', async () => {
    const [values] = fc.sample(object(inputSchema()), { numRuns: 1, seed: 18 }) as [Values];
    for (const { what, apply } of breaks(inputSchema(), true))
      expect([what, await faultsOf(name, apply(obedient(values, inputSchema())))]).not.toEqual([what, []]);
  });
});
