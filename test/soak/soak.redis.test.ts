import { describe, expect, it } from 'vitest';
import { redisMissing } from '../support/redis.ts';
import { account, rarestFirst, summary } from './report.ts';
import { soak } from './soak.ts';

// `npm run test:full` runs this suite; `npm run soak` sells more.
const seed = Number(process.env.SOAK_SEED ?? 402);
const purchases = Number(process.env.SOAK_PURCHASES ?? 120);
const instances = Number(process.env.SOAK_INSTANCES ?? 3);
const size = {
  purchases,
  kills: Math.max(6, Math.ceil(purchases / 80)),
  faults: Math.max(17, Math.ceil(purchases / 12)),
  instances,
};
const MOST_ACCOUNTS = 20;
const NAMES = new Map([
  [10_000n, 'late_fee_notice,'],
  [50_000n, 'quote_pack,'],
  [1_000_000n, 'small_business_stack_report,'],
]);

describe.skipIf(redisMissing)(`${instances} instances on one Redis while everything goes wrong`, () => {
  it(`end with balanced books (seed ${seed})`, { timeout: 900_000 + size.purchases * 1_000 }, async () => {
    const result = await soak(seed, size);
    process.stdout.write(`${summary(result)}\n`);
    for (const violation of rarestFirst(result.violations).slice(0, MOST_ACCOUNTS))
      process.stdout.write(`\n${account(violation, result)}\n`);
    expect(result.violations.map(({ what }) => what)).toEqual([]);
    const ofBuyers = result.purchases.flatMap(({ product, signed }) =>
      signed.map(({ payload }) => ({ nonce: payload.authorization.nonce, price: product.price })),
    );
    const told = ofBuyers.flatMap(({ nonce, price }) =>
      result.books.paid.get(nonce)?.value === price ? [{ price, ...result.support.stories.get(nonce) }] : [],
    );
    expect(told.length).toBeGreaterThanOrEqual(size.purchases / 2);
    expect(told.filter(({ price, product }) => !product?.startsWith(NAMES.get(price) ?? '-'))).toEqual([]);
    expect(told.filter(({ answer }) => !answer?.startsWith('ready since'))).toEqual([]);
    expect(result.support.total).toBe(result.earned);
    expect(result.events.filter(({ kind }) => kind === 'kill')).toHaveLength(size.kills);
    expect(new Set(result.events.map(({ name }) => name)).size).toBeGreaterThanOrEqual(8);
    expect(result.lines.filter((line) => line.includes('"fault"'))).toEqual([]);
  });
});
