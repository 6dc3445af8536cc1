import { describe, expect, it } from 'vitest';
import { inOrder } from '../support/facts.ts';
import { answerTo, CASE, notesOf, notice, TONES, written } from './notices.ts';

const GB = { jurisdiction: 'GB' };
const codesOf = (changes: object) =>
  notice({ ...CASE, ...changes }).faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a letter that claims statutory interest', () => {
  it.each(TONES)('%s: names the act, the rate, the sums, the daily amount, and one sum to pay', (tone) => {
    const text = written({ ...GB, tone, claim: 'statutory', amount: '4800', due_date: '2026-08-31' });
    expect(text).toMatch(
      inOrder(
        'Invoice: £4,800.00',
        '\n',
        'Interest to 21 November 2026',
        '11.75%',
        '82 days',
        '£126.71',
        '\n',
        'compensation: £70.00',
        '\n',
        'Total to pay: £4,996.71',
      ),
    );
    expect(text).toMatch(
      inOrder(
        'he Late Payment of Commercial Debts (Interest) Act 1998',
        '8%',
        "the Bank of England's Bank Rate of 3.75% on 30 June 2026",
        '£70.00',
      ),
    );
    expect(text).toMatch(inOrder('pay £4,996.71'));
    expect(text).toMatch(inOrder('30 November 2026', 'interest of £1.55 a day', '22 November 2026'));
    expect(text).not.toMatch(/late fee|payment terms/);
  });

  it('names the directive and the rate of each half-year in euros', () => {
    const text = written({
      ...{ jurisdiction: 'EU', currency: 'EUR', claim: 'statutory' },
      ...{ amount: '4800', due_date: '2026-05-31', tone: 'firm' },
    });
    expect(text).toMatch(
      inOrder(
        '10.15% per year to 30 June 2026, 30 days; 10.40% per year from 1 July 2026, 144 days',
        '€236.99',
        '\n',
        '€40.00',
        '\n',
        '€5,076.99',
      ),
    );
    expect(text).toMatch(inOrder('Directive 2011/7/EU', '2.15% to 30 June 2026 and 2.40% from 1 July 2026'));
  });

  it("names each invoice's rate and sum in pounds", () => {
    const text = written({
      ...{ ...GB, claim: 'statutory', due_date: '2025-05-31', tone: 'firm' },
      more_invoices: '500 due 2026-08-31 as INV-8; 90 due 2026-09-30 as INV-9',
    });
    expect(text).toContain(
      'Bank Rate of 4.75% on 31 December 2024 for invoice INV-1042, and 3.75% on 30 June 2026 for invoice INV-8 and invoice INV-9, and fixed sums of £70.00, £40.00 and £40.00, one for each invoice.',
    );
    expect(text).toMatch(
      /\nInterest on invoice INV-1042 to 21 November 2026 \(12\.75% per year, 539 days\): £/,
    );
    expect(text).toMatch(
      /\nInterest on invoice INV-8 to 21 November 2026 \(11\.75% per year, 82 days\): £13\.20\n/,
    );
  });

  it('counts the interest on each open sum', () => {
    expect(
      written({ ...GB, claim: 'statutory', due_date: '2026-10-01', payments: '250 on 2026-10-31' }),
    ).toContain('(11.75% per year on £1,250.00 for 30 days, £1,000.00 for 21 days): £');
  });

  it.each(['polite', 'final'])(
    'warns in a %s letter of the 30 days that a court gives a sole trader',
    (tone) => {
      const told = (changes: object) =>
        notesOf({ tone, next_step: 'court', ...changes })
          .join()
          .includes('Pre-Action Protocol');
      expect(told({})).toBe(true);
      expect(told({ pay_within_days: '30' })).toBe(false);
      expect(told({ next_step: 'collection' })).toBe(false);
      expect(told({ currency: 'EUR' })).toBe(false);
    },
  );

  it('does not change the fee next to it, and says what later days cost by law', () => {
    const byLaw = answerTo({ ...CASE, ...GB, claim: 'statutory' });
    const agreed = answerTo({ ...CASE, ...GB });
    const figures = ({ warnings: _w, caveats: _c, ...fee }: Record<string, unknown>) => fee;
    expect(figures(byLaw.fee)).toEqual(figures(agreed.fee));
    expect(byLaw.reminder.amount_asked).toBe(1326.84);
    expect(byLaw.reminder.if_paid_by.slice(0, 2)).toEqual([
      { date: '2026-11-28', late_fee: 79.66, total_due: 1329.66 },
      { date: '2026-12-05', late_fee: 82.47, total_due: 1332.47 },
    ]);
  });

  it('tells the sender who the law applies to', () => {
    expect(notesOf({ ...GB, claim: 'statutory' })[0]).toMatch(inOrder('business', 'never to a consumer'));
  });

  it('is refused before a price in an unknown jurisdiction, for a consumer, and without a rate', () => {
    expect(codesOf({ claim: 'statutory' })).toEqual(['/jurisdiction required']);
    expect(codesOf({ ...GB, claim: 'statutory', currency: 'USD' })).toEqual(['/currency invalid_currency']);
    expect(codesOf({ ...GB, claim: 'statutory', client_is_consumer: 'true' })).toEqual([
      '/claim not_together',
    ]);
    expect(codesOf({ ...GB, claim: 'statutory', due_date: '2022-01-01' })).toEqual([
      '/reference_rate required',
    ]);
    expect(codesOf({ ...GB, claim: 'statutory', due_date: '2022-01-01', reference_rate: '0.25' })).toEqual(
      [],
    );
    expect(codesOf({ claim: 'statutory', jurisdiction: 'US' })).toEqual(['/jurisdiction invalid_choice']);
    expect(codesOf({ claim: 'both' })).toEqual(['/claim invalid_choice']);
  });
});

