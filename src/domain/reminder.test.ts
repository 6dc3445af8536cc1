import { describe, expect, it } from 'vitest';
import { flat, grace, letter, remind } from '../../test/domain/letter-samples.ts';
import { day, dec, faultCodes, faultsOf } from '../../test/domain/samples.ts';
import { dayText } from './calendar.ts';
import type { LateFeeTerms } from './late-fee-terms.ts';
import { TONES } from './letter-facts.ts';
import { minorText } from './money.ts';

describe('the fee is shown only where there is one', () => {
  it.each(TONES)('%s: a rate of 0 adds no fee rows', (tone) => {
    const { body } = letter({ rate: dec(0) }, { tone });
    expect(body).toContain('\n\nAmount due: 1,250.00\n\n');
    expect(body).toContain('No late fee has been added.');
    expect(body).not.toMatch(/Total if paid|grow|each day/);
  });

  it.each(TONES)('%s: a fee that rounds to nothing is not claimed', (tone) => {
    const { body } = letter({ amount: dec('0.01'), dueDate: day('2026-10-07') }, { tone });
    expect(body).toContain('\n\nAmount due: 0.01\n\n');
    expect(body).not.toMatch(/grow|Late fee to/);
  });

  it('a daily figure below what can be said is not quoted', () => {
    const { body } = letter({ amount: dec('0.09'), dueDate: day('2026-01-01') }, { tone: 'firm' });
    expect(body).toContain('(1.5% per month of 30 days, 324 days): 0.01');
    expect(body).toContain('The late fee is set by the payment terms. Please pay');
    expect(letter({ amount: dec(9) }, { tone: 'firm' }).body).toContain(': 0.0045 for each day after');
  });

  it('an exact daily figure is not called approximate', () => {
    expect(letter({ amount: dec(1000) }, { tone: 'firm' }).body).toContain(': 0.50 for each day after');
    expect(letter({ amount: dec('1000.01') }, { tone: 'firm' }).body).toContain(
      ': about 0.50 for each day after',
    );
  });

  it('grace that was used up is explained beside the fee', () => {
    expect(letter({ graceDays: 1 }).body).toContain(
      'Late fee to 21 November 2026 (1.5% per month of 30 days, 16 days after 1 day of grace): 10.00',
    );
  });

  it('one day is one day', () => {
    const { subject, body } = letter({ dueDate: day('2026-11-20') }, { tone: 'firm' });
    expect(subject).toBe('Overdue by 1 day: invoice INV-1042 from Bright Studio');
    expect(body).toContain('it is still unpaid, 1 day later.');
    expect(body).toContain('(1.5% per month of 30 days, 1 day): 0.63');
  });

  it.each([
    ['USD', '$1,250.00', '$1,260.63'],
    ['CHF', 'CHF 1,250.00', 'CHF 1,260.63'],
    ['JPY', '¥1,250', '¥1,261'],
    [null, '1,250.00', '1,260.63'],
  ])('money in %s', (currency, amount, total) => {
    const { body } = letter({ currency });
    expect(body).toContain(`Invoice: ${amount}\n`);
    expect(body).toContain(`Total if paid on 21 November 2026: ${total}\n`);
  });
});

describe('what paying later costs', () => {
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
    expect(last.body).toContain('No late fee has been added. Could you');
  });

  it('ends with exact money', () => {
    const dueDate = day('1999-08-13'); // 9,969 days before 2026-11-28
    expect(rows({ amount: dec(1e9), rate: dec(10), rateType: 'daily_percent', dueDate })).toEqual([
      ['2026-11-28', '996900000000.00', '997900000000.00'],
      ['2026-12-05', '997600000000.00', '998600000000.00'],
    ]);
  });
});

describe('an invoice that is not overdue has no reminder', () => {
  it.each([
    ['2026-11-22', 'is 22 November 2026', '23 November 2026'],
    ['2026-11-21', 'is 21 November 2026', '22 November 2026'],
  ])('due %s', (dueDate, detail, from) => {
    expect(faultsOf(remind({ dueDate: day(dueDate) }))).toEqual([
      {
        pointer: '/due_date',
        code: 'invoice_not_overdue',
        detail: `${detail}, not before today (21 November 2026): the invoice is not overdue, so there is nothing to remind of`,
        hint: `nothing needs to be sent yet: keep due_date as it is and ask again from ${from}; the free late-fee calculator answers for any date`,
      },
    ]);
  });

  it('due on the last day there is', () => {
    expect(faultsOf(remind({ dueDate: day('9999-12-31') }))[0]?.hint).toBe('check the year of due_date');
  });

  it('a total that is no exact number on the day to pay by is refused', () => {
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
  [
    'monthly_percent',
    '1.5% per month was used: unless your terms say the same, ask again with the rate of your own terms',
  ],
  [
    'annual_percent',
    '1.5% per year was used: unless your terms say the same, ask again with the rate of your own terms',
  ],
  [
    'flat',
    'the default of 1.5, which is meant as a percent per month, was used as a flat fee of 1.5: ask again with the flat fee of your own terms as rate',
  ],
] as const)('a letter at a rate nobody gave says so: %s', (rateType, used) => {
  const told = `No rate was given, so ${used}, or with 0 for no fee.`;
  const { caveats, warnings } = letter({ rateDefaulted: true, rateType });
  expect(caveats).toContain(told);
  expect(warnings.join()).not.toContain('No rate was given');
  expect(letter({ rateDefaulted: true, rateType, graceDays: 20 }).caveats).toContain(told);
  expect(letter({ rateType }).caveats.join()).not.toContain('No rate was given');
});

it('a letter comes with what its sender should know', () => {
  expect(letter().caveats).toMatchInlineSnapshot(`
    [
      "The letter says that this fee is in your payment terms: send it only if your client agreed to it. Between businesses in the UK and the EU the law gives interest without agreement: jurisdiction GB or EU shows it, to claim instead of this fee and never on top of it.",
      "The days and the fee are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by then: if your client has paid, do not send it.",
      "The letter does without currency: ask again with it, or your client may not be sure in which currency to pay.",
    ]
  `);
  expect(letter({}, { tone: 'final' }).caveats.join()).toContain(
    'This is a reminder, not a formal demand that a court may require before a claim.',
  );
  expect(letter(grace, { tone: 'firm' }).caveats).toContain(
    'The invoice is still within its days of grace: a polite letter may serve you better.',
  );
});
