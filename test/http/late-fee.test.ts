import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { testApp } from '../support/app.ts';
import { answerOf, faultsOf, type Json, problemOf } from './wire.ts';

const app = testApp();
const get = (query: string) => app.get(`/v1/late-fee?${query}`);
const fee = async (query: string): Promise<Json> => answerOf(await get(query));
const faults = async (query: string) => faultsOf(await get(query));

const DATES = 'due_date=2026-11-04&paid_date=2026-11-21';

describe('GET /v1/late-fee', () => {
  it(
    proves(
      ['4-late-fee', '2.5-free', '1-json', '1-no-account', '5-no-credentials', '9-v1'],
      'answers the fee as JSON, free and without a credential',
    ),
    async () => {
      const answer = await fee(`amount=1250&${DATES}&rate=1.5&rate_type=monthly_percent`);
      expect(answer).toMatchObject({
        amount: 1250,
        currency: null,
        due_date: '2026-11-04',
        paid_date: '2026-11-21',
        as_of_source: 'paid_date',
        status: 'overdue',
        days_late: 17,
        grace_days: 0,
        chargeable_days: 17,
        rate: 1.5,
        rate_type: 'monthly_percent',
        late_fee: 10.63,
        total_due: 1260.63,
        daily_accrual: 0.625,
        nominal_annual_percent: 18,
        annual_equivalent_percent: 18.25,
      });
      expect(answer.formula).toMatch(/^1250\.00 x 1\.5% x 17 \/ 30 = .*10\.63$/);
    },
  );

  it(
    proves(
      ['2.1-free-subset', '2.1-paid-date', '2.1-rate', '2.1-rate-type', '2.1-grace-days'],
      'needs amount and due_date only; the rest has its default',
    ),
    async () => {
      expect(await fee('amount=1250&due_date=2026-11-04')).toMatchObject({
        paid_date: '2026-11-21',
        as_of_source: 'today_utc',
        rate: 1.5,
        rate_type: 'monthly_percent',
        grace_days: 0,
        late_fee: 10.63,
      });
    },
  );

  it.each([
    ['a tie away from zero', `amount=1250&${DATES}`, 10.63],
    ['24 days', 'amount=1250&due_date=2026-11-04&paid_date=2026-11-28', 15],
    ['31 days', 'amount=1250&due_date=2026-11-04&paid_date=2026-12-05', 19.38],
    ['47 days', 'amount=1250&due_date=2026-11-04&paid_date=2026-12-21', 29.38],
    ['less than half a cent', 'amount=0.01&due_date=2026-01-01&paid_date=2026-02-15', 0],
    [
      'half a cent',
      'amount=100&rate=0.005&rate_type=daily_percent&due_date=2026-01-01&paid_date=2026-01-02',
      0.01,
    ],
    ['0.49995', 'amount=33.33&due_date=2026-01-01&paid_date=2026-01-31', 0.5],
    ['within grace', 'amount=1250&grace_days=5&due_date=2026-01-01&paid_date=2026-01-06', 0],
    ['one day after grace', 'amount=1250&grace_days=5&due_date=2026-01-01&paid_date=2026-01-07', 0.63],
    [
      'flat within grace',
      'amount=9&rate=25&rate_type=flat&grace_days=5&due_date=2026-01-01&paid_date=2026-01-04',
      0,
    ],
    [
      'flat after grace',
      'amount=9&rate=25&rate_type=flat&grace_days=2&due_date=2026-01-01&paid_date=2026-01-04',
      25,
    ],
    ['early', 'amount=1250&due_date=2026-01-10&paid_date=2026-01-05', 0],
    ['a year', 'amount=1000&rate=10&rate_type=annual_percent&due_date=2026-01-01&paid_date=2027-01-01', 100],
    ['whole yen', `amount=1250&currency=jpy&${DATES}`, 11],
    ['thousandths of a dinar', `amount=1250.125&currency=KWD&${DATES}`, 10.626],
  ])('%s: %s is %d', async (_what, query, expected) => {
    const answer = await fee(query);
    expect(answer.late_fee).toBe(expected);
    expect(answer.total_due).toBeCloseTo(answer.amount + expected, 3);
  });

  it('says where the invoice stands', async () => {
    const status = async (query: string) => (await fee(`amount=1250&${query}`)).status;
    expect(await status('due_date=2026-01-10&paid_date=2026-01-05')).toBe('not_overdue');
    expect(await status('due_date=2026-01-10&paid_date=2026-01-10')).toBe('not_overdue');
    expect(await status('grace_days=5&due_date=2026-01-01&paid_date=2026-01-06')).toBe('within_grace');
    expect(await status('grace_days=5&due_date=2026-01-01&paid_date=2026-01-07')).toBe('overdue');
    expect(await status('rate=0&due_date=2026-01-01&paid_date=2026-01-07')).toBe('overdue');
  });

  it('counts a leap day', async () => {
    expect(await fee('amount=1&due_date=2024-02-29&paid_date=2024-03-01')).toMatchObject({ days_late: 1 });
    expect(await fee('amount=1&due_date=2024-02-28&paid_date=2024-03-01')).toMatchObject({ days_late: 2 });
  });

  it('names the default rate, and has nothing to say where the same was given', async () => {
    expect((await fee(`amount=1250&${DATES}`)).warnings).toEqual([
      'No rate was given, so 1.5% per month was used; send the rate of your own terms.',
    ]);
    expect((await fee(`amount=1250&${DATES}&rate=1.5`)).warnings).toEqual([]);
  });

  it('warns of 1.5 percent a year where the rate was left out', async () => {
    const { rate, warnings } = await fee(`amount=1250&rate_type=annual_percent&${DATES}`);
    expect([rate, warnings.length]).toEqual([1.5, 1]);
  });

  it('ignores what only the notice takes, whatever it holds', async () => {
    const answer = await fee(
      `amount=1250&${DATES}&tone=angry&client_name=A&business_name=B&invoice_number=C`,
    );
    expect(answer.late_fee).toBe(10.63);
  });
});

