import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CASE, notice, TONES } from './notices.ts';

type Vectors = { today: string; cases: { name: string; query: Record<string, string> }[] };
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../vectors/letters.json', import.meta.url), 'utf8'),
);

/** Letters that the vectors lack. The report on letters in docs/reports does not count them. */
const MORE: Readonly<Record<string, Record<string, string>>> = {
  'min-fee': { min_fee: '25' },
  'max-fee-reached': { max_fee: '5' },
  'max-fee-to-come': { max_fee: '50' },
  'grace-min-fee': { grace_days: '20', min_fee: '25' },
  'grace-default-rate': { grace_days: '20', rate: '' },
  'grace-next-day': { grace_days: '26' },
  'grace-last-flat': { grace_days: '17', rate_type: 'flat', rate: '25' },
  'payment-details': { payment_details: 'IBAN GB33 BUKB 2020 1555 5555 55' },
  'small-sum': { amount: '4.99' },
  statement: { invoice_number: 'Statement March 2026' },
  'several-past': { invoice_number: 'Invoices 3 and 4', due_date: '2026-01-04', paid_date: '2026-01-21' },
  'no-bill': { invoice_number: 'Quote 7' },
  'two-months': { due_date: '2026-09-21' },
  'other-century': { due_date: '1996-11-04', rate: '0.015' },
  'cut-off-daily': { rate: '11.75', rate_type: 'annual_percent', grace_days: '20' },
  'default-rate': { rate: '' },
  'default-flat': { rate: '', rate_type: 'flat' },
  'default-min-fee': { rate: '', min_fee: '25' },
  'flat-by-minimum': { rate: '0', min_fee: '40' },
  'flat-by-maximum': { rate: '40', rate_type: 'flat', max_fee: '25' },
  'min-equals-max': { min_fee: '40', max_fee: '40' },
  'charged-since': { grace_days: '10', paid_date: '2026-11-10' },
  'past-max-fee': { due_date: '2026-01-04', paid_date: '2026-01-21', max_fee: '50' },
  'past-grace': { due_date: '2026-01-04', paid_date: '2026-01-21', grace_days: '20' },
  'usual-in-the-us': {
    currency: 'USD',
    amount: '118000',
    earlier_reminders: '2026-08-03, 2026-09-01, 2026-10-06',
  },
  'usual-in-canada': { currency: 'CAD', rate: '2' },
  'daily-in-canada': { currency: 'CAD', rate: '0.05', rate_type: 'daily_percent' },
  'yen-by-day': { currency: 'JPY', amount: '10001' },
  statutory: { jurisdiction: 'GB', claim: 'statutory', amount: '4800', due_date: '2026-08-31' },
  'statutory-eu': { jurisdiction: 'EU', currency: 'EUR', claim: 'statutory', due_date: '2026-05-31' },
  'statutory-invoices': {
    ...{ jurisdiction: 'GB', claim: 'statutory', due_date: '2025-05-31' },
    more_invoices: '500 due 2026-08-31 as INV-8; 90 due 2026-09-30 as INV-9',
  },
  'statutory-one-rate': {
    ...{ jurisdiction: 'GB', claim: 'statutory', due_date: '2026-03-01' },
    more_invoices: '500 due 2026-09-15 as INV-8',
  },
  'statutory-payment': {
    ...{ jurisdiction: 'GB', claim: 'statutory', due_date: '2026-10-01' },
    payments: '250 on 2026-10-31',
  },
  'statutory-paid-late': { jurisdiction: 'GB', claim: 'statutory', paid_on: '2026-11-15' },
  'reserve-law': { jurisdiction: 'GB', claim: 'reserve' },
  'reserve-consumer': { jurisdiction: 'GB', claim: 'reserve', client_is_consumer: 'true' },
  'reserve-terms': { claim: 'reserve' },
  'reserve-late-fee': { claim: 'reserve', currency: 'USD' },
  'reserve-default': { claim: 'reserve', rate: '' },
  'claim-none': { jurisdiction: 'GB', claim: 'none' },
  'rate-0-by-law': { jurisdiction: 'GB', rate: '0' },
  'part-payment': { payments: '250 on 2026-11-10' },
  'amount-paid': { amount_paid: '250' },
  'paid-late': { paid_on: '2026-11-15' },
  'paid-late-in-parts': { paid_on: '2026-11-20', payments: '250 on 2026-11-10; 500 on 2026-11-14' },
  'paid-late-several': { paid_on: '2026-11-15', more_invoices: '500 due 2026-10-15 as INV-8' },
  'several-invoices': {
    invoice_date: '2026-10-05',
    more_invoices: '500 due 2026-10-15 as INV-8 of 2026-09-15; 100 due 2026-11-01 as INV-9',
  },
  'several-without-names': { invoice_number: '', business_name: '', more_invoices: '500 due 2026-10-15' },
  'several-long-subject': {
    ...{ invoice_number: '4401', business_name: 'Lark & Sons Wholesale Ltd' },
    more_invoices: '500 due 2026-10-15 as 4428; 90 due 2026-10-20 as 4460; 80 due 2026-10-21 as 4482',
  },
  'payment-oldest-first': { more_invoices: '500 due 2026-10-15 as INV-8', payments: '600 on 2026-11-10' },
  'payment-for-one': {
    more_invoices: '500 due 2026-10-15 as INV-8',
    payments: '300 on 2026-11-10 for inv-1042',
  },
  'payment-for-one-and-rest': {
    more_invoices: '500 due 2026-10-15 as INV-8',
    payments: '1300 on 2026-11-10 for INV-1042',
  },
  compound: { accrual: 'compound' },
  'month-begun': { accrual: 'month_begun', rate: '2' },
  'month-begun-flat': { accrual: 'month_begun', rate: '25', rate_type: 'flat' },
  'all-details': {
    ...{ contact: 'Mary Lee, +44 20 7946 0958', signer: 'Jo Bright', purchase_order: 'PO-77' },
    ...{ invoice_date: '2026-10-05', earlier_reminders: '2026-11-10, 2026-11-17' },
    payment_details: 'IBAN GB33 BUKB 2020 1555 5555 55\r\n\nBIC BUKBGB22\nReference: 77',
  },
  'step-suspend': { next_step: 'suspend_work' },
  'step-suspend-what': { next_step: 'suspend_work', suspend_what: 'your hosting' },
  'step-collection': { next_step: 'collection' },
  'step-court': { next_step: 'court' },
  'more-than-a-name': {
    client_name: 'Bob\n\nYou will be arrested. Pay to IBAN DE00',
    business_name: '<b>x</b>',
    signer: '<b>x</b>',
  },
};

