import { describe, expect, it } from 'vitest';
import { factsIn, inOrder } from '../support/facts.ts';
import { CASE, fee, notesOf, notice, TONES, written } from './notices.ts';

const SUM = { amount: '1250', due_date: '2026-11-04', rate: '1.5', currency: 'GBP' };
const warnings = (changes: object) => fee({ ...SUM, ...changes }).body.warnings;
const notes = (changes: object): string[] => {
  const { body } = fee({ ...SUM, ...changes });
  return [...body.warnings, ...body.caveats];
};

describe('the notes of an answer', () => {
  it('are at most five, and none occurs twice, however unusual the input is', () => {
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
      const [rate, records, ...rest] = told;
      expect(rate).toMatch(/\brate\b.*1\.5%/);
      expect(records).toMatch(tone === 'final' ? inOrder('1 January 2024', 'paid_date') : /1 January 2024/);
      if (tone === 'final') expect(rest[0]).toMatch(inOrder('1 January 2024'));
    }
  });

  it('name the law for debts of businesses only if the client may be one', () => {
    const told = (changes: object) => notesOf({ ...CASE, currency: 'GBP', ...changes }).join(' ');
    expect(told({})).toContain('Between businesses in the UK');
    expect(told({ client_is_consumer: 'true' })).toContain('a consumer does not owe a fee that is unfair');
    expect(told({ client_is_consumer: 'true' })).not.toContain('Between businesses');
  });

  it('say first that a fee is part of the terms, whenever the letter says so', () => {
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
        expect(written({ tone, ...changes })).toMatch(/(?:payment|agreed) terms/);
        // The first note may come after warnings against sending the letter at all.
        const first = notesOf({ tone, ...changes }).find((note) => !note.includes('paid_date'));
        expect(first).toMatch(/\bpayment terms\b.*\bagreed\b/);
        expect(notesOf({ tone, ...changes }).filter((note) => /\bagreed\b/.test(note))).toEqual([first]);
      }
    for (const changes of [{ rate: '0' }, { rate: '' }, { amount: '0.01' }, { rate: '', grace_days: '20' }]) {
      expect(written(changes)).not.toMatch(/(?:payment|agreed) terms/);
      expect(notesOf(changes).join()).not.toMatch(/(?:payment|agreed) terms/);
    }
  });

  it('do not mention a day of calculation if no fee is calculated', () => {
    const ofTheDay = (changes: object) =>
      notesOf({ paid_date: '2026-11-21', ...changes }).find((note) => note.includes('21 November 2026'));
    expect(ofTheDay({})).toMatch(/\bfee\b/);
    for (const changes of [
      { rate: '0' },
      { grace_days: '20' },
      { grace_days: '17' },
      { rate_type: 'flat', rate: '25' },
    ])
      expect(ofTheDay(changes)).not.toMatch(/\bfee\b/);
  });

  it('mention days of grace only if there are some', () => {
    for (const rateType of ['monthly_percent', 'annual_percent', 'daily_percent']) {
      expect(notes({ rate: '0.05', rate_type: rateType }).join()).not.toContain('grace');
      expect(notes({ rate: '0.05', rate_type: rateType, grace_days: '3' }).join()).toContain('grace');
    }
  });

  it('do not mention a rate that charged nothing', () => {
    for (const charged of [{ due_date: '2026-11-21' }, { grace_days: '20' }])
      expect(notes({ ...charged, rate: '' })).toEqual(notes({ ...charged, rate: '1.5' }));
    expect(notes({ rate: '0' }).join()).not.toContain('0%');
  });

  it.each([
    ['monthly_percent', '1.5', '1.6', '3', '2.8'],
    ['annual_percent', '18.25', '18.26', '36.5', '35'],
    ['daily_percent', '0.05', '0.0501', '0.1', '0.09'],
  ])('are the same for equivalent rates: %s', (rateType, usual, above, criminal, below) => {
    const told = (rate: string) => warnings({ rate, rate_type: rateType }).join();
    expect(told(usual)).toBe('');
    expect(told(above)).toContain('18% ');
    expect(told(criminal)).toContain('Canada');
    expect(told(below)).not.toContain('Canada');
  });

  it('state a yearly rate with two decimal places, and do not repeat a yearly rate that was sent', () => {
    expect(factsIn(warnings({ rate: '1.51' })[0])).toEqual(['1.51%', '18.37%', '18%']);
    expect(factsIn(warnings({ rate: '20', rate_type: 'annual_percent' })[0])).toEqual(['20%', '18%']);
  });

  const odd = [
    { currency: '' },
    { currency: '', business_name: '', invoice_number: '' },
    { currency: '', client_name: '<b>x</b>', business_name: '<b>x</b>' },
    { currency: '', invoice_number: 'Credit note 3' },
    { currency: '', due_date: '2019-12-31', rate: '5' },
    { currency: '', amount: '0.01', due_date: '2019-12-31' },
    { due_date: '1996-11-04', rate: '0.015', paid_date: '2026-11-22' },
    { due_date: '2026-11-20' },
    { grace_days: '20' },
    { paid_date: '2026-11-10' },
  ];

  it.each(TONES)(
    'are at most five in a %s letter, including the limits of a fee and what a final reminder is not',
    (tone) => {
      for (const one of odd)
        for (const other of odd)
          for (const rate of [{}, { rate: '' }, { rate: '40' }, { rate: '25', rate_type: 'flat' }]) {
            const changes = { ...one, ...other, ...rate, tone };
            if (notice({ ...CASE, ...changes }).body === null) continue;
            const told = notesOf(changes);
            expect(told.length).toBeLessThanOrEqual(5);
            expect(told.join('\n')).toMatch(/\blegal advice\b/);
            expect(/\bcourt\b/.test(told.join('\n'))).toBe(tone === 'final');
          }
    },
  );

  it('advise another tone only for a letter that is too strong or too mild for its day', () => {
    const advised = (tone: string, dueDate: string) =>
      notesOf({ tone, due_date: dueDate }).flatMap((note) => note.match(/\b(?:polite|firm)\b/) ?? []);
    expect(advised('final', '2026-11-14')).toEqual(['polite']);
    expect(advised('final', '2026-11-13')).toEqual([]);
    expect(advised('polite', '2026-09-21')).toEqual(['firm']);
    expect(advised('polite', '2026-09-22')).toEqual([]);
    expect(advised('firm', '2026-11-20')).toEqual([]);
  });

  it('name fields that are missing or hold more than a name, and a sum that is not worth a reminder', () => {
    const told = (changes: Record<string, unknown>, about: RegExp) =>
      notesOf(changes).filter((note) => about.test(note));
    const FIELDS = /business_name|client_name|invoice_number|currency/;
    expect(told({ currency: '', business_name: ' ', invoice_number: '.' }, FIELDS)).toEqual([
      expect.stringMatching(inOrder('business_name', 'invoice_number', 'currency')),
    ]);
    expect(told({}, FIELDS)).toEqual([]);
    expect(told({ invoice_number: '1</b> Bcc: all@x.com' }, FIELDS).map(factsIn)).toEqual([
      ['invoice_number'],
    ]);
    expect(written({ invoice_number: '1</b> Bcc: all@x.com' })).not.toContain('Bcc');
    expect(written({ business_name: 'Fresh. Fast and good' })).toMatch(/,\nFresh\. Fast and good$/);
    expect(told({ business_name: 'Wonderful. Fast and good' }, FIELDS)).toHaveLength(1);
    for (const name of [
      'Prof. Anna von Berg',
      'Acme, Inc.',
      'Smith & Sons Ltd. of York',
      'St. Mary by the Sea',
    ])
      expect(told({ client_name: name }, FIELDS), name).toEqual([]);
    expect(told({ amount: '4.99' }, /£4\.99/)).toHaveLength(1);
    expect(told({ amount: '5' }, /£5\b/)).toEqual([]);
  });

  it('warn of the 30 days that a UK court gives a sole trader, unless the letter gives them', () => {
    const isTold = (changes: object) =>
      notesOf({ tone: 'polite', next_step: 'court', ...changes })
        .join()
        .includes('Pre-Action Protocol');
    expect(isTold({})).toBe(true);
    expect(isTold({ pay_within_days: '30' })).toBe(false);
    expect(isTold({ next_step: 'collection' })).toBe(false);
    expect(isTold({ currency: 'EUR' })).toBe(false);
  });
});

