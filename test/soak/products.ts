import type { Random } from './random.ts';

/** One request for something paid; the same `body` and `path` are the same request. */
export type Asked = { readonly path: string; readonly body: unknown };
export type Product = {
  /** In millionths of a dollar. */
  readonly price: bigint;
  /** A request that no other buyer makes, if the product has room for a name. */
  ask(name: string, random: Random): Asked;
};

const businesses = ['service', 'trades', 'retail', 'creator', 'agency', 'nonprofit'] as const;

const notice: Product = {
  price: 10_000n,
  ask: (name) => ({
    path: `/v1/late-fee-notice?amount=1250&due_date=2026-01-15&client_name=${encodeURIComponent(name)}`,
    body: null,
  }),
};
const pack: Product = {
  price: 50_000n,
  ask: (name) => ({
    path: '/v1/quote-pack',
    body: { business_name: name, items: [{ description: 'Design', quantity: 2, unit_price: 450 }] },
  }),
};
const report: Product = {
  price: 1_000_000n,
  ask: (_name, random) => ({
    path: `/v1/stack-report?business_type=${random.pick(businesses)}&team_size=${random.whole(1, 10_000)}`,
    body: null,
  }),
};

/** Every product that is sold. */
export const products: readonly Product[] = [notice, pack, report];
