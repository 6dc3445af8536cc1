import { expect, test } from 'vitest';
import { z } from 'zod';
import { integer } from './fields.ts';
import { operation } from './operation.ts';
import { describedInput, inputSchema, outputSchema } from './schema.ts';

const counter = operation({
  name: 'count',
  operationId: 'count',
  title: 'Count',
  summary: 'Count',
  description: 'Counts.',
  route: { method: 'GET', path: '/v1/count' },
  price: null,
  input: { from: integer({ describe: 'Where to begin.', min: 1, max: 9, default: 1 }) },
  output: z.object({ last: z.int().describe('Where it ended.') }),
  example: {},
  run: () => ({ kind: 'answer', body: { last: 1 } }),
});

test('an input schema allows no other fields, so that a mistyped name does not become a default', () => {
  expect(inputSchema(counter)).toEqual({
    type: 'object',
    properties: {
      from: { type: 'integer', minimum: 1, maximum: 9, description: 'Where to begin.', default: 1 },
    },
    additionalProperties: false,
  });
});

test('a default is described in words, for programs that generate types', () => {
  const from = { type: 'integer', minimum: 1, maximum: 9 };
  expect(describedInput(counter)).toEqual({
    type: 'object',
    properties: { from: { ...from, description: 'Where to begin. Default: 1.' } },
    additionalProperties: false,
  });
  expect(describedInput(counter, { from: 2 }).properties).toEqual({
    from: { ...from, description: 'Where to begin. Default: 2.' },
  });
});

test('an answer schema allows new fields and omits the bounds that every whole number has', () => {
  expect(outputSchema(counter)).toEqual({
    type: 'object',
    properties: { last: { type: 'integer', description: 'Where it ended.' } },
    required: ['last'],
  });
});

test('each schema is rendered once', () => {
  expect(inputSchema(counter)).toBe(inputSchema(counter));
});

test('the schema of a nullable value has the short form and keeps the description of the value', () => {
  const output = z.object({
    per: z.enum(['user', 'account']).nullable().describe('What is paid for.'),
    grade: z.enum(['good']).describe('good: as it should be').nullable().describe('Null without words.'),
  });
  expect(outputSchema({ output }).properties).toEqual({
    per: { type: ['string', 'null'], enum: ['user', 'account', null], description: 'What is paid for.' },
    grade: {
      anyOf: [{ type: 'string', enum: ['good'], description: 'good: as it should be' }, { type: 'null' }],
      description: 'Null without words.',
    },
  });
});
