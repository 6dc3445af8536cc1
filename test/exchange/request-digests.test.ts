import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseDay } from '../../src/domain/calendar.ts';
import { bought, requestHash } from '../../src/exchange/request-hash.ts';
import { validate } from '../../src/exchange/validate.ts';
import { catalog } from '../support/app.ts';

type Vector = { operation: string; input: Record<string, unknown>; digest: string };
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../vectors/request-digests.json', import.meta.url), 'utf8'),
);

it.each(vectors)('$operation $input has the digest it had when it was first sold', (vector) => {
  const operation = catalog.find(({ name }) => name === vector.operation);
  const today = parseDay('2026-11-21');
  if (operation === undefined || today === null) throw new Error(vector.operation);
  const validated = validate(operation, { values: vector.input, faults: [] }, { today });
  expect(validated.ok && requestHash(operation.name, bought(validated.input, operation.form))).toBe(
    vector.digest,
  );
});
