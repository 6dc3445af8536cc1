import { describe, expect, it } from 'vitest';
import { inOrder } from '../support/facts.ts';
import { answerTo, CASE, fee, notesOf, notice, TONES, written } from './notices.ts';

const codesOf = (changes: object) =>
  notice({ ...CASE, ...changes }).faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a letter on an invoice that was partly paid', () => {
  it.each(TONES)('%s: asks for the rest, and lists each payment and its day', (tone) => {
    const text = written({ tone, payments: '250 on 2026-11-10' });
    expect(text).toMatch(
      inOrder(
        'Invoice: £1,250.00',
        '\n',
        'Paid on 10 November 2026: -£250.00',
        '\n',
        '£9.25',
        '\n',
        'Total to pay: £1,009.25',
      ),
    );
    expect(text).toMatch(/£1,000\.00 of it|not paid in full/);
    expect(text).toContain('pay £1,009.25');
    expect(text).not.toMatch(/matched a payment|records it is/);
    expect(written({ tone, amount_paid: '250' })).toMatch(inOrder('Already paid: -£250.00', '\n', '£8.50'));
  });

  it('accepts payments as text, as a list and as its JSON text', () => {
    const list = [{ amount: 250, date: '2026-11-10' }];
    for (const payments of [list, JSON.stringify(list), ' 250 on 2026-11-10 ; '])
      expect(answerTo({ ...CASE, payments })).toEqual(answerTo({ ...CASE, payments: '250 on 2026-11-10' }));
    expect(answerTo({ ...CASE, payments: [] })).toEqual(answerTo(CASE));
  });

  it('is refused if nothing is left, or if a payment is in the future', () => {
    expect(codesOf({ amount_paid: '1250' })).toEqual(['/amount_paid out_of_range']);
    expect(codesOf({ payments: '1250 on 2026-11-10' })).toEqual(['/payments out_of_range']);
    expect(codesOf({ payments: '5 on 2026-12-10' })).toEqual(['/payments/0/date out_of_range']);
    expect(codesOf({ payments: '5 on 2026-11-10', amount_paid: '5' })).toEqual(['/amount_paid not_together']);
    expect(codesOf({ payments: 'last week' })).toEqual(['/payments unreadable']);
    expect(codesOf({ amount_paid: '0.001' })).toEqual(['/amount_paid out_of_range']);
    expect(codesOf({ amount_paid: '1.001' })).toEqual(['/amount_paid too_precise']);
  });
});

describe('a letter on an invoice that was paid late', () => {
  it.each(TONES)('%s: asks only for the interest', (tone) => {
    const text = written({ tone, paid_on: '2026-11-15' });
    expect(text).toMatch(inOrder('4 November 2026', '15 November 2026', '11 days late'));
    expect(text).toContain('\nInterest to 15 November 2026 (1.5% per month of 30 days, 11 days): £6.88\n');
    expect(text).toContain('pay £6.88');
    expect(text).toMatch(/Subject: .*nterest on invoice INV-1042 from Bright Studio/);
    expect(text).toContain('Only the interest remains unpaid.');
    expect(text).not.toMatch(/still|matched|a day/);
    expect(answerTo({ ...CASE, tone, paid_on: '2026-11-15' }).fee).toMatchObject({
      paid_date: '2026-11-15',
      late_fee: 6.88,
      total_due: 6.88,
    });
  });

  it('may ask for statutory interest instead', () => {
    const text = written({ paid_on: '2026-11-15', jurisdiction: 'GB', claim: 'statutory' });
    expect(text).toMatch(
      inOrder('Interest to 15 November 2026', '£4.43', '\n', '£70.00', '\n', 'Total to pay: £74.43'),
    );
  });

  it('counts the parts that were paid before the last payment', () => {
    const asked = { paid_on: '2026-11-20', payments: '250 on 2026-11-10; 500 on 2026-11-14' };
    const text = written(asked);
    // 1,250.00 for 6 days, 1,000.00 for 4 and 500.00 for 6, at 1.5% per month of 30 days.
    expect(text).toContain(
      'Interest to 20 November 2026 (1.5% per month of 30 days on £1,250.00 for 6 days, £1,000.00 for 4 days, £500.00 for 6 days): £7.25',
    );
    expect(text).toContain('your last payment came on 20 November 2026, 16 days late');
    expect(codesOf({ ...asked, paid_on: '2026-11-13' })).toContain('/payments/1/date out_of_range');
    expect(codesOf({ ...asked, payments: '1250 on 2026-11-10' })).toEqual(['/payments out_of_range']);
  });

  it('says how late each invoice was paid', () => {
    const text = written({ paid_on: '2026-11-15', more_invoices: '500 due 2026-10-15 as INV-8' });
    expect(text).toContain('15 November 2026, 11 and 31 days late');
  });

  it('is refused together with other days, and if nothing is owed', () => {
    expect(codesOf({ paid_on: '2026-11-15', amount_paid: '5' })).toEqual(['/paid_on not_together']);
    expect(codesOf({ paid_on: '2026-11-15', paid_date: '2026-11-20' })).toEqual(['/paid_on not_together']);
    expect(codesOf({ paid_on: '2026-11-15', claim: 'none' })).toEqual(['/paid_on not_together']);
    expect(codesOf({ paid_on: '2026-11-15', grace_days: '20' })).toEqual(['/paid_on out_of_range']);
    expect(codesOf({ paid_on: '2026-11-04' })).toEqual(['/paid_on out_of_range']);
    expect(codesOf({ paid_on: '2026-12-15' })).toEqual(['/paid_on out_of_range']);
  });
});

