import fc from 'fast-check';
import type { Operation } from '../../src/catalog/operation.ts';
import { inputSchema } from '../../src/catalog/schema.ts';
import { obedient, object } from '../discovery/generated-requests.ts';
import type { Random } from '../soak/random.ts';
import { catalog } from '../support/app.ts';
import { lateFee, notice, pack, quote, report, tools, type Values } from './values.ts';

export type Maker = (random: Random) => Values;

/** Inputs in the style of callers, by the name of the operation. */
export const byHand: Readonly<Record<string, Maker>> = {
  late_fee: lateFee,
  quote_totals: quote,
  list_tools: tools,
  tool: tools,
  late_fee_notice: notice,
  quote_pack: pack,
  small_business_stack_report: report,
};

/** The operations without their own maker. */
export const others: readonly Operation[] = catalog.filter(({ name }) => !Object.hasOwn(byHand, name));

/** Returns the maker of an operation's inputs: its own maker, or a maker from its schema and its example. */
export function makerOf(operation: Operation): Maker {
  const own = byHand[operation.name];
  if (own !== undefined) return own;
  const schema = inputSchema(operation);
  const made = fc.sample(object(schema), { numRuns: 500, seed: 17 });
  return (random) => {
    const values = obedient(random.pick(made), schema);
    // The example obeys rules that no schema has, such as valid currency codes, so most of it is kept.
    const changed = Object.entries(values).filter(() => random.chance(0.2));
    return { ...operation.example, ...Object.fromEntries(changed) };
  };
}
