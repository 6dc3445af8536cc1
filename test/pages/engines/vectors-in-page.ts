import type { Operation } from '../../../src/catalog/operation.ts';
import { utcDay } from '../../../src/domain/calendar.ts';
import { validate } from '../../../src/exchange/validate.ts';
import lateFee from '../../../src/operations/late-fee.ts';
import quote from '../../../src/operations/quote.ts';

// The code of the calculators, bundled for a browser and given to its pages, with JSON input.
const answerOf = (operation: Operation, values: Record<string, unknown>): unknown => {
  const context = { today: utcDay(Date.UTC(2026, 10, 21)) };
  const validated = validate(operation, { values, faults: [] }, context);
  return validated.ok ? operation.run(validated.input as never, context) : validated.faults;
};

Object.assign(globalThis, {
  answersOf: (name: string, inputs: readonly Record<string, unknown>[]) =>
    inputs.map((values) => answerOf(name === 'quote' ? quote : lateFee, values)),
});
