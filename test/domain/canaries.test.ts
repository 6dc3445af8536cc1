import { describe, expect, it } from 'vitest';
import { addDays, dayText, parseDay } from '../../src/domain/calendar.ts';
import { currencyDigits } from '../../src/domain/currency.ts';
import { lateFee } from '../../src/domain/late-fee.ts';
import type { LateFeeTerms } from '../../src/domain/late-fee-terms.ts';
import { type Minor, minorNumber, minorText } from '../../src/domain/money.ts';
import { type QuoteRequest, quote } from '../../src/domain/quote.ts';
import { quotePack } from '../../src/domain/quote-pack.ts';
import { reminder } from '../../src/domain/reminder.ts';
import { codePoints } from '../../src/domain/text.ts';
import { letter, reminderRequest } from './letter-samples.ts';
import { day, dec, faultCodes, items, lateFeeTerms, packRequest, quoteRequest, valued } from './samples.ts';

// Each case fails under one plausible mistake, which its name states.
const fee = (changes: Partial<LateFeeTerms> = {}) => {
  const { fee, totalDue, digits, ...rest } = valued(lateFee(lateFeeTerms(changes)));
  return { ...rest, fee: minorText(fee, digits), total: minorText(totalDue, digits) };
};
const figures = (changes: Partial<QuoteRequest>) => {
  const { lines, subtotal, discount, taxable, tax, total, deposit, balance, digits } = valued(
    quote(quoteRequest(changes)),
  );
  const text = (amount: Minor) => minorText(amount, digits);
  return {
    lines: lines.map(({ lineTotal }) => text(lineTotal)),
    totals: [subtotal, discount, taxable, tax, total, deposit, balance].map(text),
  };
};

describe('a late fee', () => {
  it('for 1250 and 17 days is 10.63, not 10.62 as with half-even rounding', () => {
    expect(fee()).toMatchObject({ daysLate: 17, fee: '10.63', total: '1260.63' });
  });

  it.each([
    ['2026-11-28', '15.00'],
    ['2026-12-05', '19.38'],
    ['2026-12-21', '29.38'],
  ])('that is paid by %s is %s, not a rounded daily amount times the days', (paid, expected) => {
    expect(fee({ paidDate: day(paid) }).fee).toBe(expected);
  });

  it('of 0.00 still belongs to an overdue invoice', () => {
    expect(fee({ amount: dec('0.01'), dueDate: day('2026-10-07') })).toMatchObject({
      daysLate: 45,
      fee: '0.00',
      status: 'overdue',
    });
  });

  it('of half a cent is rounded up to a cent', () => {
    const oneDay = { dueDate: day('2026-11-20'), amount: dec(100), rate: dec('0.005') };
    expect(fee({ ...oneDay, rateType: 'daily_percent' }).fee).toBe('0.01');
  });

  it('of 0.49995 is not cut to 0.49', () => {
    expect(fee({ amount: dec('33.33'), dueDate: day('2026-10-22') })).toMatchObject({
      daysLate: 30,
      fee: '0.50',
    });
  });

  it('counts 29 February to 1 March as one day', () => {
    expect(fee({ dueDate: day('2024-02-29'), paidDate: day('2024-03-01') }).daysLate).toBe(1);
  });

  it('cannot have 29 February 2026 as a date', () => {
    expect(parseDay('2026-02-29')).toBeNull();
  });

  it('for an invoice that is paid early is not negative', () => {
    expect(fee({ dueDate: day('2026-01-10'), paidDate: day('2026-01-05') })).toMatchObject({
      daysLate: 0,
      chargeableDays: 0,
      fee: '0.00',
      total: '1250.00',
      status: 'not_overdue',
    });
  });

  it('for an invoice that was paid early comes with no notice', () => {
    const early = valued(lateFee(lateFeeTerms({ dueDate: day('2026-01-10'), paidDate: day('2026-01-05') })));
    expect(faultCodes(reminder(early, reminderRequest({ tone: 'final' })))).toEqual([
      '/due_date invoice_not_overdue',
    ]);
  });

  it('with five days of grace is zero after five days, and counts one day after six', () => {
    expect(fee({ dueDate: day('2026-11-16'), graceDays: 5 }).chargeableDays).toBe(0);
    expect(fee({ dueDate: day('2026-11-15'), graceDays: 5 }).chargeableDays).toBe(1);
  });

  it('that is flat is not charged within the days of grace', () => {
    const flat = { rateType: 'flat', rate: dec(25), dueDate: day('2026-11-18') } as const;
    expect(fee({ ...flat, graceDays: 5 }).fee).toBe('0.00');
    expect(fee({ ...flat, graceDays: 2 }).fee).toBe('25.00');
  });

  it('at the default rate gets a warning if the rate is yearly', () => {
    const { warnings } = fee({ rateDefaulted: true, rateType: 'annual_percent' });
    expect(warnings[0]).toMatch(/\brate\b.*1\.5%/);
  });

  it('for 360 days at a monthly rate is the fee for twelve months, with a yearly equivalent of 18.25%', () => {
    expect(fee({ amount: dec(1000), dueDate: day('2025-11-26') })).toMatchObject({
      daysLate: 360,
      fee: '180.00',
      nominalAnnualPercent: dec(18),
      annualEquivalentPercent: dec('18.25'),
    });
  });

  it('for a leap year has interest for 366 days, each a 365th of the yearly rate', () => {
    const leap = { amount: dec(36500), rate: dec(10), rateType: 'annual_percent' } as const;
    expect(fee({ ...leap, dueDate: day('2024-01-01'), paidDate: day('2025-01-01') }).fee).toBe('3660.00');
  });
});

