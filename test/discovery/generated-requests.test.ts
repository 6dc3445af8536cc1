import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALSO_ACCEPTED, inputRules } from '../../src/surfaces/discovery/inputs.ts';
import { testApp } from '../support/app.ts';
import { breaks, obedient, object, type Schema, type Values } from './generated-requests.ts';
import { followed, httpOperations } from './support.ts';

type Described = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Problem = { code: string; errors?: { code: string; pointer: string }[] };

const app = testApp();
const written = (await (await app.get('/openapi.json')).json()) as {
  paths: Record<string, Record<string, Described>>;
};
const document: typeof written = followed(written, written);

const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method,
    path,
    schema: inputOf(described),
  })),
);

function inputOf({ parameters = [], requestBody }: Described): Schema {
  const body = requestBody?.content['application/json'];
  if (body) return body.schema;
  const own = parameters.filter((parameter) => parameter.in !== 'header');
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

const rules = new Set(inputRules.map(({ code }) => code));

const isAnswered = (status: number): boolean => [200, 402, 409].includes(status);
const hasPath = ({ path }: (typeof calls)[number]): boolean => path.includes('{');

describe.each(calls)('a request generated from the schema of $name', (call) => {
  const inputs = object(call.schema);
  const asserted = (check: (values: Values) => Promise<void>) =>
    fc.assert(fc.asyncProperty(inputs, check), { numRuns: 60, seed: 18 });

  it('is answered, or rejected by a listed rule that no schema can express', async () => {
    await asserted(async (values) => {
      const reply = await send(call, values);
      if (isAnswered(reply.status) || (hasPath(call) && reply.status === 404)) return;
      expect(reply.status).toBe(400);
      const { errors = [] } = (await reply.json()) as Problem;
      expect(errors.filter(({ code }) => !rules.has(code))).toEqual([]);
    });
  });

  it('is answered if it follows the listed rules', async () => {
    await asserted(async (values) => {
      const reply = await send(call, obedient(values, call.schema));
      if (hasPath(call) && reply.status === 404) return;
      expect([reply.status, isAnswered(reply.status) ? '' : await reply.text()]).toEqual([reply.status, '']);
    });
  });

  it('is rejected if it is invalid in one place', async () => {
    const [values] = fc.sample(inputs, { numRuns: 1, seed: 18 }) as [Values];
    for (const { what, apply } of breaks(call.schema, call.method === 'post')) {
      const reply = await send(call, apply(obedient(values, call.schema)));
      // An address whose last part is missing is a different address.
      if (!(hasPath(call) && what === 'no id')) expect([what, reply.status]).toEqual([what, 400]);
    }
  });
});

describe.each(calls.filter((call) => !hasPath(call)))(
  'an input that the schema of $name does not mention',
  (call) => {
    const operation = httpOperations.find(({ route }) => route?.path === call.path);
    const example = operation?.example as Values;

    it('is accepted as documented: numbers as text, lower case, lists as text, empty values', async () => {
      const spell = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : String(value));
      const asText = Object.entries(example).map(([name, value]) => [name, spell(value)]);
      const optional = Object.keys((call.schema.properties ?? {}) as object).filter(
        (name) => !((call.schema.required ?? []) as string[]).includes(name) && !(name in example),
      );
      const left = (nothing: unknown) => Object.fromEntries(optional.map((name) => [name, nothing]));
      const small = ['currency', 'country']
        .filter((name) => Object.keys((call.schema.properties ?? {}) as object).includes(name))
        .map((name) => [name, name === 'currency' ? 'usd' : 'gb']);
      for (const values of [
        Object.fromEntries(asText),
        { ...example, ...left('') },
        { ...example, ...Object.fromEntries(small) },
        ...(call.method === 'post' ? [{ ...example, ...left(null) }] : []),
      ])
        expect([values, (await send(call, values)).status]).toEqual([values, expect.toSatisfy(isAnswered)]);
    });
  },
);

it.each([
  ['texts with semicolons between them', 'semicolons', '/v1/quote-pack', { better_adds: 'a;b' }],
  ['words as a list', 'commas', '/v1/stack-report', { needs: ['invoicing', 'crm'] }],
  ['a blank text', 'blank text', '/v1/quote-pack', { round_unit_to: ' ' }],
])('the service accepts %s, as documented', async (_, said, path, values) => {
  const example = httpOperations.find(({ route }) => route?.path === path)?.example;
  expect((await app.post(path, { ...example, ...values })).status).toBe(402);
  expect(ALSO_ACCEPTED).toContain(said);
});
