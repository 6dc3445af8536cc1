import type { Hex } from 'viem';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { setAutomine } from '../support/chain-actions.ts';
import { type Used, uncollected, usedOn, type Violation, violationsIn } from './books.ts';
import { buy, collect, collectPaid, isAnswered } from './buyers.ts';
import { faults, kills, MEMORY_SETTLES_MS, type Stage } from './faults.ts';
import { gate } from './gate.ts';
import { type Event, planOf, type Size } from './plan.ts';
import { products } from './products.ts';
import type { Purchase } from './purchase.ts';
import { type Random, randomOf } from './random.ts';
import { styles } from './styles.ts';
import { startWorld } from './world.ts';

export type Soak = {
  readonly seed: number;
  readonly size: Size;
  readonly purchases: readonly Purchase[];
  readonly used: ReadonlyMap<Hex, Used>;
  readonly events: readonly (Event & { readonly atMs: number; readonly untilMs: number })[];
  readonly violations: readonly Violation[];
  /** Logged by the instances. */
  readonly lines: readonly string[];
  readonly durationMs: number;
};

const BUYERS_AT_ONCE = 16;
// A buyer who has to wait longer does so beside the next one.
const PATIENCE_MS = 4_000;
const TRIES_MS = 20_000;
// An open claim of an instance that was killed is taken over after a minute.
const COLLECT_MS = 75_000;
const SETTLE_MS = 10_000;

const wait = (durationMs: number) => new Promise<void>((resolve) => setTimeout(resolve, durationMs));

/** Sells `size.purchases` answers while everything goes wrong, then balances the books. */
export async function soak(seed: number, size: Size): Promise<Soak> {
  const startedMs = performance.now();
  const world = await startWorld(seed);
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
        const purchase = purchaseOf(stage, index, random);
        purchases.push(purchase);
        const untilMs = performance.now() + TRIES_MS;
        const done = buy(stage, purchase, random, () => performance.now() > untilMs);
        buying.push(done);
        await Promise.race([done, wait(PATIENCE_MS)]);
      }
    };
    await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, worker));
    await Promise.all([settling, ...breaking, ...buying]);
    await setAutomine(world.chain, true);
    for (const proxy of world.proxies) proxy.heal();
    const used = await settleUp(stage, purchases, seed);
    const violations = violationsIn(purchases, used);
    const lines = world.instances.flatMap((instance) => instance.lines);
    return {
      seed,
      size,
      purchases,
      used,
      events,
      violations,
      lines,
      durationMs: performance.now() - startedMs,
    };
  } finally {
    await world.stop();
  }
}

function purchaseOf({ world }: Stage, index: number, random: Random): Purchase {
  const { buyers } = world.chain;
  const which = random.whole(0, buyers.length);
  // The last one is the contract wallet, which the first buyer signs for.
  const buyer = (buyers[which] ?? buyers[0]) as DevAccount;
  const product = random.pick(products);
  const style = weighted(random);
  return {
    index,
    style,
    product,
    asked: product.ask(`Buyer ${index}`, random),
    other: product.ask(`Replay ${index}`, random),
    buyer,
    from: which === buyers.length ? world.wallet : buyer.address,
    name: styles[style]?.isNamed
      ? {
          text: `purchase-${index}-${random.hex(8)}`,
          as: random.pick(['Idempotency-Key', 'payment-identifier']),
        }
      : null,
    signed: [],
    replies: [],
  };
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

/** Everybody asks until they have what they paid for; then the chain has the last word. */
async function settleUp(stage: Stage, purchases: readonly Purchase[], seed: number): Promise<Soak['used']> {
  const beganMs = performance.now();
  const isOver = (afterMs: number) => () => performance.now() - beganMs > afterMs;
  const chances = new Map(purchases.map((one) => [one, randomOf(seed, `collect ${one.index}`)]));
  const random = (one: Purchase) => chances.get(one) as Random;
  const unanswered = purchases.filter((one) => !isAnswered(one));
  await Promise.all(unanswered.map((one) => collect(stage, one, random(one), isOver(SETTLE_MS))));
  for (;;) {
    const used = await usedOn(stage.world.chain);
    const owed = purchases.flatMap((one) => uncollected(one, used).map((payment) => ({ one, payment })));
    if (owed.length === 0 || isOver(COLLECT_MS)()) return used;
    await Promise.all(owed.map(({ one, payment }) => collectPaid(stage, one, payment, random(one))));
    await wait(500);
  }
}
