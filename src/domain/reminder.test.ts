import { describe, expect, it } from 'vitest';
import { flat, letter, remind } from '../../test/domain/letter-samples.ts';
import { day, dec, faultCodes, faultsOf } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import { dayText } from './calendar.ts';
import type { LateFeeTerms } from './late-fee.ts';
import { minorText } from './money.ts';

describe('the cost of paying later', () => {
  const rows = (changes: Partial<LateFeeTerms> = {}) =>
    letter(changes).ifPaidBy.map(({ date, fee, totalDue }) => [
      dayText(date),
      minorText(fee, 2),
      minorText(totalDue, 2),
    ]);

  it('is shown for 7, 14 and 30 days', () => {
    expect(dayText(letter().payBy)).toBe('2026-11-30'); // 28 November is a Saturday
    expect(rows()).toEqual([
      ['2026-11-28', '15.00', '1265.00'],
      ['2026-12-05', '19.38', '1269.38'],
      ['2026-12-21', '29.38', '1279.38'],
    ]);
  });

  it('stays the same for a flat fee', () => {
    expect(rows(flat).map(([, fee]) => fee)).toEqual(['25.00', '25.00', '25.00']);
  });

  it('begins to rise when the days of grace end', () => {
    expect(rows({ graceDays: 24 }).map(([, fee]) => fee)).toEqual(['0.00', '4.38', '14.38']);
  });

  it('stops at the end of the calendar', () => {
    expect(
      rows({ dueDate: day('9999-12-01'), paidDate: day('9999-12-20'), today: day('9999-12-20') }).map(
        ([date]) => date,
      ),
    ).toEqual(['9999-12-27', '9999-12-31']);
    const end = day('9999-12-31');
    const last = letter({ dueDate: day('9999-12-30'), paidDate: end, today: end, graceDays: 5 });
    expect(last.ifPaidBy.map(({ date }) => dayText(date))).toEqual(['9999-12-31']);
    expect(dayText(last.payBy)).toBe('9999-12-31');
    expect(last.body).not.toMatch(/\bfee\b/);
  });

  it('stops at the last total that is still exact', () => {
    const dueDate = day('1999-08-13'); // 9,969 days before 2026-11-28
    expect(rows({ amount: dec(1e9), rate: dec(10), rateType: 'daily_percent', dueDate })).toEqual([
      ['2026-11-28', '996900000000.00', '997900000000.00'],
      ['2026-12-05', '997600000000.00', '998600000000.00'],
    ]);
  });
});

describe('a reminder', () => {
  it.each([
    ['2026-11-22', '22 November 2026', '23 November 2026'],
    ['2026-11-21', '21 November 2026', '22 November 2026'],
  ])('is not written for an invoice that is due %s', (dueDate, due, from) => {
    expect(faultsOf(remind({ dueDate: day(dueDate) }))).toEqual([
      {
        pointer: '/due_date',
        code: 'invoice_not_overdue',
        detail: expect.stringMatching(inOrder(due, '21 November 2026')),
        hint: expect.stringMatching(inOrder('due_date', from)),
      },
    ]);
  });

  it('is not written for an invoice that is due on the last day of the calendar', () => {
    expect(factsIn(faultsOf(remind({ dueDate: day('9999-12-31') }))[0]?.hint)).toEqual(['due_date']);
  });

  it('is not written for an invoice whose total is not an exact number on the payment deadline', () => {
    const large = {
      amount: dec(1e9),
      rate: dec(10),
      rateType: 'daily_percent',
      dueDate: day('1999-07-21'),
    } as const;
    expect(faultCodes(remind(large))).toEqual(['/amount total_too_large']);
  });
});