describe('an amount', () => {
  it.each(['5', '+5', '5+', '%205%20', '05', '5.0', '5.000000'])('may be spelled %s', async (text) => {
    expect((await fee(`amount=${text}&${DATES}`)).amount).toBe(5);
  });

  it.each([
    '%2B5',
    '-5',
    '1,000',
    '1.000,00',
    '1_000',
    '1%20000',
    '1e3',
    '0x10',
    '0b1',
    'NaN',
    'Infinity',
    '%EF%BC%95',
    '%D9%A5',
    '$5',
    '5USD',
    '.5',
    '5.',
    '5..0',
    'null',
    'true',
    '[5]',
    '9'.repeat(100),
    '5%00',
  ])('may not be spelled %s', async (text) => {
    expect(await faults(`amount=${text}&${DATES}`)).toEqual(['/amount invalid_number']);
  });

  it(proves('2.1-amount', 'is required: nothing and blanks are no amount'), async () => {
    for (const query of ['', 'amount', 'amount=', 'amount=+', 'amount=%20', 'amount=%09'])
      expect(await faults(`${query}&${DATES}`)).toEqual(['/amount required']);
  });

  it('has two decimals, or those of its currency', async () => {
    expect(await faults(`amount=5.001&${DATES}`)).toEqual(['/amount too_precise']);
    expect(await faults(`amount=5.0000001&${DATES}`)).toEqual(['/amount too_precise']);
    expect(await faults(`amount=5.5&currency=JPY&${DATES}`)).toEqual(['/amount too_precise']);
    expect(await faults(`amount=5.0001&currency=KWD&${DATES}`)).toEqual(['/amount too_precise']);
    expect((await fee(`amount=5.001&currency=KWD&${DATES}`)).amount).toBe(5.001);
  });

  it('is 0.01 to a thousand million', async () => {
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
    '2026-02-29',
    '2025-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '1969-12-31',
    '2026-1-5',
    '20260105',
    '2026-W01-1',
    '2026-001',
    '2026-01-05T00:00:00Z',
    '2026-01-05Z',
    '%2B02026-01-05',
    '05/01/2026',
    'tomorrow',
    '1795262500',
    '%EF%BC%92026-01-05',
  ])('that does not exist or is written otherwise is refused: %s', async (text) => {
    expect(await faults(`amount=5&due_date=${text}`)).toEqual(['/due_date invalid_date']);
    expect(await faults(`amount=5&due_date=2026-01-05&paid_date=${text}`)).toEqual([
      '/paid_date invalid_date',
    ]);
  });

  it('that does not exist is named in the error', async () => {
    const { errors } = await problemOf(await get('amount=5&due_date=2026-02-29'));
    expect(errors?.[0]?.detail).toBe('2026-02-29 is not a day of the calendar from 1970-01-01 to 9999-12-31');
  });

  it('may be the first or the last of the calendar', async () => {
    const { days_late: days } = await fee('amount=1&rate=0&due_date=1970-01-01&paid_date=9999-12-31');
    expect(days).toBe(2_932_896);
  });

  it('that is empty is today', async () => {
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
  ])('%s: %j', async (query, expected) => {
    const response = await get(`amount=1000&${DATES}&${query}`);
    expect(response.status === 200 ? [] : await faultsOf(response)).toEqual(expected);
  });
});

