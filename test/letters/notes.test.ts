import { describe, expect, it } from 'vitest';
import { CASE, fee, notesOf, TONES, written } from './notices.ts';

const SUM = { amount: '1250', due_date: '2026-11-04', rate: '1.5', currency: 'GBP' };
const warnings = (changes: object) => fee({ ...SUM, ...changes }).body.warnings;
const notes = (changes: object): string[] => {
  const { body } = fee({ ...SUM, ...changes });
  return [...body.warnings, ...body.caveats];
};

describe('the notes of an answer', () => {
  it('are those of the case, the important ones first', () => {
    expect(notes({})).toMatchInlineSnapshot(`
      [
        "A late fee of your own needs to be agreed before the work, for example in a contract or accepted terms. Between businesses in the UK and the EU the law gives interest without agreement: jurisdiction GB or EU shows it, to claim instead of this fee and never on top of it.",
        "Many places limit late fees and protect consumers more than businesses: check the rule for you and your client; this is arithmetic on the figures given, not legal advice.",
        "Simple interest by calendar day: a month counts as 30 days. 1.5% per month is 18% a year by the month and 18.25% over 365 days; some places, such as Canada, expect your terms to state the yearly rate too.",
      ]
    `);
    expect(notesOf({})).toMatchInlineSnapshot(`
      [
        "The letter says that this fee is in your payment terms: send it only if your client agreed to it. Between businesses in the UK and the EU the law gives interest without agreement: jurisdiction GB or EU shows it, to claim instead of this fee and never on top of it.",
        "The days and the fee are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by then: if your client has paid, do not send it.",
        "Many places limit late fees and protect consumers more than businesses: check the rule for you and your client; this is arithmetic on the figures given, not legal advice.",
        "Simple interest by calendar day: a month counts as 30 days. 1.5% per month is 18% a year by the month and 18.25% over 365 days; some places, such as Canada, expect your terms to state the yearly rate too.",
      ]
    `);
  });

  it('are five at most, and none stands twice, whatever is unusual', () => {
    for (const tone of TONES) {
      const odd = {
        ...CASE,
        tone,
        rate: '',
        rate_type: 'annual_percent',
        currency: '',
        business_name: '',
        invoice_number: '',
        due_date: '2015-01-01',
        paid_date: '2024-01-01',
        amount: '0.01',
      };
      const told = notesOf(odd);
      expect(told.length).toBeLessThanOrEqual(5);
      expect(new Set(told).size).toBe(told.length);
      const [records, ...rest] = tone === 'final' ? told : ['', ...told];
      expect(records).toMatch(tone === 'final' ? /^A final reminder should not rest/ : /^$/);
      expect(rest[0]).toContain('No rate was given');
      expect(rest[1]).toContain('nothing was paid by 1 January 2024');
    }
  });

  it('say first that a fee is in the terms, wherever the letter says so', () => {
    const odd = {
      due_date: '1996-11-04',
      paid_date: '2024-01-01',
      rate: '0.015',
      currency: '',
      business_name: '<b>x</b>',
      invoice_number: 'Credit note 3',
    };
    for (const tone of TONES)
      for (const changes of [
        {},
        odd,
        { grace_days: '20' },
        { rate_type: 'flat', rate: '25' },
        { max_fee: '5' },
      ]) {
        expect(written({ tone, ...changes })).toContain('payment terms');
        // But for what speaks against sending it at all.
        const first = notesOf({ tone, ...changes }).find(
          (note) => !note.startsWith('A final reminder should'),
        );
        expect(first).toMatch(
          /^The letter says that this fee is in your payment terms: send it only if your client agreed to it\. /,
        );
        expect(notesOf({ tone, ...changes }).join()).not.toContain('A late fee of your own');
      }
    for (const changes of [{ rate: '0' }, { rate: '' }, { amount: '0.01' }, { rate: '', grace_days: '20' }]) {
      expect(written(changes)).not.toContain('payment terms');
      expect(notesOf(changes).join()).not.toContain('your payment terms: send');
    }
  });

  it('say nothing of a day worked out to where no fee is worked out', () => {
    const plain =
      'The days are counted to 21 November 2026: send the letter that day, or ask again. It says that nothing was paid by then: if your client has paid, do not send it.';
    for (const changes of [
      { rate: '0' },
      { grace_days: '20' },
      { grace_days: '17' },
      { rate_type: 'flat', rate: '25' },
    ])
      expect(notesOf({ paid_date: '2026-11-21', ...changes })).toContain(plain);
    expect(notesOf({ paid_date: '2026-11-21' })).not.toContain(plain);
  });

  it('speak of days of grace only where there are some', () => {
    for (const rateType of ['monthly_percent', 'annual_percent', 'daily_percent']) {
      expect(notes({ rate: '0.05', rate_type: rateType }).join()).not.toContain('grace');
      expect(notes({ rate: '0.05', rate_type: rateType, grace_days: '3' }).join()).toContain(
        'grace days are not charged',
      );
    }
  });

  it('say a yearly rate once where both ways of counting print the same', () => {
    expect(notes({ rate: '0.015' }).join()).toContain('0.015% per month is 0.18% a year; some places');
    expect(notes({}).join()).toContain('18% a year by the month and 18.25% over 365 days');
  });

  it('say where the law gives interest without agreement', () => {
    const [agreed] = notes({});
    expect(agreed).toMatch(/^A late fee of your own needs to be agreed/);
    expect(agreed).toContain(
      'Between businesses in the UK and the EU the law gives interest without agreement',
    );
    expect(notes({}).join()).not.toContain('counts only if');
  });

  it('say nothing of a rate that charged nothing', () => {
    expect(notes({ rate: '', due_date: '2026-11-21' }).join()).not.toContain('No rate was given');
    expect(notes({ rate: '', grace_days: '20' }).join()).not.toContain('No rate was given');
    expect(notes({ rate: '0' }).join()).not.toContain('0% per month');
  });

  it.each([
    ['monthly_percent', '1.5', '1.6', '3', '2.8'],
    ['annual_percent', '18.25', '18.26', '36.5', '35'],
    ['daily_percent', '0.05', '0.0501', '0.1', '0.09'],
  ])('are the same for the same rate: %s', (rateType, usual, above, criminal, below) => {
    const told = (rate: string) => warnings({ rate, rate_type: rateType }).join();
    expect(told(usual)).toBe('');
    expect(told(above)).toContain('Many places accept about 18% a year at most');
    expect(told(criminal)).toContain('Above 35% a year');
    expect(told(below)).not.toContain('Above 35%');
  });

  it('name a yearly rate with two decimals, and do not say it of itself', () => {
    expect(warnings({ rate: '1.51' })[0]).toMatch(/^1\.51% per month comes to 18\.37% over a year\. /);
    expect(warnings({ rate: '20', rate_type: 'annual_percent' })[0]).toMatch(/^20% per year\. Many/);
  });
});

