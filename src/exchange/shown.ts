import type { Operation } from '../catalog/operation.ts';
import type { Day } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import { validate } from './validate.ts';

type Values = Readonly<Record<string, unknown>>;

/** What is really wrong with an input, for documents that show it. */
export function shownFaults(operation: Operation, values: Values, today: Day): readonly Fault[] {
  const validated = validate(operation, { values, faults: [] }, { today });
  return validated.ok ? [] : validated.faults;
}

/** The answer of a free operation, for pages that show it; nothing that is paid for is ever run for a page. */
export function shownAnswer(operation: Operation, values: Values, today: Day): unknown {
  if (operation.price !== null) throw new Error(`Operation ${operation.name} is paid for`);
  const validated = validate(operation, { values, faults: [] }, { today });
  const answer = validated.ok ? operation.run(validated.input, { today }) : null;
  return answer?.kind === 'answer' ? answer.body : null;
}
