import { describe, expect, it } from 'vitest';
import { decodeWithoutZod } from '../../src/catalog/decode-without-zod.ts';
import type { Operation } from '../../src/catalog/operation.ts';
import { randomOf } from '../soak/random.ts';
import { catalog } from '../support/app.ts';
import { byHand, makerOf } from './makers.ts';
import { odd, spoilt } from './values.ts';

describe('what is read without zod is what zod reads', () => {
  it.each(catalog.map((one): [string, Operation] => [one.name, one]))('of %s', (name, one) => {
    const random = randomOf(1717, name);
    const make = makerOf(one);
    const { input } = one;
    const seen = { good: 0, wrong: 0 };
    for (let turn = 0; turn < 1_500; turn += 1) {
      const whole = make(random);
      const values = random.chance(0.05) ? odd(random) : random.chance(0.6) ? spoilt(whole, random) : whole;
      const parsed = input.safeParse(values);
      expect([values, decodeWithoutZod(input, values)]).toStrictEqual([
        values,
        parsed.success ? parsed.data : null,
      ]);
      seen[parsed.success ? 'good' : 'wrong'] += 1;
    }
    // The comparison is worth something only when both are met; an id alone is asked for by its own name.
    expect(seen.wrong).toBeGreaterThan(100);
    if (name !== 'tool') expect(seen.good).toBeGreaterThan(100);
  });

  it('of every operation of the catalog', () => {
    expect(catalog.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(byHand)));
    for (const { input, example } of catalog)
      expect(decodeWithoutZod(input, example)).toStrictEqual(input.parse(example));
  });
});
