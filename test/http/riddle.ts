import { z } from 'zod';
import { choice } from '../../src/catalog/fields.ts';
import { type Operation, operation, usd } from '../../src/catalog/operation.ts';

/** The text of an internal fault, which nobody outside may see. */
export const CAUSE = 'the vault code is 1234 at /srv/secret';

/** A paid operation with a scripted result, for results that no calculator has. */
export const riddle = operation({
  name: 'riddle',
  operationId: 'getRiddle',
  title: 'Riddle',
  summary: 'A riddle',
  description: 'Paid. A riddle for tests.',
  route: { method: 'GET', path: '/v1/riddle' },
  price: usd('0.01'),
  input: {
    end: choice(['answer', 'no_answer', 'not_found', 'throws'], {
      describe: 'How it ends.',
      default: 'answer',
    }),
  },
  output: z.object({ riddle: z.string().max(40).describe('The riddle.') }),
  example: {},
  run: ({ end }) => {
    switch (end) {
      case 'answer':
        return { kind: 'answer', body: { riddle: 'What has keys?' } };
      case 'no_answer':
        return { kind: 'no_answer', detail: 'Nobody knows.' };
      case 'not_found':
        return { kind: 'not_found', detail: 'The riddle was withdrawn.' };
      case 'throws':
        throw new Error(CAUSE);
    }
  },
}) as unknown as Operation;
