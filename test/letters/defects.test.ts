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
