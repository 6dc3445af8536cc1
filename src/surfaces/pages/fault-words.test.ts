import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asked, FAULTY, INVOICE, ITEMS, operationAt } from '../../../test/prose/cases.ts';
import { inOrder } from '../../../test/support/facts.ts';
import { faultText, ownersWords } from './form-faults.tsx';
import { formOf } from './form-fields.ts';

/**
 * API terms that owners should not see: instructions on what to send, names of fields and values, notations, and
 * figures that are hard to read at a glance.
 */
const OF_THE_API =
  /\bsend\b|[a-z]_[a-z]|\b(?:GET|POST|ISO|JSON|YYYY|API)\b|=|jurisdiction|operation\b|plain decimal|objects?\b|rate type|\d{5,}/;

describe('an error in a form', () => {
  it.each(FAULTY)('is explained in words for owners: %s %j', (path, values) => {
    const form = formOf(operationAt(path));
    const { faults } = asked(path, values);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) {
      const text = faultText(fault, form);
      expect(text).not.toMatch(OF_THE_API);
      const field = form.fields.find(({ name }) => fault.pointer === `/${name}`);
      if (field !== undefined) expect(text.startsWith(`“${field.label}” `)).toBe(true);
    }
  });

  it.each([
    ['/late-invoice', { ...INVOICE, amount: '0' }, ['0.01', '1,000,000,000']],
    ['/late-invoice', { ...INVOICE, amount: '10.5', currency: 'JPY' }, ['10.5', 'JPY']],
    ['/late-invoice', { ...INVOICE, grace_days: '400' }, ['0', '365']],
    ['/late-invoice', { ...INVOICE, date: '5' }, ['date']],
    ['/quote', { items: Array(101).fill(ITEMS[0]) }, ['1', '100']],
    ['/quote', { items: [{ unit_price: '1', quantity: '0' }] }, ['Line 1', '0', '1,000,000']],
    ['/quote', { items: [{ unit_price: '4500' }], deposit_amount: '5000' }, ['4,500.00']],
    ['quote_pack', { items: ITEMS, better_adds: ['a'.repeat(201)] }, ['200']],
    ['/plan', { business_type: 'trades', needs: 'bakcup' }, ['backup']],
  ])('shows the figures and the value that it is about: %s %j', (path, values, parts) => {
    const [fault] = asked(path, values).faults;
    expect(fault && faultText(fault, formOf(operationAt(path)))).toMatch(inOrder(...parts));
  });

  it('is tested above for every code that a form can produce', () => {
    const tried = new Set(
      FAULTY.flatMap(([path, values]) => asked(path, values).faults).map(({ code }) => code),
    );
    const folders = ['catalog', 'domain', 'operations'].map(
      (folder) => new URL(`../../${folder}/`, import.meta.url),
    );
    const sources = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => readFileSync(new URL(file, folder), 'utf8')),
    );
    const codes = sources.flatMap((source) => [
      ...source.matchAll(/\bcode: '(\w+)', ?|\bcode: '(\w+)',?\n|(?:fieldError|invalid)\(\s*'(\w+)'/g),
    ]);
    const known = new Set(codes.flatMap((found) => found.slice(1).filter(Boolean)));
    known.delete('custom');
    // No form has these fields.
    for (const code of ['tier_and_tiers', 'price_and_cost']) known.delete(code);
    expect(known.size).toBeGreaterThan(15);
    expect([...known].filter((code) => !tried.has(code))).toEqual([]);
  });

  it('names the known values', () => {
    const needs = 'backup,e-signature,invoicing,scheduling';
    expect(asked('/plan', { business_type: 'trades', needs }).faults).toEqual([]);
  });

  it('keeps the question about a number, and the hint at the name that was probably meant', () => {
    const unsure = {
      pointer: '/amount',
      code: 'invalid_number',
      detail: 'could be 1250.5 or 12505000: which one?',
    };
    expect(ownersWords(unsure)).toBe(unsure.detail);
    const meant = {
      pointer: '/needs/0',
      code: 'unknown_category',
      detail: 'x',
      hint: 'did you mean e_signature?',
    };
    expect(ownersWords(meant)).toContain(': did you mean e signature?');
  });
});
