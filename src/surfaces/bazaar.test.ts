import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { later } from '../catalog/field.ts';
import { choice, decimal, flag, text } from '../catalog/fields.ts';
import { type Operation, operation, usd } from '../catalog/operation.ts';
import type { Schema } from '../catalog/schema.ts';
import { fittedBazaar, fullBazaar } from './bazaar.ts';

const SCHEMA_URL = 'https://calc.example/openapi.json#/paths/~1v1~1made-up/get';
const FURTHER = Array.from({ length: 30 }, (_, index) => `further_${index}`);
const optional = decimal({ describe: 'Optional.', min: '0', max: '9', default: undefined });

/** An operation whose schema has other inputs before and between those that a header keeps first. */
const madeUp = operation({
  name: 'made_up',
  operationId: 'getMadeUp',
  title: 'Made up',
  summary: 'Made up',
  description: 'Made up.',
  route: { method: 'GET', path: '/v1/made-up' },
  price: usd('0.01'),
  input: {
    early: optional,
    first: decimal({ describe: 'First.', min: '0', max: '9' }),
    specified: text({ describe: 'Text.', maxCodePoints: 20, default: undefined }),
    second: choice(['one', 'two'], { describe: 'Second.' }),
    also_specified: later(flag({ describe: 'Also.', default: false })),
    ...Object.fromEntries(FURTHER.map((name) => [name, optional])),
  },
  specifiedInputs: ['also_specified', 'specified'],
  output: z.object({}),
  example: { first: 1, second: 'one' },
  run: () => ({ kind: 'answer', body: {} }),
}) as unknown as Operation;

/** The inputs in the order in which they are kept. */
const ORDER = ['first', 'second', 'specified', 'also_specified', 'early', ...FURTHER];

const answer = { title: 'x'.repeat(70), lines: [{ n: 1 }, { n: 2 }], last: true };

type Extension = {
  readonly info: { readonly output?: unknown };
  readonly schema: {
    readonly properties: { readonly input: { readonly properties: { queryParams: Schema } } };
  };
};

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function read({ bazaar }: { readonly bazaar: unknown }) {
  const { info, schema } = bazaar as Extension;
  const { properties = {}, required, description } = schema.properties.input.properties.queryParams;
  return { properties, names: Object.keys(properties), required, description, output: info.output };
}

const fitted = (roomBytes: number, made = madeUp) =>
  fittedBazaar(made, answer, { roomBytes, schemaUrl: SCHEMA_URL });

// The step is smaller than any input, so that each input is the last one to fit at some size.
const STEP_BYTES = 8;

/** Sizes from ample down to the first one that is too small for the required inputs. */
function shrinkingRooms(): { roomBytes: number; extension: ReturnType<typeof fitted> }[] {
  const rooms = [];
  for (let roomBytes = bytesOf(fitted(9_000)); ; roomBytes -= STEP_BYTES) {
    try {
      rooms.push({ roomBytes, extension: fitted(roomBytes) });
    } catch (error) {
      expect(`${error}`).toContain(`The input of made_up does not fit a challenge of ${roomBytes} bytes`);
      return rooms;
    }
  }
}

describe('a bazaar extension for a header that is too small for all inputs', () => {
  const rooms = shrinkingRooms().map(({ roomBytes, extension }) => ({
    roomBytes,
    bytes: bytesOf(extension),
    ...read(extension),
  }));

  it('never exceeds the given size', () => {
    for (const { bytes, roomBytes } of rooms) expect(bytes).toBeLessThanOrEqual(roomBytes);
  });

  it('leaves out the sketch first, then further inputs, then specified ones, and never a required one', () => {
    for (const { names, required, output } of rooms) {
      const kept = ORDER.slice(0, names.length);
      expect(names.toSorted()).toEqual(kept.toSorted());
      expect(required).toEqual(['first', 'second']);
      if (output !== undefined) expect(names).toHaveLength(ORDER.length);
    }
    const sizes = rooms.map(({ names }) => names.length);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(rooms.at(0)?.output).toBeDefined();
    expect(new Set(sizes).size).toBe(ORDER.length - 1);
    expect(rooms.at(-1)?.names).toEqual(['first', 'second']);
  });

  it('gives a type or choices to every input that it names', () => {
    for (const { properties } of rooms)
      for (const field of Object.values(properties)) expect(field.type ?? field.enum).toBeDefined();
    expect(rooms.at(-1)?.properties).toEqual({
      first: { type: 'number' },
      second: { enum: ['one', 'two'] },
    });
  });

  it('links to the full schema exactly when it leaves out an input or the sketch', () => {
    for (const { names, output, description } of rooms) {
      const isWhole = names.length === ORDER.length && output !== undefined;
      expect(description).toBe(isWhole ? undefined : `Full schema: ${SCHEMA_URL}`);
    }
  });
});

describe('a bazaar extension without a size limit', () => {
  it('sketches an answer with one item of each list, and drops a long text', () => {
    expect(read(fullBazaar(madeUp, answer)).output).toEqual({
      type: 'json',
      example: { lines: [{ n: 1 }], last: true },
    });
  });
});
