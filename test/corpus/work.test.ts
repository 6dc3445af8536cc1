import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { kinds } from '../../bench/dear-requests.js';
import type { Operation } from '../../src/catalog/operation.ts';
import { nearest } from '../../src/domain/nearest.ts';
import { cleanLine } from '../../src/domain/text.ts';
import { BASE_URL, legacy, modern } from '../mcp/endpoint.ts';
import { catalog, testApp } from '../support/app.ts';

// The work of a request is measured by counts, not by time, so that it is the same on every machine.
vi.mock('../../src/domain/nearest.ts', { spy: true });
vi.mock('../../src/domain/text.ts', { spy: true });

const counts = { checks: 0, runs: 0 };
const counted = (operation: Operation): Operation => ({
  ...operation,
  check(input, context) {
    counts.checks += 1;
    return operation.check(input, context);
  },
  run(input, context) {
    counts.runs += 1;
    return operation.run(input, context);
  },
});

const app = testApp({ operations: catalog.map(counted), baseUrl: BASE_URL });
beforeAll(() => app.warm());
afterEach(() => vi.clearAllMocks());

const LATE_FEE = 'amount=1250&due_date=2026-09-01&paid_date=2026-11-21&rate=1.5';
const LINES = { items: [{ unit_price: 19.99, quantity: 3 }, { unit_price: 5 }], tax_percent: 8.25 };
const get = (path: string) => new Request(`${BASE_URL}${path}`);
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(`${BASE_URL}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const call = (name: string, values: object) => legacy('tools/call', { name, arguments: values });

const isLarge = (value: unknown): boolean => typeof value === 'string' && value.length > 4_000;

/** Counts the work of one request, after everything that is created only once has been created. */
async function workOf(request: () => Request) {
  await (await app.http.fetch(request())).arrayBuffer();
  Object.assign(counts, { checks: 0, runs: 0 });
  const asked = request();
  const written = vi.spyOn(JSON, 'stringify');
  const buffers = vi.spyOn(Buffer, 'from');
  const { status } = await app.http.fetch(asked);
  const work = {
    status,
    ...counts,
    texts: written.mock.calls.length,
    largeBuffers: buffers.mock.calls.filter(([value]) => isLarge(value)).length,
  };
  for (const spy of [written, buffers]) spy.mockRestore();
  return work;
}

const NO_WORK = {
  checks: 0,
  runs: 0,
  texts: 0,
  largeBuffers: 0,
};

it.each<[string, () => Request, object]>([
  ['a late fee', () => get(`/v1/late-fee?${LATE_FEE}`), { status: 200, checks: 1, runs: 1, texts: 1 }],
  ['an invalid late fee', () => get('/v1/late-fee?amount=x'), { status: 400, checks: 1, texts: 1 }],
  ['a quote', () => post('/v1/quote', LINES), { status: 200, checks: 1, runs: 1, texts: 1 }],
  ['the directory', () => get('/v1/tools'), { status: 200, checks: 1, runs: 1 }],
  ['a price of a letter', () => get(`/v1/late-fee-notice?${LATE_FEE}`), { status: 402, checks: 1 }],
  ['a price of a pack', () => post('/v1/quote-pack', LINES), { status: 402, checks: 1, texts: 1 }],
  [
    'a price of a report',
    () => get('/v1/stack-report?business_type=trades'),
    { status: 402, checks: 1, runs: 1 },
  ],
  ['a document', () => get('/openapi.json'), { status: 200 }],
  ['a page', () => get('/late-invoice'), { status: 200 }],
  [
    // The texts are the answer, its copy as text, and the ID.
    'a call over MCP',
    () => post('/mcp', call('quote_totals', LINES)),
    { status: 200, checks: 1, runs: 1, texts: 3 },
  ],
  [
    'a call of 2026-07-28',
    () => {
      const { body, headers } = modern('tools/call', { name: 'quote_totals', arguments: LINES });
      return post('/mcp', body, headers);
    },
    { status: 200, checks: 1, runs: 1, texts: 3 },
  ],
  ['a list over MCP', () => post('/mcp', legacy('tools/list', {})), { status: 200, texts: 1 }],
])('%s causes no more work than it needs', async (_name, request, work) => {
  expect(await workOf(request)).toEqual({ ...NO_WORK, ...work });
});

/** The limits of docs/limits.md for every request. */
const MOST = {
  checks: 1,
  runs: 1,
  /** The names for which the nearest name is searched for. */
  searches: 100,
  /** Texts that were cleaned, and the characters in them whose marks were composed. */
  cleaned: 1_000,
  composed: 20_000,
  /** Values that were parsed from JSON, or written as JSON. */
  parsed: 3,
  written: 14,
  /** The faults that a program gets, including the count of the others. */
  faults: 101,
  /** A page with a hundred rows of a quote, each with its fields and buttons. */
  answerCharacters: 620_000,
};

it.each(kinds)('an expensive request causes bounded work: $name', async ({ path, ...init }) => {
  for (const spy of [nearest, cleanLine]) vi.mocked(spy).mockClear();
  const [composing, parsing, writing] = [
    vi.spyOn(String.prototype, 'normalize'),
    vi.spyOn(JSON, 'parse'),
    vi.spyOn(JSON, 'stringify'),
  ];
  Object.assign(counts, { checks: 0, runs: 0 });
  const answer = await app.http.fetch(new Request(`${BASE_URL}${path}`, init));
  const text = await answer.text();
  const work = {
    ...counts,
    searches: vi.mocked(nearest).mock.calls.length,
    cleaned: vi.mocked(cleanLine).mock.calls.length,
    composed: composing.mock.contexts.reduce<number>((sum, each) => sum + String(each).length, 0),
    parsed: parsing.mock.calls.length,
    written: writing.mock.calls.length,
    answerCharacters: text.length,
  };
  for (const spy of [composing, parsing, writing]) spy.mockRestore();
  const faults = text.match(/"pointer":/g)?.length ?? 0;
  expect(answer.status).toBeLessThan(500);
  for (const [what, count] of Object.entries({ ...work, faults }))
    expect([what, count]).toEqual([what, Math.min(count, MOST[what as keyof typeof MOST])]);
});