describe('names', () => {
  it.each([
    ['grace', 'grace_days'],
    ['ammount', 'amount'],
    ['dueDate', 'due_date'],
    ['due', 'due_date'],
    ['rate-type', 'rate_type'],
    ['Amount', 'amount'],
  ])('an unknown %s is refused with the hint %s', async (name, meant) => {
    const { errors } = await problemOf(await get(`amount=5&${DATES}&${name}=3`));
    expect(errors).toEqual([
      {
        pointer: `/${name}`,
        code: 'unknown_field',
        detail: 'is not a field of this operation',
        hint: `did you mean ${meant}?`,
      },
    ]);
  });

  it('given twice are refused, whichever is right', async () => {
    expect(await faults(`amount=100&amount=200&${DATES}`)).toEqual(['/amount repeated_parameter']);
    expect(await faults(`amount=100&amount=100&${DATES}`)).toEqual(['/amount repeated_parameter']);
    expect(await faults(`amount=5&${DATES}&tone=firm&tone=final`)).toEqual(['/tone repeated_parameter']);
    expect(await faults(`amount[]=5&amount[]=6&${DATES}`)).toEqual([
      '/amount[] repeated_parameter',
      '/amount required',
      '/amount[] unknown_field',
    ]);
  });

  it('of prototypes are only names', async () => {
    expect(await faults(`amount=5&${DATES}&__proto__=1&constructor=2&hasOwnProperty=3`)).toEqual([
      '/__proto__ unknown_field',
      '/constructor unknown_field',
      '/hasOwnProperty unknown_field',
    ]);
  });

  it('and values are valid percent-encoded UTF-8', async () => {
    expect(await faults(`amount=%zz&${DATES}`)).toEqual(['/amount invalid_encoding']);
    expect(await faults(`amount=5&${DATES}&currency=%ff`)).toEqual(['/currency invalid_encoding']);
    expect(await faults(`amount=5&${DATES}&%ff=1`)).toEqual([' invalid_encoding']);
  });

  it('are at most a hundred', async () => {
    expect(await faults(`amount=5&${DATES}${'&a=1'.repeat(150)}`)).toEqual([' too_many_parameters']);
  });
});

describe('faults', () => {
  it(proves('7-400', 'are all reported at once, and nothing is charged'), async () => {
    const query =
      'amount=1,000&amount=5&due_date=2026-02-30&paid_date=x&rate=11&rate_type=daily_percent&grace_days=-1&currency=US&grace=3';
    const problem = await problemOf(await get(query));
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/amount repeated_parameter',
      '/amount invalid_number',
      '/due_date invalid_date',
      '/paid_date invalid_date',
      '/grace_days invalid_integer',
      '/currency invalid_currency',
      '/grace unknown_field',
      '/rate out_of_range',
    ]);
    expect(problem.detail).toMatch(/; and 5 more\. Nothing was charged\.$/);
  });
});
