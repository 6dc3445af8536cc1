import { utcDay } from '../dist/domain/calendar.js';
import { validate } from '../dist/exchange/validate.js';
import lateFeeOperation from '../dist/operations/late-fee.js';
import noticeOperation from '../dist/operations/late-fee-notice.js';
import quoteOperation from '../dist/operations/quote.js';

const today = utcDay(Date.UTC(2026, 10, 21));

function sample(operation, values) {
  const validated = validate(operation, { values, faults: [] }, { today });
  if (!validated.ok) throw new Error(`The sample of ${operation.name} is not valid`);
  const answer = operation.run(validated.input, { today });
  if (answer.kind !== 'answer') throw new Error(`The sample of ${operation.name} has no answer`);
  return { path: operation.route.path, summary: operation.summary, answer: answer.body };
}

const asQuery = (values) => `?${new URLSearchParams(values)}`;

const lateFeeValues = { amount: '1250', due_date: '2026-09-01', paid_date: '2026-11-21', rate: '1.5' };
const noticeValues = { ...lateFeeValues, tone: 'firm', client_name: 'Acme Ltd' };

/** A quote with 20 lines, a discount, tax and a deposit. */
export const quoteBody = {
  items: Array.from({ length: 20 }, (_, index) => ({
    description: `Line ${index + 1}`,
    quantity: 1 + (index % 4) * 0.25,
    unit_price: 19.99 + index * 7.35,
  })).map((item) => ({ ...item, unit_price: Number(item.unit_price.toFixed(2)) })),
  discount_percent: 5,
  tax_percent: 8.25,
  deposit_percent: 25,
};

/** Samples with their path, the query or body of a valid request, and its answer. */
export const notice = { ...sample(noticeOperation, noticeValues), query: asQuery(noticeValues) };
export const lateFee = { ...sample(lateFeeOperation, lateFeeValues), query: asQuery(lateFeeValues) };
export const quote = { ...sample(quoteOperation, quoteBody), body: JSON.stringify(quoteBody) };
