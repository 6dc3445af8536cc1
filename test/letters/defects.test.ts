import { describe, expect, it } from 'vitest';
import { CASE, fee, notesOf, notice, TONES, written } from './notices.ts';

const faultOf = (changes: Record<string, unknown>, today?: string) =>
  notice({ ...CASE, ...changes }, today).faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('the dates of a letter', () => {
  const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };

  it.each(TONES)('%s: the day to pay by is never past, and a past as-of day is named', (tone) => {
    const text = written({ ...past, tone });
    expect(text).toContain('30 November 2026');
    expect(text).not.toContain('28 January 2026');
    expect(text).toContain('21 January 2026');
    expect(text).not.toMatch(/\b(?:now|ago|yet)\b/);
    expect(text).toContain('Total if paid on 21 November 2026: £1,450.63'); // 321 days
  });

  it('what is due later counts from the day it is sent', () => {
    const { reminder } = notice({ ...CASE, ...past }).body;
    expect(reminder.if_paid_by.map(({ date }: { date: string }) => date)).toEqual([
      '2026-11-28',
      '2026-12-05',
      '2026-12-21',
    ]);
  });

  it('an as-of day to come is refused for a letter', () => {
    expect(faultOf({ paid_date: '2027-06-30' })).toEqual(['/paid_date date_in_future']);
    expect(faultOf({ due_date: '2027-01-04', paid_date: '2027-01-21' })).toEqual([
      '/paid_date date_in_future',
      '/due_date invoice_not_overdue',
    ]);
    expect(faultOf({ paid_date: '2026-11-23' })).toEqual(['/paid_date date_in_future']);
    // Where the day has begun that UTC has not reached.
    expect(faultOf({ paid_date: '2026-11-22' })).toEqual([]);
  });

  it('an as-of day to come has a warning of the calculator', () => {
    const { body } = fee({ amount: 1250, rate: 1.5, due_date: '2026-11-04', paid_date: '2027-06-30' });
    expect(body.warnings).toEqual([
      'The fee is worked out to 30 June 2027, which is still to come: it is what will be due on that day if nothing is paid before.',
    ]);
    expect(
      fee({ amount: 1250, rate: 1.5, due_date: '2026-11-04', paid_date: '2026-11-22' }).body.warnings,
    ).toEqual([]);
  });

  it('a given as-of day has a caveat: nothing is said to be paid', () => {
    const said = (changes: object) =>
      notesOf({ ...changes }).filter((note) => note.includes('nothing was paid by then'));
    expect(said({ paid_date: '2026-11-21' })).toEqual([
      'The days and the fee are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by then: if your client has paid, do not send it.',
    ]);
    expect(notesOf(past).join()).toContain('Leave paid_date out for a letter of today');
    expect(said({})).toEqual(said({ paid_date: '2026-11-21' }));
  });

  it('a weekend moves the day to pay by to Monday, and so does pay_within_days', () => {
    const payBy = (changes: object, today?: string) =>
      notice({ ...CASE, ...changes }, today).body.reminder.pay_by;
    expect(payBy({})).toBe('2026-11-30'); // 28 November is a Saturday
    expect(payBy({}, '2026-11-22')).toBe('2026-11-30');
    expect(payBy({}, '2026-11-23')).toBe('2026-11-30');
    expect(payBy({ pay_within_days: '14' }, '2026-11-23')).toBe('2026-12-07');
    expect(payBy({ pay_within_days: '1' })).toBe('2026-11-23');
    expect(payBy({ pay_within_days: '60' })).toBe('2027-01-20');
    for (const days of ['0', '61', '1.5', 'x'])
      expect(faultOf({ pay_within_days: days })[0]).toMatch(
        /^\/pay_within_days (?:out_of_range|invalid_integer)/,
      );
  });

  it('an invoice not yet due is told so in words that change no date', () => {
    const [fault] = notice({ ...CASE, due_date: '2026-12-24' }).faults;
    expect(fault).toEqual({
      pointer: '/due_date',
      code: 'invoice_not_overdue',
      detail:
        'is 24 December 2026, not before today (21 November 2026): the invoice is not overdue, so there is nothing to remind of',
      hint: 'nothing needs to be sent yet: keep due_date as it is and ask again from 25 December 2026; the free late-fee calculator answers for any date',
    });
    expect(notice({ ...CASE, due_date: '2026-11-10', paid_date: '2026-11-05' }).faults[0]?.hint).toBe(
      'leave paid_date out for a letter of today, and keep due_date as it is',
    );
  });
});

