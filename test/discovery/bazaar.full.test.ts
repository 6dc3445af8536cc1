import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import { inputSchema as fullSchema, type Schema } from '../../src/catalog/schema.ts';
import { settleBody } from '../../src/payments/facilitator/messages.ts';
import type { Order } from '../../src/payments/settlement.ts';
import { reasonCodes } from '../../src/payments/x402/reasons.ts';
import {
  extractDiscoveryInfoFromExtension,
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '../../tools/x402/bazaar.ts';
import { callTool } from '../mcp/endpoint.ts';
import { BASE_URL, scriptedSettlement, testApp } from '../support/app.ts';
import { buyExample, callExample, decodedHeader, paidOperations } from './support.ts';

const MAX_HEADER_BYTES = 3_000;

/** The inputs that the specification of version 1.0.0 names; later inputs must not push them out of a header. */
const SPECIFIED: Readonly<Record<string, readonly string[]>> = {
  late_fee_notice: [
    ...'amount due_date paid_date rate rate_type grace_days tone client_name'.split(' '),
    ...'business_name invoice_number'.split(' '),
  ],
  quote_pack: [
    ...'items tax_percent discount_percent deposit_percent valid_days currency'.split(' '),
    ...'business_name better_markup_percent best_markup_percent'.split(' '),
  ],
  small_business_stack_report: ['business_type', 'needs', 'team_size', 'free_only'],
};

type Bazaar = {
  readonly info: { readonly input: Schema; readonly output?: { readonly example: unknown } };
  readonly schema: { readonly properties: { readonly input: Schema; readonly output?: Schema } };
};

const bazaarOf = ({ extensions }: { extensions?: unknown }): Bazaar =>
  (extensions as { bazaar: Bazaar }).bazaar;

/** The schema of the inputs, in a query or in a body. */
function inputsOf({ schema }: Pick<Bazaar, 'schema'>): Schema {
  const { queryParams, body } = schema.properties.input.properties ?? {};
  return (queryParams ?? body) as Schema;
}

const namesOf = ({ properties = {} }: Schema): string[] => Object.keys(properties);

/** The paths of all fields without a type or choices, at any depth. */
const untyped = ({ properties = {}, items }: Schema, path = ''): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [
    ...(field.type === undefined && field.enum === undefined ? [`${path}/${name}`] : []),
    ...untyped(field, `${path}/${name}`),
  ]),
  ...(items ? untyped(items, `${path}/-`) : []),
];

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf);

const app = testApp();

const inHeader = async (operation: Operation, at = app): Promise<Bazaar> =>
  bazaarOf(decodedHeader(await callExample(at, operation), 'payment-required'));

const inBody = async (operation: Operation): Promise<Bazaar> =>
  bazaarOf((await (await callExample(app, operation)).json()) as object);

async function atFacilitator(operation: Operation): Promise<Bazaar> {
  const { settlement, orders } = scriptedSettlement(() => ({ state: 'not_sent', reason: 'test' }));
  await buyExample(testApp({ settlement }), operation);
  return bazaarOf(JSON.parse(settleBody(orders[0] as Order)).paymentPayload);
}

const whole = [
  ['the body of a 402', inBody],
  ['the request to a facilitator', atFacilitator],
] as const;
const everywhere = [['the header of a 402', inHeader], ...whole] as const;

