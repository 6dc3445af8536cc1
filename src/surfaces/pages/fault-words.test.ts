import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../test/support/app.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Day, parseDay } from '../../domain/calendar.ts';
import type { Fault } from '../../domain/result.ts';
import { validate } from '../../exchange/validate.ts';
import { ownersWords } from './fault-words.ts';
import { faultText } from './form-faults.tsx';
import { formOf } from './form-fields.ts';

const today = parseDay('2026-11-23') as Day;
const named = (path: string) => catalog.find(({ page }) => page?.path === path) as Operation;

/** Every fault of these values, those of working the answer out among them. */
function faultsOf(path: string, values: Record<string, unknown>): readonly Fault[] {
  const operation = named(path);
  const validated = validate(operation, { values, faults: [] }, { today });
  if (!validated.ok) return validated.faults;
  const answer = operation.run(validated.input as never, { today });
  return answer.kind === 'invalid' ? answer.faults : [];
}

const INVOICE = { amount: '1250', due_date: '2026-09-01' };
const ITEMS = [{ unit_price: '100' }];
const CASES: readonly (readonly [path: string, values: Record<string, unknown>, said: string])[] = [
  ['/late-fee', { due_date: '2026-09-01' }, '“Amount of the invoice” is required'],
  [
    '/late-fee',
    { ...INVOICE, amount: '0' },
    '“Amount of the invoice” must be at least 0.01 and at most 1,000,000,000',
  ],
  ['/late-fee', { ...INVOICE, amount: 'x?' }, '“Amount of the invoice” is not a number that we can read'],
  [
    '/late-fee',
    { ...INVOICE, amount: '1.2345678' },
    '“Amount of the invoice” has more than 6 decimals: round it',
  ],
  [
    '/late-fee',
    { ...INVOICE, amount: '10.5', currency: 'JPY' },
    '“Amount of the invoice” is 10.5; money in JPY has no decimals: round it',
  ],
  ['/late-fee', { ...INVOICE, amount: true }, '“Amount of the invoice” is not what this form asks for'],
  ['/late-fee', { ...INVOICE, due_date: 'no such day' }, '“It was due on” is not a date of the calendar'],
  ['/late-fee', { ...INVOICE, due_date: '2026-02-30' }, '“It was due on” is not a date of the calendar'],
  [
    '/late-fee',
    { ...INVOICE, due_date: '1965-01-01' },
    '“It was due on” is before 1970, the first year that we work with',
  ],
  [
    '/late-fee',
    { ...INVOICE, due_date: '0206-09-01' },
    '“It was due on” is before 1970, the first year that we work with',
  ],
  ['/late-fee', { ...INVOICE, rate: '5000' }, '“Interest per month, in percent” must be at most 1000'],
  ['/late-fee', { ...INVOICE, rate_type: 'weekly' }, '“What you charge” is not what this form asks for'],
  ['/late-fee', { ...INVOICE, grace_days: '400' }, '“Grace period, in days” must be from 0 to 365'],
  [
    '/late-fee',
    { ...INVOICE, grace_days: '1.5' },
    '“Grace period, in days” must be a whole number from 0 to 365',
  ],
  [
    '/late-fee',
    { ...INVOICE, min_fee: '50', max_fee: '20' },
    '“The least you charge” is more than the most you charge: lower it, or leave that empty',
  ],
  ['/late-fee', { ...INVOICE, currency: 'XXX' }, '“Currency” is not one that we know'],
  [
    '/late-fee',
    { ...INVOICE, jurisdiction: 'GB', currency: 'USD' },
    '“Currency” has to be pounds for the UK and euros for the EU: choose that, or no interest by law',
  ],
  [
    '/late-fee',
    { ...INVOICE, jurisdiction: 'EU' },
    '“Currency” has to be pounds for the UK and euros for the EU: choose that, or no interest by law',
  ],
  [
    '/late-fee',
    { ...INVOICE, reference_rate: '3' },
    '“Compare with interest by law” is needed beside a central bank’s rate: choose one, or leave that rate empty',
  ],
  ['/late-fee', { ...INVOICE, date: '5' }, 'The form has no field for “date”, which came with the link'],
  ['/late-fee', { ...INVOICE, amount: '1000000000', rate: '1000', due_date: '1970-01-01' }, ''],
  [
    '/late-fee-reminder',
    { ...INVOICE, due_date: '2026-12-24' },
    '“It was due on” is 24 December 2026, not before today (23 November 2026): the invoice is not overdue, so there is nothing to remind of',
  ],
  [
    '/late-fee-reminder',
    { ...INVOICE, paid_date: '2027-12-24' },
    '“Work it out to” is 24 December 2027 and today is 23 November 2026: a letter cannot say what will be unpaid on a day to come',
  ],
  ['/late-fee-reminder', { ...INVOICE, client_name: 'x'.repeat(500) }, ''],
  ['/late-fee-reminder', { ...INVOICE, payment_details: 'x\n'.repeat(30) }, ''],
  ['/quote', {}, '“What you quote for” is required'],
  ['/quote', { items: Array(101).fill(ITEMS[0]) }, '“What you quote for” takes 1 to 100 lines'],
  [
    '/quote',
    { items: [{ unit_price: '-5' }] },
    '“What you quote for” comes to less than nothing: the credits are larger than the charges',
  ],
  [
    '/quote',
    { items: [{ unit_price: '100' }, { unit_price: '-99', tax_percent: '100' }], tax_percent: '0' },
    '',
  ],
  ['/quote', { items: [{ unit_price: '1000000000', quantity: '1000000' }] }, ''],
  [
    '/quote',
    { items: [{ unit_price: '1', price: '5', tax_rate: '3' }] },
    'Line 1 has no field for “price”, which came with the link',
  ],
  [
    '/quote',
    { items: [{ unit_price: '1', quantity: '0' }] },
    'Line 1, “Quantity” must be more than 0 and at most 1,000,000',
  ],
  [
    '/quote',
    { items: ITEMS, discount_amount: '1250' },
    '“Discount as a sum” is more than the subtotal: write at most 100.00',
  ],
  [
    '/quote',
    { items: [{ unit_price: '4500' }], deposit_amount: '5000' },
    '“Deposit as a sum” is more than the total: write at most 4,500.00',
  ],
  ['/quote', { items: ITEMS, deposit_amount: '5.001' }, ''],
  [
    '/quote',
    { items: ITEMS, discount_amount: '5', discount_percent: '5' },
    '“Discount as a sum” is there as a percentage, too: leave one of both empty',
  ],
  [
    '/quote-pack',
    { items: [{ unit_price: '1', tier: 'best' }] },
    '“What you quote for” has no line that the first option begins with',
  ],
  [
    '/quote-pack',
    { items: ITEMS, best_markup_percent: '5' },
    '“The dearest costs more by” is less than for the middle option, which is 25 where it is empty: raise this, or lower that',
  ],
  [
    '/quote-pack',
    { items: ITEMS, good_name: 'A', better_name: 'a' },
    '“Name of the middle option” is the same as that of another option',
  ],
  [
    '/quote-pack',
    { items: ITEMS, round_unit_to: '0.001' },
    '“Round marked-up prices to” is too fine: write 0.05, 0.5, 1 or 5, for example',
  ],
  ['/quote-pack', { items: ITEMS, better_adds: 'a;'.repeat(50) }, ''],
  [
    '/quote-pack',
    { items: ITEMS, better_adds: ['a'.repeat(201)] },
    '“What the middle option adds” has a part of more than 200 characters: shorten it',
  ],
  [
    '/stack-report',
    { business_type: 'trades', needs: 'qqqqqqqq' },
    '“What else you need” has a word that we do not know: write it like backup, e-signature, invoicing or scheduling',
  ],
  ['/stack-report', { business_type: 'trades', needs: 'bakcup' }, ''],
  [
    '/stack-report',
    { business_type: 'trades', country: 'ZZ' },
    '“Country of your business” is not one that we know',
  ],
  [
    '/stack-report',
    {
      business_type: 'trades',
      needs: Array(30)
        .fill(0)
        .map((_, index) => `w${index}`)
        .join(','),
    },
    '',
  ],
];

