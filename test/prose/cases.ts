import type { Operation } from '../../src/catalog/operation.ts';
import { parseDay } from '../../src/domain/calendar.ts';
import type { Fault } from '../../src/domain/result.ts';
import { validate } from '../../src/exchange/validate.ts';
import { catalog } from '../support/app.ts';

type Values = Readonly<Record<string, unknown>>;
/** A request to the operation with that name, or the page at `path`. */
type Case = readonly [path: string, values: Values];

const today = parseDay('2026-11-23');

export const operationAt = (path: string) =>
  catalog.find(({ name, page }) => name === path || page?.path === path) as Operation;

/** The result of a request: its answer or every fault, including the faults of the calculation. */
export function asked(path: string, values: Values): { body: unknown; faults: readonly Fault[] } {
  if (today === null) throw new Error('not a day');
  const operation = operationAt(path);
  const validated = validate(operation, { values, faults: [] }, { today });
  if (!validated.ok) return { body: null, faults: validated.faults };
  const answer = operation.run(validated.input as never, { today });
  if (answer.kind === 'answer') return { body: answer.body, faults: [] };
  return { body: null, faults: answer.kind === 'invalid' ? answer.faults : [] };
}

export const INVOICE = { amount: '1250', due_date: '2026-09-01' };
export const ITEMS = [{ unit_price: '100' }];
/** Requests with every kind of fault that a form can cause. */
export const FAULTY: readonly Case[] = [
  ['/late-invoice', { due_date: '2026-09-01' }],
  ['/late-invoice', { ...INVOICE, amount: '0' }],
  ['/late-invoice', { ...INVOICE, amount: 'x?' }],
  ['/late-invoice', { ...INVOICE, amount: '1.2345678' }],
  ['/late-invoice', { ...INVOICE, amount: '10.5', currency: 'JPY' }],
  ['/late-invoice', { ...INVOICE, amount: true }],
  ['/late-invoice', { ...INVOICE, due_date: 'no such day' }],
  ['/late-invoice', { ...INVOICE, due_date: '2026-02-30' }],
  ['/late-invoice', { ...INVOICE, due_date: '1965-01-01' }],
  ['/late-invoice', { ...INVOICE, due_date: '0206-09-01' }],
  ['/late-invoice', { ...INVOICE, rate: '5000' }],
  ['/late-invoice', { ...INVOICE, rate_type: 'weekly' }],
  ['/late-invoice', { ...INVOICE, grace_days: '400' }],
  ['/late-invoice', { ...INVOICE, grace_days: '1.5' }],
  ['/late-invoice', { ...INVOICE, min_fee: '50', max_fee: '20' }],
  ['/late-invoice', { ...INVOICE, currency: 'XXX' }],
  ['/late-invoice', { ...INVOICE, jurisdiction: 'GB', currency: 'USD' }],
  ['/late-invoice', { ...INVOICE, jurisdiction: 'EU' }],
  ['/late-invoice', { ...INVOICE, reference_rate: '3' }],
  ['/late-invoice', { ...INVOICE, date: '5' }],
  ['/late-invoice', { ...INVOICE, amount: '1000000000', rate: '1000', due_date: '1970-01-01' }],
  ['late_fee_notice', { ...INVOICE, due_date: '2026-12-24' }],
  ['late_fee_notice', { ...INVOICE, paid_date: '2027-12-24' }],
  ['late_fee_notice', { ...INVOICE, claim: 'statutory', client_is_consumer: true }],
  ['/late-invoice', { ...INVOICE, accrual: 'compound', rate_type: 'flat', rate: '5' }],
  ['/late-invoice', { ...INVOICE, amount_paid: '1250' }],
  ['/late-invoice', { ...INVOICE, payments: 'yesterday' }],
  ['/late-invoice', { ...INVOICE, payments: '5 on 2026-09-05', amount_paid: '5' }],
  ['late_fee_notice', { ...INVOICE, paid_on: '2026-11-20', claim: 'none' }],
  ['late_fee_notice', { ...INVOICE, earlier_reminders: '2027-11-20' }],
  ['late_fee_notice', { ...INVOICE, client_name: 'x'.repeat(500) }],
  ['late_fee_notice', { ...INVOICE, payment_details: 'x\n'.repeat(30) }],
  ['/quote', {}],
  ['/quote', { items: Array(101).fill(ITEMS[0]) }],
  ['/quote', { items: [{ unit_price: '-5' }] }],
  ['/quote', { items: [{ unit_price: '100' }, { unit_price: '-99', tax_percent: '100' }], tax_percent: '0' }],
  ['/quote', { items: [{ unit_price: '1000000000', quantity: '1000000' }] }],
  ['/quote', { items: [{ unit_price: '1', price: '5', tax_rate: '3' }] }],
  ['/quote', { items: [{ unit_price: '1', quantity: '0' }] }],
  ['/quote', { items: ITEMS, discount_amount: '1250' }],
  ['/quote', { items: [{ unit_price: '4500' }], deposit_amount: '5000' }],
  ['/quote', { items: ITEMS, deposit_amount: '5.001' }],
  ['/quote', { items: ITEMS, discount_amount: '5', discount_percent: '5' }],
  ['quote_pack', { items: [{ unit_price: '1', tier: 'best' }] }],
  ['quote_pack', { items: ITEMS, best_markup_percent: '5' }],
  ['quote_pack', { items: ITEMS, good_name: 'A', better_name: 'a' }],
  ['quote_pack', { items: ITEMS, round_unit_to: '0.001' }],
  ['quote_pack', { items: ITEMS, better_adds: 'a;'.repeat(50) }],
  ['quote_pack', { items: ITEMS, better_adds: ['a'.repeat(201)] }],
  ['/plan', { business_type: 'trades', needs: 'qqqqqqqq' }],
  ['/plan', { business_type: 'trades', needs: 'bakcup' }],
  ['/plan', { business_type: 'trades', country: 'ZZ' }],
  [
    '/plan',
    {
      business_type: 'trades',
      needs: Array(30)
        .fill(0)
        .map((_, index) => `w${index}`)
        .join(','),
    },
  ],
];

