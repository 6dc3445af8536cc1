import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { text } from '../../src/catalog/fields.ts';
import { type Operation, operation } from '../../src/catalog/operation.ts';
import { utcDay } from '../../src/domain/calendar.ts';
import { exampleAnswer } from '../../src/exchange/validate.ts';
import { pricing } from '../../src/operations/pricing.ts';
import { BASE_URL, catalog, NOON, terms } from '../support/app.ts';
import { checkCatalog } from './sound.ts';

const context = { today: utcDay(NOON) };

/** A catalog with one valid operation that greets, with changes. */
function greeting(changes: Partial<Operation> = {}): Operation {
  const greet = operation({
    name: 'greet',
    operationId: 'getGreeting',
    title: 'Greeting',
    summary: 'A greeting',
    description: 'Free. Says hello.',
    route: { method: 'GET', path: '/v1/greeting' },
    price: null,
    input: { name: text({ describe: 'Who to greet.', maxCodePoints: 20, default: 'you' }) },
    output: z.object({ text: z.string().max(40).describe('The greeting.') }),
    example: { name: 'Ada' },
    run: ({ name }) => ({ kind: 'answer', body: { text: `Hello ${name}` } }),
  });
  return { ...(greet as unknown as Operation), ...changes };
}
const checking =
  (...operations: Operation[]) =>
  () =>
    checkCatalog(operations, context);
const answering = (output: z.ZodType, body: unknown) =>
  checking(greeting({ output, run: () => ({ kind: 'answer', body }) }));

describe('a sound catalog', () => {
  it('is the one that is served', () => {
    const prices = pricing({ terms, operations: catalog, freeRequestsPerMinute: 60, baseUrl: BASE_URL });
    expect(checking(...catalog, prices)).not.toThrow();
  });

  it('shows what the example really answers', () => {
    expect(exampleAnswer(greeting(), context)).toEqual({ text: 'Hello Ada' });
  });

  it('may have two methods on one path, and two operations without a route', () => {
    const post = greeting({ name: 'b', operationId: 'b', route: { method: 'POST', path: '/v1/greeting' } });
    expect(checking(greeting(), post)).not.toThrow();
    const hidden = [1, 2].map((id) => greeting({ name: `n${id}`, operationId: `o${id}`, route: null }));
    expect(checking(...hidden)).not.toThrow();
  });
});

describe('a catalog is refused', () => {
  it('with a name, an operation id or a route given twice', () => {
    expect(checking(greeting(), greeting({ operationId: 'b', route: null }))).toThrow('names greet twice');
    expect(checking(greeting(), greeting({ name: 'b', route: null }))).toThrow('names getGreeting twice');
    expect(checking(greeting(), greeting({ name: 'b', operationId: 'b' }))).toThrow(
      'names GET /v1/greeting twice',
    );
  });

  it('with a field that is not described, in or out', () => {
    const name = {
      ...text({ describe: 'Who.', maxCodePoints: 20 }),
      schema: { type: 'string', maxLength: 9 },
    };
    expect(checking(greeting({ input: { name } }))).toThrow('Operation greet: input.name has no description');
    expect(answering(z.object({ text: z.string().max(40) }), { text: '' })).toThrow(
      'output.text has no description',
    );
    const deep = z.object({ a: z.object({ b: z.number() }).describe('A.') });
    expect(answering(deep, { a: { b: 1 } })).toThrow('output.a.b has no description');
  });

  it('with text or a list that has no bound, however deep', () => {
    const unbounded = z.string().describe('Text.');
    const cases: [z.ZodType, unknown, string][] = [
      [z.object({ text: unbounded }), { text: '' }, 'output.text is text without a bound'],
      [z.object({ a: z.array(z.number()).describe('A.') }), { a: [] }, 'output.a is a list without a bound'],
      [z.object({ a: z.array(unbounded).max(3).describe('A.') }), { a: [] }, 'output.a[] is text'],
      [z.object({ a: unbounded.nullable().describe('A.') }), { a: null }, 'is text without a bound'],
      [z.object({ a: z.union([z.number(), unbounded]).describe('A.') }), { a: 1 }, 'is text without'],
      [z.object({ a: z.tuple([unbounded]).describe('A.') }), { a: [''] }, 'without a bound'],
      [z.object({ a: z.record(z.string().max(9), unbounded).describe('A.') }), { a: {} }, 'is text without'],
      [
        z.object({
          a: z
            .discriminatedUnion('kind', [
              z.object({ kind: z.literal('x').describe('K.'), text: unbounded }),
              z.object({ kind: z.literal('y').describe('K.') }),
            ])
            .describe('A.'),
        }),
        { a: { kind: 'y' } },
        'is text without a bound',
      ],
    ];
    for (const [output, body, reason] of cases) expect(answering(output, body)).toThrow(reason);
  });

  it('with a hint that leads to a field that only another operation has', () => {
    const aged = greeting({
      name: 'b',
      operationId: 'b',
      route: null,
      input: {
        name: text({ describe: 'Who.', maxCodePoints: 20, default: 'you' }),
        first_name: text({ describe: 'Who.', maxCodePoints: 20, default: 'you' }),
        age: text({ describe: 'How old.', maxCodePoints: 3, default: '' }),
      },
    });
    const hinting = (meant: Record<string, string>) => checking(greeting({ meant }), aged);
    expect(hinting({ given_name: 'did you mean first_name? It is text' })).toThrow(
      'Operation greet: meant.given_name leads to first_name, which is no field of it',
    );
    expect(hinting({ years: 'did you mean age? It is text' })).toThrow('meant.years leads to age');
    expect(hinting({ name: 'leave it out' })).toThrow('meant.name is a field of its own');
    expect(hinting({ years: 'leave it out, whatever the age', who: 'did you mean name?' })).not.toThrow();
    expect(checking({ ...aged, meant: { given_name: 'send first_name' } }, greeting())).not.toThrow();
  });

  it('with a description too long to read in a list of tools', () => {
    expect(checking(greeting({ description: 'x'.repeat(301) }))).toThrow(
      'description is over 300 characters',
    );
  });

  it('with an example that is invalid, has no answer, or answers what its output does not say', () => {
    expect(checking(greeting({ example: { nmae: 'Ada' } }))).toThrow('example is invalid');
    expect(checking(greeting({ run: () => ({ kind: 'no_answer', detail: 'none' }) }))).toThrow(
      'example ends in no_answer',
    );
    expect(checking(greeting({ run: () => ({ kind: 'answer', body: { text: 5 } }) }))).toThrow(
      'example does not fit the output',
    );
  });
});
