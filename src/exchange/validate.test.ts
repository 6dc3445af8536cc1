import { describe, expect, it } from 'vitest';
import type { Operation } from '../catalog/operation.ts';
import { type Day, parseDay } from '../domain/calendar.ts';
import type { Fault } from '../domain/result.ts';
import lateFee from '../operations/late-fee.ts';
import quote from '../operations/quote.ts';
import quotePack from '../operations/quote-pack.ts';
import { exampleAnswer, pointerTo, validate } from './validate.ts';

const today = parseDay('2026-11-21') as Day;

function faultsOf(
  operation: unknown,
  values: Record<string, unknown>,
  faults: readonly Fault[] = [],
): readonly Fault[] {
  const validated = validate(operation as Operation, { values, faults }, { today });
  return validated.ok ? [] : validated.faults;
}
const summary = (faults: readonly Fault[]) => faults.map(({ pointer, code }) => `${pointer} ${code}`);

describe('an input', () => {
  it('is valid with its defaults filled in', () => {
    const values = { amount: '1250', due_date: '2026-11-04' };
    expect(validate(lateFee as unknown as Operation, { values, faults: [] }, { today })).toEqual({
      ok: true,
      input: {
        amount: 1_250_000_000n,
        due_date: parseDay('2026-11-04'),
        paid_date: null,
        rate: null,
        rate_type: 'monthly_percent',
        grace_days: 0,
        currency: null,
      },
    });
  });
});

describe('the example of an operation', () => {
  it('is a bug if it is invalid or has no answer', () => {
    const declared = lateFee as unknown as Operation;
    const silent: Operation = { ...declared, run: () => ({ kind: 'no_answer', detail: '' }) };
    expect(exampleAnswer(declared, { today })).toMatchObject({ days_late: expect.any(Number) });
    expect(() => exampleAnswer(silent, { today })).toThrow('no_answer');
    expect(() => exampleAnswer({ ...declared, example: {} }, { today })).toThrow('/amount');
  });
});

describe('an unknown field name', () => {
  it('gets all field names as a hint if none is similar', () => {
    const [fault] = faultsOf(quote, { items: [{ unit_price: 1, zzz: 3 }] });
    expect(fault?.hint).toMatch(/\bdescription, quantity, unit_price, tax_percent, unit\b/);
  });

  it('is a fault even if it is the name of a member of the prototype', () => {
    const values = JSON.parse('{"items":[{"unit_price":1}],"__proto__":{"amount":1},"constructor":1}');
    expect(summary(faultsOf(quote, values))).toEqual([
      '/__proto__ unknown_field',
      '/constructor unknown_field',
    ]);
    expect(({} as { amount?: number }).amount).toBeUndefined();
  });

  it('gets the usual hint if every object inherits a member of that name', () => {
    const [fault] = faultsOf(lateFee, { amount: 1, due_date: '2026-11-04', constructor: 1 });
    expect(fault?.hint).toMatch(/^the fields are amount, due_date, /);
  });
});

describe('an input with many faults', () => {
  it('causes only a hundred name lookups, even with thousands of unknown names', () => {
    let looks = 0;
    const meant = new Proxy(quotePack.meant, {
      getOwnPropertyDescriptor(target, name) {
        looks += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    const unknown = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`tax_rate${index}`, 1]));
    const faults = faultsOf({ ...quotePack, meant }, { items: [{ unit_price: 1 }], ...unknown });
    expect(faults.at(-1)).toMatchObject({ detail: 'has 5900 more faults' });
    expect(looks).toBe(100);
  });
});

describe('a field that an API surface could not read', () => {
  const at = (pointer: string, code: string): Fault => ({ pointer, code, detail: 'is not readable' });

  it('is not also reported as missing', () => {
    const values = { due_date: '2026-11-04' };
    expect(summary(faultsOf(lateFee, values, [at('/amount', 'invalid_encoding')]))).toEqual([
      '/amount invalid_encoding',
    ]);
    expect(summary(faultsOf(lateFee, {}, [at('', 'invalid_json')]))).toEqual([' invalid_json']);
  });

  it('is a fault even if every other field is valid', () => {
    const values = { amount: '1250', due_date: '2026-11-04' };
    expect(summary(faultsOf(lateFee, values, [at('/rate', 'repeated_parameter')]))).toEqual([
      '/rate repeated_parameter',
    ]);
  });

  it('does not change the position of the other faults', () => {
    const values = { amount: '0', rate: 'x' };
    expect(summary(faultsOf(lateFee, values, [at('/amount', 'repeated_parameter')]))).toEqual([
      '/amount repeated_parameter',
      '/amount out_of_range',
      '/due_date required',
      '/rate invalid_number',
    ]);
  });
});

describe('a JSON pointer', () => {
  it('follows RFC 6901', () => {
    expect(pointerTo(['items', 3, 'unit_price'])).toBe('/items/3/unit_price');
    expect(pointerTo(['a/b', 'm~n', ''])).toBe('/a~1b/m~0n/');
    expect(pointerTo([])).toBe('');
  });

  it('is truncated for a hostile name, and is always well-formed text', () => {
    expect(pointerTo(['x'.repeat(10_000)])).toBe(`/${'x'.repeat(80)}`);
    expect(pointerTo(['\ud800'])).toBe('/\ufffd');
    expect(pointerTo([`${'x'.repeat(79)}👍`])).toBe(`/${'x'.repeat(79)}\ufffd`);
  });
});