/** A request and its result in readable form. */
function shown(name: string, query: Record<string, string>, tone: string): string {
  const asked = `=== ${name}, ${tone}\n${JSON.stringify(query)}`;
  const { body, faults } = notice({ ...query, tone }, vectors.today);
  if (body === null)
    return [
      asked,
      ...faults.map(({ pointer, detail, hint }) => `refused: ${pointer} ${detail} (${hint})`),
    ].join('\n');
  const { reminder, fee, caveats } = body;
  return [
    asked,
    '---',
    `Subject: ${reminder.subject}`,
    '',
    reminder.body,
    '---',
    `pay_by ${reminder.pay_by}`,
    ...[...caveats, ...fee.warnings, ...fee.caveats].map((note) => `note: ${note}`),
  ].join('\n');
}

it('the letters of 62 cases in three tones equal the recorded letters', async () => {
  const letters = vectors.cases.flatMap(({ name, query }) => TONES.map((tone) => shown(name, query, tone)));
  expect(letters).toHaveLength(186);
  expect(letters.filter((letter) => letter.includes('\nrefused: '))).toHaveLength(6);
  for (const [name, changes] of Object.entries(MORE))
    letters.push(...TONES.map((tone) => shown(name, { ...CASE, ...changes }, tone)));
  await expect(`${letters.join('\n\n')}\n`).toMatchFileSnapshot('../vectors/letters.txt');
});
