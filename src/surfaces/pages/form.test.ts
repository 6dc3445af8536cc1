import { describe, expect, it } from 'vitest';
import { catalog } from '../../../test/support/app.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Fault } from '../../domain/result.ts';
import { isCalculator } from './calculator.tsx';
import { FaultSummary, faultsAt, faultTarget, faultText, fieldId } from './form-faults.tsx';
import { Field } from './form-field.tsx';
import { type FormModel, formOf } from './form-fields.ts';
import { FIELD_TEXTS } from './form-texts.ts';
import { asWritten, type FormValues, NOTHING_WRITTEN } from './form-values.ts';
import { htmlOf } from './markup.ts';
import { fieldTextsOf } from './views/views.ts';

const named = (path: string) => catalog.find(({ page }) => page?.path === path) as Operation;
const lateFee = formOf(named('/late-invoice'));
const quote = formOf(named('/quote'));

const pack = formOf(catalog.find(({ name }) => name === 'quote_pack') as Operation);

/** The fields of a form as pages show them, with two lines of each list. */
function html(form: FormModel, values: FormValues = NOTHING_WRITTEN, faults: readonly Fault[] = []): string {
  const inRow = (list: FormModel['lists'][number], row: number) =>
    list.fields.map((field) => {
      const part = field.name.slice(list.name.length + 1);
      return Field({
        field,
        id: fieldId([list.name, row, part]),
        value: values.lists[list.name]?.[row]?.[part] ?? '',
        faults: faultsAt(faults, `/${list.name}/${row}/${part}`),
        row,
      });
    });
  const alone = form.fields.map((field) =>
    Field({
      field,
      id: fieldId([field.name]),
      value: values.fields[field.name] ?? '',
      faults: faultsAt(faults, `/${field.name}`),
    }),
  );
  const rows = form.lists.flatMap((list) => [0, 1].flatMap((row) => inRow(list, row)));
  return [FaultSummary({ faults, form }), ...rows, ...alone].map((one) => htmlOf(one)).join('');
}

describe('the form of an operation', () => {
  it('has every field of the input, with its kind, its words and its default', () => {
    expect(lateFee.lists).toEqual([]);
    expect(lateFee.fields.map(({ name, label, kind, required }) => [name, label, kind, required])).toEqual([
      ['amount', 'Amount', 'decimal', true],
      ['due_date', 'Due date', 'date', true],
      ['paid_date', 'Up to', 'date', false],
      ['rate', 'Interest per month, %', 'decimal', false],
      ['rate_type', 'What you charge', 'choice', false],
      ['grace_days', 'Grace days', 'integer', false],
      ['currency', 'Currency', 'currency', false],
      ['min_fee', 'Minimum fee', 'decimal', false],
      ['max_fee', 'Maximum fee', 'decimal', false],
      ['accrual', 'How it is added', 'choice', false],
      ['amount_paid', 'Already paid', 'decimal', false],
      ['payments', 'Part payments', 'text', false],
      ['more_invoices', 'Further invoices', 'text', false],
      ['jurisdiction', 'Interest by law', 'choice', false],
      ['reference_rate', 'Central bank’s rate', 'decimal', false],
    ]);
    const rateType = lateFee.fields.find(({ name }) => name === 'rate_type');
    expect(rateType?.options[0]).toEqual({ value: 'monthly_percent', label: 'Interest per month' });
    expect(rateType?.fallback).toBe('monthly_percent');
    const rate = lateFee.fields.find(({ name }) => name === 'rate');
    expect(rate?.hint).toMatch(/\brate type\b.*\b1\.5\.$/);
  });

  it('has labels for owners: no field of any form keeps the wording of the API', () => {
    for (const operation of catalog.filter(isCalculator)) {
      const { fields, lists } = formOf(operation);
      for (const { name } of [...fields, ...lists, ...lists.flatMap((list) => list.fields)])
        expect(
          Object.hasOwn({ ...FIELD_TEXTS, ...fieldTextsOf(operation.name) }, name),
          `${name} of ${operation.name} has no text: add '${name}' to the fields of its view, or to FIELD_TEXTS in src/surfaces/pages/form-texts.ts`,
        ).toBe(true);
      const shown = html({ fields, lists }).replace(/ (?:toolparamdescription|name|value)="[^"]*"/g, '');
      expect(shown).not.toMatch(/ISO 4217|YYYY-MM-DD|slugs|true:|[a-z]_[a-z]+ /);
    }
  });

  it('lists all currencies, with the common ones first', () => {
    const rendered = html(quote);
    expect(rendered).toContain(
      '<option value="USD" selected>USD US Dollar</option><option value="EUR">EUR Euro',
    );
    expect(rendered.match(/<option value="([A-Z]{3})">\1<\/option>/g)?.length).toBeGreaterThan(120);
    expect(html(quote, asWritten({ currency: 'kwd' }))).toContain(
      '<option value="KWD" selected>KWD</option>',
    );
  });

  it('has rows for a list', () => {
    expect(quote.lists).toMatchObject([
      {
        name: 'items',
        maxRows: 100,
        fields: [
          { name: 'items.description', kind: 'text', required: false },
          { name: 'items.quantity', kind: 'decimal', required: false, fallback: '1' },
          { name: 'items.unit_price', kind: 'decimal', required: true },
          { name: 'items.tax_percent', kind: 'decimal', required: false },
          { name: 'items.unit', kind: 'text', required: false },
          { name: 'items.discount_percent', kind: 'decimal', required: false },
        ],
      },
    ]);
  });

  it('has choices for row values that are not text, with an empty default', () => {
    const [{ fields = [] } = {}] = pack.lists;
    expect(fields.filter(({ kind }) => kind === 'choice')).toMatchObject([
      {
        name: 'items.tier',
        fallback: '',
        options: [
          { value: '', label: 'Good' },
          { value: 'better', label: 'Better' },
          { value: 'best', label: 'Best' },
        ],
      },
      {
        name: 'items.markup',
        fallback: '',
        options: [
          { value: '', label: 'Yes' },
          { value: 'false', label: 'No' },
        ],
      },
    ]);
  });

  it('has one field for a list of strings', () => {
    const { fields, lists } = pack;
    expect(lists.map(({ name }) => name)).toEqual(['items']);
    expect(fields.find(({ name }) => name === 'better_adds')).toMatchObject({ kind: 'text' });
    expect(asWritten({ better_adds: ['Lights, dimmed', 'Bench'], items: [{ unit_price: 1 }] })).toEqual({
      fields: { better_adds: 'Lights, dimmed; Bench' },
      lists: { items: [{ unit_price: '1' }] },
    });
  });

  it('labels every input', () => {
    for (const form of [lateFee, quote]) {
      const rendered = html(form);
      for (const [, id] of rendered.matchAll(/<(?:input|select|textarea)[^>]* id="([^"]+)"/g)) {
        const input = new RegExp(`<(?:input|select|textarea)[^>]* id="${id}"[^>]*>`).exec(rendered)?.[0];
        const isLabelled = rendered.includes(`<label for="${id}">`) || input?.includes('aria-label="');
        expect([id, isLabelled]).toEqual([id, true]);
        for (const part of /aria-describedby="([^"]+)"/.exec(input ?? '')?.[1]?.split(' ') ?? [])
          expect(rendered).toContain(`id="${part}"`);
      }
    }
  });

  it('shows the typed values again, as text', () => {
    const values = asWritten({
      ...named('/quote').example,
      items: [{ description: '"><script>alert(1)</script>', quantity: 2, unit_price: 4 }],
    });
    const rendered = html(quote, values);
    expect(rendered).not.toContain('<script');
    expect(rendered).toContain('value="&quot;>&lt;script>alert(1)&lt;/script>"');
    expect(rendered).toContain('value="8.25"');
  });
});