const LATE = { ...INVOICE, due_date: '2026-11-04' };
const DECK = { description: 'Deck', unit_price: '1000' };
const taxed = (...rates: number[]) => rates.map((rate) => ({ unit_price: '100', tax_percent: rate }));

/** Requests whose answers have every note, term and sentence that depends on the figures. */
export const ANSWERED: readonly Case[] = [
  ['/late-invoice', { ...LATE, rate: '1.5' }],
  ['/late-invoice', LATE],
  ['/late-invoice', { ...LATE, rate_type: 'annual_percent' }],
  ['/late-invoice', { ...LATE, rate_type: 'flat' }],
  ['/late-invoice', { ...LATE, rate: '0' }],
  ['/late-invoice', { ...LATE, rate: '3', grace_days: '5' }],
  ['/late-invoice', { ...LATE, rate: '2' }],
  ['/late-invoice', { ...LATE, rate: '0.05', rate_type: 'daily_percent', grace_days: '3' }],
  ['/late-invoice', { ...LATE, rate: '0.08', rate_type: 'annual_percent' }],
  ['/late-invoice', { ...LATE, rate: '1250.01', rate_type: 'flat' }],
  ['/late-invoice', { ...LATE, rate: '40', rate_type: 'flat', max_fee: '25' }],
  ['/late-invoice', { ...LATE, rate: '1.5', min_fee: '25' }],
  ['/late-invoice', { ...LATE, rate: '1.5', amount: '0.01' }],
  ['/late-invoice', { ...LATE, rate: '1.5', grace_days: '30' }],
  ['/late-invoice', { ...LATE, rate: '1.5', due_date: '2026-12-01' }],
  ['/late-invoice', { ...LATE, rate: '1.5', due_date: '2016-11-04' }],
  ['/late-invoice', { ...LATE, rate: '1.5', due_date: '2126-11-04' }],
  ['/late-invoice', { ...LATE, rate: '1.5', paid_date: '2027-06-30' }],
  ['/late-invoice', { ...LATE, rate: '1.5', due_date: '2025-01-04', paid_date: '2025-11-19' }],
  ['/late-invoice', { ...LATE, rate: '1.5', currency: 'GBP', jurisdiction: 'GB' }],
  ['/late-invoice', { ...LATE, rate: '1.5', currency: 'EUR', jurisdiction: 'EU', due_date: '2026-06-20' }],
  [
    '/late-invoice',
    { ...LATE, currency: 'GBP', jurisdiction: 'GB', due_date: '2026-12-31', paid_date: '2027-01-31' },
  ],
  ['/quote', { items: ITEMS }],
  ['/quote', { items: ITEMS, tax_percent: '8.25', discount_percent: '10', deposit_percent: '25' }],
  ['/quote', { items: taxed(20, 5), prices_include_tax: true }],
  ['/quote', { items: ITEMS, prices_include_tax: true }],
  ['/quote', { items: ITEMS, discount_percent: '100' }],
  ['/quote', { items: ITEMS, discount_amount: '60', deposit_amount: '40' }],
  [
    '/quote',
    {
      items: [...ITEMS, { unit_price: '0.004' }],
      tax_percent: '0.2',
      discount_percent: '60',
      deposit_percent: '100',
    },
  ],
  ['/quote', { items: [...ITEMS, { unit_price: '0.004' }, { unit_price: '-0.004' }] }],
  ['quote_pack', { items: ITEMS }],
  [
    'quote_pack',
    {
      items: ITEMS,
      business_name: 'Bright Studio',
      tax_percent: '8.25',
      discount_percent: '5',
      deposit_percent: '25',
    },
  ],
  ['quote_pack', { items: ITEMS, discount_percent: '100', deposit_percent: '30' }],
  ['quote_pack', { items: ITEMS, deposit_percent: '100' }],
  ['quote_pack', { items: ITEMS, deposit_amount: '100' }],
  ['quote_pack', { items: ITEMS, better_markup_percent: '0' }],
  ['quote_pack', { items: ITEMS, better_markup_percent: '51', best_markup_percent: '70' }],
  ['quote_pack', { items: ITEMS, better_markup_percent: '10', best_markup_percent: '12' }],
  ['quote_pack', { items: ITEMS, better_markup_percent: '600' }],
  ['quote_pack', { items: ITEMS, better_markup_percent: '0.25', best_markup_percent: '0.5' }],
  [
    'quote_pack',
    {
      items: [
        DECK,
        { description: 'Lights', unit_price: '200', tier: 'better' },
        { description: 'Return', unit_price: '-5' },
      ],
    },
  ],
  [
    'quote_pack',
    {
      items: [
        { ...DECK, tier: 'better' },
        { description: 'Return', unit_price: '10' },
        { unit_price: '-1500', tier: 'better' },
        { unit_price: '900', tier: 'better' },
      ],
    },
  ],
  ['quote_pack', { items: taxed(20, 5, 0), better_adds: ['a', 'b', 'c', 'd', 'e'], better_name: 'Plus' }],
  ['quote_pack', { items: taxed(25, 20, 10, 5, 2, 0) }],
  ['quote_pack', { items: taxed(20, 5) }],
  ['quote_pack', { items: taxed(20, 0) }],
];
