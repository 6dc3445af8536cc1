import { describe, expect, it } from 'vitest';
import { inOrder } from '../support/facts.ts';
import { CASE, notice, TONES, written } from './notices.ts';

describe('within the days of grace', () => {
  it.each(TONES)('%s: the amount is requested on a day without a fee', (tone) => {
    const { reminder } = notice({ ...CASE, grace_days: '20', tone }).body;
    expect(reminder.pay_by).toBe('2026-11-24');
    expect(reminder.body).toMatch(inOrder('pay £1,250.00', '24 November 2026'));
    expect(reminder.body.match(/£[0-9,.]*[0-9]/g)).toEqual(['£1,250.00', '£1,250.00', '£1,250.00']);
  });

  it('no letter calls itself quick after sixty days, or offers a plan for a few coins', () => {
    expect(written({ due_date: '2026-09-21' })).not.toMatch(/\bquick\b/);
    expect(written({ due_date: '2026-09-22' })).toMatch(/\bquick\b/);
    expect(written({ tone: 'final', amount: '20' })).not.toMatch(/\bplan\b/);
    expect(written({ tone: 'final', amount: '50' })).toMatch(/\bplan\b/);
  });

  it.each(TONES)('%s: the future rate is named', (tone) => {
    expect(written({ grace_days: '20', tone })).toMatch(
      inOrder('24 November 2026', '1.5%', '30 days', '25 November 2026', 'payment terms'),
    );
    expect(written({ grace_days: '20', tone, rate_type: 'flat', rate: '25' })).toMatch(
      inOrder('24 November 2026', '£25.00', 'payment terms'),
    );
    expect(written({ grace_days: '20', tone, min_fee: '25' })).toMatch(
      inOrder('1.5%', '30', '£25.00', '25 November 2026'),
    );
    expect(written({ grace_days: '20', tone, rate: '' })).toMatch(inOrder('1.5%', '30', '25 November 2026'));
    expect(written({ grace_days: '20', tone, rate: '' })).not.toContain('payment terms');
  });

  it.each(TONES)('%s: nobody is asked to pay on the day that the letter arrives', (tone) => {
    const { reminder } = notice({ ...CASE, grace_days: '17', tone }).body;
    expect(reminder.pay_by).toBe('2026-11-30');
    expect(reminder.body).toMatch(inOrder('30 November 2026', '1.5%', '30', '22 November 2026'));
    expect(reminder.body.match(/£[0-9,.]*[0-9]/g)).toEqual(['£1,250.00', '£1,250.00', '£1,250.00']);
    expect(reminder.body).not.toContain('by 21 November 2026,');
    // The grace ends tomorrow, a Sunday.
    expect(notice({ ...CASE, grace_days: '18', tone }).body.reminder.pay_by).toBe('2026-11-30');
  });

  it.each(TONES)('%s: a fee calculated up to a grace day, and charged since, shows its rate', (tone) => {
    const text = written({ grace_days: '10', paid_date: '2026-11-10', tone });
    expect(text).toMatch(
      inOrder('£1,250.00', '\n', '21 November 2026', '1.5%', '30', '7', '10', '£4.38', '\n', '£1,254.38'),
    );
    expect(text).not.toContain('6 days overdue');
    expect(text).toContain('10 November 2026');
  });

  it('a client has the given days to reply, even if payment is due sooner', () => {
    expect(written({ grace_days: '20', tone: 'firm' })).toMatch(inOrder('dispute', '30 November 2026'));
    expect(written({ grace_days: '20', tone: 'final' })).toMatch(
      inOrder(
        '£1,250.00',
        '24 November 2026',
        'INV-1042',
        '\n',
        '30 November 2026',
        '\n',
        '30 November 2026',
      ),
    );
  });

  it('the day moves back from a weekend, and is always after today', () => {
    const payBy = (graceDays: number, today: string) =>
      notice({ ...CASE, grace_days: graceDays }, today).body.reminder.pay_by;
    expect(payBy(18, '2026-11-19')).toBe('2026-11-20'); // grace ends on Sunday the 22nd
    expect(payBy(18, '2026-11-20')).toBe('2026-11-27');
    expect(payBy(18, '2026-11-21')).toBe('2026-11-30');
    expect(payBy(17, '2026-11-21')).toBe('2026-11-30');
    expect(payBy(365, '2026-11-21')).toBe('2026-11-30');
  });
});
