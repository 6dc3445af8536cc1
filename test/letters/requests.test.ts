import { describe, expect, it } from 'vitest';
import { answerTo, CASE, fee, notice } from './notices.ts';

// The figures, days and faults of a request for a letter. Its words are in test/vectors/letters.txt.

const codesOf = (changes: object, today?: string) =>
  notice({ ...CASE, ...changes }, today).faults.map(({ pointer, code }) => `${pointer} ${code}`);

const BY_LAW = { claim: 'statutory', jurisdiction: 'GB' };
const LATE = { paid_on: '2026-11-15' };

describe('a letter', () => {
  it.each<[object, string[]]>([
    [{ paid_date: '2027-06-30' }, ['/paid_date date_in_future']],
    [{ paid_date: '2026-11-23' }, ['/paid_date date_in_future']],
    // The caller may live where a day has begun that UTC has not reached yet.
    [{ paid_date: '2026-11-22' }, []],
    [
      { due_date: '2027-01-04', paid_date: '2027-01-21' },
      ['/paid_date date_in_future', '/due_date invoice_not_overdue'],
    ],
    [{ due_date: '2026-12-24' }, ['/due_date invoice_not_overdue']],
    [{ due_date: '2026-11-10', paid_date: '2026-11-05' }, ['/due_date invoice_not_overdue']],
    [{ more_invoices: '5 due 2026-11-21' }, ['/more_invoices/0/due_date invoice_not_overdue']],
    [{ more_invoices: '5 of 2026-11-21' }, ['/more_invoices unreadable']],
    [{ pay_within_days: '0' }, ['/pay_within_days out_of_range']],
    [{ pay_within_days: '61' }, ['/pay_within_days out_of_range']],
    [{ pay_within_days: '1.5' }, ['/pay_within_days invalid_integer']],
    [{ payment_details: 'x'.repeat(301) }, ['/payment_details too_long']],
    [{ payment_details: 'x\n'.repeat(11) }, ['/payment_details too_many']],
    [{ claim: 'statutory' }, ['/jurisdiction required']],
    [{ ...BY_LAW, currency: 'USD' }, ['/currency invalid_currency']],
    [{ ...BY_LAW, client_is_consumer: 'true' }, ['/claim not_together']],
    [{ ...BY_LAW, due_date: '2022-01-01' }, ['/reference_rate required']],
    [{ ...BY_LAW, due_date: '2022-01-01', reference_rate: '0.25' }, []],
    [{ ...BY_LAW, jurisdiction: 'US' }, ['/jurisdiction invalid_choice']],
    [{ claim: 'both' }, ['/claim invalid_choice']],
    [{ amount_paid: '1250' }, ['/amount_paid out_of_range']],
    [{ amount_paid: '0.001' }, ['/amount_paid out_of_range']],
    [{ amount_paid: '1.001' }, ['/amount_paid too_precise']],
    [{ payments: '1250 on 2026-11-10' }, ['/payments out_of_range']],
    [{ payments: '5 on 2026-12-10' }, ['/payments/0/date out_of_range']],
    [{ payments: '5 on 2026-11-10', amount_paid: '5' }, ['/amount_paid not_together']],
    [{ payments: 'last week' }, ['/payments unreadable']],
    [
      { more_invoices: '500 due 2026-10-15 as INV-8', payments: '300 on 2026-11-10 for INV-9' },
      ['/payments/0/invoice invalid_choice'],
    ],
    [{ ...LATE, amount_paid: '5' }, ['/paid_on not_together']],
    [{ ...LATE, paid_date: '2026-11-20' }, ['/paid_on not_together']],
    [{ ...LATE, claim: 'none' }, ['/paid_on not_together']],
    [{ ...LATE, grace_days: '20' }, ['/paid_on out_of_range']],
    [{ ...LATE, payments: '1250 on 2026-11-10' }, ['/payments out_of_range']],
    [{ paid_on: '2026-11-13', payments: '5 on 2026-11-14' }, ['/payments/0/date out_of_range']],
    [{ paid_on: '2026-11-04' }, ['/paid_on out_of_range']],
    [{ paid_on: '2026-12-15' }, ['/paid_on out_of_range']],
    [{ earlier_reminders: '2026-12-10' }, ['/earlier_reminders/0 out_of_range']],
    [{ earlier_reminders: 'soon' }, ['/earlier_reminders/0 invalid_date']],
    [{ next_step: 'prison' }, ['/next_step invalid_choice']],
    [{ accrual: 'compound', rate_type: 'flat' }, ['/accrual not_together']],
    [{ accrual: 'month_begun', rate_type: 'annual_percent' }, ['/accrual not_together']],
    [{ accrual: 'compound', payments: '5 on 2026-11-05' }, ['/accrual not_together']],
    [{ accrual: 'compound', amount_paid: '5' }, []],
  ])('is refused before a price is stated for %j, with the codes %j', (changes, codes) => {
    expect(codesOf(changes)).toEqual(codes);
  });
});

