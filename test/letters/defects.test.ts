import { describe, expect, it } from 'vitest';
import { factsIn, inOrder } from '../support/facts.ts';
import { CASE, fee, notesOf, notice, TONES, written } from './notices.ts';

const faultOf = (changes: Record<string, unknown>, today?: string) =>
  notice({ ...CASE, ...changes }, today).faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('the dates of a letter', () => {
  const past = { due_date: '2026-01-04', paid_date: '2026-01-21' };

  it.each(TONES)('%s: the payment deadline is never past, and a past day of calculation is named', (tone) => {
    const text = written({ ...past, tone });
    expect(text).toContain('30 November 2026');
    expect(text).not.toContain('28 January 2026');
    expect(text).toContain('21 January 2026');
    expect(text).not.toMatch(/\b(?:now|ago|yet)\b/);
    expect(text).toMatch(inOrder('Total', '£1,450.63')); // 321 days
  });

  it('later sums count from the day of sending', () => {
    const { reminder } = notice({ ...CASE, ...past }).body;
    expect(reminder.if_paid_by.map(({ date }: { date: string }) => date)).toEqual([
      '2026-11-28',
      '2026-12-05',
      '2026-12-21',
    ]);
  });

  it('a future day of calculation is refused for a letter', () => {
    expect(faultOf({ paid_date: '2027-06-30' })).toEqual(['/paid_date date_in_future']);
    expect(faultOf({ due_date: '2027-01-04', paid_date: '2027-01-21' })).toEqual([
      '/paid_date date_in_future',
      '/due_date invoice_not_overdue',
    ]);
    expect(faultOf({ paid_date: '2026-11-23' })).toEqual(['/paid_date date_in_future']);
    // A place where a day has begun that UTC has not reached yet.
    expect(faultOf({ paid_date: '2026-11-22' })).toEqual([]);
  });

  it('a future day of calculation gets a warning from the calculator', () => {
    const { body } = fee({ amount: 1250, rate: 1.5, due_date: '2026-11-04', paid_date: '2027-06-30' });
    expect(body.warnings.map(factsIn)).toEqual([['30 June 2027']]);
    expect(
      fee({ amount: 1250, rate: 1.5, due_date: '2026-11-04', paid_date: '2026-11-22' }).body.warnings,
    ).toEqual([]);
  });

  it('a given day of calculation has a caveat, and the letter does not say that nothing was paid', () => {
    const said = (changes: object) => notesOf({ ...changes }).filter((note) => /\bpaid\b/.test(note));
    expect(said({ paid_date: '2026-11-21' }).map(factsIn)).toEqual([['21 November 2026']]);
    expect(notesOf(past).join()).toContain('paid_date');
    expect(said({})).toEqual(said({ paid_date: '2026-11-21' }));
  });

  it('a weekend moves the payment deadline to Monday, also with pay_within_days', () => {
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

  it('an invoice that is not due yet is refused in words that do not suggest another date', () => {
    const [fault] = notice({ ...CASE, due_date: '2026-12-24' }).faults;
    expect(fault).toEqual({
      pointer: '/due_date',
      code: 'invoice_not_overdue',
      detail: expect.stringMatching(inOrder('24 December 2026', '21 November 2026')),
      hint: expect.stringMatching(inOrder('due_date', '25 December 2026')),
    });
    expect(
      factsIn(notice({ ...CASE, due_date: '2026-11-10', paid_date: '2026-11-05' }).faults[0]?.hint),
    ).toEqual(['paid_date', 'due_date']);
  });
});

describe('what a letter asks to be paid', () => {
  it.each(TONES)('%s: asks for one sum', (tone) => {
    const text = written({ tone });
    expect(text).toMatch(
      inOrder('£1,250.00', '\n', '21 November 2026', '1.5%', '30', '17', '£10.63', '\n', '£1,260.63'),
    );
  });

  it.each(TONES)('%s: adds whole coins for a day', (tone) => {
    expect(written({ tone })).toContain('of £0.63 a day');
    expect(written({ tone, amount: '1000' })).toContain('of £0.50 a day');
    expect(written({ tone, rate: '11.75', rate_type: 'annual_percent' })).toContain('of £0.40 a day');
    expect(written({ tone, amount: '10001', currency: 'JPY' })).toContain('of ¥5 a day');
    expect(written({ tone, amount: '101', currency: 'JPY' })).not.toContain(' a day');
  });

  it.each(TONES)('%s: has no row for a fee that rounds to nothing today', (tone) => {
    const text = written({ tone, amount: '5', due_date: '2026-11-20', currency: 'USD' });
    expect(text).toContain('\nAmount due: $5.00\n');
    expect(text).not.toMatch(/0\.00\b.*fee|fee.*\b0\.00/);
  });

  it.each(TONES)('%s: says how to pay', (tone) => {
    const howToPay = (text: string) => /pay £.*payment details (.*?)[.?;]/.exec(text)?.[1];
    expect(howToPay(written({ tone }))).toMatch(inOrder(' invoice', 'INV-1042'));
    expect(howToPay(written({ tone, invoice_number: '' }))).toMatch(/ invoice$/);
    const details = 'IBAN GB33 BUKB 2020 1555 5555 55\r\n\nBIC BUKBGB22\u202e';
    const text = written({ tone, payment_details: details });
    expect(howToPay(text)).toMatch(inOrder('below', 'INV-1042'));
    expect(text).toMatch(/\n\n[^\n]+:\nIBAN GB33 BUKB 2020 1555 5555 55\nBIC BUKBGB22\n\n/);
    expect(faultOf({ payment_details: 'x'.repeat(301) })).toEqual(['/payment_details too_long']);
    expect(faultOf({ payment_details: 'x\n'.repeat(11) })).toEqual(['/payment_details too_many']);
    expect(written({ tone, payment_details: ' \n ' })).toBe(written({ tone }));
  });

  it.each(TONES)('%s: names a minimum and a maximum with the basis', (tone) => {
    const least = written({ tone, min_fee: '25' });
    expect(least).toMatch(inOrder('21 November 2026', '1.5%', '30', '17', '£25.00', '£25.00'));
    expect(least).toMatch(inOrder('pay £1,275.00'));
    expect(least).not.toMatch(/(?:a|each) day\b/);
    const most = written({ tone, max_fee: '5' });
    expect(most).toMatch(inOrder('1.5%', '30', '17', '£5.00', '£5.00'));
    expect(most).toMatch(inOrder('pay £1,255.00'));
  });

  it.each([
    [{ rate: '0', min_fee: '40' }, '£40.00'],
    [{ min_fee: '40', max_fee: '40' }, '£40.00'],
    [{ rate_type: 'flat', rate: '40', max_fee: '25' }, '£25.00'],
    [{ rate_type: 'flat', rate: '10', min_fee: '25' }, '£25.00'],
  ])('a fee that does not depend on days is flat, whatever it is made of: %j', (changes, fee) => {
    for (const tone of TONES) {
      const text = written({ ...changes, tone });
      expect(text).toMatch(inOrder('\n', 'flat', `: ${fee}`, '\n'));
      expect(text).not.toMatch(/at (?:least|most)|0% per/);
      expect(written({ ...changes, tone, grace_days: '20' })).toMatch(inOrder('24 November 2026', fee));
    }
  });

  it.each(TONES)('%s: payment details that name a reference get no second one', (tone) => {
    for (const details of [
      'IBAN GB33\nReference: 77',
      'IBAN GB33\nquote inv-1042',
      'Ref 77',
      'Please quote your number',
    ])
      expect(written({ tone, payment_details: details })).toMatch(/\bpay £.* below[.?;]/);
  });
});

describe('which sum is asked for', () => {
  it('is said if there is one for each day, and if there is only one', () => {
    expect(written({})).toMatch(inOrder('£1,260.63', '30 November 2026'));
    expect(written({ tone: 'firm' })).toMatch(inOrder('£1,260.63', '30 November 2026'));
    const flat = { rate_type: 'flat', rate: '25' };
    expect(written(flat)).toMatch(inOrder('£1,275.00', '30 November 2026'));
    expect(written({ ...flat, tone: 'firm' })).toMatch(inOrder('£1,275.00', '30 November 2026'));
  });
});