describe.each(paidOperations)('the bazaar extension of $name', (operation) => {
  const { properties = {}, required } = fullSchema(operation);

  it.each(everywhere)('lists the type or the choices of every input in %s', async (_place, read) => {
    const inputs = inputsOf(await read(operation));
    expect(untyped(inputs)).toEqual([]);
    expect(inputs.required).toEqual(required);
    for (const [name, { type, enum: choices }] of Object.entries(inputs.properties ?? {}))
      expect([name, choices ?? type]).toEqual([name, properties[name]?.enum ?? properties[name]?.type]);
  });

  it.each(whole)(
    'names every input with its bounds, and sketches the answer, in %s',
    async (_place, read) => {
      const bazaar = await read(operation);
      const inputs = inputsOf(bazaar);
      expect(namesOf(inputs)).toEqual(Object.keys(properties));
      for (const keyword of ['minimum', 'maximum', 'maxLength', 'minItems', 'maxItems', 'pattern'])
        for (const [name, field] of Object.entries(properties))
          expect([name, keyword, inputs.properties?.[name]?.[keyword]]).toEqual([
            name,
            keyword,
            field[keyword],
          ]);
      expect(inputs.description).toBeUndefined();
      expect(bazaar.info.output?.example).toBeDefined();
    },
  );

  it.each(everywhere)('is accepted by the official validators in %s', async (_place, read) => {
    const bazaar = (await read(operation)) as never;
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    const method = operation.route?.method;
    expect(extractDiscoveryInfoFromExtension(bazaar).input).toMatchObject({ type: 'http', method });
  });

  it.each([
    ['a short address', 'http://127.0.0.1:4021'],
    ['a usual address', BASE_URL],
    ['a long address', 'https://documents.name-of-a-small-business.example'],
  ])('keeps the inputs of the specification within the header at %s', async (_case, baseUrl) => {
    const challenge = decodedHeader(await callExample(testApp({ baseUrl }), operation), 'payment-required');
    for (const error of reasonCodes) {
      const header = Buffer.from(JSON.stringify({ ...challenge, error })).toString('base64');
      expect(header.length).toBeLessThanOrEqual(MAX_HEADER_BYTES);
    }
    const specified = SPECIFIED[operation.name] ?? ['an entry in SPECIFIED'];
    expect([...(required ?? []), ...operation.specifiedInputs]).toEqual(specified);
    expect(namesOf(inputsOf(bazaarOf(challenge)))).toEqual(expect.arrayContaining([...specified]));
  });

  it('links from the header to the full schema only if the header leaves something out', async () => {
    const bazaar = await inHeader(operation);
    const { description = '', ...inputs } = inputsOf(bazaar);
    const leavesOut = namesOf(inputs).length < Object.keys(properties).length || !bazaar.info.output;
    const [, path, pointer = ''] =
      /^Full schema: https:\/\/calc\.example(\S+)#(\S+)$/.exec(`${description}`) ?? [];
    expect(path).toBe(leavesOut ? '/openapi.json' : undefined);
    if (path === undefined) return;
    const steps = pointer.split('/').slice(1);
    const unescaped = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const document: unknown = await (await app.get(path)).json();
    const found = unescaped.reduce((value, step) => (value as Record<string, unknown>)[step], document);
    expect(found).toMatchObject({ operationId: operation.operationId });
  });

  it('shows a real answer in the body, with shortened texts, and says so', async () => {
    const { info, schema } = await inBody(operation);
    const documented = await (await app.get('/openapi.json')).text();
    for (const text of textsOf(info.output?.example)) expect(documented).toContain(JSON.stringify(text));
    expect(schema.properties.output?.properties).toMatchObject({ example: { description: 'shortened' } });
  });

  it('comes with a resource description that catalogs keep completely', async () => {
    const { resource } = decodedHeader(await callExample(app, operation), 'payment-required');
    expect(sanitizeResourceServiceMetadata(resource)).toEqual({
      serviceName: 'Small-Business Calculator',
      tags: ['small-business', 'invoicing', 'quotes'],
      iconUrl: `${BASE_URL}/favicon.svg`,
    });
    expect(resource.description.length).toBeLessThan(300);
  });

  it('is not in the challenge of its MCP tool, because a model already has the tool’s own schema', async () => {
    const unpaid = await callTool(app, 'modern', operation.name, { arguments: operation.example });
    expect(unpaid.structuredContent).toMatchObject({ error: 'payment_required' });
    expect(Object.keys(unpaid.structuredContent?.extensions ?? {})).toEqual(['payment-identifier']);
  });
});