describe('within the days of grace', () => {
  it.each(TONES)('%s: the amount is asked for on a day on which it is still the amount', (tone) => {
    const { reminder } = notice({ ...CASE, grace_days: '20', tone }).body;
    expect(reminder.pay_by).toBe('2026-11-24');
    expect(reminder.body).toContain('Total if paid by 24 November 2026: £1,250.00');
    expect(reminder.body.match(/£[0-9,.]*[0-9]/g)).toEqual(
      tone === 'final'
        ? ['£1,250.00', '£1,250.00', '£1,253.75', '£1,250.00', '£0.625']
        : ['£1,250.00', '£1,250.00', '£1,253.75', '£0.625', '£1,250.00'],
    );
  });

  it('no letter calls itself quick after sixty days, nor offers a plan for a few coins', () => {
    expect(written({ due_date: '2026-09-21' })).toContain('A reminder about invoice');
    expect(written({ due_date: '2026-09-22' })).toContain('A quick reminder about invoice');
    expect(written({ tone: 'final', amount: '20' })).not.toContain('payment plan');
    expect(written({ tone: 'final', amount: '50' })).toContain('propose a payment plan');
  });

  it.each(TONES)('%s: the rate that is to come is named', (tone) => {
    expect(written({ grace_days: '20', tone })).toMatch(
      /No late fee has been added yet; a late fee of 1\.5% per month of 30 days applies from 25 November 2026 under (?:our|the) payment terms: £0\.625 for each day after 24 November 2026\./,
    );
    expect(written({ grace_days: '20', tone, rate_type: 'flat', rate: '25' })).toContain(
      'a late fee of £25.00 applies from',
    );
    expect(written({ grace_days: '20', tone, min_fee: '25' })).toContain(
      'a late fee of 1.5% per month of 30 days, at least £25.00, applies from 25 November 2026 under',
    );
    expect(written({ grace_days: '20', tone, rate: '' })).toContain(
      'a late fee of 1.5% per month of 30 days will be added from 25 November 2026: £0.625 for each day after 24 November 2026.',
    );
  });

  it.each(TONES)('%s: what is due on the day to answer by, after the days of grace, is named', (tone) => {
    expect(written({ grace_days: '20', tone })).toContain(
      'Total if paid by 24 November 2026: £1,250.00\nTotal if paid on 30 November 2026: £1,253.75\n',
    );
    expect(written({ grace_days: '20', tone, rate_type: 'flat', rate: '25' })).toContain(
      'Total if paid by 24 November 2026: £1,250.00\nTotal if paid from 25 November 2026 to 30 November 2026: £1,275.00\n',
    );
    // The minimum holds from the first day with a fee to the day to answer by.
    expect(written({ grace_days: '20', tone, min_fee: '25' })).toContain(
      'Total if paid from 25 November 2026 to 30 November 2026: £1,275.00',
    );
    // The day to pay by is a Friday, and the fee begins after the weekend.
    const weekend = { grace_days: '18', rate_type: 'flat', rate: '25', tone };
    expect(written(weekend, '2026-11-19')).toContain(
      'Total if paid by 20 November 2026: £1,250.00\nTotal if paid from 23 November 2026 to 26 November 2026: £1,275.00\n',
    );
    expect(written({ grace_days: '365', tone })).not.toContain('Total');
  });

  it.each(TONES)('%s: nobody is asked to pay on the day that the letter comes', (tone) => {
    const { reminder } = notice({ ...CASE, grace_days: '17', tone }).body;
    expect(reminder.pay_by).toBe('2026-11-30');
    expect(reminder.body).toContain(
      'Total if paid by 21 November 2026: £1,250.00\nTotal if paid on 30 November 2026, with a late fee of £5.63: £1,255.63\n',
    );
    expect(reminder.body).toContain(
      'A late fee of 1.5% per month of 30 days applies from 22 November 2026 under',
    );
    expect(reminder.body).toContain('or the total for the day if you pay earlier');
    expect(reminder.body).toContain('payment terms: £0.625 for each day after 21 November 2026.');
    expect(written({ grace_days: '17', tone, min_fee: '25' })).not.toContain('each day');
    expect(reminder.body).not.toContain('by 21 November 2026,');
    // The grace ends tomorrow, a Sunday.
    expect(written({ grace_days: '18', tone })).toContain(
      'Total if paid by 22 November 2026: £1,250.00\nTotal if paid on 30 November 2026, with a late fee of £5.00: £1,255.00\n',
    );
  });

  it.each(TONES)('%s: a day of grace to work out to, and a fee since, has its rate', (tone) => {
    const text = written({ grace_days: '10', paid_date: '2026-11-10', tone });
    expect(text).toContain(
      [
        'Invoice: £1,250.00',
        'Late fee to 21 November 2026 (1.5% per month of 30 days, 7 days after 10 days of grace): £4.38',
        'Total if paid on 21 November 2026: £1,254.38',
        'Total if paid on 30 November 2026: £1,260.00',
      ].join('\n'),
    );
    expect(text).not.toContain('6 days overdue');
    expect(text).toContain(tone === 'polite' ? 'by 10 November 2026 we had' : 'unpaid on 10 November 2026');
  });

  it('who answers has the days that were given, also where paying has to come sooner', () => {
    expect(written({ grace_days: '20', tone: 'firm' })).toContain('tell us in writing by 30 November 2026');
    expect(written({ grace_days: '20', tone: 'final' })).toContain(
      [
        'Please do one of the following:',
        '- pay £1,250.00 by 24 November 2026, using the payment details on the invoice, with INV-1042 as the reference;',
        '- propose a payment plan with dates and amounts by 30 November 2026;',
        '- tell us in writing by 30 November 2026 which part of the invoice you dispute, and why;',
      ].join('\n'),
    );
  });

  it('the day is rolled back from a weekend, and always after today', () => {
    const payBy = (graceDays: number, today: string) =>
      notice({ ...CASE, grace_days: graceDays }, today).body.reminder.pay_by;
    expect(payBy(18, '2026-11-19')).toBe('2026-11-20'); // grace ends on Sunday the 22nd
    expect(payBy(18, '2026-11-20')).toBe('2026-11-27');
    expect(payBy(18, '2026-11-21')).toBe('2026-11-30');
    expect(payBy(17, '2026-11-21')).toBe('2026-11-30');
    expect(payBy(365, '2026-11-21')).toBe('2026-11-30');
  });
});