describe('an error in a form', () => {
  const fault = {
    pointer: '/items/1/unit_price',
    code: 'required',
    detail: 'is required',
    hint: 'for example 450',
  };

  it('puts every label in quotation marks, because many labels are phrases', () => {
    const said = (pointer: string, form: FormModel): string =>
      faultText({ pointer, code: 'any', detail: 'is required', hint: '' }, form);
    for (const form of catalog.filter(({ page }) => page?.path !== undefined).map(formOf)) {
      for (const { name, label } of form.fields)
        expect(said(`/${name}`, form)).toBe(`“${label}” is required`);
      for (const { name, label, fields } of form.lists) {
        expect(said(`/${name}`, form)).toBe(`“${label}” is required`);
        for (const field of fields)
          expect(said(`/${field.name.replace('.', '/1/')}`, form)).toBe(
            `Line 2, “${field.label}” is required`,
          );
      }
    }
  });

  it('names its line and field, and links to the field', () => {
    const label = FIELD_TEXTS['items.unit_price']?.label;
    expect(label).toBeTruthy();
    expect(faultText(fault, quote)).toBe(`Line 2, “${label}” is required`);
    expect(faultTarget(fault, quote)).toBe('f-items-1-unit_price');
    const rendered = html(quote, NOTHING_WRITTEN, [fault]);
    expect(rendered).toContain(`<a href="#f-items-1-unit_price">Line 2, “${label}” is required`);
    expect(rendered).toMatch(/id="f-items-1-unit_price-fault"[^>]*>is required</);
    expect(rendered).toMatch(/id="f-items-1-unit_price"[^>]* aria-invalid="true"/);
  });

  it('links to the first required field if it is about a whole list', () => {
    const list = { pointer: '/items', code: 'required', detail: 'is required' };
    expect(faultText(list, quote)).toBe(`“${FIELD_TEXTS.items?.label}” is required`);
    expect(faultTarget(list, quote)).toBe('f-items-0-unit_price');
  });

  it('is shown for the whole form if it belongs to no single field', () => {
    const whole = { pointer: '', code: 'x', detail: 'is too much' };
    expect([faultText(whole, quote), faultTarget(whole, quote)]).toEqual(['The form is too much', null]);
  });

  it('uses words for people instead of API names', () => {
    const rate = {
      pointer: '/rate',
      code: 'x',
      detail: 'must be at most 10 when rate_type is daily_percent',
    };
    expect(faultText(rate, lateFee)).toBe(
      `“${FIELD_TEXTS.rate?.label}” must be at most 10 when rate type is daily percent`,
    );
  });
});