describe('a letter on several invoices', () => {
  const more = '500 due 2026-10-15 as INV-8 of 2026-09-15; 100 due 2026-11-01 as INV-9';

  it.each(TONES)('%s: lists each, with one sum for all', (tone) => {
    const text = written({ tone, more_invoices: more, invoice_date: '2026-10-05' });
    expect(text).toMatch(
      inOrder(
        'Invoice INV-1042 of 5 October 2026, due 4 November 2026: £1,250.00',
        '\n',
        'Invoice INV-8 of 15 September 2026, due 15 October 2026: £500.00',
        '\n',
        'Invoice INV-9, due 1 November 2026: £100.00',
        '\n',
        'Interest on invoice INV-1042 ',
        '£10.63',
        '\n',
        'Interest on invoice INV-8 ',
        '£9.25',
        '\n',
        'Interest on invoice INV-9 ',
        '£1.00',
        '\n',
        'Total to pay: £1,870.88',
      ),
    );
    expect(text).toMatch(/nvoices INV-1042, INV-8 and INV-9 from Bright Studio/);
    expect(text).toContain('between 15 October 2026 and 4 November 2026');
  });

  it('reads well without numbers and with compound interest', () => {
    const text = written({ invoice_number: '', business_name: '', more_invoices: '500 due 2026-10-15' });
    expect(text).toMatch(/^Subject: Our invoices are overdue\n/);
    expect(text).toContain('\nInterest on the invoice due 15 October 2026 to 21 November 2026 (');
    const compound = (tone: string) => written({ tone, accrual: 'compound', currency: 'GBP' });
    expect(compound('polite')).toContain('1.5% per month of 30 days, compounded. Could');
    expect(compound('firm')).toContain(
      'at 1.5% per month of 30 days, compounded, under our agreed terms. Please',
    );
  });

  it('names the invoice that a payment was set against, the oldest first', () => {
    const text = written({
      tone: 'firm',
      more_invoices: '500 due 2026-10-15 as INV-8',
      payments: '600 on 2026-11-10',
    });
    expect(text).toMatch(
      inOrder('invoice INV-1042: -£100.00', '\n', 'Paid on 10 November 2026 for invoice INV-8: -£500.00'),
    );
    expect(text).toContain('£1,150.00 is still unpaid');
    expect(text).toContain('were due on 15 October 2026 and 4 November 2026');
  });

  it('has a figure for each of them in the answer', () => {
    const { fee: worked } = answerTo({ ...CASE, more_invoices: more });
    expect(worked.invoices).toEqual([
      {
        number: 'INV-1042',
        amount: 1250,
        amount_paid: 0,
        due_date: '2026-11-04',
        days_late: 17,
        late_fee: 10.63,
        total_due: 1260.63,
      },
      {
        number: 'INV-8',
        amount: 500,
        amount_paid: 0,
        due_date: '2026-10-15',
        days_late: 37,
        late_fee: 9.25,
        total_due: 509.25,
      },
      {
        number: 'INV-9',
        amount: 100,
        amount_paid: 0,
        due_date: '2026-11-01',
        days_late: 20,
        late_fee: 1,
        total_due: 101,
      },
    ]);
    expect(worked).toMatchObject({
      amount: 1850,
      late_fee: 20.88,
      total_due: 1870.88,
      formula: '10.63 + 9.25 + 1.00 = 20.88',
    });
  });

  it('is refused if one of them is not overdue', () => {
    expect(codesOf({ more_invoices: '5 due 2026-11-21' })).toEqual([
      '/more_invoices/0/due_date invoice_not_overdue',
    ]);
    expect(codesOf({ more_invoices: '5 of 2026-11-21' })).toEqual(['/more_invoices unreadable']);
  });
});