describe('what a letter asks to be paid', () => {
  it.each(TONES)('%s: one sum for each date', (tone) => {
    const text = written({ tone });
    expect(text).toContain(
      [
        'Invoice: £1,250.00',
        'Late fee to 21 November 2026 (1.5% per month of 30 days, 17 days): £10.63',
        'Total if paid on 21 November 2026: £1,260.63',
        'Total if paid on 30 November 2026: £1,266.25',
      ].join('\n'),
    );
  });

  it.each(TONES)('%s: the exact daily figure, or one that is called about', (tone) => {
    expect(written({ tone })).toContain(': £0.625 for each day after');
    expect(written({ tone, amount: '1000' })).toContain(': £0.50 for each day after');
    expect(written({ tone, rate: '11.75', rate_type: 'annual_percent' })).toContain(
      ': about £0.4024 for each day after',
    );
    expect(written({ tone, amount: '1001', currency: 'JPY' })).toContain(': about ¥0.5 for each day after');
  });

  it.each(TONES)('%s: a fee that rounds to nothing today still has its row and its rate', (tone) => {
    expect(written({ tone, amount: '5', due_date: '2026-11-20', currency: 'USD' })).toContain(
      [
        'Invoice: $5.00',
        'Late fee to 21 November 2026 (1.5% per month of 30 days, 1 day): $0.00',
        'Total if paid on 21 November 2026: $5.00',
        'Total if paid on 30 November 2026: $5.03',
      ].join('\n'),
    );
  });

  it.each(TONES)('%s: how to pay', (tone) => {
    expect(written({ tone })).toContain(
      'using the payment details on the invoice, with INV-1042 as the reference',
    );
    expect(written({ tone, invoice_number: '' })).toMatch(/using the payment details on the invoice[.?;]/);
    const details = 'IBAN GB33 BUKB 2020 1555 5555 55\r\n\nBIC BUKBGB22\u202e';
    const text = written({ tone, payment_details: details });
    expect(text).toContain('using the payment details below, with INV-1042 as the reference');
    expect(text).toContain('\n\nPayment details:\nIBAN GB33 BUKB 2020 1555 5555 55\nBIC BUKBGB22\n\n');
    expect(faultOf({ payment_details: 'x'.repeat(301) })).toEqual(['/payment_details too_long']);
    expect(faultOf({ payment_details: 'x\n'.repeat(11) })).toEqual(['/payment_details too_many']);
    expect(written({ tone, payment_details: ' \n ' })).toBe(written({ tone }));
  });

  it.each(TONES)('%s: a minimum and a maximum are part of the basis', (tone) => {
    const least = written({ tone, min_fee: '25' });
    expect(least).toContain(
      'Late fee to 21 November 2026 (1.5% per month of 30 days, 17 days, at least £25.00): £25.00',
    );
    expect(least).toContain('Total if paid by 30 November 2026: £1,275.00');
    expect(least).not.toMatch(/(?:a|each) day\b/);
    const most = written({ tone, max_fee: '5' });
    expect(most).toContain('(1.5% per month of 30 days, 17 days, at most £5.00): £5.00');
    expect(most).toContain('Total if paid by 30 November 2026: £1,255.00');
    expect(most).toMatch(/maximum|no further/);
    expect(written({ tone, max_fee: '50' })).toContain(': £0.625 for each day after');
    expect(written({ tone, max_fee: '50' })).toContain(', up to £50.00');
  });

  it.each([
    [{ rate: '0', min_fee: '40' }, '£40.00'],
    [{ min_fee: '40', max_fee: '40' }, '£40.00'],
    [{ rate_type: 'flat', rate: '40', max_fee: '25' }, '£25.00'],
    [{ rate_type: 'flat', rate: '10', min_fee: '25' }, '£25.00'],
  ])('a fee that no day changes is a flat one, whatever it is made of: %j', (changes, fee) => {
    for (const tone of TONES) {
      const text = written({ ...changes, tone });
      expect(text).toContain(`\nLate fee (flat, charged once): ${fee}\n`);
      expect(text).not.toMatch(/at (?:least|most)|0% per/);
      expect(text).toMatch(/flat (?:late )?fee/);
      expect(written({ ...changes, tone, grace_days: '20' })).toContain(
        `a late fee of ${fee} applies from 25 November 2026`,
      );
    }
  });

  it.each(TONES)('%s: payment details that name a reference are not given a second one', (tone) => {
    for (const details of [
      'IBAN GB33\nReference: 77',
      'IBAN GB33\nquote inv-1042',
      'Ref 77',
      'Please quote your number',
    ])
      expect(written({ tone, payment_details: details })).toMatch(/using the payment details below[.?;]/);
  });
});

