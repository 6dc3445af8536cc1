import type { Operation } from '../../src/catalog/operation.ts';
import { parseDay } from '../../src/domain/calendar.ts';
import type { Fault } from '../../src/domain/result.ts';
import { validate } from '../../src/exchange/validate.ts';
import lateFee from '../../src/operations/late-fee.ts';
import lateFeeNotice from '../../src/operations/late-fee-notice.ts';

/** The day of the requests for letters in these tests, a Saturday. */
export const TODAY = '2026-11-21';

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with literal values, which needs no types
type Json = any;

type Asked = { readonly body: Json; readonly faults: readonly Fault[] };

function ask(operation: Operation, query: Readonly<Record<string, unknown>>, today: string): Asked {
  const day = parseDay(today);
  if (day === null) throw new Error(`not a day: ${today}`);
  const context = { today: day };
  const validated = validate(operation, { values: query, faults: [] }, context);
  if (!validated.ok) return { body: null, faults: validated.faults };
  const answer = operation.run(validated.input as never, context);
  if (answer.kind === 'answer') return { body: answer.body, faults: [] };
  return { body: null, faults: answer.kind === 'invalid' ? answer.faults : [] };
}

/** The result of a request for a letter in a caller's notation. */
export const notice = (query: Readonly<Record<string, unknown>>, today = TODAY): Asked =>
  ask(lateFeeNotice as unknown as Operation, query, today);

/** The result of a request for a late fee. */
export const fee = (query: Readonly<Record<string, unknown>>, today = TODAY): Asked =>
  ask(lateFee as unknown as Operation, query, today);

/** 1250 due on 4 November 2026, 17 days ago, at 1.5% per month. */
export const CASE = {
  amount: '1250',
  rate: '1.5',
  due_date: '2026-11-04',
  currency: 'GBP',
  client_name: 'Dana Reed',
  business_name: 'Bright Studio',
  invoice_number: 'INV-1042',
};

/** The answer to a request with a letter. */
export function answerTo(query: Readonly<Record<string, unknown>>, today = TODAY): Json {
  const { body, faults } = notice(query, today);
  if (body === null) throw new Error(`no letter: ${JSON.stringify(faults)}`);
  return body;
}

/** A letter of the case with changes, as one text. */
export function written(changes: Readonly<Record<string, unknown>> = {}, today = TODAY): string {
  const { subject, body } = answerTo({ ...CASE, ...changes }, today).reminder;
  return `Subject: ${subject}\n\n${body}`;
}

/** Every note of a letter, in no particular order. */
export function notesOf(changes: Readonly<Record<string, unknown>> = {}, today = TODAY): string[] {
  const { fee: worked, caveats } = answerTo({ ...CASE, ...changes }, today);
  return [...caveats, ...worked.warnings, ...worked.caveats];
}

export const TONES = ['polite', 'firm', 'final'] as const;
