import Big from 'big.js';
import { utcDay } from '../dist/domain/calendar.js';
import { micros, minorText } from '../dist/domain/money.js';
import { quote } from '../dist/domain/quote.js';
import { inTurns, microsecondsEach, row } from './measure.js';
import { quoteBody } from './samples.js';
import { runAlone } from './table.js';

const issuedOn = utcDay(Date.UTC(2026, 10, 21));
const decimal = (number) => micros(String(number));

const ourTotals = () => {
  const items = quoteBody.items.map(({ description, quantity, unit_price: unitPrice }) => ({
    description,
    quantity: decimal(quantity),
    unitPrice: decimal(unitPrice),
  }));
  const result = quote({
    items,
    currency: 'USD',
    discountPercent: decimal(quoteBody.discount_percent),
    taxPercent: decimal(quoteBody.tax_percent),
    depositPercent: decimal(quoteBody.deposit_percent),
    validDays: 30,
    issuedOn,
  });
  if (!result.ok) throw new Error('The sample is not valid');
  return result.value;
};

// In mode 1, big.js rounds to the nearest, halves away from zero, which is our rule.
const HALF_UP = 1;
const percentOf = (amount, percent) => amount.times(percent).div(100).round(2, HALF_UP);

const theirTotals = () => {
  const lines = quoteBody.items.map((item) =>
    new Big(item.quantity).times(item.unit_price).round(2, HALF_UP),
  );
  const subtotal = lines.reduce((sum, line) => sum.plus(line), new Big(0));
  const discount = percentOf(subtotal, quoteBody.discount_percent);
  const taxable = subtotal.minus(discount);
  const tax = percentOf(taxable, quoteBody.tax_percent);
  const total = taxable.plus(tax);
  const deposit = percentOf(total, quoteBody.deposit_percent);
  return { subtotal, discount, taxable, tax, total, deposit, balance: total.minus(deposit) };
};

function checkSameTotals() {
  const [ours, theirs] = [ourTotals(), theirTotals()];
  for (const [name, amount] of Object.entries(theirs))
    if (minorText(ours[name], 2) !== amount.toFixed(2)) throw new Error(`The two disagree on the ${name}`);
}

/** The totals of a quote of 20 lines, from JSON numbers: exact integers against big.js. */
export async function benchDomain() {
  checkSameTotals();
  const turns = {
    ours: () => microsecondsEach(500, ourTotals),
    peer: () => microsecondsEach(500, theirTotals),
  };
  const figures = await inTurns(turns, { rounds: 25, warmUp: 10 });
  return [row({ name: 'domain: totals of 20 lines (big.js)', unit: 'us', ...figures })];
}

await runAlone(import.meta.url, benchDomain);
