import { expect, test } from 'vitest';
import { catalog } from '../../../test/support/app.ts';
import { faultText } from './form-faults.tsx';
import { formOf } from './form-fields.ts';

const forms = catalog.filter(({ page }) => page?.path !== undefined).map(formOf);

test('an error puts every label in quotation marks, because many labels are phrases', () => {
  const said = (pointer: string, form: (typeof forms)[number]): string =>
    faultText({ pointer, code: 'any', detail: 'is required', hint: '' }, form);
  for (const form of forms) {
    for (const { name, label } of form.fields) expect(said(`/${name}`, form)).toBe(`“${label}” is required`);
    for (const { name, label, fields } of form.lists) {
      expect(said(`/${name}`, form)).toBe(`“${label}” is required`);
      for (const field of fields)
        expect(said(`/${field.name.replace('.', '/1/')}`, form)).toBe(`Line 2, “${field.label}” is required`);
    }
  }
  expect(forms.length).toBeGreaterThan(3);
});
