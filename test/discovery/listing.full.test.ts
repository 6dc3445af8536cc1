import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodsOf, type Route } from '../../src/catalog/operation.ts';
import { inputSchema, type Schema } from '../../src/catalog/schema.ts';
import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  evaluateMetadataCompleteness,
  getL3,
  getOpenAPI,
  getProbe,
  getWarningsFor402Body,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForLegacyWellKnown,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  type OpenApiSource,
  probeLegacyWellKnown,
  validatePaymentRequiredDetailed,
} from '../../tools/x402/catalogue.ts';
import { type Served, served } from './served.ts';
import { httpOperations, paidOperations } from './support.ts';

let service: Served;
let document: OpenApiSource;

beforeAll(async () => {
  service = await served();
  const read = (await getOpenAPI(service.url))._unsafeUnwrap();
  if (read === null || isOpenApiParseFailure(read))
    throw new Error('the catalogue cannot read /openapi.json');
  document = read;
});
afterAll(() => service.stop());

/** The request of a catalog's sampler: for each required field, the first value that its schema suggests. */
function sample(schema: Schema): unknown {
  const { type, enum: choices, default: fallback, examples, minimum } = schema as Record<string, unknown>;
  const suggested = schema.const ?? fallback ?? schema.example ?? (examples as unknown[])?.[0];
  if (suggested !== undefined) return suggested;
  if (Array.isArray(choices)) return choices[0];
  if (type === 'array') return [sample(schema.items as Schema)];
  if (type === 'object' || schema.properties !== undefined) return sampleObject(schema);
  return type === 'string' ? 'test' : (minimum ?? 0);
}

function sampleObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const fields = properties as Record<string, Schema>;
  return Object.fromEntries((required as string[]).map((name) => [name, sample(fields[name] as Schema)]));
}

describe('a catalog that reads the OpenAPI document', () => {
  it('finds every operation, and the prices of the paid ones', async () => {
    const found = await discoverOriginSchema({ target: service.url });
    if (!found.found) throw new Error(found.message);
    const shown = found.endpoints.map(({ path, method, authMode, price }) => ({
      path,
      method,
      authMode,
      price,
    }));
    const ways = httpOperations.flatMap(({ route, price }) =>
      route === null ? [] : methodsOf(route).map((method) => ({ path: route.path, method, price })),
    );
    expect(shown).toHaveLength(ways.length);
    for (const { path, method, price } of ways)
      expect(shown).toContainEqual({
        path,
        method,
        authMode: price === null ? 'unprotected' : 'paid',
        price: price === null ? undefined : expect.stringContaining(String(Number(price.usd))),
      });
  });

  it('gives no warnings', async () => {
    expect(getWarningsForOpenAPI(document)).toEqual([]);
    expect(getWarningsForL2(checkL2ForOpenAPI(document))).toEqual([]);
    expect(getWarningsForL4(checkL4ForOpenAPI(document))).toEqual([]);
    expect((await getWarningsForFavicon(service.url))._unsafeUnwrap()).toEqual([]);
  });

  it('reports only the manifest, which is for older catalogs', async () => {
    const probe = (await probeLegacyWellKnown(service.url))._unsafeUnwrap();
    expect(getWarningsForLegacyWellKnown(probe).map(({ code, severity }) => [code, severity])).toEqual([
      ['LEGACY_WELL_KNOWN_FOUND', 'info'],
    ]);
  });

  it('finds title, description and picture on the home page', async () => {
    const html = await (await fetch(`${service.url}/`)).text();
    const content = (name: string) =>
      new RegExp(`(?:name|property)="${name}" content="([^"]+)"`).exec(html)?.[1];
    expect(
      evaluateMetadataCompleteness({
        title: /<title>([^<]+)/.exec(html)?.[1] ?? null,
        description: content('description') ?? null,
        favicon: `${service.url}/favicon.svg`,
        ogImages: [{ url: content('og:image') ?? '' }],
      } as never),
    ).toEqual([]);
  });
});

describe.each(paidOperations)("the catalog's probe of $name", (operation) => {
  const { method = 'GET', path = '' } = operation.route ?? {};

  it('gets 402 for the sample from the schema, and reports nothing else', async () => {
    const values = sampleObject(inputSchema(operation));
    const query = method === 'GET' ? `?${new URLSearchParams(values as Record<string, string>)}` : '';
    const url = `${service.url}${path}${query}`;
    const probed = (
      await getProbe(url, {}, undefined, method === 'POST' ? values : undefined)
    )._unsafeUnwrap();
    const asked = probed.filter((probe) => probe.authHint === 'paid').map((probe) => probe.method);
    expect(asked.sort()).toEqual(method === 'GET' ? ['GET', 'HEAD'] : ['POST']);
    // A preflight is answered on every path; methods that the document does not describe are not.
    const answering = probed.map((probe) => probe.method);
    const described = [...methodsOf(operation.route as Route), 'HEAD', 'OPTIONS'];
    expect(answering.filter((other) => !described.includes(other))).toEqual([]);
    const result = getL3(document, probed, path, method);
    expect(getWarningsForL3(result)).toEqual([]);
    const body = probed.find((probe) => probe.method === method)?.paymentRequiredBody;
    expect(getWarningsFor402Body(body)).toEqual([]);
    const detailed = validatePaymentRequiredDetailed(body);
    expect(detailed.issues.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('passes the endpoint check as payable', async () => {
    const checked = await checkEndpointSchema({ url: `${service.url}${path}` });
    const advisories = methodsOf(operation.route as Route).map((one) => ({ method: one, authMode: 'paid' }));
    expect(checked).toMatchObject({ found: true, advisories });
  });
});
