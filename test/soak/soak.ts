import type { Hex } from 'viem';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import { deal } from '../support/batch.ts';
import { mine, setAutomine } from '../support/chain-actions.ts';
import { type Books, booksOf, uncollected, type Violation, violationsIn } from './books.ts';
import { buy, collect, collectPaid, isAnswered } from './buyers.ts';
import { faults, kills, MEMORY_SETTLES_MS, type Stage } from './faults.ts';
import { gate } from './gate.ts';
import { type Event, planOf, type Size } from './plan.ts';
import { products } from './products.ts';
import type { Purchase } from './purchase.ts';
import { type Random, randomOf } from './random.ts';
import { styles } from './styles.ts';
import { type Support, supportOf } from './support.ts';
import { type Payer, startWorld, strangerOf, type World } from './world.ts';

export type Soak = {
  readonly seed: number;
  readonly size: Size;
  readonly purchases: readonly Purchase[];
  readonly books: Books;
  readonly events: readonly (Event & { readonly atMs: number; readonly untilMs: number })[];
  readonly violations: readonly Violation[];
  /** Logged by the instances. */
  readonly lines: readonly string[];
  readonly support: Support;
  /** The payee's final balance, in millionths of a dollar. */
  readonly earned: bigint;
  readonly durationMs: number;
};

const BUYERS_AT_ONCE = 16;
// A buyer who has to wait longer waits in parallel with the next buyer.
const PATIENCE_MS = 4_000;
const TRIES_MS = 20_000;
// The open claim of an instance that was killed is taken over after a minute, and a payment that its buyer did not
// keep is valid for two.
const COLLECT_MS = 300_000;
const SETTLE_MS = 10_000;
const BLOCK_MS = 2_000;
const DOLLARS = 20_000_000n;

const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));

/** Sells `size.purchases` answers while faults occur, and then balances the books. */
export async function soak(seed: number, size: Size): Promise<Soak> {
  const startedMs = performance.now();
  const world = await startWorld(seed, size.instances);
  try {
    const stage: Stage = { world, memory: gate(), blocks: gate() };
    const open = await stage.memory.close();
    const settling = wait(MEMORY_SETTLES_MS).then(open);
    const purchases: Purchase[] = [];
    const events: Soak['events'][number][] = [];
    const plan = planOf(size, randomOf(seed, 'plan'));
    const breaking: Promise<void>[] = [];
    const buying: Promise<void>[] = [];
    const breakBefore = (index: number) => {
      while (plan[0] !== undefined && plan[0].at <= index) {
        const event = plan.shift() as Event;
        breaking.push(occur(stage, event, randomOf(seed, `event ${index} ${plan.length}`), events));
      }
    };
    const worker = async () => {
      while (purchases.length < size.purchases) {
        const index = purchases.length;
        breakBefore(index);
        const random = randomOf(seed, `purchase ${index}`);
        const purchase = purchaseOf(world, index, random);
        purchases.push(purchase, ...purchase.companions);
        if (styles[purchase.style]?.payer === 'own') await deal(world.chain, purchase.from, DOLLARS);
        const untilMs = performance.now() + TRIES_MS;
        const done = buy(stage, purchase, random, () => performance.now() > untilMs);
        buying.push(done);
        await Promise.race([done, wait(PATIENCE_MS)]);
      }
    };
    await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, worker));
    await Promise.all([settling, ...breaking, ...buying]);
    await setAutomine(world.chain, true);
    for (const proxy of world.nodes.flat()) proxy.heal();
    // Only the time of a block shows that an unused payment has expired.
    const clock = setInterval(() => void mine(world.chain), BLOCK_MS);
    const books = await settleUp(stage, purchases, seed).finally(() => clearInterval(clock));
    const violations = violationsIn(purchases, books);
    const lines = world.instances.flatMap((instance) => instance.lines);
    const support = await supportOf(world);
    const earned = await usdcBalance(world.chain.rpcUrl, world.chain.payee);
    return {
      seed,
      size,
      purchases,
      books,
      events,
      violations,
      lines,
      support,
      earned,
      durationMs: performance.now() - startedMs,
    };
  } finally {
    await world.stop();
  }
}

function purchaseOf(world: World, index: number, random: Random, leader?: Purchase): Purchase {
  const style = leader?.style ?? weighted(random);
  const { payer, isNamed, companions = 0 } = styles[style] ?? {};
  const { buyer, from } = leader && random.chance(0.5) ? leader : payerOf(world, random, payer);
  const product = random.pick(products);
  const purchase = {
    index,
    style,
    product,
    asked: product.ask(`Buyer ${index}`, random),
    other: product.ask(`Replay ${index}`, random),
    buyer,
    from,
    name: isNamed
      ? {
          text: `purchase-${index}-${random.hex(8)}`,
          as: random.pick(['Idempotency-Key', 'payment-identifier'] as const),
        }
      : null,
    signed: [],
    replies: [],
    decoys: new Map<Hex, string>(),
    companions: [],
  };
  if (leader || companions === 0) return purchase;
  const others = Array.from({ length: random.whole(1, companions) }, (_, other) =>
    purchaseOf(world, index + 1 + other, random, purchase),
  );
  return { ...purchase, companions: others };
}

function payerOf({ payers, walletPayers }: World, random: Random, kind?: 'own' | 'wallet'): Payer {
  if (kind !== 'own') return random.pick(kind === 'wallet' ? walletPayers : payers);
  const buyer = strangerOf(random);
  return { buyer, from: buyer.address };
}

function weighted(random: Random): string {
  const entries = Object.entries(styles);
  let left = random.next() * entries.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const [name, { weight }] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return 'steady';
}

async function occur(
  stage: Stage,
  event: Event,
  random: Random,
  events: Soak['events'][number][],
): Promise<void> {
  const atMs = Math.round(performance.now());
  const fault = event.kind === 'kill' ? kills[event.name as keyof typeof kills] : faults[event.name];
  await fault?.(stage, random);
  events.push({ ...event, atMs, untilMs: Math.round(performance.now()) });
}

/**
 * Lets all buyers repeat their requests until they have what they paid for. Then the books are compared with the
 * chain.
 */
async function settleUp(stage: Stage, purchases: readonly Purchase[], seed: number): Promise<Books> {
  const beganMs = performance.now();
  const isOver = (afterMs: number) => () => performance.now() - beganMs > afterMs;
  const chances = new Map(purchases.map((one) => [one, randomOf(seed, `collect ${one.index}`)]));
  const random = (one: Purchase) => chances.get(one) as Random;
  const patienceMs = ({ style }: Purchase) => (styles[style]?.mayWait ? SETTLE_MS : COLLECT_MS);
  const unanswered = purchases.filter((one) => !isAnswered(one));
  await Promise.all(unanswered.map((one) => collect(stage, one, random(one), isOver(patienceMs(one)))));
  for (;;) {
    const books = await booksOf(stage.world.chain);
    const owed = purchases.flatMap((one) => uncollected(one, books).map((payment) => ({ one, payment })));
    if (owed.length === 0 || isOver(COLLECT_MS)()) return books;
    await Promise.all(owed.map(({ one, payment }) => collectPaid(stage, one, payment, random(one))));
    await wait(500);
  }
}
