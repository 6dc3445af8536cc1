import { mine, setAutomine } from '../../support/chain-actions.ts';
import type { SignedPayment } from '../../support/payments.ts';
import { until } from '../../support/until.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { FREE, notice, quietly, type Shop, wait, within } from '../shop.ts';

/** Two processes of one shop on one Redis, each with its own relayer. */
async function pair(scene: Scene, options: { appendOnly?: boolean; chain?: Shop['chain'] } = {}) {
  const redis = await scene.redis(options);
  const where = options.chain === undefined ? {} : { chain: options.chain };
  const settings = { REDIS_URL: redis.url };
  const one = await scene.shop({ ...where, settings });
  const other = await scene.shop({ ...where, settings, like: one, ownRelayer: true });
  // With a new Redis, a relayer key may be used only after ten seconds.
  for (const shop of [one, other])
    await until(async () => (await shop.readyz()).status === 200, 'payments are taken', 60_000);
  return { redis, one, other };
}

const several = (scene: Scene, shop: Shop, count: number): Promise<SignedPayment[]> =>
  Promise.all(Array.from({ length: count }, async () => shop.sign(await scene.buyer(shop.chain))));

export const redisKinds: readonly Kind[] = [
  {
    name: 'one payment at two processes',
    promise: 'a payment that is presented to two processes at once for two requests buys one answer',
    async run(scene) {
      const { one, other } = await pair(scene);
      const payments = await several(scene, one, 10 * scene.rounds);
      await Promise.all(
        payments.flatMap((payment, index) => [
          one.present(payment, notice(`One ${index}`), quietly),
          other.present(payment, notice(`Other ${index}`), quietly),
        ]),
      );
      scene.tried(2 * payments.length);
      scene.held((await one.transfers()).length === payments.length, 'other transfers than payments');
    },
  },
  {
    name: 'one idempotency key at two processes',
    promise: 'new authorizations with one idempotency key are charged once, even at two processes at once',
    isLong: true,
    async run(scene) {
      const { one, other } = await pair(scene);
      const buyer = await scene.buyer(one.chain);
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const before = (await one.transfers()).length;
        const asked = notice();
        const headers = { 'idempotency-key': `purchase-${scene.random.hex(8)}` };
        const payments = await Promise.all(Array.from({ length: 8 }, () => one.sign(buyer, asked)));
        await Promise.all(
          payments.map((payment, index) =>
            (index % 2 === 0 ? one : other).present(payment, asked, { ...quietly, headers }),
          ),
        );
        const charged = (await one.transfers()).length - before;
        scene.held(charged === 1, `charged ${charged} times`);
      }
    },
  },
  {
    name: 'FLUSHALL during purchases',
    promise: 'after FLUSHALL during purchases, no payment buys two answers',
    async run(scene) {
      const chain = await scene.ownChain();
      const { redis, one, other } = await pair(scene, { chain });
      for (let round = 0; round < scene.rounds; round += 1) {
        const payments = await several(scene, one, 15);
        await setAutomine(chain, false);
        const first = payments.map((payment, index) =>
          one.present(payment, notice(`One ${round} ${index}`), { ...quietly, timeoutMs: 15_000 }),
        );
        await wait(700);
        await redis.command('FLUSHALL');
        const second = payments.map((payment, index) =>
          other.present(payment, notice(`Other ${round} ${index}`), { ...quietly, timeoutMs: 15_000 }),
        );
        await wait(500);
        await setAutomine(chain, true);
        await mine(chain);
        await Promise.all([...first, ...second]);
        await Promise.all(
          payments.map((payment, index) =>
            other.present(payment, notice(`Third ${round} ${index}`), quietly),
          ),
        );
        scene.tried(3 * payments.length);
      }
    },
  },
  {
    name: 'a restart of Redis without its data',
    promise: 'after Redis has lost everything, no old payment buys again at either process',
    async run(scene) {
      const { redis, one, other } = await pair(scene);
      const payments = await several(scene, one, 5);
      for (const [index, payment] of payments.entries()) await one.insist(payment, notice(`Old ${index}`));
      const strange = await one.sign(await scene.buyer(one.chain));
      await frontRun(one.chain, strange);
      await redis.kill();
      await redis.start();
      await within(
        10_000,
        async () => (await one.readyz()).status === 200 && (await other.readyz()).status === 200,
      );
      for (const payment of payments)
        for (const shop of [one, other]) {
          const { status } = await shop.present(payment, notice(), quietly);
          scene.held(status !== 200, 'an old payment bought again');
        }
    },
  },
  {
    name: 'a hanging Redis',
    promise:
      'while Redis hangs, payments get 503 and nothing is sent, free routes still work, and /readyz reports it',
    async run(scene) {
      const { redis, one } = await pair(scene);
      await one.buy(await scene.buyer(one.chain));
      const sent = (await one.sent()).length;
      redis.freeze();
      try {
        const payment = await one.sign(await scene.buyer(one.chain));
        const { status } = await one.present(payment, notice(), quietly);
        scene.held(status === 503, `${status}`);
        const free = await one.get(FREE);
        scene.held(free.status === 200, `free: ${free.status}`);
        scene.held(
          await within(6_000, async () => (await one.readyz()).status === 503),
          '/readyz says that payments can be taken',
        );
        scene.held((await one.sent()).length === sent, 'something was sent');
      } finally {
        redis.thaw();
      }
      const { status } = await one.buy(await scene.buyer(one.chain), notice(), 15_000);
      scene.held(status === 200, `afterward: ${status}`);
    },
  },
  {
    name: 'a full Redis',
    promise: 'while Redis is full, payments get 503, and nobody is charged without an answer',
    async run(scene) {
      const { redis, one } = await pair(scene);
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      for (const payment of await several(scene, one, 4)) {
        const { status } = await one.present(payment, notice());
        scene.held(status === 503, `${status}`);
      }
      const free = await one.get(FREE);
      scene.held(free.status === 200, `free: ${free.status}`);
      scene.held((await one.sent()).length === 0, 'something was sent');
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
      const { status } = await one.buy(await scene.buyer(one.chain), notice(), 15_000);
      scene.held(status === 200, `afterward: ${status}`);
    },
  },
  {
    name: 'a Redis that is full between claim and broadcast',
    promise: 'if Redis becomes full while a payment is proven, nothing is sent without a stored claim',
    isLong: true,
    async run(scene) {
      const { redis, one, other } = await pair(scene);
      await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      let isFull = false;
      one.node.lie(async ({ method }) => {
        if (method !== 'eth_call' || isFull) return;
        isFull = true;
        await redis.command('CONFIG', 'SET', 'maxmemory', '1');
      });
      const payment = await one.sign(await scene.buyer(one.chain));
      const asked = notice();
      await one.present(payment, asked, { timeoutMs: 10_000 });
      await redis.command('CONFIG', 'SET', 'maxmemory', '0');
      await other.present(payment, notice(), { ...quietly, timeoutMs: 5_000 });
      scene.tried(2);
      const used = (await one.transfers()).length;
      scene.held(used <= 1, `${used} transfers`);
    },
  },
  {
    name: 'eviction',
    promise: 'if Redis evicts claims, no payment buys two answers',
    isLong: true,
    async run(scene) {
      const { redis, one, other } = await pair(scene);
      const payments = await several(scene, one, 6);
      for (const [index, payment] of payments.entries())
        await one.insist(payment, notice(`Evicted ${index}`));
      for (const key of (await redis.command('KEYS', '*')) as string[]) await redis.command('DEL', key);
      for (const payment of payments)
        for (const shop of [other, one]) {
          const { status } = await shop.present(payment, notice(), quietly);
          scene.held(status !== 200, 'a payment bought again');
        }
    },
  },
  {
    name: 'killed after a broadcast',
    promise: 'a payment that a killed process has sent is found by the other process, and charged once',
    isLong: true,
    async run(scene) {
      const chain = await scene.ownChain();
      const { one, other } = await pair(scene, { chain, appendOnly: true });
      const payments = await several(scene, one, 5);
      await setAutomine(chain, false);
      const heard = payments.map((payment, index) =>
        one.present(payment, notice(`Killed ${index}`), { timeoutMs: 10_000 }),
      );
      await wait(900);
      await one.seller.end('SIGKILL');
      await Promise.all(heard);
      await setAutomine(chain, true);
      await mine(chain);
      await Promise.all(
        payments.map(async (payment, index) => {
          const { status, json } = await other.insist(payment, notice(`Killed ${index}`), 75_000);
          scene.held(status === 200, `${status} ${json?.code}`);
        }),
      );
    },
  },
];