describe('the further contents of a letter', () => {
  it.each(TONES)('%s: include the contact, the signer, the order, the date and earlier reminders', (tone) => {
    const text = written({
      ...{ tone, contact: 'Mary Lee, +44 20 7946 0958', signer: 'Jo Bright' },
      ...{ purchase_order: 'PO-77', invoice_date: '2026-10-05', earlier_reminders: '2026-11-10, 2026-11-17' },
    });
    expect(text).toContain('nvoice INV-1042 of 5 October 2026 (purchase order PO-77) for £1,250.00');
    expect(text).toContain('10 November and 17 November 2026.');
    expect(text).toContain('For questions, contact Mary Lee, +44 20 7946 0958.');
    expect(written({ currency: 'USD', earlier_reminders: '2026-08-03, 2026-09-01, 2026-10-06' })).toContain(
      'August 3, September 1, and October 6, 2026.',
    );
    expect(text).toMatch(/,\nJo Bright\nBright Studio$/);
  });

  it.each([
    ['suspend_work', 'suspend our services to you until this account is paid'],
    ['collection', 'place the account with a collection agency'],
    ['court', 'start court proceedings'],
  ])('name the next step %s in every tone, and none that was not given', (next_step, words) => {
    for (const tone of TONES) {
      expect(written({ tone, next_step })).toContain(words);
      expect(written({ tone })).not.toContain(words);
    }
    expect(written({ tone: 'final', next_step })).not.toContain('we will decide');
  });

  it('exclude more than one line of a kind, and a future reminder is refused', () => {
    expect(written({ signer: '<b>x</b>' })).not.toContain('<b>');
    expect(notesOf({ signer: '<b>x</b>' }).join()).toContain('signer');
    expect(codesOf({ earlier_reminders: '2026-12-10' })).toEqual(['/earlier_reminders/0 out_of_range']);
    expect(codesOf({ earlier_reminders: 'soon' })).toEqual(['/earlier_reminders/0 invalid_date']);
    expect(codesOf({ next_step: 'prison' })).toEqual(['/next_step invalid_choice']);
  });
});

describe('how a fee accumulates', () => {
  const SUM = { amount: '1250', rate: '2', due_date: '2026-10-01', paid_date: '2026-11-21' };

  it('by the day, for each month begun, or with compound interest', () => {
    const worked = (changes: object) => {
      const { late_fee, formula } = fee({ ...SUM, ...changes }).body;
      return [late_fee, formula];
    };
    expect(worked({ accrual: 'simple' })).toEqual([42.5, '1250.00 x 2% x 51 / 30 = 42.50']);
    expect(worked({ accrual: 'month_begun' })).toEqual([50, '1250.00 x 2% x 2 months begun = 50.00']);
    expect(worked({ accrual: 'compound' })).toEqual([
      42.85,
      '1250.00 x ((1 + 2%)^1 x (1 + 2% x 21 / 30) - 1) = 42.85',
    ]);
    expect(worked({ accrual: 'month_begun', rate_type: 'flat', rate: '25' })).toEqual([
      50,
      '25.00 x 2 months begun = 50.00',
    ]);
  });

  it('with errors for options that do not go together', () => {
    const codes = (changes: object) =>
      fee({ ...SUM, ...changes }).faults.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(codes({ accrual: 'compound', rate_type: 'flat' })).toEqual(['/accrual not_together']);
    expect(codes({ accrual: 'month_begun', rate_type: 'annual_percent' })).toEqual(['/accrual not_together']);
    expect(codes({ accrual: 'compound', payments: '5 on 2026-10-05' })).toEqual(['/accrual not_together']);
    expect(codes({ accrual: 'compound', amount_paid: '5' })).toEqual([]);
  });

  it('with hints from other names to its fields', () => {
    const hint = (name: string) => fee({ ...SUM, [name]: '1' }).faults[0]?.hint;
    expect(hint('partial_payments')).toContain('payments');
    expect(hint('invoices')).toContain('more_invoices');
    expect(hint('compound')).toContain('accrual=compound');
    expect(fee({ ...SUM, amount_paid: '250' }).body).toMatchObject({
      amount_paid: 250,
      amount_open: 1000,
      total_due: 1034,
    });
  });

  it('with a letter that says what a further month adds', () => {
    expect(written({ accrual: 'month_begun', rate: '2' })).toContain('each further month begun adds £25.00');
    expect(written({ accrual: 'month_begun', rate: '25', rate_type: 'flat' })).toMatch(
      inOrder('£25.00 per month begun', '£25.00', '\n'),
    );
  });
});