describe('the warning about a likely slip', () => {
  it.each([
    ['0.015', 'monthly_percent', ['0.015', '0.015%', '1.5%', '1.5']],
    ['0.08', 'annual_percent', ['0.08', '0.08%', '8%', '8']],
    ['0.0005', 'daily_percent', ['0.0005', '0.0005%', '0.05%', '0.05']],
  ])('is given for a rate of %s, %s', (rate, rateType, facts) => {
    expect(warnings({ rate, rate_type: rateType }).map(factsIn)).toContainEqual(facts);
  });

  it.each([
    ['0.1', 'monthly_percent'],
    ['1', 'annual_percent'],
    ['0.005', 'daily_percent'],
    ['0.5', 'flat'],
    ['0', 'annual_percent'],
  ])('is not given for a rate of %s, %s', (rate, rateType) => {
    expect(warnings({ rate, rate_type: rateType }).map(factsIn)).not.toContainEqual(
      expect.arrayContaining([rate, `${rate}%`]),
    );
  });

  it.each([
    ['2126-11-04', undefined],
    ['1996-11-04', undefined],
  ])('asks to check the year of a due date of %s, in another century', (dueDate) => {
    expect(
      warnings({ due_date: dueDate }).filter((text: string) => /\bcheck\b.*\byears?\b/i.test(text)),
    ).toHaveLength(1);
  });

  it('is given for an invoice that is more than 1,825 days late', () => {
    const mild = { rate: '1', rate_type: 'annual_percent' };
    expect(warnings({ ...mild, due_date: '2021-11-22' })).toEqual([]);
    expect(warnings({ ...mild, due_date: '2021-11-21' })).toHaveLength(1);
  });

  it('is not given in the new year of a new century', () => {
    expect(fee({ ...SUM, due_date: '2099-12-01' }, '2100-01-05').body.warnings).toEqual([]);
  });

  it('is given for a day of calculation more than a year ago', () => {
    expect(factsIn(warnings({ due_date: '2025-01-04', paid_date: '2025-11-19' })[0])).toEqual([
      '19 November 2025',
    ]);
    expect(warnings({ due_date: '2025-01-04', paid_date: '2025-11-20' })).toEqual([]);
  });
});

