import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { factsIn } from '../support/facts.ts';
import { DATES, faults, fee, get } from './late-fees.ts';
import { faultsOf, problemOf } from './wire.ts';

describe('an amount', () => {
  it.each(['5', '+5', '5+', '%205%20', '05', '5.0', '5.000000'])('may be written as %s', async (text) => {
    expect((await fee(`amount=${text}&${DATES}`)).amount).toBe(5);
  });

  it.each([
    ...'%2B5 -5 1,000 1.000,00 1_000 1%20000 1e3 0x10 0b1 NaN Infinity %EF%BC%95 %D9%A5'.split(' '),
    ...'$5 5USD .5 5. 5..0 null true [5]'.split(' '),
    '9'.repeat(100),
    '5%00',
  ])('must not be written as %s', async (text) => {
    expect(await faults(`amount=${text}&${DATES}`)).toEqual(['/amount invalid_number']);
  });

  it(proves('2.1-amount', 'is required: an empty or blank value is not an amount'), async () => {
    for (const query of ['', 'amount', 'amount=', 'amount=+', 'amount=%20', 'amount=%09'])
      expect(await faults(`${query}&${DATES}`)).toEqual(['/amount required']);
  });

  it('has at most two decimal places, or as many as its currency has', async () => {
    expect(await faults(`amount=5.001&${DATES}`)).toEqual(['/amount too_precise']);
    expect(await faults(`amount=5.0000001&${DATES}`)).toEqual(['/amount too_precise']);
    expect(await faults(`amount=5.5&currency=JPY&${DATES}`)).toEqual(['/amount too_precise']);
    expect(await faults(`amount=5.0001&currency=KWD&${DATES}`)).toEqual(['/amount too_precise']);
    expect((await fee(`amount=5.001&currency=KWD&${DATES}`)).amount).toBe(5.001);
  });

  it('is between 0.01 and 1,000,000,000', async () => {
    expect((await fee(`amount=0.01&${DATES}`)).amount).toBe(0.01);
    expect((await fee(`amount=1000000000&${DATES}`)).amount).toBe(1_000_000_000);
    for (const text of ['0', '0.00', '0.009', '1000000000.01', '1000000001'])
      expect(await faults(`amount=${text}&${DATES}`)).toContain('/amount out_of_range');
  });
});

describe('a date', () => {
  it(proves('2.1-due-date', 'is required as YYYY-MM-DD'), async () => {
    expect(await faults('amount=5&due_date=')).toEqual(['/due_date required']);
    expect(await faults('amount=5&due_date=04.11.2026')).toEqual(['/due_date invalid_date']);
  });

  it.each([
    ...'2026-02-29 2025-02-30 2026-04-31 2026-13-01 2026-00-10 2026-01-00 1969-12-31'.split(' '),
    ...'2026-1-5 20260105 2026-W01-1 2026-001 2026-01-05T00:00:00Z 2026-01-05Z'.split(' '),
    ...'%2B02026-01-05 05/01/2026 tomorrow 1795262500 %EF%BC%92026-01-05'.split(' '),
  ])('is refused if it does not exist or has another format: %s', async (text) => {
    expect(await faults(`amount=5&due_date=${text}`)).toEqual(['/due_date invalid_date']);
    expect(await faults(`amount=5&due_date=2026-01-05&paid_date=${text}`)).toEqual([
      '/paid_date invalid_date',
    ]);
  });

  it('that does not exist is quoted in the error, with the first and the last valid date', async () => {
    const { errors } = await problemOf(await get('amount=5&due_date=2026-02-29'));
    expect(factsIn(errors?.[0]?.detail)).toEqual(['2026-02-29', '1970-01-01', '9999-12-31']);
  });

  it('may be the first or the last day of the calendar', async () => {
    const { days_late: days } = await fee('amount=1&rate=0&due_date=1970-01-01&paid_date=9999-12-31');
    expect(days).toBe(2_932_896);
  });

  it('is today if it is empty', async () => {
    expect((await fee('amount=5&due_date=2026-11-04&paid_date=')).paid_date).toBe('2026-11-21');
  });
});

describe('a rate', () => {
  it.each([
    ['rate=1000', []],
    ['rate=1000.01', ['/rate out_of_range']],
    ['rate=10&rate_type=daily_percent', []],
    ['rate=10.000001&rate_type=daily_percent', ['/rate out_of_range']],
    ['rate=1000000000&rate_type=flat', []],
    ['rate=1000000000.01&rate_type=flat', ['/rate out_of_range']],
    ['rate=1.234&rate_type=flat', ['/rate too_precise']],
    ['rate_type=flat&currency=JPY', ['/rate required']],
    ['rate=1.5&rate_type=flat&currency=JPY', ['/rate too_precise']],
    ['rate=-1', ['/rate invalid_number']],
    ['rate_type=weekly', ['/rate_type invalid_choice']],
    ['rate_type=FLAT', ['/rate_type invalid_choice']],
    ['grace_days=365', []],
    ['grace_days=366', ['/grace_days out_of_range']],
    ['grace_days=-1', ['/grace_days invalid_integer']],
    ['grace_days=1.0', ['/grace_days invalid_integer']],
    ['currency=USDC', ['/currency invalid_currency']],
  ])('is checked: %s has the faults %j', async (query, expected) => {
    const response = await get(`amount=1000&${DATES}&${query}`);
    expect(response.status === 200 ? [] : await faultsOf(response)).toEqual(expected);
  });
});

describe('the names of parameters', () => {
  it.each([
    ['grace', 'grace_days'],
    ['ammount', 'amount'],
    ['dueDate', 'due_date'],
    ['due', 'due_date'],
    ['rate-type', 'rate_type'],
    ['Amount', 'amount'],
  ])('are corrected: the unknown %s is refused with the hint %s', async (name, meant) => {
    const { errors } = await problemOf(await get(`amount=5&${DATES}&${name}=3`));
    expect(errors).toEqual([
      {
        pointer: `/${name}`,
        code: 'unknown_field',
        detail: expect.stringContaining('field'),
        hint: expect.stringMatching(new RegExp(`\\b${meant}\\?$`)),
      },
    ]);
  });

  it('are refused if they occur twice, whichever value is right', async () => {
    expect(await faults(`amount=100&amount=200&${DATES}`)).toEqual(['/amount repeated_parameter']);
    expect(await faults(`amount=100&amount=100&${DATES}`)).toEqual(['/amount repeated_parameter']);
    expect(await faults(`amount=5&${DATES}&tone=firm&tone=final`)).toEqual(['/tone repeated_parameter']);
    expect(await faults(`amount[]=5&amount[]=6&${DATES}`)).toEqual([
      '/amount[] repeated_parameter',
      '/amount required',
      '/amount[] unknown_field',
    ]);
  });

  it("get no special treatment, even if an object's prototype has them", async () => {
    expect(await faults(`amount=5&${DATES}&__proto__=1&constructor=2&hasOwnProperty=3`)).toEqual([
      '/__proto__ unknown_field',
      '/constructor unknown_field',
      '/hasOwnProperty unknown_field',
    ]);
  });
});
