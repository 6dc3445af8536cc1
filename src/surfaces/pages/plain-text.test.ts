import { describe, expect, it } from 'vitest';
import { catalog } from '../../../test/support/app.ts';
import { type Day, parseDay } from '../../domain/calendar.ts';
import { validate } from '../../exchange/validate.ts';
import { blocksText } from './plain-text.ts';
import { viewOf } from './views/views.ts';

const context = { today: parseDay('2026-11-21') as Day };

/** The text of "Copy as text" for an operation's example with these changes. */
function copied(name: string, changes: object = {}): string {
  const operation = catalog.find((one) => one.name === name);
  const values = { ...operation?.example, ...changes };
  const validated = operation && validate(operation, { values, faults: [] }, context);
  const ended = validated?.ok ? operation?.run(validated.input, context) : null;
  if (ended?.kind !== 'answer') throw new Error(`${name} has no answer`);
  return blocksText(viewOf(name as never)(ended.body as never), 'https://calc.example');
}

describe('the text that the copy button copies', () => {
  it.each(['late_fee', 'quote_totals', 'late_fee_notice', 'quote_pack', 'small_business_stack_report'])(
    'has no markup, for %s',
    (name) => {
      expect(copied(name)).not.toMatch(/\*\*|^#|^\||`|\\|\]\(/m);
    },
  );

  it('shows a late fee with one figure in each line', () => {
    const text = copied('late_fee', { due_date: '2026-11-04', currency: 'GBP' });
    expect(text).toMatch(/\nLate fee: £[\d,.]+\nTotal due: £/);
    expect(text).toMatch(/\n\n.+\n\nFormula: .*\n/);
    expect(text).toContain('\nUp to: 21 November 2026\n');
  });

  it('names the values of a row if there are several', () => {
    const items = [{ description: 'Garden design', quantity: 2, unit_price: 450 }];
    expect(copied('quote_totals', { items, currency: 'GBP' })).toMatch(
      /\nGarden design: Quantity 2, Price £450\.00, Amount £900\.00\n/,
    );
  });

  it('contains the whole address of a link', () => {
    expect(copied('small_business_stack_report')).toMatch(/\w \(https:\/\/calc\.example\/tools\//);
  });
});
