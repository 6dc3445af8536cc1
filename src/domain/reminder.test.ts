import { describe, expect, it } from 'vitest';
import { flat, grace, letter, remind } from '../../test/domain/letter-samples.ts';
import { day, dec, faultCodes, faultsOf } from '../../test/domain/samples.ts';
import { factsIn, inOrder } from '../../test/support/facts.ts';
import { dayText } from './calendar.ts';
import type { LateFeeTerms } from './late-fee-terms.ts';
import { TONES } from './letter-facts.ts';
import { minorText } from './money.ts';

describe('the fee is shown only if there is one', () => {
  it.each(TONES)('%s: a rate of 0 adds no fee rows', (tone) => {
    const { body } = letter({ rate: dec(0) }, { tone });
    // A row with a single figure, and the requested sum.
    expect(body).toMatch(/\n\n[^\n]+: 1,250\.00\n\n/);
    expect(body).not.toMatch(/\bfee\b/);
    expect(body.match(/[\d,]+\.\d\d/g)).toEqual(['1,250.00', '1,250.00', '1,250.00']);
  });

  it.each(TONES)('%s: a fee that rounds to nothing is not claimed', (tone) => {
    const { body } = letter({ amount: dec('0.01'), dueDate: day('2026-10-07') }, { tone });
    expect(body).toMatch(/\n\n[^\n]+: 0\.01\n\n/);
    expect(body.match(/[\d,]+\.\d\d/g)).toEqual(['0.01', '0.01', '0.01']);
  });

  it('a daily figure that is too small is not quoted', () => {
    const { body } = letter({ amount: dec('0.09'), dueDate: day('2026-01-01') }, { tone: 'firm' });
    expect(body).toMatch(inOrder('1.5%', '30', '324', '0.01'));
    expect(body).not.toMatch(/\b0\.00\d/);
  });

  it('a daily figure is in whole coins', () => {
    expect(letter({ amount: dec(1000) }, { tone: 'firm' }).body).toContain('of 0.50 a day');
    expect(letter({ amount: dec('1000.01') }, { tone: 'firm' }).body).toContain('of 0.50 a day');
  });

  it('the fee is explained with the grace days that have passed', () => {
    expect(letter({ graceDays: 1 }).body).toMatch(
      inOrder('21 November 2026', '1.5%', '30 days', '16 days', '1 day ', '10.00'),
    );
  });

  it('a single day is written in the singular', () => {
    const { subject, body } = letter({ dueDate: day('2026-11-20') }, { tone: 'firm' });
    expect(subject).toMatch(/\b1 day\b/);
    expect(body).toMatch(inOrder('20 November 2026', ' 1 day '));
    expect(body).toMatch(inOrder('1.5%', '30 days', ' 1 day)', '0.63'));
    expect(body).not.toMatch(/\b1 days/);
  });

  it.each([
    ['USD', '$1,250.00', '$1,260.63'],
    ['CHF', "CHF 1'250.00", "CHF 1'260.63"],
    ['INR', '₹1,250.00', '₹1,260.63'],
    ['ZAR', 'R1,250.00', 'R1,260.63'],
    ['JPY', '¥1,250', '¥1,261'],
    [null, '1,250.00', '1,260.63'],
  ])('amounts in %s have the usual format', (currency, amount, total) => {
    const { body } = letter({ currency });
    expect(body).toContain(`Invoice: ${amount}\n`);
    expect(body).toMatch(inOrder('Total', total));
  });
});

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

  it('begins when grace ends', () => {
    expect(rows({ graceDays: 24 }).map(([, fee]) => fee)).toEqual(['0.00', '4.38', '14.38']);
  });

  it('ends with the calendar', () => {
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

  it('ends with exact money', () => {
    const dueDate = day('1999-08-13'); // 9,969 days before 2026-11-28
    expect(rows({ amount: dec(1e9), rate: dec(10), rateType: 'daily_percent', dueDate })).toEqual([
      ['2026-11-28', '996900000000.00', '997900000000.00'],
      ['2026-12-05', '997600000000.00', '998600000000.00'],
    ]);
  });
});

describe('an invoice that is not overdue gets no reminder', () => {
  it.each([
    ['2026-11-22', '22 November 2026', '23 November 2026'],
    ['2026-11-21', '21 November 2026', '22 November 2026'],
  ])('if it is due %s', (dueDate, due, from) => {
    expect(faultsOf(remind({ dueDate: day(dueDate) }))).toEqual([
      {
        pointer: '/due_date',
        code: 'invoice_not_overdue',
        detail: expect.stringMatching(inOrder(due, '21 November 2026')),
        hint: expect.stringMatching(inOrder('due_date', from)),
      },
    ]);
  });

  it('if it is due on the last day of the calendar', () => {
    expect(factsIn(faultsOf(remind({ dueDate: day('9999-12-31') }))[0]?.hint)).toEqual(['due_date']);
  });

  it('a total that is not an exact number on the payment deadline is refused', () => {
    const large = {
      amount: dec(1e9),
      rate: dec(10),
      rateType: 'daily_percent',
      dueDate: day('1999-07-21'),
    } as const;
    expect(faultCodes(remind(large))).toEqual(['/amount total_too_large']);
  });
});

it.each([
  ['monthly_percent', ['1.5%', '0']],
  ['annual_percent', ['1.5%', '0']],
  ['flat', ['1.5', '1.5', '0']],
] as const)('a letter at the default rate says so: %s', (rateType, facts) => {
  const usual = letter({ rateType }).caveats;
  const told = ({ caveats }: { readonly caveats: readonly string[] }) =>
    caveats.filter((caveat) => !usual.includes(caveat) && /\brate\b/.test(caveat));
  const [note, ...others] = told(letter({ rateDefaulted: true, rateType }));
  expect([factsIn(note), others]).toEqual([facts, []]);
  expect(told(letter({ rateDefaulted: true, rateType, graceDays: 20 }))).toEqual([note]);
  expect(letter({ rateDefaulted: true, rateType }).warnings).toEqual(letter({ rateType }).warnings);
});

it('a letter comes with notes for its sender', () => {
  expect(letter().caveats.map(factsIn)).toEqual([[], ['21 November 2026'], []]);
  expect(letter().caveats.at(-1)).toContain('currency');
  expect(letter({}, { tone: 'final' }).caveats.join()).toContain('court');
  const inGrace = letter(grace, { tone: 'firm' }).caveats;
  expect(inGrace.filter((caveat) => !letter(grace).caveats.includes(caveat))).toEqual([
    expect.stringContaining('polite'),
  ]);
});
