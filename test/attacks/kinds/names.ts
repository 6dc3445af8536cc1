import type { SignedPayment } from '../../support/payments.ts';
import { headerJson } from '../client.ts';
import type { Kind } from '../kind.ts';
import type { Scene, ShopOptions } from '../scene.ts';
import { notice, quietly, type Shop } from '../shop.ts';

const named = (text: string) => ({ headers: { 'idempotency-key': text } });
const forged = (payment: SignedPayment): SignedPayment => ({
  ...payment,
  payload: { ...payment.payload, signature: `0x${'33'.repeat(64)}1b` },
});

/** An attack with forged payments on an idempotency key that a victim uses. */
const theft = (name: string, promise: string, open: (scene: Scene) => Promise<Shop>): Kind => ({
  name,
  promise,
  async run(scene) {
    const shop = await open(scene);
    const buyer = await scene.buyer(scene.chain);
    for (let round = 0; round < 2 * scene.rounds; round += 1) {
      const asked = notice();
      const key = named(`order-${scene.random.hex(8)}`);
      const bought = await shop.insist(await shop.sign(buyer, asked), asked, 20_000, key);
      scene.held(bought.status === 200, `an honest named purchase: ${bought.status}`);
      const thief = forged(await shop.sign(buyer, asked));
      const stolen = await shop.present(thief, asked, { ...key, ...quietly });
      const isPaid = headerJson(stolen, 'payment-response')?.success === true;
      scene.held(stolen.status !== 200 && !isPaid, 'a forged payment collected a named purchase');
      const next = named(`order-${scene.random.hex(8)}`);
      await shop.present(forged(await shop.sign(buyer)), notice(), { ...next, ...quietly });
      const own = await shop.insist(await shop.sign(buyer, asked), asked, 20_000, next);
      scene.held(
        own.status === 200,
        `a name that a forged payment used first: ${own.status} ${own.json?.code}`,
      );
    }
  },
});

export const nameKinds: readonly Kind[] = [
  theft(
    'forged payments with an idempotency key',
    'a forged payment with an idempotency key neither collects that purchase nor takes the key',
    (scene) => scene.house(),
  ),
  {
    name: 'empty idempotency keys',
    promise: 'an empty or blank idempotency key is ignored: each purchase with it is separate',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (const text of ['', ' ', '']) {
        const { status, json } = await buyUnder(shop, buyer, text);
        scene.held(status === 200 || status === 400, `"${text}": ${status} ${json?.code}`);
      }
    },
  },
  {
    name: 'ten signatures with one idempotency key',
    promise: 'ten new authorizations with one idempotency key at once are charged once',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < scene.rounds; round += 1) {
        const asked = notice();
        const key = named(`purchase-${scene.random.hex(8)}`);
        const before = (await shop.transfers()).length;
        const payments = await Promise.all(Array.from({ length: 10 }, () => shop.sign(buyer, asked)));
        await Promise.all(payments.map((one) => shop.present(one, asked, { ...key, ...quietly })));
        const after = (await shop.transfers()).length;
        scene.held(after - before === 1, `charged ${after - before} times`);
        scene.tried(10);
      }
    },
  },
  {
    name: 'idempotency keys of other payers',
    promise: 'an idempotency key belongs to its payer: the same text from another payer is another key',
    async run(scene) {
      const shop = await scene.house();
      const key = named('invoice-2026-000001');
      for (let round = 0; round < 3 * scene.rounds; round += 1) {
        const buyer = await scene.buyer(scene.chain);
        const asked = notice();
        const { status, json } = await shop.insist(await shop.sign(buyer, asked), asked, 20_000, key);
        scene.held(status === 200, `${status} ${json?.code}`);
      }
    },
  },
  {
    name: 'one idempotency key for two requests',
    promise: 'an idempotency key that was used for another request is refused, and nothing is charged',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const key = named('purchase-for-two-requests');
      const asked = notice();
      await shop.insist(await shop.sign(buyer, asked), asked, 20_000, key);
      for (let round = 0; round < 3; round += 1) {
        const { status } = await shop.present(await shop.sign(buyer), notice(), { ...key, ...quietly });
        scene.held(status === 409, `${status}`);
      }
      scene.held((await shop.transfers()).length === 1, 'it was charged');
    },
  },
];

async function buyUnder(shop: Shop, buyer: Parameters<Shop['sign']>[0], text: string) {
  const asked = notice();
  return shop.insist(await shop.sign(buyer, asked), asked, 10_000, named(text));
}

/** The same with a facilitator that settles. */
export const hostedTheft = (
  name: string,
  promise: string,
  options: (scene: Scene) => Promise<ShopOptions>,
): Kind => theft(name, promise, async (scene) => scene.shop(await options(scene)));