describe('names read right', () => {
  it.each([
    ['Dear Mr. Jones,', 'Dear Mr. Jones,'],
    ['dear Dana', 'Dear Dana,'],
    ['Hello Ms Reed', 'Dear Ms Reed,'],
    ['Hi Dana,', 'Dear Dana,'],
    ['Hello Fresh Ltd', 'Dear Hello Fresh Ltd,'],
    ['Acme, Inc.', 'Dear Acme, Inc.,'],
    ['Acme Ltd:', 'Dear Acme Ltd,'],
    ['to whom it may concern', 'To whom it may concern,'],
    ['Dear', 'Dear Dear,'],
    [',', 'Hello,'],
    ['Hi Sam!', 'Dear Sam,'],
    ['dana.reed@example.com', 'Hello,'],
    ['Dana Reed <dana@example.com>', 'Dear Dana Reed,'],
    ['Hello, Sam', 'Dear Sam,'],
    ['Hello', 'Hello,'],
    ['Hi there!', 'Hello,'],
    ['Hi Sam.', 'Dear Sam,'],
    ['Hello Acme Inc.,', 'Dear Acme Inc.,'],
    ['Hi Sam', 'Hi Sam,'],
    ['hey Sam', 'Hey Sam,'],
    ['Good morning Ms Lee', 'Dear Ms Lee,'],
    ['Good morning Sam', 'Good morning Sam,'],
    ['Ms Lee;', 'Dear Ms Lee,'],
    ['Yahoo!', 'Dear Yahoo!,'],
    ['Salt &amp;', 'Dear Salt &amp;,'],
    ['Dear Acme Ltd', 'Dear Acme Ltd,'],
    ['n/a', 'Hello,'],
    ['-', 'Hello,'],
  ])('a letter to %j begins with %j', (client, line) => {
    expect(written({ tone: 'firm', client_name: client }).split('\n')[2]).toBe(line);
  });

  it.each([
    ['Kind regards, Anna', 'Anna'],
    ['Yours sincerely: Anna Lee', 'Anna Lee'],
    ['Yours Truly Ltd.', 'Yours Truly Ltd.'],
    ['Best Wishes Florist', 'Best Wishes Florist'],
    ['Kind Regards Stationery', 'Kind Regards Stationery'],
    ['Many Thanks Cafe', 'Many Thanks Cafe'],
    ['From: Bright Studio', 'Bright Studio'],
    ['From Scratch Bakery', 'From Scratch Bakery'],
    ['TBD', 'Kind regards,'],
    ['Regards, Anna', 'Anna'],
    ['Best Buy Cars', 'Best Buy Cars'],
    ['Smith & Sons, LLC.', 'Smith & Sons, LLC.'],
    ['Bright Studio,', 'Bright Studio'],
    ['Kind regards', 'Kind regards'],
  ])('%j signs as %j', (business, line) => {
    expect(written({ business_name: business }).split('\n').at(-1)).toBe(line);
  });

  it.each([
    [
      'Tax invoice 44',
      'about tax invoice 44 for £1,250.00. It was due',
      'with tax invoice 44 as the reference?',
    ],
    [
      'Invoices 3 and 4',
      'invoices 3 and 4 for £1,250.00 together. They were due',
      'with invoices 3 and 4 as the reference?',
    ],
    [
      'INV-7 and INV-8',
      'invoices INV-7 and INV-8 for £1,250.00 together. They',
      'with INV-7 and INV-8 as the reference?',
    ],
    [
      'INV-7 + INV-8',
      'invoices INV-7 + INV-8 for £1,250.00 together. They',
      'with INV-7 + INV-8 as the reference?',
    ],
    [
      '1042, 1043',
      'invoices 1042, 1043 for £1,250.00 together. They',
      'with invoices 1042, 1043 as the reference?',
    ],
    [
      '1042 & 1043',
      'invoices 1042 & 1043 for £1,250.00 together. They',
      'with invoices 1042 & 1043 as the reference?',
    ],
    [
      'Invoice 7 and invoice 8',
      'invoices 7 and 8 for £1,250.00 together. They',
      'with invoices 7 and 8 as the reference?',
    ],
    ['Invoice: 12', 'about invoice 12 for', 'with invoice 12 as the reference?'],
    ['Tax Invoice No. 44', 'about tax invoice No. 44 for', 'with tax invoice No. 44 as the reference?'],
    ['inv 7; inv 8', 'invoices 7; 8 for £1,250.00 together. They', 'with invoices 7; 8 as the reference?'],
    ['Our invoice 9', 'about invoice 9 for', 'with invoice 9 as the reference?'],
    ['inv 12', 'about invoice 12 for', 'with invoice 12 as the reference?'],
    ['Inv. INV-12', 'about invoice INV-12 for', 'with INV-12 as the reference?'],
    ['1042', 'about invoice 1042 for', 'with invoice 1042 as the reference?'],
    ['the March invoice', 'about the March invoice for', 'on the invoice?'],
    ['invoice for the kitchen', 'about the invoice for the kitchen for', 'on the invoice?'],
    ['Invoice dated 4 October', 'about the invoice dated 4 October for', 'on the invoice?'],
    ['2nd invoice', 'about the 2nd invoice for', 'on the invoice?'],
    ['n/a', 'about our invoice for', 'on the invoice?'],
    ['None', 'about our invoice for', 'on the invoice?'],
    ['TBD', 'about our invoice for', 'on the invoice?'],
    ['-', 'about our invoice for', 'on the invoice?'],
    ['invoice no. 12', 'about invoice no. 12 for', 'with invoice no. 12 as the reference?'],
    ['INVOICE-1042', 'about INVOICE-1042 for', 'with INVOICE-1042 as the reference?'],
    ['no. 7.', 'about invoice no. 7 for', 'with invoice no. 7 as the reference?'],
    ['your order 5512', 'about our invoice (your order 5512) for', 'with order 5512 as the reference?'],
    ['INV-7 dated 5 October 2026', 'invoice INV-7 dated 5 October 2026 for', 'with INV-7 as the reference?'],
    ['Invoice 7, dated 5 October', 'invoice 7, dated 5 October for', 'with invoice 7 as the reference?'],
    ['Final invoice 12', 'about final invoice 12 for', 'with final invoice 12 as the reference?'],
    ['deposit invoice 12', 'about deposit invoice 12 for', 'with deposit invoice 12 as the reference?'],
    [
      '12,13,14',
      'invoices 12,13,14 for £1,250.00 together. They',
      'with invoices 12,13,14 as the reference?',
    ],
    [
      'INV-7,INV-8',
      'invoices INV-7,INV-8 for £1,250.00 together. They',
      'with INV-7,INV-8 as the reference?',
    ],
    ['1,042', 'about invoice 1,042 for', 'with invoice 1,042 as the reference?'],
    ['invoice 7 for the garden', 'about invoice 7 for the garden for', 'with invoice 7 as the reference?'],
    ['INV-7 & credit note CN-3', 'about our invoice for', 'on the invoice?'],
    ['PO 4431', 'about our invoice (PO 4431) for', 'with PO 4431 as the reference?'],
    ['Rechnung 2026/11', 'about Rechnung 2026/11 for', 'with Rechnung 2026/11 as the reference?'],
    ['Credit note 3', 'about our invoice for', 'on the invoice?'],
    ['invoiced on Monday', 'about our invoice for', 'on the invoice?'],
    [
      'Statement March 2026',
      'about Statement March 2026 for',
      'on the statement, with Statement March 2026 as the reference?',
    ],
    ['.', 'about our invoice for', 'on the invoice?'],
    ['Invoice', 'about our invoice for', 'on the invoice?'],
  ])('invoice number %j', (number, opening, reference) => {
    const text = written({ invoice_number: number });
    expect(text).toContain(opening);
    expect(text).toContain(reference);
    expect(text).not.toMatch(/invoices? (?:tax |our |the )?invoice/i);
  });

  it('several invoices are spoken of as several in every tone', () => {
    const number = { invoice_number: 'Invoices 3 and 4' };
    expect(written({ ...number })).toContain(
      'Invoices 3 and 4 from Bright Studio were due on 4 November 2026',
    );
    expect(written({ ...number })).toContain('matched a payment to them yet');
    expect(written({ ...number, tone: 'firm' })).toContain('they are still unpaid');
    expect(written({ ...number, tone: 'firm' })).toContain('any part of the invoices');
    expect(written({ ...number })).toContain('\nInvoices, together: £1,250.00\n');
    expect(notesOf({ invoice_number: 'Credit note 3' }).join()).toContain('names a credit note');
    for (const tone of TONES)
      expect(written({ ...number, tone })).not.toMatch(/Invoices 3 and 4 .*\b(?:was|has|is)\b/);
  });

  it('a statement is no invoice, and its row is called what it is', () => {
    const text = written({ invoice_number: 'Statement March 2026' });
    expect(text).toContain('\nAmount: £1,250.00\n');
    expect(text).not.toMatch(/\binvoice/i);
  });

  it.each([
    ['Our invoice 9', 'Invoice 9 from Bright Studio was due on 4 November 2026'],
    ['PO 4431', 'Invoice (PO 4431) from Bright Studio was due on 4 November 2026'],
    ['our March invoice', 'March invoice from Bright Studio was due on 4 November 2026'],
    ['2nd invoice', 'The 2nd invoice from Bright Studio was due on 4 November 2026'],
  ])('the subject says once whose %j is', (number, subject) => {
    expect(written({ invoice_number: number }).split('\n')[0]).toBe(`Subject: ${subject}`);
  });

  it('a sender whose name begins with From is not from twice', () => {
    expect(written({ business_name: 'From Scratch Bakery' }).split('\n')[0]).toBe(
      'Subject: Invoice INV-1042 From Scratch Bakery was due on 4 November 2026',
    );
  });

  it.each(TONES)('%s: no subject has a number right after a name', (tone) => {
    const names = { business_name: 'סטודיו אור', invoice_number: '7-חש' };
    for (const changes of [{}, { grace_days: '20' }, { paid_date: '2026-11-10' }, { invoice_number: '' }])
      expect(written({ ...names, tone, ...changes }).split('\n')[0]).not.toMatch(
        /\p{Script=Hebrew}[^\p{L}\n]*\p{N}/u,
      );
  });

  it.each([
    ['invoiced on Monday', 'invoice_number is not a number, so the letter leaves it out'],
    ['March', 'invoice_number is not a number, so the letter leaves it out'],
    ['Proforma 12', 'names a quote, a proforma or a receipt, none of which is a bill that falls overdue'],
    ['Pro-forma invoice 12', 'none of which is a bill that falls overdue'],
    ['Quote 7', 'none of which is a bill that falls overdue'],
    ['Receipt 12', 'none of which is a bill that falls overdue'],
  ])('an invoice number of %j has a note', (number, words) => {
    const notes = notesOf({ invoice_number: number }).join('\n');
    expect(notes).toContain(words);
    expect(notes).not.toContain('does without');
  });

  it('a number that is not known is missing', () => {
    for (const number of ['n/a', 'none', 'TBD', '-', 'to be confirmed'])
      expect(notesOf({ invoice_number: number }).join(), number).toContain('does without invoice_number');
  });
});