describe('a payment that names its invoice', () => {
  const more_invoices = '500 due 2026-10-15 as INV-8';

  it('is set against that invoice, and its rest against the oldest one', () => {
    const text = written({ more_invoices, payments: '300 on 2026-11-10 for inv-1042' });
    expect(text).toContain('Paid on 10 November 2026 for invoice INV-1042: -£300.00');
    expect(text).not.toContain('for invoice INV-8: -');
    const over = written({ more_invoices, payments: '1300 on 2026-11-10 for INV-1042' });
    expect(over).toContain('Paid on 10 November 2026 for invoice INV-1042: -£1,250.00');
    expect(over).toContain('Paid on 10 November 2026 for invoice INV-8: -£50.00');
  });

  it('is refused if no invoice has that number', () => {
    expect(codesOf({ more_invoices, payments: '300 on 2026-11-10 for INV-9' })).toEqual([
      '/payments/0/invoice invalid_choice',
    ]);
  });
});

describe('a letter says', () => {
  it('thank you for a part payment, except in a final reminder', () => {
    const payments = '400 on 2026-11-10';
    for (const tone of ['polite', 'firm'])
      expect(written({ tone, payments })).toContain(
        'Thank you for the £400.00 that you paid on 10 November 2026.',
      );
    expect(written({ amount_paid: '400' })).toContain('Thank you for the £400.00 that you paid so far.');
    expect(written({ tone: 'final', payments })).not.toContain('Thank you');
  });

  it("what is suspended, in the sender's words", () => {
    const step = { tone: 'firm', next_step: 'suspend_work' };
    expect(written(step)).toContain('suspend our services to you until this account is paid');
    expect(written({ ...step, suspend_what: 'your hosting' })).toContain(
      'suspend your hosting until this account is paid',
    );
  });

  it.each([
    ['FT 2026/175', 'invoice FT 2026/175'],
    ['FT A/512', 'invoice FT A/512'],
    ['PO 4431', 'our invoice (PO 4431)'],
    ['March 7', 'our invoice (March 7)'],
  ])('the number %j as %j', (invoice_number, name) => {
    expect(written({ invoice_number })).toContain(name);
  });

  it('the numbers of several invoices in its subject, without their word if that is long', () => {
    const asked = {
      tone: 'final',
      invoice_number: '4401',
      business_name: 'Lark & Sons Wholesale Ltd',
      more_invoices: '500 due 2026-10-15 as 4428; 90 due 2026-10-20 as 4460; 80 due 2026-10-21 as 4482',
    };
    expect(written(asked)).toContain(
      'Subject: Final reminder: 4401, 4428, 4460 and 4482 from Lark & Sons Wholesale Ltd',
    );
  });

  it('a reference rate once with its days, if all debts have the same', () => {
    const text = written({
      claim: 'statutory',
      jurisdiction: 'GB',
      due_date: '2026-03-01',
      more_invoices: '500 due 2026-09-15 as INV-8',
    });
    expect(text).toContain('Bank Rate of 3.75% on 31 December 2025 and 30 June 2026');
  });
});
