import { describe, expect, it } from 'vitest';
import { proves } from '../spec/clauses.ts';
import { factsIn } from '../support/facts.ts';
import { DATES, fee, get } from './late-fees.ts';
import { problemOf } from './wire.ts';

describe('GET /v1/late-fee', () => {
  it(
    proves(
      ['4-late-fee', '2.5-free', '1-json', '1-no-account', '5-no-credentials', '9-v1'],
      'returns the fee as JSON, free and without a credential',
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
      'needs only amount and due_date; the rest has its default',
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
    ['twelve months of 30 days', 'amount=1000&due_date=2025-11-26&paid_date=2026-11-21', 180],
    [
      'a leap year',
      'amount=36500&rate=10&rate_type=annual_percent&due_date=2024-01-01&paid_date=2025-01-01',
      3660,
    ],
    ['whole yen', `amount=1250&currency=jpy&${DATES}`, 11],
    ['thousandths of a dinar', `amount=1250.125&currency=KWD&${DATES}`, 10.626],
  ])('is right in the case "%s": %s is %d', async (_what, query, expected) => {
    const answer = await fee(query);
    expect(answer.late_fee).toBe(expected);
    expect(answer.total_due).toBeCloseTo(answer.amount + expected, 3);
  });

  it('says whether the invoice is overdue', async () => {
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

  it('names the default rate, and says nothing if the same rate was sent', async () => {
    expect((await fee(`amount=1250&${DATES}`)).warnings.map(factsIn)).toEqual([['1.5%']]);
    expect((await fee(`amount=1250&${DATES}&rate=1.5`)).warnings).toEqual([]);
  });

  it('warns of a yearly rate of 1.5 percent if the rate was omitted', async () => {
    const { rate, warnings } = await fee(`amount=1250&rate_type=annual_percent&${DATES}`);
    expect([rate, warnings.length]).toEqual([1.5, 1]);
  });

  it('ignores fields of the notice, whatever their values', async () => {
    const answer = await fee(
      `amount=1250&${DATES}&tone=angry&client_name=A&business_name=B&invoice_number=C`,
    );
    expect(answer.late_fee).toBe(10.63);
  });
});

describe('the faults of a request for a late fee', () => {
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