describe('slips', () => {
  it.each([
    ['0.015', 'monthly_percent', 'A rate of 0.015 is 0.015% per month; if you mean 1.5%, send 1.5.'],
    ['0.08', 'annual_percent', 'A rate of 0.08 is 0.08% per year; if you mean 8%, send 8.'],
    ['0.0005', 'daily_percent', 'A rate of 0.0005 is 0.0005% per day; if you mean 0.05%, send 0.05.'],
  ])('a rate of %s, %s, is noticed', (rate, rateType, words) => {
    expect(warnings({ rate, rate_type: rateType })).toContain(words);
  });

  it.each([
    ['0.1', 'monthly_percent'],
    ['1', 'annual_percent'],
    ['0.005', 'daily_percent'],
    ['0.5', 'flat'],
    ['0', 'annual_percent'],
  ])('a rate of %s, %s, is none', (rate, rateType) => {
    expect(warnings({ rate, rate_type: rateType }).join()).not.toContain('if you mean');
  });

  it.each([
    ['2126-11-04', undefined],
    ['1996-11-04', undefined],
  ])('a due date of %s is in another century', (dueDate) => {
    expect(warnings({ due_date: dueDate })[0]).toMatch(/ is in another century: check its year\.$/);
    expect(warnings({ due_date: dueDate }).join()).not.toMatch(/more than five years|nothing is overdue/);
  });

  it('a new year of a new century is no slip', () => {
    expect(fee({ ...SUM, due_date: '2099-12-01' }, '2100-01-05').body.warnings).toEqual([]);
  });

  it('a day to work out to that is more than a year ago is noticed', () => {
    expect(warnings({ due_date: '2025-01-04', paid_date: '2025-11-19' })[0]).toBe(
      'The fee is worked out to 19 November 2025, more than a year ago: check the year, or leave the day out to work it out to today.',
    );
    expect(warnings({ due_date: '2025-01-04', paid_date: '2025-11-20' })).toEqual([]);
  });
});

describe('a minimum and a maximum', () => {
  const limited = (changes: object) => {
    const { body, faults } = fee({ ...SUM, ...changes });
    return body === null
      ? faults.map(({ pointer, code }) => `${pointer} ${code}`)
      : [body.late_fee, body.fee_limit, body.formula, body.total_due];
  };

  it('hold the fee once it has begun', () => {
    expect(limited({ min_fee: '25' })).toEqual([
      25,
      'min_fee',
      '1250.00 x 1.5% x 17 / 30 = 10.63, raised to the minimum = 25.00',
      1275,
    ]);
    expect(limited({ max_fee: '5' })).toEqual([
      5,
      'max_fee',
      '1250.00 x 1.5% x 17 / 30 = 10.63, cut to the maximum = 5.00',
      1255,
    ]);
    expect(limited({ min_fee: '10.63', max_fee: '10.63' }).slice(0, 2)).toEqual([10.63, null]);
    expect(limited({ min_fee: '25', max_fee: '25' }).slice(0, 2)).toEqual([25, 'min_fee']);
    expect(limited({ min_fee: '25', grace_days: '20' }).slice(0, 2)).toEqual([0, null]);
    expect(limited({ min_fee: '25', due_date: '2026-11-21' }).slice(0, 2)).toEqual([0, null]);
    expect(limited({ rate: '40', rate_type: 'flat', max_fee: '25' }).slice(0, 3)).toEqual([
      25,
      'max_fee',
      'flat fee, charged once = 40.00, cut to the maximum = 25.00',
    ]);
  });

  it('are money of the invoice, and the minimum is at most the maximum', () => {
    expect(limited({ min_fee: '30', max_fee: '25' })).toEqual(['/min_fee out_of_range']);
    expect(limited({ min_fee: '0.001', max_fee: '0.001' })).toEqual([
      '/min_fee too_precise',
      '/max_fee too_precise',
    ]);
    expect(limited({ min_fee: '-1' })).toEqual(['/min_fee invalid_number']);
  });

  it('are told back, with the fee before rounding', () => {
    expect(fee({ ...SUM, min_fee: '25' }).body).toMatchObject({
      min_fee: 25,
      max_fee: null,
      unrounded_fee: '10.625',
      daily_accrual: 0.625,
    });
  });
});
