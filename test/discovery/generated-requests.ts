import fc from 'fast-check';

export type Schema = { readonly [keyword: string]: unknown };

/** A request that a generator builds from a document: the fields of a body or a query. */
export type Values = Readonly<Record<string, unknown>>;

/** Values that one of our JSON Schemas allows, including those at its bounds. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return edged(
        fc.integer({ min: schema.minimum as number, max: schema.maximum as number }),
        schema.minimum,
        schema.maximum,
      );
    case 'number':
      return decimal(schema.minimum as number, schema.maximum as number);
    case 'array':
      return fc.array(valid(schema.items as Schema), {
        minLength: (schema.minItems as number | undefined) ?? 0,
        maxLength: Math.min(schema.maxItems as number, 12),
      });
    case 'object':
      return object(schema);
    default:
      return text(schema);
  }
}

/** An object with its required fields and any of the others. */
export function object(schema: Schema): fc.Arbitrary<Values> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valid(field)])), {
    requiredKeys: [...((schema.required ?? []) as readonly string[])],
    noNullPrototype: true,
  });
}

const edged = (inner: fc.Arbitrary<number>, ...edges: unknown[]): fc.Arbitrary<number> =>
  fc.oneof({ arbitrary: inner, weight: 4 }, fc.constantFrom(...(edges as number[])));

