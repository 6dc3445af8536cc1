import { type Day, parseDay } from '../../src/domain/calendar.ts';
import { validate } from '../../src/exchange/validate.ts';
import { lateFeeReckoning } from '../../src/operations/late-fee-reckoning.ts';
import { quoteReckoning } from '../../src/operations/quote-reckoning.ts';
import { Blocks } from '../../src/surfaces/pages/blocks.tsx';
import { lateFeeView } from '../../src/surfaces/pages/documents/late-fee.ts';
import { quoteView } from '../../src/surfaces/pages/documents/quote.ts';
import { htmlOf } from '../../src/surfaces/pages/markup.ts';

const context = { today: parseDay('2026-11-21') as Day };
const reckonings = { late_fee: lateFeeReckoning, quote_totals: quoteReckoning };

/** The fields of an input that are not lists. */
export const fieldNames = (name: keyof typeof reckonings): readonly string[] =>
  Object.keys(reckonings[name].input).filter((field) => field !== 'items');

/** Returns every result for an input: how each value was read or what is wrong with it, and the answer. */
export function outcomeOf(name: keyof typeof reckonings, values: Record<string, unknown>): unknown {
  const reckoning = reckonings[name];
  const validated = validate(reckoning as never, { values, faults: [] }, context);
  return validated.ok
    ? { validated, answer: reckoning.run(validated.input as never, context) }
    : { validated };
}

/** The answer as a page shows it, as HTML. */
export function shownOf(name: keyof typeof reckonings, values: Record<string, unknown>): string {
  const { answer } = outcomeOf(name, values) as { answer?: { kind: string; body?: unknown } };
  if (answer?.kind !== 'answer') return '';
  const view = name === 'late_fee' ? lateFeeView : quoteView;
  return htmlOf(Blocks({ blocks: view(answer.body as never) }));
}