describe('a quote', () => {
  it('rounds half a cent in a line up even if floating-point numbers fall short of it', () => {
    expect(
      figures({
        items: items(['0.5', '19.99'], [3, 100], [1, -25]),
        discountPercent: dec(10),
        taxPercent: dec('8.875'),
        depositPercent: dec('33.3333'),
      }),
    ).toEqual({
      lines: ['10.00', '300.00', '-25.00'],
      totals: ['285.00', '28.50', '256.50', '22.76', '279.26', '93.09', '186.17'],
    });
    expect(figures({ items: items([1, '1.005'], [1, '2.675']) }).lines).toEqual(['1.01', '2.68']);
  });

  it('in yen has no decimals', () => {
    expect(
      figures({
        currency: 'JPY',
        items: items([2, 1980], ['1.5', 333]),
        discountPercent: dec('7.5'),
        taxPercent: dec(10),
        depositPercent: dec(30),
      }),
    ).toEqual({ lines: ['3960', '500'], totals: ['4460', '335', '4125', '413', '4538', '1361', '3177'] });
  });

  it('in dinars has three decimals', () => {
    expect(
      figures({
        currency: 'KWD',
        items: items([3, '1.2345'], ['0.25', 10]),
        discountPercent: dec(1),
        taxPercent: dec(5),
        depositPercent: dec(10),
      }),
    ).toEqual({
      lines: ['3.704', '2.500'],
      totals: ['6.204', '0.062', '6.142', '0.307', '6.449', '0.645', '5.804'],
    });
  });

  it('in forint, rupiah or pesos has two decimals in every version of Node.js', () => {
    expect(['HUF', 'IDR', 'COP'].map(currencyDigits)).toEqual([2, 2, 2]);
  });

  it('with a discount of 100% has a total of 0.00, never -0.00', () => {
    const whole = {
      items: items([3, '33.33']),
      discountPercent: dec(100),
      taxPercent: dec(20),
      depositPercent: dec(50),
    };
    expect(figures(whole).totals).toEqual(['99.99', '99.99', '0.00', '0.00', '0.00', '0.00', '0.00']);
    const { total, digits } = valued(quote(quoteRequest(whole)));
    expect(JSON.stringify(minorNumber(total, digits))).toBe('0');
    expect(Object.is(minorNumber(total, digits), 0)).toBe(true);
  });

  it('below zero is refused', () => {
    expect(faultCodes(quote(quoteRequest({ items: items([1, -100]) })))).toEqual([
      '/items negative_subtotal',
    ]);
  });

  it('of 31 January 2028 that is valid for 30 days ends on 1 March', () => {
    expect(dayText(addDays(day('2028-01-31'), 30))).toBe('2028-03-01');
  });

  it('takes its tax from the rounded lines, once on the sum', () => {
    expect(figures({ items: items([1, '82.6446']), taxPercent: dec(21) }).totals[4]).toBe('99.99');
    const many = items(...Array(10).fill([1, '0.14']));
    expect(figures({ items: many, taxPercent: dec(10) }).totals[3]).toBe('0.14');
  });
});

describe('a letter', () => {
  it('has no additional header if a name contains a line break', () => {
    const { subject, body } = letter({}, { clientName: 'A\r\nBcc: x@y.z', invoiceNumber: '7\nCc: a@b.c' });
    expect(body.split('\n')[0]).toBe('Hello A Bcc: x@y.z,');
    expect(subject).toBe('Invoice 7 Cc: a@b.c from Bright Studio was due on 4 November 2026');
  });

  it('does not interpret a name as a replacement pattern, template or markup', () => {
    const { body } = letter({}, { clientName: '$& $1 {{x}} <b>' });
    expect(body.startsWith('Hello $& $1 {{x}} <b>,\n')).toBe(true);
  });

  it('keeps a name of 120 code points uncut', () => {
    const clientName = '名'.repeat(119).concat('👍');
    expect(codePoints(clientName)).toBe(120);
    expect(letter({}, { clientName }).body).toContain(`Hello ${clientName},`);
  });
});

describe('a pack', () => {
  const markups = (changes: Parameters<typeof packRequest>[0]) =>
    valued(quotePack(packRequest(changes))).tiers.map(({ markupPercent }) => markupPercent);

  it('has twice the better markup as the default for best', () => {
    expect(markups({ betterMarkup: dec(60) })).toEqual([dec(0), dec(60), dec(120)]);
  });

  it('is refused if best is below better', () => {
    expect(faultCodes(quotePack(packRequest({ betterMarkup: dec(50), bestMarkup: dec(25) })))).toEqual([
      '/best_markup_percent best_below_better',
    ]);
  });

  it('keeps fractions of a cent in a price', () => {
    const [, better] = valued(quotePack(packRequest({ items: items([1000, '0.0088']) }))).tiers;
    expect(better.quote.lines[0]).toMatchObject({ unitPrice: dec('0.011'), lineTotal: 1_100n });
  });
});
