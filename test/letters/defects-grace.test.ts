import { describe, expect, it } from 'vitest';
import { CASE, notice, TONES, written } from './notices.ts';

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
