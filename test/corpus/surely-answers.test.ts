import { expect, it } from 'vitest';
import { type Operation, operation } from '../../src/catalog/operation.ts';
import { utcDay } from '../../src/domain/calendar.ts';
import { validate } from '../../src/exchange/validate.ts';
import { type Random, randomOf } from '../soak/random.ts';
import { catalog, NOON } from '../support/app.ts';
import { type Maker, makerOf } from './makers.ts';
import { notice, type Values } from './values.ts';

const today = utcDay(NOON);
const paid = catalog.filter(({ price }) => price !== null);

/** Makes invoices so old and so large that their totals are near the maximum amount. */
function dear(random: Random): Values {
  const year = random.whole(1_970, 2_026);
  return {
    ...notice(random),
    amount: random.pick([1e9, 999_999_999, 12_345_678.9, random.whole(1e6, 1e9)]),
    due_date: `${year}-0${random.whole(1, 9)}-15`,
    rate: random.pick([1_000, 900, 10, random.whole(1, 1_000)]),
    pay_within_days: random.whole(1, 60),
  };
}
const dearOrNot: Maker = (random) => (random.chance(0.5) ? dear(random) : notice(random));

/** By default, an operation is never certain to have an answer. */
const { surelyAnswers: neverSure } = operation({} as never);
const isEverSure = (one: Operation): boolean => one.surelyAnswers !== neverSure;

it.each(paid.map((one): [string, Operation] => [one.name, one]))(
  '%s is never reported as certain to answer an input that has no answer',
  (name, one) => {
    const random = randomOf(17, `surely ${name}`);
    const make = name === 'late_fee_notice' ? dearOrNot : makerOf(one);
    const seen = { yes: 0, no: 0, none: 0 };
    for (let turn = 0; turn < (name === 'late_fee_notice' ? 3_000 : 800); turn += 1) {
      const values = make(random);
      const validated = validate(one, { values, faults: [] }, { today });
      if (!validated.ok) continue;
      const isAnswered = one.run(validated.input, { today }).kind === 'answer';
      const isSure = one.surelyAnswers(validated.input, { today });
      expect([values, isSure && !isAnswered]).toEqual([values, false]);
      seen[isSure ? 'yes' : 'no'] += 1;
      if (!isAnswered) seen.none += 1;
    }
    expect(seen.yes + seen.no).toBeGreaterThan(300);
    if (name === 'late_fee_notice') expect(Math.min(seen.yes, seen.no, seen.none)).toBeGreaterThan(5);
    expect(seen.yes > 0).toBe(isEverSure(one));
  },
);

it('a reminder and a pack are certain to be answered for most inputs, a report for none', () => {
  const sure = paid.filter(isEverSure).map(({ name }) => name);
  expect(sure).toEqual(expect.arrayContaining(['late_fee_notice', 'quote_pack']));
  expect(sure).not.toContain('small_business_stack_report');
});