/** Words of the API: what to send, names of its fields and values, its notations, and figures that nobody reads at a glance. */
const OF_THE_API =
  /\bsend\b|[a-z]_[a-z]|\b(?:GET|POST|ISO|JSON|YYYY|API)\b|=|jurisdiction|operation\b|plain decimal|objects?\b|rate type|\d{5,}/;

describe('what is wrong with a form', () => {
  it.each(CASES)('is said in words for owners: %s %j', (path, values, said) => {
    const texts = faultsOf(path, values).map((fault) => faultText(fault, formOf(named(path))));
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => OF_THE_API.test(text))).toEqual([]);
    if (said !== '') expect(texts).toContain(said);
  });

  it('is tried above with every code that the form of an operation can bring', () => {
    const tried = new Set(CASES.flatMap(([path, values]) => faultsOf(path, values)).map(({ code }) => code));
    const folders = ['catalog', 'domain', 'operations'].map(
      (folder) => new URL(`../../${folder}/`, import.meta.url),
    );
    const sources = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => readFileSync(new URL(file, folder), 'utf8')),
    );
    const codes = sources.flatMap((source) => [
      ...source.matchAll(/\bcode: '(\w+)', ?|\bcode: '(\w+)',?\n|fieldError\(\s*'(\w+)'/g),
    ]);
    const known = new Set(codes.flatMap((found) => found.slice(1).filter(Boolean)));
    known.delete('custom');
    expect(known.size).toBeGreaterThan(15);
    expect([...known].filter((code) => !tried.has(code))).toEqual([]);
  });

  it('names words that are known', () => {
    const needs = 'backup,e-signature,invoicing,scheduling';
    expect(faultsOf('/stack-report', { business_type: 'trades', needs })).toEqual([]);
  });

  it('keeps what was asked about a number, and the word that was meant', () => {
    const asked = {
      pointer: '/amount',
      code: 'invalid_number',
      detail: 'could be 1250.5 or 12505000: which one?',
    };
    expect(ownersWords(asked)).toBe(asked.detail);
    const meant = {
      pointer: '/needs/0',
      code: 'unknown_category',
      detail: 'x',
      hint: 'did you mean e_signature?',
    };
    expect(ownersWords(meant)).toBe('has a word that we do not know: did you mean e signature?');
  });
});