describe('which sum is asked for', () => {
  it('is said where there is one for each day, and where there is one alone', () => {
    expect(written({})).toContain(
      'Could you please pay £1,266.25 by 30 November 2026, or the total for the day if you pay earlier, using',
    );
    expect(written({ tone: 'firm' })).toContain(
      'Please pay £1,266.25 by 30 November 2026, or the total for the day if you pay earlier, using',
    );
    const flat = { rate_type: 'flat', rate: '25' };
    expect(written(flat)).toContain('Could you please pay £1,275.00 by 30 November 2026, using');
    expect(written({ ...flat, tone: 'firm' })).toContain('Please pay £1,275.00 by 30 November 2026, using');
  });
});

describe('the words around it', () => {
  it('the subject of a polite letter cannot be read as still to come', () => {
    expect(written({}).split('\n')[0]).toBe(
      'Subject: Invoice INV-1042 from Bright Studio was due on 4 November 2026',
    );
  });

  it('a final letter calls itself one thing', () => {
    const text = written({ tone: 'final' });
    expect(text).toContain(
      'Subject: Final reminder, overdue by 17 days: invoice INV-1042 from Bright Studio\n',
    );
    expect(text).toContain('This is our final reminder');
    expect(text).not.toMatch(/final notice/i);
  });

  it('nothing is called overlooked', () => {
    expect(written({ due_date: '2020-11-01' })).not.toContain('overlooked');
  });

  it('what is missing is named', () => {
    expect(notesOf({ currency: '' })).toContain(
      'The letter does without currency: ask again with it, or your client may not be sure in which currency to pay.',
    );
    expect(notesOf({ currency: '', business_name: ' ', invoice_number: '.' })).toContain(
      'The letter does without business_name, invoice_number and currency: ask again with them, or your client may not be sure who asks, which invoice it is and in which currency to pay.',
    );
    expect(notesOf().join()).not.toContain('does without');
  });

  it('what is more than a name is left out, and pointed out', () => {
    const told = (changes: Record<string, unknown>) =>
      notesOf(changes).filter((note) => note.includes('more than a name'));
    const odd = { client_name: 'Bob\n\nYou will be arrested. Pay to IBAN DE00', business_name: '<b>x</b>' };
    expect(told(odd)).toEqual([
      'The letter leaves out client_name and business_name, which are each more than a name: ask again with the name alone.',
    ]);
    expect(written(odd)).toMatch(/\n\nHello,\n.*\nKind regards,$/s);
    const number = { invoice_number: '1</b> Bcc: all@x.com' };
    expect(told(number)).toEqual([
      'The letter leaves out invoice_number, which is more than a name: ask again with the name alone.',
    ]);
    expect(written(number)).not.toContain('Bcc');
    expect(written({ business_name: 'Fresh. Fast and good' })).toContain(
      '\nKind regards,\nFresh. Fast and good',
    );
    expect(told({ business_name: 'Wonderful. Fast and good' })).toEqual([
      'The letter prints business_name as given, which is more than a name: read it before you send it.',
    ]);
    for (const name of [
      'Prof. Anna von Berg',
      'Acme, Inc.',
      'Smith & Sons Ltd. of York',
      'St. Mary by the Sea',
    ])
      expect(told({ client_name: name }), name).toEqual([]);
  });

  it.each([
    ['final', '2026-11-20', 'A final reminder in the first week is unusual'],
    ['final', '2026-11-14', 'A final reminder in the first week is unusual'],
    ['polite', '2026-09-21', 'more than 60 days late'],
  ])('%s for an invoice due on %s has a caveat', (tone, dueDate, words) => {
    expect(notesOf({ tone, due_date: dueDate }).join()).toContain(words);
  });

  it.each([
    ['final', '2026-11-13'],
    ['polite', '2026-09-22'],
    ['firm', '2026-11-20'],
  ])('%s for an invoice due on %s has none', (tone, dueDate) => {
    expect(notesOf({ tone, due_date: dueDate }).join()).not.toMatch(/in the first week|60 days late/);
  });

  it('a rate nobody gave is told once, with what to do about it', () => {
    const told = notesOf({ rate: '' }).filter((note) => note.includes('No rate was given'));
    expect(told).toEqual([
      'No rate was given, so 1.5% per month was used: unless your terms say the same, ask again with the rate of your own terms, or with 0 for no fee.',
    ]);
  });

  it.each([[{ rate: '0' }], [{ rate: '0', rate_type: 'flat' }], [{ rate: '0', grace_days: '20' }]])(
    'a letter without a fee says nothing of an agreed one: %j',
    (changes) => {
      const notes = notesOf(changes).join('\n');
      expect(notes).not.toMatch(/agreed|payment terms|Simple interest|0% per month/);
      expect(written(changes)).toContain('No late fee has been added.');
    },
  );
});