describe('a letter that only reserves a claim', () => {
  it.each(TONES)('%s: reserves the rights of the law, or of the terms', (tone) => {
    const reserved = (changes: object) => written({ tone, claim: 'reserve', ...changes });
    expect(reserved(GB)).toMatch(/right to claim interest and compensation .*Interest\) Act 1998/);
    expect(reserved({})).toMatch(/right to charge the interest in our agreed terms/);
    expect(reserved({ currency: 'USD' })).toMatch(/right to charge the late fee in our payment terms/);
    expect(reserved({ rate: '' })).toMatch(/right to charge interest or a late fee/);
    expect(reserved({ ...GB, client_is_consumer: 'true' })).not.toContain('Act 1998');
    for (const changes of [GB, {}, { rate: '' }]) {
      expect(reserved(changes)).toMatch(/\n\nAmount due: £1,250\.00\n\n/);
      expect(reserved(changes)).toContain('pay £1,250.00');
    }
  });

  it.each(TONES)('%s: does not mention a fee with claim none, or if none was meant', (tone) => {
    for (const changes of [{ claim: 'none' }, { ...GB, claim: 'none' }, { rate: '0' }, { ...GB, rate: '0' }])
      expect(written({ tone, ...changes })).not.toMatch(/\bfee\b|interest|\bright\b.*charge/i);
    expect(answerTo({ ...CASE, tone, claim: 'none' }).reminder.if_paid_by[0]).toMatchObject({
      total_due: 1250,
    });
  });
});

describe('a letter at the default rate', () => {
  it.each(TONES)('%s: names the rate, and the first caveat says that it must be in the terms', (tone) => {
    const { reminder, caveats } = answerTo({ ...CASE, tone, rate: '' });
    expect(reminder.body).toMatch(/\binterest of 1\.5% per month\b/);
    expect(reminder.body).not.toContain('payment terms');
    expect(caveats[0]).toMatch(
      inOrder('1.5% per month', 'must be in your terms', 'claim statutory or reserve', 'GB'),
    );
    expect(answerTo({ ...CASE, tone, rate: '', claim: 'agreed' })).toEqual(
      answerTo({ ...CASE, tone, rate: '' }),
    );
  });
});

describe('the style of the country', () => {
  it.each([
    ['USD', 'November 4, 2026', '$118,000.00'],
    ['GBP', '4 November 2026', '£118,000.00'],
    ['INR', '4 November 2026', '₹1,18,000.00'],
    ['PKR', '4 November 2026', 'PKR 1,18,000.00'],
    ['CHF', '4 November 2026', "CHF 118'000.00"],
    ['JPY', '4 November 2026', '¥118,000'],
    ['CAD', 'November 4, 2026', 'CA$118,000.00'],
  ])('%s has its dates and its digits', (currency, day, sum) => {
    const text = written({ currency, amount: '118000' });
    expect(text).toContain(day);
    expect(text).toContain(sum);
  });

  it('closes a final letter as is usual in its country', () => {
    expect(written({ tone: 'final', currency: 'USD' })).toContain('\nSincerely,\n');
    expect(written({ tone: 'final' })).toContain('\nYours sincerely,\n');
  });

  it.each([
    ['2', 'monthly_percent', '2% per month of 30 days, which is 24.33% per year'],
    ['0.05', 'daily_percent', '0.05% per day, which is 18.25% per year'],
    ['20', 'annual_percent', '20% per year, 17 days'],
  ])('names the yearly rate in Canadian dollars: %s %s', (rate, rate_type, basis) => {
    expect(written({ currency: 'CAD', rate, rate_type })).toContain(basis);
    expect(written({ currency: 'USD', rate, rate_type })).not.toContain('which is');
  });
});
