import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Day, parseDay } from '../domain/calendar.ts';
import { validate } from '../exchange/validate.ts';
import { text } from './fields.ts';
import { type Operation, operation, usd } from './operation.ts';
import { exampleAnswer, seal } from './seal.ts';

const context = { today: parseDay('2026-11-21') as Day };

/** A catalog of one sound operation that greets, with changes. */
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
const sealing =
  (...operations: Operation[]) =>
  () =>
    seal(operations, validate, context);
const answering = (output: z.ZodType, body: unknown) =>
  sealing(greeting({ output, run: () => ({ kind: 'answer', body }) }));

describe('a sound catalog', () => {
  it('is sealed: in its order, and frozen', () => {
    const other = greeting({ name: 'b', operationId: 'b', route: null });
    const sealed = seal([other, greeting()], validate, context);
    expect(sealed.map(({ name }) => name)).toEqual(['b', 'greet']);
    expect(Object.isFrozen(sealed)).toBe(true);
  });

  it('shows what the example really answers', () => {
    expect(exampleAnswer(greeting(), validate, context)).toEqual({ text: 'Hello Ada' });
  });

  it('may have two methods on one path, and two operations without a route', () => {
    const post = greeting({ name: 'b', operationId: 'b', route: { method: 'POST', path: '/v1/greeting' } });
    expect(sealing(greeting(), post)).not.toThrow();
    const hidden = [1, 2].map((id) => greeting({ name: `n${id}`, operationId: `o${id}`, route: null }));
    expect(sealing(...hidden)).not.toThrow();
  });
});

describe('a catalog is refused', () => {
  it('with a name, an operation id or a route given twice', () => {
    expect(sealing(greeting(), greeting({ operationId: 'b', route: null }))).toThrow('names greet twice');
    expect(sealing(greeting(), greeting({ name: 'b', route: null }))).toThrow('names getGreeting twice');
    expect(sealing(greeting(), greeting({ name: 'b', operationId: 'b' }))).toThrow(
      'names GET /v1/greeting twice',
    );
  });

  it('with a field that is not described, in or out', () => {
    const name = {
      ...text({ describe: 'Who.', maxCodePoints: 20 }),
      schema: { type: 'string', maxLength: 9 },
    };
    expect(sealing(greeting({ input: { name } }))).toThrow('Operation greet: input.name has no description');
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
    const hinting = (meant: Record<string, string>) => sealing(greeting({ meant }), aged);
    expect(hinting({ given_name: 'did you mean first_name? It is text' })).toThrow(
      'Operation greet: meant.given_name leads to first_name, which is no field of it',
    );
    expect(hinting({ years: 'did you mean age? It is text' })).toThrow('meant.years leads to age');
    expect(hinting({ name: 'leave it out' })).toThrow('meant.name is a field of its own');
    expect(hinting({ years: 'leave it out, whatever the age', who: 'did you mean name?' })).not.toThrow();
    expect(sealing({ ...aged, meant: { given_name: 'send first_name' } }, greeting())).not.toThrow();
  });

  it('with a description too long to read in a list of tools', () => {
    expect(sealing(greeting({ description: 'x'.repeat(301) }))).toThrow('description is over 300 characters');
  });

  it('with an example that is invalid, has no answer, or answers what its output does not say', () => {
    expect(sealing(greeting({ example: { nmae: 'Ada' } }))).toThrow('example is invalid');
    expect(sealing(greeting({ run: () => ({ kind: 'no_answer', detail: 'none' }) }))).toThrow(
      'example ends in no_answer',
    );
    expect(sealing(greeting({ run: () => ({ kind: 'answer', body: { text: 5 } }) }))).toThrow(
      'example does not fit the output',
    );
  });
});

describe('a price', () => {
  it('is dollars and cents, and millionths for the chain', () => {
    expect(usd('0.01')).toEqual({ usd: '0.01', atomic: '10000' });
    expect(usd('0.05')).toEqual({ usd: '0.05', atomic: '50000' });
    expect(usd('1.00')).toEqual({ usd: '1.00', atomic: '1000000' });
  });

  it.each(['0.00', '1', '.5', '1.5', '1.005', '-1.00', '1e2', '10000.00', ''])('is never %j', (text) => {
    expect(() => usd(text)).toThrow('A price is dollars and cents');
  });
});
