import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import { lateFee, quote, quoteBody } from '../samples.js';

// The same answers calculated with big.js, as a developer without their own arithmetic would do it. The sentences next
// to the figures come from the sample, which favors the peers.

// In mode 1, big.js rounds to the nearest, halves away from zero, which is our rule.
const HALF_UP = 1;
const DAY_MS = 86_400_000;
const number = (big) => Number(big.toFixed());
const PERIODS = { monthly_percent: [30, 12], annual_percent: [365, 1], daily_percent: [1, 365] };

/** The answer to a valid late fee with a percent rate. */
export function workedLateFee({ amount, due_date, paid_date, rate, rate_type }) {
  const [days, perYear] = PERIODS[rate_type];
  const daysLate = Math.max(0, (Date.parse(paid_date) - Date.parse(due_date)) / DAY_MS);
  const ofOneDay = new Big(amount).times(rate).div(100 * days);
  const exact = new Big(amount)
    .times(rate)
    .times(daysLate)
    .div(100 * days);
  const fee = exact.round(2, HALF_UP);
  const share = days === 1 ? '' : ` / ${days}`;
  return {
    ...lateFee.answer,
    amount,
    due_date,
    paid_date,
    days_late: daysLate,
    chargeable_days: daysLate,
    rate,
    rate_type,
    late_fee: number(fee),
    total_due: number(fee.plus(amount)),
    daily_accrual: number(ofOneDay.round(6, HALF_UP)),
    nominal_annual_percent: number(new Big(rate).times(perYear)),
    annual_equivalent_percent: number(new Big(rate).times(365).div(days).round(6, HALF_UP)),
    formula: `${new Big(amount).toFixed(2)} x ${rate}% x ${daysLate}${share} = ${fee.toFixed(2)}`,
    unrounded_fee: exact.round(6, HALF_UP).toFixed(),
  };
}

const FIGURES = [
  'subtotal',
  'discount_amount',
  'taxable_amount',
  'tax_amount',
  'total',
  'deposit_amount',
  'balance_due',
];
const grouped = (big) => `$${big.toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
const rounded = (exact, result) =>
  exact.eq(result) ? result.toFixed(2) : `${exact.toFixed()}, rounded to ${result.toFixed(2)}`;

/** The answer to a valid quote of one rate, in dollars. */
export function workedQuote({ items, tax_percent, discount_percent, deposit_percent }) {
  const lines = items.map(({ quantity, unit_price }) => {
    const exact = new Big(quantity).times(unit_price);
    const total = exact.round(2, HALF_UP);
    return { total, formula: `${quantity} x ${new Big(unit_price).toFixed(2)} = ${rounded(exact, total)}` };
  });
  const share = (of, percent) => {
    const exact = of.times(percent).div(100);
    const result = exact.round(2, HALF_UP);
    return { result, formula: `${of.toFixed(2)} x ${percent}% = ${rounded(exact, result)}` };
  };
  const subtotal = lines.reduce((sum, line) => sum.plus(line.total), new Big(0));
  const discount = share(subtotal, discount_percent);
  const taxable = subtotal.minus(discount.result);
  const tax = share(taxable, tax_percent);
  const total = taxable.plus(tax.result);
  const deposit = share(total, deposit_percent);
  const balance = total.minus(deposit.result);
  const figures = [subtotal, discount.result, taxable, tax.result, total, deposit.result, balance];
  const named = (encode) =>
    Object.fromEntries(FIGURES.map((name, index) => [name, encode(figures[index], name)]));
  const formulas = {
    subtotal: `sum of ${lines.length} line totals = ${subtotal.toFixed(2)}`,
    discount_amount: discount.formula,
    taxable_amount: `${subtotal.toFixed(2)} - ${discount.result.toFixed(2)} = ${taxable.toFixed(2)}`,
    tax_amount: tax.formula,
    total: `${taxable.toFixed(2)} + ${tax.result.toFixed(2)} = ${total.toFixed(2)}`,
    deposit_amount: deposit.formula,
    balance_due: `${total.toFixed(2)} - ${deposit.result.toFixed(2)} = ${balance.toFixed(2)}`,
  };
  const [breakdown] = quote.answer.tax_breakdown;
  return {
    ...quote.answer,
    items: items.map((item, index) => ({ ...item, line_total: number(lines[index].total), tax_percent })),
    ...named(number),
    tax_breakdown: [
      {
        ...breakdown,
        tax_percent,
        subtotal: number(subtotal),
        discount_amount: number(discount.result),
        taxable_amount: number(taxable),
        tax_amount: number(tax.result),
        formatted: grouped(tax.result),
        formula: tax.formula,
      },
    ],
    formatted: named(grouped),
    formula: { lines: lines.map(({ formula }) => formula), ...named((_, name) => formulas[name]) },
    discount_percent,
    tax_percent,
    deposit_percent,
  };
}

const query = {
  amount: 1250,
  due_date: '2026-09-01',
  paid_date: '2026-11-21',
  rate: 1.5,
  rate_type: 'monthly_percent',
};
if (!isDeepStrictEqual(workedLateFee(query), lateFee.answer)) throw new Error('The late fees differ');
if (!isDeepStrictEqual(workedQuote(quoteBody), quote.answer)) throw new Error('The quotes differ');
