import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { kinds } from '../../bench/dear-requests.js';
import type { Operation } from '../../src/catalog/operation.ts';
import { nearest } from '../../src/domain/nearest.ts';
import { cleanLine } from '../../src/domain/text.ts';
import { BASE_URL } from '../mcp/endpoint.ts';
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
beforeAll(async () => {
  await app.warm();
  // The first request reads data that is then kept.
  for (const { path, ...init } of kinds.slice(0, 1))
    await app.http.fetch(new Request(`${BASE_URL}${path}`, init));
});
afterEach(() => vi.clearAllMocks());

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
