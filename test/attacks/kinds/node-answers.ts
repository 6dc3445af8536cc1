import type { Kind } from '../kind.ts';
import { type Lie, result, SENDS } from '../node.ts';
import type { Scene } from '../scene.ts';
import { notice, quietly, type Shop, wait } from '../shop.ts';

const honest = async (scene: Scene, shop: Shop, forMs = 12_000) =>
  shop.buy(await scene.buyer(shop.chain), notice(), forMs);

/** Results that do not have the shape of the method. */
const shapes: readonly unknown[] = [
  null,
  {},
  [],
  '0x',
  'abc',
  '',
  -1,
  '-1',
  true,
  '0xzz',
  `0x${'f'.repeat(80)}`,
  [{}],
  { logs: [{}], status: '0x1' },
  { status: '0x1', logs: null, transactionHash: 7 },
  { number: null, timestamp: 'soon', baseFeePerGas: {} },
];
const methods = [
  'eth_call',
  'eth_getBlockByNumber',
  'eth_getBalance',
  'eth_getTransactionCount',
  'eth_sendRawTransactionSync',
  'eth_getTransactionReceipt',
  'eth_getLogs',
  'eth_blockNumber',
  'eth_chainId',
  'eth_getCode',
];

export const nodeAnswerKinds: readonly Kind[] = [
  {
    name: 'malformed answers of a node',
    promise:
      'malformed answers of a node crash no process, cause no internal error, and charge nobody without an answer',
    async run(scene) {
      const shop = await scene.shop();
      for (const method of methods) {
        const tried = shapes.filter(() => scene.rounds > 1 || scene.random.chance(0.34));
        for (const shape of tried) {
          shop.node.lie((call, pass) => (call.method === method ? oddly(call, pass, shape) : undefined));
          const payment = await shop.sign(await scene.buyer(shop.chain));
          const { status } = await shop.present(payment, notice(), { ...quietly, timeoutMs: 700 });
          scene.held(status !== 500, `${method} ${JSON.stringify(shape)}: 500`);
          if (!shop.seller.isAlive())
            return scene.held(false, `${method} ${JSON.stringify(shape)}: the process ended`);
        }
      }
      shop.node.lie(null);
      const { status } = await honest(scene, shop, 40_000);
      scene.held(status === 200, `afterward: ${status}`);
    },
  },
  {
    name: 'a malformed balance',
    promise: "no answer about the relayer's balance crashes the process",
    async run(scene) {
      for (const shape of scene.rounds > 1 ? ['0x', {}, 'abc', null] : ['0x', {}]) {
        const shop = await scene.shop({ isStarted: false });
        shop.node.lie((call) => (call.method === 'eth_getBalance' ? result(call, shape) : undefined));
        await shop.seller.start();
        await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice(), quietly);
        await wait(300);
        scene.held(shop.seller.isAlive(), `${JSON.stringify(shape)}: the process ended`);
        await shop.seller.end();
      }
    },
  },
  {
    name: 'a malformed receipt of a broadcast',
    promise: 'if the receipt of a broadcast cannot be read, the buyer still gets an answer',
    async run(scene) {
      const shop = await scene.shop();
      const odd = [
        { logs: [{}] },
        { status: '0x1', logs: [{}] },
        { status: '0x1', logs: [null] },
        { status: 1, logs: 'x' },
        [],
      ];
      for (const shape of odd) {
        shop.node.lie(async (call, pass) => {
          if (call.method !== 'eth_sendRawTransactionSync') return undefined;
          const { result: receipt } = await pass();
          return result(call, Array.isArray(shape) ? shape : { ...receipt, ...shape });
        });
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const asked = notice();
        const first = await shop.present(payment, asked);
        scene.held(first.status === 200 || first.status === 409, `${JSON.stringify(shape)}: ${first.status}`);
        shop.node.lie(null);
        const { status } = await shop.insist(payment, asked, 15_000);
        scene.held(status === 200, `then ${status}`);
      }
    },
  },
  {
    name: 'wrong nonce counts',
    promise: 'the service recovers from a wrong transaction count of the relayer without a restart',
    async run(scene) {
      const recover = async (count: string) => {
        const shop = await scene.shop({ isStarted: false });
        let lies = 1;
        shop.node.lie((call) => {
          if (call.method !== 'eth_getTransactionCount' || lies <= 0) return undefined;
          lies -= 1;
          return result(call, count);
        });
        await shop.seller.start();
        const { status, json } = await shop.buy(await scene.buyer(shop.chain), notice(), 45_000);
        scene.held(status === 200, `a count of ${count}: ${status} ${json?.code}`);
      };
      await Promise.all((scene.rounds > 1 ? ['0x64', '-1', '0x'] : ['0x64', '-1']).map(recover));
    },
  },
  {
    name: 'a receipt that falsely shows failure',
    promise: 'if a node falsely reports a transaction as reverted, no buyer is told that nothing was charged',
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie(async (call, pass) => {
        if (!['eth_sendRawTransactionSync', 'eth_getTransactionReceipt'].includes(call.method))
          return undefined;
        const reply = await pass();
        return reply.result ? { ...reply, result: { ...reply.result, status: '0x0', logs: [] } } : reply;
      });
      const buyer = await scene.buyer(shop.chain);
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        const asked = notice();
        await shop.present(payment, asked);
        await shop.present(payment, asked);
        scene.tried(2);
        shop.node.lie(null);
        const { status, json } = await shop.insist(payment, asked, 15_000);
        scene.held(status === 200, `then ${status} ${json?.error ?? json?.code}`);
      }
      const after = await honest(scene, shop);
      scene.held(after.status === 200, `the next buyer: ${after.status}`);
    },
  },
  {
    name: 'empty answers to state calls',
    promise:
      'if a node answers every call with empty data, nothing is sold, and each payer costs at most one revert',
    async run(scene) {
      const shop = await scene.shop();
      shop.node.lie((call) => (call.method === 'eth_call' ? result(call, '0x') : undefined));
      for (let count = 0; count < 3; count += 1) {
        const poor = await shop.sign(await scene.buyer(shop.chain, 0n));
        const { status } = await shop.present(poor, notice(), { ...quietly, timeoutMs: 3_000 });
        scene.held(status !== 200 && status !== 500, `${status}`);
      }
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted <= 3, `${reverted} reverts of 3 payers`);
    },
  },
  {
    name: 'huge answers of a node',
    promise: 'a node that answers with megabytes does not fill the memory',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      const before = shop.seller.residentMb();
      const huge = 'f'.repeat(16 * 1024 * 1024);
      shop.node.lie((call) => (SENDS.includes(call.method) ? undefined : result(call, `0x${huge}`)));
      const payments = await Promise.all(
        Array.from({ length: 8 }, async () => shop.sign(await scene.buyer(shop.chain))),
      );
      await Promise.all(
        payments.map((one) => shop.present(one, notice(), { ...quietly, timeoutMs: 15_000 })),
      );
      const grown = shop.seller.residentMb() - before;
      scene.held(grown < 400, `${grown} MB more`);
      scene.held(shop.seller.isAlive(), 'the process ended');
    },
  },
  {
    name: 'answers to another request',
    promise:
      'answers with a foreign ID, several answers, or a result next to an error do not lead to a charge without an answer',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      const lies: readonly Lie[] = [
        async (_call, pass) => [await pass()],
        async (call, pass) => ({ ...(await pass()), error: { code: -32000, message: 'no' }, id: call.id }),
        async (_call, pass) => ({ ...(await pass()), id: 'other' }),
        async (_call, pass) => ({ result: (await pass()).result }),
      ];
      for (const lie of lies) {
        shop.node.lie(lie);
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const asked = notice();
        const { status } = await shop.present(payment, asked, { ...quietly, timeoutMs: 3_000 });
        scene.held(status !== 500, 'a 500');
        shop.node.lie(null);
        const then = await shop.insist(payment, asked, 15_000);
        scene.held(then.status === 200, `then ${then.status}`);
      }
    },
  },
];

/** Returns a result of this shape instead of the real one. A transaction that was sent stays sent. */
async function oddly(call: Parameters<Lie>[0], pass: Parameters<Lie>[1], shape: unknown) {
  if (SENDS.includes(call.method)) await pass();
  return result(call, shape);
}
