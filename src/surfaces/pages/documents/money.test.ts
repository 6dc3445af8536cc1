import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../test/support/app.ts';
import { type Day, parseDay } from '../../../domain/calendar.ts';
import { validate } from '../../../exchange/validate.ts';
import type { Block } from '../content.ts';
import { FIELD_TEXTS } from '../form-texts.ts';
import { boughtViews } from '../views/bought.ts';
import { viewOf } from '../views/views.ts';
import { letterText } from './letter.ts';
import { BLANK } from './letterhead.ts';
import { packSheet } from './pack.ts';
import { quoteSheet } from './quote.ts';
import { sheetText } from './sheet.ts';

const context = { today: parseDay('2026-11-21') as Day };
const CHANGES: Readonly<Record<string, object>> = {
  late_fee: { due_date: '2026-11-04', grace_days: 2, min_fee: 1 },
};

function answer(name: string, currency: string): never {
  const operation = catalog.find((one) => one.name === name);
  const values = { ...operation?.example, ...CHANGES[name], currency };
  const validated = operation && validate(operation, { values, faults: [] }, context);
  const ended = validated?.ok ? operation?.run(validated.input, context) : null;
  if (ended?.kind !== 'answer') throw new Error(`${name} has no answer in ${currency}`);
  return ended.body as never;
}

type Shower = (currency: string) => string;
const blocks = (view: (body: never) => readonly Block[], name: string): Shower => {
  return (currency) => JSON.stringify(view(answer(name, currency)));
};
const { late_fee_notice, quote_pack } = boughtViews;

/** Every text about money that people read. */
const READ: readonly [string, Shower][] = [
  ['the late fee', blocks(viewOf('late_fee'), 'late_fee')],
  ['the quote', blocks(viewOf('quote_totals'), 'quote_totals')],
  ['the letter and its notes', blocks(viewOf('late_fee_notice'), 'late_fee_notice')],
  ['the notes of a letter', blocks(late_fee_notice.notes ?? (() => []), 'late_fee_notice')],
  ['the pack', blocks(viewOf('quote_pack'), 'quote_pack')],
  ['the notes of a pack', blocks(quote_pack.notes ?? (() => []), 'quote_pack')],
  ['a letter on paper', (currency) => letterText(answer('late_fee_notice', currency), BLANK)],
  ['a quote on paper', (currency) => sheetText(quoteSheet(answer('quote_totals', currency), BLANK))],
  ['a pack on paper', (currency) => sheetText(packSheet(answer('quote_pack', currency), BLANK))],
];

describe.each(READ)('money in %s', (_name, show) => {
  it('has its sign in front, and never its code after the amount', () => {
    expect(show('GBP')).toMatch(/£\d/);
    expect(show('GBP')).not.toMatch(/\d ?GBP/);
    expect(show('CHF')).toMatch(/CHF \d/);
    expect(show('CHF')).not.toMatch(/\d ?CHF/);
  });
});

describe('the amount that one day adds', () => {
  it('has as many decimal places as its currency', () => {
    const body = { ...(answer('late_fee', 'GBP') as object), daily_accrual: 0.6253 } as never;
    expect(JSON.stringify(viewOf('late_fee')(body))).toContain('["Added per day","£0.63"]');
  });
});

it('the view names fields as the form does, not as the API does', () => {
  const said = JSON.stringify([
    viewOf('late_fee')(answer('late_fee', 'GBP')),
    late_fee_notice.notes?.(answer('late_fee_notice', 'GBP')),
  ]);
  expect(said.split(`“${FIELD_TEXTS.jurisdiction?.label}”`).length).toBeGreaterThan(2);
  expect(said).not.toMatch(/jurisdiction/i);
});
