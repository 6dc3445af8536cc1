import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsaidRules } from '../../src/surfaces/discovery/unsaid-rules.ts';
import { testApp } from '../support/app.ts';
import { breaks, object, type Schema, type Values } from './generated-requests.ts';

type Described = {
  parameters?: { name: string; in: string; required: boolean; schema: Schema; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
};
type Problem = { code: string; errors?: { code: string; pointer: string }[] };

const app = testApp();
const document = (await (await app.get('/openapi.json')).json()) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};
const resolve = (ref: string): Schema => document.components.schemas[ref.split('/').at(-1) ?? ''] as Schema;

const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    path,
    schema: inputOf(described),
  })),
);

function inputOf({ parameters = [], requestBody }: Described): Schema {
  if (requestBody) return resolve(requestBody.content['application/json']?.schema.$ref ?? '');
  const own = parameters.filter(({ name }) => name !== undefined);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

async function send({ method, path }: (typeof calls)[number], values: Values) {
  if (method === 'post') return app.post(path, values);
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(values))
    if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else query.set(name, String(value));
  return app.get(`${filled.replace(/\{.*\}/, '')}?${query}`);
}

const rules = new Set(unsaidRules.map(({ code }) => code));

const isAnswered = (status: number): boolean => [200, 402, 409].includes(status);
const hasPath = ({ path }: (typeof calls)[number]): boolean => path.includes('{');

/** A generated input with the rules that no schema says obeyed; numbers are as people write them. */
function obedient(values: Values): Values {
  const whole = (value: unknown) => Math.round(Number(value));
  const items = (values.items as Values[] | undefined)?.map((item, index) => ({
    ...item,
    unit_price: Math.min(Math.abs(whole(item.unit_price)), 1_000),
    ...('quantity' in item && { quantity: Math.max(1, Math.min(whole(item.quantity), 1_000)) }),
    ...('tax_percent' in item && { tax_percent: whole(item.tax_percent) }),
    ...(index === 0 && 'tier' in item && { tier: 'good' }),
  }));
  const numbers = Object.entries(values).filter(([, value]) => typeof value === 'number');
  const rounded: Values = {
    ...values,
    ...Object.fromEntries(numbers.map(([name, value]) => [name, whole(value)])),
  };
  const {
    discount_amount: _discount,
    deposit_amount: _deposit,
    jurisdiction,
    reference_rate: reference,
    category: _category,
    needs: _needs,
    min_fee: least,
    max_fee: most,
    ...rest
  } = rounded;
  const isWithin = least !== undefined && most !== undefined && Number(least) <= Number(most);
  return {
    ...rest,
    ...('id' in rest && { id: 'no-such-listing' }),
    ...(items !== undefined && { items }),
    ...(isWithin && { min_fee: least, max_fee: most }),
    ...('amount' in rest && { amount: Math.max(1, Math.min(Number(rest.amount), 1_000_000)) }),
    ...('rate' in rest && { rate: Math.min(Number(rest.rate), 10) }),
    ...(rest.rate_type === 'flat' && { rate: 25 }),
    ...('due_date' in rest && { due_date: '2026-09-01' }),
    ...('paid_date' in rest && { paid_date: '2026-11-20' }),
    ...(jurisdiction !== undefined && { jurisdiction, currency: jurisdiction === 'GB' ? 'GBP' : 'EUR' }),
    ...(jurisdiction !== undefined && reference !== undefined && { reference_rate: reference }),
    ...('best_markup_percent' in rest && { best_markup_percent: 1_000 }),
    ...('round_unit_to' in rest && { round_unit_to: Math.max(1, Number(rest.round_unit_to)) }),
  };
}

describe.each(calls)('what a generator makes of $name', (call) => {
  const inputs = object(call.schema, resolve);
  const asserted = (check: (values: Values) => Promise<void>) =>
    fc.assert(fc.asyncProperty(inputs, check), { numRuns: 60, seed: 18 });

  it('is answered, or refused by rules that are listed as said by no schema', async () => {
    await asserted(async (values) => {
      const reply = await send(call, values);
      if (isAnswered(reply.status) || (hasPath(call) && reply.status === 404)) return;
      expect(reply.status).toBe(400);
      const { errors = [] } = (await reply.json()) as Problem;
      expect(errors.filter(({ code }) => !rules.has(code))).toEqual([]);
    });
  });

  it('is answered when it obeys these rules', async () => {
    await asserted(async (values) => {
      const reply = await send(call, obedient(values));
      if (hasPath(call) && reply.status === 404) return;
      expect([reply.status, isAnswered(reply.status) ? '' : await reply.text()]).toEqual([reply.status, '']);
    });
  });

  it('is refused when it is broken in one place', async () => {
    const [values] = fc.sample(inputs, { numRuns: 1, seed: 18 }) as [Values];
    for (const { what, apply } of breaks(call.schema, resolve, call.method === 'post')) {
      const reply = await send(call, apply(obedient(values)));
      // An address without its last part is another address.
      if (!(hasPath(call) && what === 'no id')) expect([what, reply.status]).toEqual([what, 400]);
    }
  });
});

it('lists each rule once, and no rule that is none', () => {
  expect(rules.size).toBe(unsaidRules.length);
});
