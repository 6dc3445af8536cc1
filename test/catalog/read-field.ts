import type { Field } from '../../src/catalog/field.ts';
import { decimal } from '../../src/catalog/fields.ts';

/** The result of a field for a raw value: its output, or the code of its fault. */
export function read({ decode }: Field<unknown>, raw: unknown): unknown {
  const decoded = decode(raw);
  return 'value' in decoded ? decoded.value : decoded.issues.map(({ code }) => code).join();
}

export const price = decimal({ describe: 'Price.', min: '-1000000000', max: '1000000000' });