/** Amounts in everyday notation, and any value that a double can hold. */
function decimal(min: number, max: number): fc.Arbitrary<number> {
  const cents = fc
    .integer({ min: Math.ceil(Math.max(min, -10_000) * 100), max: Math.floor(Math.min(max, 10_000) * 100) })
    .map((value) => value / 100);
  return fc.oneof(
    { arbitrary: edged(cents, min, max), weight: 9 },
    fc.double({ min, max, noNaN: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  );
}

function text({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'date') return days;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'));
  const bounds = { minLength: (minLength as number | undefined) ?? 0, maxLength: maxLength as number };
  return fc.string({ unit: 'grapheme', ...bounds }).map((value) => {
    const points = [...value];
    return points.slice(0, maxLength as number).join('');
  });
}

const days = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Every way in which one field of a valid request can break its schema. */
export function breaks(schema: Schema, isBody: boolean): Break[] {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = (schema.required ?? []) as readonly string[];
  const set =
    (name: string, value: unknown) =>
    (values: Values): Values => ({ ...values, [name]: value });
  return [
    { what: 'an unknown name', apply: set('colour', 'blue') },
    ...required.map((name) => ({ what: `no ${name}`, apply: without(name) })),
    ...fields.flatMap(([name, field]) =>
      broken(field, isBody).map((value) => ({
        what: `${name} ${JSON.stringify(value).slice(0, 40)}`,
        apply: set(name, value),
      })),
    ),
  ];
}

export type Break = { readonly what: string; readonly apply: (values: Values) => Values };

const without =
  (name: string) =>
  ({ [name]: _dropped, ...others }: Values): Values =>
    others;

/** Values that a field's schema forbids and that no documented alternative allows. */
function broken(field: Schema, isBody: boolean): unknown[] {
  const wrongType = isBody ? [{ a: 1 }, ...(field.type === 'array' ? [] : [[1]])] : [];
  if (Array.isArray(field.enum)) return ['no such choice', ...wrongType];
  switch (field.type) {
    case 'boolean':
      return ['perhaps', ...wrongType];
    case 'integer':
      return [Number(field.minimum) - 1, Number(field.maximum) + 1, 1.5, 'some', ...wrongType];
    case 'number':
      return [Number(field.minimum) - 1, Number(field.maximum) * 2, 'some', ...wrongType];
    case 'array':
      return [...brokenLists(field), 1, ...wrongType];
    default:
      return [
        ...(typeof field.pattern === 'string' ? ['?,'.repeat(100)] : []),
        ...(field.maxLength === undefined ? [] : ['x'.repeat(Number(field.maxLength) + 1)]),
        ...wrongType,
      ];
  }
}

function brokenLists(field: Schema): unknown[] {
  const items = field.items as Schema;
  const tooMany = new Array(Number(field.maxItems) + 1).fill(
    items.type === 'string' ? 'x' : { unit_price: 1 },
  );
  return [tooMany, [1], ...(field.minItems === undefined ? [] : [[]])];
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Days within this calendar, and required texts with a letter, because a blank text counts as omitted. */
function readable(values: Values, { properties = {}, required = [] }: Schema): Values {
  const isNeeded = (name: string) => (required as readonly string[]).includes(name);
  const entries = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string' && DAY.test(value)) return [name, '2026-11-20'];
    const { type, ...field } = (properties as Record<string, Schema>)[name] ?? {};
    const isFree = type === 'string' && field.enum === undefined && field.pattern === undefined;
    return [name, isFree && isNeeded(name) ? 'x' : value];
  });
  return Object.fromEntries(entries);
}

/** A generated input adjusted to the rules that no schema expresses; numbers are in everyday notation. */
export function obedient(generated: Values, schema: Schema): Values {
  const values = readable(generated, schema);
  const whole = (value: unknown) => Math.round(Number(value));
  const items = (values.items as Values[] | undefined)?.map((line, index) => {
    const { tiers, unit_cost: _cost, margin_percent: _margin, markup_percent: _markup, ...item } = line;
    return {
      ...item,
      ...(index > 0 && !('tier' in item) && tiers !== undefined && { tiers }),
      unit_price: Math.min(Math.abs(whole(item.unit_price ?? 1)), 1_000),
      ...('discount_percent' in item && { discount_percent: whole(item.discount_percent) }),
      ...('quantity' in item && { quantity: Math.max(1, Math.min(whole(item.quantity), 1_000)) }),
      ...('tax_percent' in item && { tax_percent: whole(item.tax_percent) }),
      ...(index === 0 && 'tier' in item && { tier: 'good' }),
    };
  });
  const numbers = Object.entries(values).filter(([, value]) => typeof value === 'number');
  const rounded: Values = {
    ...values,
    ...Object.fromEntries(numbers.map(([name, value]) => [name, whole(value)])),
  };
  const {
    discount_amount: _discount,
    deposit_amount: _deposit,
    jurisdiction,
    reference_rate: reference,
    category: _category,
    needs: _needs,
    min_fee: least,
    max_fee: most,
    client_is_consumer: isConsumer,
    claim,
    amount_paid: _paid,
    payments: _payments,
    more_invoices: _more,
    paid_on: _paidOn,
    accrual,
    earlier_reminders: _reminders,
    ...rest
  } = rounded;
  const isWithin = least !== undefined && most !== undefined && Number(least) <= Number(most);
  return {
    ...rest,
    ...('id' in rest && { id: 'no-such-listing' }),
    ...(items !== undefined && { items }),
    ...(isWithin && { min_fee: least, max_fee: most }),
    ...('amount' in rest && { amount: Math.max(1, Math.min(Number(rest.amount), 1_000_000)) }),
    ...('rate' in rest && { rate: Math.min(Number(rest.rate), 10) }),
    ...(rest.rate_type === 'flat' && { rate: 25 }),
    ...('due_date' in rest && { due_date: '2026-09-01' }),
    ...('paid_date' in rest && { paid_date: '2026-11-20' }),
    ...(jurisdiction !== undefined && { jurisdiction, currency: jurisdiction === 'GB' ? 'GBP' : 'EUR' }),
    ...(jurisdiction !== undefined && reference !== undefined && { reference_rate: reference }),
    ...(claim !== undefined && (claim !== 'statutory' || jurisdiction !== undefined) && { claim }),
    ...(isConsumer !== undefined && claim !== 'statutory' && { client_is_consumer: isConsumer }),
    ...(accrual === 'simple' && { accrual }),
    ...('best_markup_percent' in rest && { best_markup_percent: 1_000 }),
    ...('round_total_to' in rest && { round_total_to: Math.max(1, Number(rest.round_total_to)) }),
    ...('round_unit_to' in rest && { round_unit_to: Math.max(1, Number(rest.round_unit_to)) }),
  };
}
