import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog, fakePayment } from '../support/app.ts';
import { hasSameInputs } from '../support/properties.ts';
import { BASE_URL, ERAS, legacy, MODERN, modern, post, testApp } from './endpoint.ts';

const REQUESTS = 1_000;
const app = testApp({ end: () => ({ state: 'not_sent', reason: 'fuzz' }) });

type Sent = { body: string; headers: Record<string, string> };
type Json = Record<string, unknown>;

const METHODS = [
  ...'tools/call tools/list server/discover initialize ping subscriptions/listen'.split(' '),
  ...'notifications/cancelled resources/read logging/setLevel constructor'.split(' '),
];

/** Valid requests of all revisions, which the test mutates. */
const seeds = catalog
  .filter(({ tool }) => tool)
  .flatMap(({ name, example }) => {
    const params = { name, arguments: example, _meta: { 'x402/payment': fakePayment() } };
    const { body, headers } = modern('tools/call', params);
    return [
      { body, headers },
      { body: legacy('tools/call', params), headers: {} },
    ];
  });

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '\u0000',
    '\u202Egnp',
    '\uD800',
    '🧾'.repeat(200),
    '9'.repeat(400),
    '[',
    '[{"unit_price":1}]',
    '=?base64?Og==?=',
    '2026-07-28',
    MODERN,
    'x'.repeat(3_000),
  ),
);
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small' },
  hostileText,
  fc.jsonValue({ depthSize: 'small' }),
  fc.double(),
  fc.constantFrom(null, true, [], {}, -0, 1e308, Number.MAX_SAFE_INTEGER + 1, Array(500).fill({})),
  fc.integer({ min: 1, max: 30_000 }).map((levels) => `nested:${levels}`),
);

/** Serializes as JSON. A value that is nested too deeply for JSON.stringify is written by hand. */
const written = (message: unknown): string =>
  (JSON.stringify(message) ?? '').replace(/"nested:(\d+)"/g, (_text, levels) =>
    '['.repeat(Number(levels)).padEnd(2 * Number(levels), ']'),
  );

/** Inserts or removes a value at a position in the message, which is chosen on the way down. */
function put(message: unknown, steps: readonly number[], value: unknown, isRemoval: boolean): unknown {
  const copy = structuredClone(message) as Json;
  let at = copy;
  for (const step of steps) {
    const names = Object.keys(at);
    const name = names[step % Math.max(1, names.length)];
    if (name === undefined) break;
    const inner = at[name];
    if (typeof inner === 'object' && inner !== null && step % 3 !== 0) {
      at = inner as Json;
      continue;
    }
    if (isRemoval) delete at[name];
    else at[name] = value;
    return copy;
  }
  at[`x${steps.length}`] = value;
  return copy;
}

const hostileHeader = fc.tuple(
  fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'payment-signature', 'accept', 'origin'),
  fc.oneof(fc.constantFrom('', MODERN, '2025-06-18', 'tools/list', 'null'), fc.base64String()),
);

/** Mutates only the arguments or the payment of a call, so that it reaches its tool. */
function withPart(body: Json, part: string, edited: (whole: unknown) => Json): Json {
  const params = body.params as { arguments: Json; _meta: Json };
  if (part === 'arguments') return { ...body, params: { ...params, arguments: edited(params.arguments) } };
  const payment = JSON.parse(Buffer.from(fakePayment(), 'base64').toString('utf8'));
  return { ...body, params: { ...params, _meta: { ...params._meta, 'x402/payment': edited(payment) } } };
}

const mutated: fc.Arbitrary<Sent> = fc
  .record({
    seed: fc.constantFrom(...seeds),
    part: fc.constantFrom('message', 'arguments', 'arguments', 'payment'),
    edits: fc.array(
      fc.record({
        steps: fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }),
        value: hostile,
        isRemoval: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    method: fc.option(fc.constantFrom(...METHODS), { freq: 3 }),
    header: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostileHeader }),
  })
  .map(({ seed, part, edits, method, header }) => {
    const edited = (whole: unknown): Json =>
      edits.reduce((at, { steps, value, isRemoval }) => put(at, steps, value, isRemoval), whole) as Json;
    const message = part === 'message' ? edited(seed.body) : withPart(seed.body, part, edited);
    const headers = { ...seed.headers };
    if (method !== null && part === 'message') {
      message.method = method;
      if ('mcp-method' in headers) headers['mcp-method'] = method;
    }
    if (header !== null) headers[header[0]] = header[1];
    return { body: written(message), headers };
  });

/** Mutates the same messages as text: a cut, a changed character, a repeated part. */
const garbled: fc.Arbitrary<Sent> = fc
  .tuple(fc.constantFrom(...seeds), fc.nat(), fc.nat(2), hostileText)
  .map(([{ body, headers }, at, kind, text]) => {
    const whole = JSON.stringify(body);
    const place = at % whole.length;
    const broken = [
      whole.slice(0, place),
      whole.slice(0, place) + text + whole.slice(place),
      whole.slice(0, place) + whole.slice(place - (place % 50)),
    ];
    return { body: broken[kind] ?? '', headers };
  });

const anything: fc.Arbitrary<Sent> = hostile.map((value) => ({
  body: written(value),
  headers: {},
}));

describe('any posted MCP message', () => {
  // The first requests load the SDK.
  beforeAll(async () => {
    for (const era of ERAS) await post(app, era === 'legacy' ? legacy('ping') : modern('ping').body);
  });

  it(`is answered without a 5xx and without a stack trace, ${REQUESTS} times`, async () => {
    const statuses = new Map<number, number>();
    const sent = fc.oneof(
      { weight: 7, arbitrary: mutated },
      { weight: 2, arbitrary: garbled },
      { weight: 1, arbitrary: anything },
    );
    await fc.assert(
      fc.asyncProperty(sent, async ({ body, headers }) => {
        const response = await app.http.request(`${BASE_URL}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        });
        const text = await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        expect(response.status).toBeLessThan(500);
        expect(text).not.toMatch(/ at (?:async )?[\w.<>]+ \(|node_modules|\.[tj]s:\d+|TypeError|RangeError/);
        if (text !== '') expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
        expect(text).not.toContain('"code":-32603');
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    );
    expect(app.bugs).toEqual([]);
    // The mutations must reach every layer: tools, acknowledgments, and rejections by the protocol and the endpoint.
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 3);
    for (const status of hasSameInputs ? [202, 400, 403, 404] : [])
      expect(statuses.get(status)).toBeGreaterThan(REQUESTS / 500);
  }, 300_000);
});
