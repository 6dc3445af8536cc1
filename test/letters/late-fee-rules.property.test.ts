import Big from 'big.js';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { type Random, randomOf } from '../soak/random.ts';
import { fee } from './notices.ts';

// Each rule calculated again with big.js and Temporal, day by day, on inputs drawn with a fixed seed.

const Exact = Big();
Exact.DP = 80;
Exact.RM = Big.roundHalfUp;
const RUNS = 300;
// Every day is compounded with sixty decimal places.
const COMPOUND_RUNS = 300;
const START = Temporal.PlainDate.from('2024-01-01');
/** Days since START. */
const dayOf = (date: Temporal.PlainDate): number => START.until(date).days;
const TODAY = '2027-12-31';

type Invoice = { readonly amount: Big; readonly due: Temporal.PlainDate };
/** `invoice` is the position of the invoice that the payment names; only later ones have a number here. */
type Paid = {
  readonly amount: Big;
  readonly on: Temporal.PlainDate;
  readonly day: number;
  readonly invoice: number | null;
};
type Case = {
  readonly invoices: Invoice[];
  readonly paid: Paid[];
  readonly asOf: Temporal.PlainDate;
  readonly grace: number;
};

const money = (random: Random, most: number) => new Exact(random.whole(1, most)).div(100);

function drawn(random: Random, most: { readonly invoices: number; readonly payments: number }): Case {
  const invoices = Array.from({ length: random.whole(1, most.invoices) }, () => ({
    amount: money(random, 2_000_000),
    due: START.add({ days: random.whole(0, 300) }),
  }));
  const asOf = START.add({ days: random.whole(0, 700) });
  const total = invoices.reduce((sum, { amount }) => sum.plus(amount), new Exact(0));
  const paid = Array.from({ length: random.whole(0, most.payments) }, () => {
    const amount = total.times(random.whole(1, 30)).div(100).round(2, Big.roundUp);
    const on = asOf.subtract({ days: random.whole(0, 400) });
    const invoice = invoices.length > 1 && random.chance(0.4) ? random.whole(1, invoices.length - 1) : null;
    return { amount, on, day: dayOf(on), invoice };
  });
  const sum = paid.reduce((all, { amount }) => all.plus(amount), new Exact(0));
  const isTooMuch = sum.gte(total) || paid.some(({ on }) => on.year < 1970);
  return { invoices, paid: isTooMuch ? [] : paid, asOf, grace: random.chance(0.5) ? 0 : random.whole(1, 40) };
}

const query = ({ invoices: [first, ...more], paid, asOf, grace }: Case) => ({
  amount: first?.amount.toFixed(2),
  due_date: String(first?.due),
  more_invoices: more
    .map(({ amount, due }, index) => `${amount.toFixed(2)} due ${due} as N-${index + 1}`)
    .join('; '),
  payments: paid
    .map(
      ({ amount, on, invoice }) =>
        `${amount.toFixed(2)} on ${on}${invoice === null ? '' : ` for n-${invoice}`}`,
    )
    .join('; '),
  paid_date: String(asOf),
  grace_days: grace,
});

/**
 * The open part of each invoice at the beginning of a day. A payment goes to the invoice that it names, then to the
 * others by due date.
 */
function openOn(drawnCase: Case, day: number): Big[] {
  const before = drawnCase.paid.filter((one) => one.day < day);
  const known = remembered.get(drawnCase) ?? new Map<number, Big[]>();
  remembered.set(drawnCase, known);
  // The open amounts change only with a payment.
  const open = known.get(before.length) ?? openAfter(drawnCase, before);
  known.set(before.length, open);
  return open;
}

const remembered = new WeakMap<Case, Map<number, Big[]>>();

function openAfter({ invoices }: Case, before: readonly Paid[]): Big[] {
  const open = invoices.map(({ amount }) => amount);
  const inOrder = invoices
    .map((_, index) => index)
    .sort((a, b) => {
      const [one, other] = [invoices[a], invoices[b]] as [Invoice, Invoice];
      return Temporal.PlainDate.compare(one.due, other.due) || a - b;
    });
  const byDay = [...before].sort(
    (one, other) =>
      Temporal.PlainDate.compare(one.on, other.on) ||
      Number(one.invoice === null) - Number(other.invoice === null),
  );
  for (const payment of byDay) {
    let left = payment.amount;
    for (const index of payment.invoice === null ? inOrder : [payment.invoice, ...inOrder]) {
      const amount = open[index] as Big;
      const part = left.lt(amount) ? left : amount;
      open[index] = amount.minus(part);
      left = left.minus(part);
    }
  }
  return open;
}

/** Returns the open amount of each invoice, summed over the days that count. */
function openDays(drawnCase: Case): Big[] {
  const last = dayOf(drawnCase.asOf);
  return drawnCase.invoices.map(({ due }, index) => {
    let sum = new Exact(0);
    for (let day = dayOf(due) + drawnCase.grace + 1; day <= last; day += 1)
      sum = sum.plus(openOn(drawnCase, day)[index] as Big);
    return sum;
  });
}