describe('the last day to pay', () => {
  it.each<[object, string, string]>([
    // 28 November is a Saturday.
    [{}, '2026-11-21', '2026-11-30'],
    [{}, '2026-11-23', '2026-11-30'],
    [{ due_date: '2026-01-04', paid_date: '2026-01-21' }, '2026-11-21', '2026-11-30'],
    [{ pay_within_days: '14' }, '2026-11-23', '2026-12-07'],
    [{ pay_within_days: '1' }, '2026-11-21', '2026-11-23'],
    [{ pay_within_days: '60' }, '2026-11-21', '2027-01-20'],
    // A fee that begins earlier moves the day to the last day without a fee, but never to today.
    [{ grace_days: '20' }, '2026-11-21', '2026-11-24'],
    [{ grace_days: '18' }, '2026-11-19', '2026-11-20'],
    [{ grace_days: '18' }, '2026-11-20', '2026-11-27'],
    [{ grace_days: '18' }, '2026-11-21', '2026-11-30'],
    [{ grace_days: '17' }, '2026-11-21', '2026-11-30'],
    [{ grace_days: '365' }, '2026-11-21', '2026-11-30'],
  ])('with %j on %s is %s', (changes, today, payBy) => {
    expect(answerTo({ ...CASE, ...changes }, today).reminder.pay_by).toBe(payBy);
  });
});

describe('the figures next to a letter', () => {
  it('belong to the agreed fee, while the letter asks for statutory interest and later sums follow the law', () => {
    const byLaw = answerTo({ ...CASE, ...BY_LAW });
    const agreed = answerTo({ ...CASE, jurisdiction: 'GB' });
    const figures = ({ warnings: _w, caveats: _c, ...rest }: Record<string, unknown>) => rest;
    expect(figures(byLaw.fee)).toEqual(figures(agreed.fee));
    expect(byLaw.reminder.amount_asked).toBe(1326.84);
    expect(byLaw.reminder.if_paid_by.slice(0, 2)).toEqual([
      { date: '2026-11-28', late_fee: 79.66, total_due: 1329.66 },
      { date: '2026-12-05', late_fee: 82.47, total_due: 1332.47 },
    ]);
  });

  it('belong to the given past day, with later sums from the day of sending', () => {
    const { fee: worked, reminder } = answerTo({ ...CASE, due_date: '2026-01-04', paid_date: '2026-01-21' });
    expect(worked).toMatchObject({ late_fee: 10.63, total_due: 1260.63 });
    expect(reminder.if_paid_by.map(({ date }: { date: string }) => date)).toEqual([
      '2026-11-28',
      '2026-12-05',
      '2026-12-21',
    ]);
  });

  it('are only the interest if the invoice was paid late, and contain no fee if none is claimed', () => {
    expect(answerTo({ ...CASE, ...LATE }).fee).toMatchObject({
      paid_date: '2026-11-15',
      late_fee: 6.88,
      total_due: 6.88,
    });
    expect(answerTo({ ...CASE, claim: 'none' }).reminder.if_paid_by[0]).toMatchObject({ total_due: 1250 });
  });

  it('list each of several invoices', () => {
    const more_invoices = '500 due 2026-10-15 as INV-8 of 2026-09-15; 100 due 2026-11-01 as INV-9';
    const { fee: worked } = answerTo({ ...CASE, more_invoices });
    const one = (number: string, amount: number, due_date: string, days_late: number, late_fee: number) => ({
      ...{ number, amount, amount_paid: 0, due_date, days_late, late_fee },
      total_due: amount + late_fee,
    });
    expect(worked.invoices).toEqual([
      one('INV-1042', 1250, '2026-11-04', 17, 10.63),
      one('INV-8', 500, '2026-10-15', 37, 9.25),
      one('INV-9', 100, '2026-11-01', 20, 1),
    ]);
    expect(worked).toMatchObject({
      amount: 1850,
      late_fee: 20.88,
      total_due: 1870.88,
      formula: '10.63 + 9.25 + 1.00 = 20.88',
    });
  });

  it.each<[object, number, string]>([
    [{ accrual: 'simple' }, 42.5, '1250.00 x 2% x 51 / 30 = 42.50'],
    [{ accrual: 'month_begun' }, 50, '1250.00 x 2% x 2 months begun = 50.00'],
    [{ accrual: 'compound' }, 42.85, '1250.00 x ((1 + 2%)^1 x (1 + 2% x 21 / 30) - 1) = 42.85'],
    [{ accrual: 'month_begun', rate_type: 'flat', rate: '25' }, 50, '25.00 x 2 months begun = 50.00'],
    [{ accrual: 'compound', due_date: '2026-09-22' }, 50.5, '1250.00 x ((1 + 2%)^2 - 1) = 50.50'],
    [
      { accrual: 'month_begun', payments: '250 on 2026-10-15' },
      45,
      '(1250.00 x 1 + 1000.00 x 1) x 2% by months begun = 45.00',
    ],
    [{ amount_paid: '250' }, 34, '1000.00 x 2% x 51 / 30 = 34.00'],
  ])('with %j are %d: %s', (changes, lateFee, formula) => {
    const { body } = fee({ amount: '1250', rate: '2', due_date: '2026-10-01', ...changes });
    expect([body.late_fee, body.formula]).toEqual([lateFee, formula]);
  });
});

it('payments mean the same as text, as a list and as a JSON string, and an empty list means no payments', () => {
  const list = [{ amount: 250, date: '2026-11-10' }];
  for (const payments of [list, JSON.stringify(list), ' 250 on 2026-11-10 ; '])
    expect(answerTo({ ...CASE, payments })).toEqual(answerTo({ ...CASE, payments: '250 on 2026-11-10' }));
  expect(answerTo({ ...CASE, payments: [] })).toEqual(answerTo(CASE));
  expect(answerTo({ ...CASE, payment_details: ' \n ' })).toEqual(answerTo(CASE));
  expect(answerTo({ ...CASE, rate: '', claim: 'agreed' })).toEqual(answerTo({ ...CASE, rate: '' }));
});
