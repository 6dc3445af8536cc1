import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Operation } from '../../src/catalog/operation.ts';
import { inputSchema, type Schema } from '../../src/catalog/schema.ts';
import { parseDay } from '../../src/domain/calendar.ts';
import { requestHash, withoutForm } from '../../src/exchange/purchase.ts';
import { validate } from '../../src/exchange/validate.ts';
import { paymentRules } from '../../src/surfaces/discovery/payment-guide.ts';
import { catalog } from '../support/app.ts';

type Vector = { operation: string; input: Record<string, unknown>; digest: string };
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../vectors/request-digests.json', import.meta.url), 'utf8'),
);

it.each(vectors)('$operation $input has the digest that it had when it was first sold', (vector) => {
  const operation = catalog.find(({ name }) => name === vector.operation);
  const today = parseDay('2026-11-21');
  if (operation === undefined || today === null) throw new Error(vector.operation);
  const validated = validate(operation, { values: vector.input, faults: [] }, { today });
  expect(validated.ok && requestHash(operation.name, withoutForm(validated.input, operation.form))).toBe(
    vector.digest,
  );
});

const NOTICE_FIELDS = inputSchema(catalog.find(({ name }) => name === 'late_fee_notice') as Operation)
  .properties as object;

it('a request that sends a default has the same digest as one that omits it, except where the documents say otherwise', () => {
  const today = parseDay('2026-11-21');
  if (today === null) throw new Error('no day');
  const exceptions = /\bdefault\b[^()]*\(([^)]*)\)/.exec(paymentRules.join(' '))?.[1];
  const told = exceptions?.split(' ').filter((word) => Object.hasOwn(NOTICE_FIELDS, word));
  const others = catalog
    .filter(({ price }) => price !== null)
    .flatMap((operation) => {
      const digest = (values: Record<string, unknown>) => {
        const validated = validate(operation, { values, faults: [] }, { today });
        if (!validated.ok) throw new Error(JSON.stringify(validated.faults));
        return requestHash(operation.name, withoutForm(validated.input, operation.form));
      };
      const needed = Object.fromEntries(
        Object.entries(operation.example).filter(([name]) =>
          (inputSchema(operation).required as string[]).includes(name),
        ),
      );
      return Object.entries(inputSchema(operation).properties as Record<string, Schema>)
        .map(([name, field]) => [
          name,
          field.default ?? / Default: ([0-9.]+)\.$/.exec(String(field.description))?.[1],
        ])
        .filter(([name, value]) => value !== undefined && !(String(name) in needed))
        .filter(([name, value]) => digest({ ...needed, [String(name)]: value }) !== digest(needed))
        .map(([name]) => name);
    });
  expect(others).toEqual(told);
});