const total = (fees: readonly Big[]): number =>
  fees.reduce((sum, one) => sum.plus(one.round(2)), new Exact(0)).toNumber();

describe('a late fee', () => {
  it('agrees with an independent calculation by the day, with part payments and several invoices', () => {
    const random = randomOf(17, 'part payments');
    const bases = { monthly_percent: 3_000, annual_percent: 36_500, daily_percent: 100 } as const;
    for (let run = 0; run < RUNS; run++) {
      const one = drawn(random, { invoices: 3, payments: 3 });
      const type = random.pick(Object.keys(bases) as (keyof typeof bases)[]);
      const rate = new Exact(random.whole(1, 999)).div(100);
      const fees = openDays(one).map((sum) => sum.times(rate).div(bases[type]));
      const asked = { ...query(one), rate: rate.toFixed(), rate_type: type };
      expect(fee(asked, TODAY).body.late_fee, JSON.stringify(asked)).toBe(total(fees));
    }
  }, 600_000);

  it('agrees with an independent calculation by each month begun', () => {
    const random = randomOf(17, 'months begun');
    for (let run = 0; run < RUNS; run++) {
      const one = drawn(random, { invoices: 3, payments: 3 });
      const rate = new Exact(random.whole(1, 999)).div(100);
      const isFlat = random.chance(0.3);
      const fees = one.invoices.map(({ due }, index) => {
        const start = due.add({ days: one.grace });
        let sum = new Exact(0);
        for (let month = 0; Temporal.PlainDate.compare(start.add({ months: month }), one.asOf) < 0; month++) {
          const open = openOn(one, dayOf(start.add({ months: month })) + 1)[index] as Big;
          sum = sum.plus(isFlat ? (open.gt(0) ? rate : 0) : open.times(rate).div(100));
        }
        return sum;
      });
      const asked = {
        ...query(one),
        ...{ rate: rate.toFixed(), rate_type: isFlat ? 'flat' : 'monthly_percent', accrual: 'month_begun' },
      };
      expect(fee(asked, TODAY).body.late_fee, JSON.stringify(asked)).toBe(total(fees));
    }
  }, 600_000);

  it('agrees with an independent calculation of compound interest', () => {
    const random = randomOf(17, 'compound');
    const lengths = { monthly_percent: 30, annual_percent: 365, daily_percent: 1 } as const;
    for (let run = 0; run < COMPOUND_RUNS; run++) {
      const one = drawn(random, { invoices: 2, payments: 0 });
      const type = random.pick(Object.keys(lengths) as (keyof typeof lengths)[]);
      const rate = new Exact(random.whole(1, type === 'daily_percent' ? 99 : 999)).div(100);
      const fees = one.invoices.map(({ amount, due }) => {
        const days = due.add({ days: one.grace }).until(one.asOf).days;
        let worth = amount;
        let left = Math.max(0, days);
        for (; left >= lengths[type]; left -= lengths[type])
          worth = worth.plus(worth.times(rate).div(100)).round(60);
        worth = worth.plus(
          worth
            .times(rate)
            .times(left)
            .div(100 * lengths[type]),
        );
        return worth.minus(amount);
      });
      const asked = { ...query(one), rate: rate.toFixed(), rate_type: type, accrual: 'compound' };
      expect(fee(asked, TODAY).body.late_fee, JSON.stringify(asked)).toBe(total(fees));
    }
  }, 600_000);

  it('agrees with an independent calculation of statutory interest, with part payments and several invoices', () => {
    const random = randomOf(17, 'by law');
    for (let run = 0; run < RUNS; run++) {
      const one = { ...drawn(random, { invoices: 3, payments: 3 }), grace: 0 };
      const isGb = random.chance(0.5);
      const reference = new Exact(random.whole(0, 600)).div(100);
      const fees = openDays(one).map((sum) => sum.times(reference.plus(8)).div(36_500));
      const sums = one.invoices.map(({ due }, index) => {
        const open = openOn(one, dayOf(due) + 1)[index] as Big;
        if (Temporal.PlainDate.compare(one.asOf, due) <= 0 || open.lte(0)) return 0;
        if (!isGb) return 40;
        return open.lt(1_000) ? 40 : open.lt(10_000) ? 70 : 100;
      });
      const law = isGb ? { jurisdiction: 'GB', currency: 'GBP' } : { jurisdiction: 'EU', currency: 'EUR' };
      const asked = { ...query(one), ...law, reference_rate: reference.toFixed() };
      const { statutory } = fee(asked, TODAY).body;
      expect(statutory.interest, JSON.stringify(asked)).toBe(total(fees));
      expect(statutory.compensation).toBe(sums.reduce((sum: number, each) => sum + each, 0));
    }
  }, 600_000);
});