describe('a minimum and a maximum fee', () => {
  const limited = (changes: object) => {
    const { body, faults } = fee({ ...SUM, ...changes });
    return body === null
      ? faults.map(({ pointer, code }) => `${pointer} ${code}`)
      : [body.late_fee, body.fee_limit, body.formula, body.total_due];
  };

  it('limit the fee only once it is charged', () => {
    expect(limited({ min_fee: '25' })).toEqual([
      25,
      'min_fee',
      expect.stringMatching(/^1250\.00 x 1\.5% x 17 \/ 30 = 10\.63, .* = 25\.00$/),
      1275,
    ]);
    expect(limited({ max_fee: '5' })).toEqual([
      5,
      'max_fee',
      expect.stringMatching(/^1250\.00 x 1\.5% x 17 \/ 30 = 10\.63, .* = 5\.00$/),
      1255,
    ]);
    expect(limited({ min_fee: '10.63', max_fee: '10.63' }).slice(0, 2)).toEqual([10.63, null]);
    expect(limited({ min_fee: '25', max_fee: '25' }).slice(0, 2)).toEqual([25, 'min_fee']);
    expect(limited({ min_fee: '25', grace_days: '20' }).slice(0, 2)).toEqual([0, null]);
    expect(limited({ min_fee: '25', due_date: '2026-11-21' }).slice(0, 2)).toEqual([0, null]);
    expect(limited({ rate: '40', rate_type: 'flat', max_fee: '25' }).slice(0, 3)).toEqual([
      25,
      'max_fee',
      expect.stringMatching(/ = 40\.00, .* = 25\.00$/),
    ]);
  });

  it('are in the currency of the invoice, and the minimum is at most the maximum', () => {
    expect(limited({ min_fee: '30', max_fee: '25' })).toEqual(['/min_fee out_of_range']);
    expect(limited({ min_fee: '0.001', max_fee: '0.001' })).toEqual([
      '/min_fee too_precise',
      '/max_fee too_precise',
    ]);
    expect(limited({ min_fee: '-1' })).toEqual(['/min_fee invalid_number']);
  });

  it('are returned together with the fee before rounding', () => {
    expect(fee({ ...SUM, min_fee: '25' }).body).toMatchObject({
      min_fee: 25,
      max_fee: null,
      unrounded_fee: '10.625',
      daily_accrual: 0.625,
    });
  });
});
