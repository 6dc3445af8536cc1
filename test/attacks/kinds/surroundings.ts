import { rpc } from '../../../src/devnet/chain-rpc.ts';
import { mine, setAutomine } from '../../support/chain-actions.ts';
import { frontRun } from '../../support/payments.ts';
import { fund, sendTo } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { type Lie, result, SENDS } from '../node.ts';
import type { Scene } from '../scene.ts';
import { CENT, FREE, notice, quietly, type Shop, wait, within } from '../shop.ts';

const honest = async (scene: Scene, shop: Shop, forMs = 60_000) =>
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

const off = (name: string, aheadSeconds: number): Kind => ({
  name,
  promise:
    'while our clock is wrong, payments get 503, /readyz reports it, and no buyer is told to sign again',
  async run(scene) {
    const shop = await scene.shop({ aheadSeconds });
    // Two checks of the chain, some seconds apart, show a wrong clock if there is a new block between them. A real
    // chain always has a new block. This chain has one only when somebody pays.
    let minedMs = 0;
    const isTold = await within(60_000, async () => {
      if (Date.now() - minedMs > 1_000) {
        await mine(shop.chain);
        minedMs = Date.now();
      }
      const isKnown = shop.seller.lines.some((line) => line.includes('clock_off'));
      return isKnown && (await shop.readyz()).status === 503;
    });
    scene.held(isTold, '/readyz says that payments can be taken');
    for (let count = 0; count < 3; count += 1) {
      const from = Math.floor(Date.now() / 1000) - 30;
      const payment = await shop.sign(await scene.buyer(shop.chain), notice(), {
        authorization: { validAfter: String(from) },
      });
      const { status, json } = await shop.present(payment, notice());
      scene.held(status === 503, `${status} ${json?.error ?? json?.code} while /readyz is 503`);
    }
    const free = await shop.get(FREE);
    scene.held(free.status === 200, `free: ${free.status}`);
    const unpaid = await shop.get(notice().path);
    scene.held(unpaid.status === 402, `unpaid: ${unpaid.status}`);
  },
});

/** Old payments after a restart of a process without memory and with a wrong clock. */
const replay = (name: string, aheadSeconds: number): Kind => ({
  name,
  promise: 'after a restart without Redis and with a wrong clock, no old payment buys again',
  async run(scene: Scene) {
    const shop = await scene.shop();
    const late = await scene.shop({ like: shop, aheadSeconds, isStarted: false });
    const validBefore = String(Math.floor(Date.now() / 1000) + 3_600);
    for (let round = 0; round < 2 * scene.rounds; round += 1) {
      const payment = await shop.sign(await scene.buyer(shop.chain), notice(), {
        authorization: { validBefore },
      });
      await shop.insist(payment, notice(`Then ${round}`), 5_000, quietly);
      if (round === 0) await late.seller.start();
      const { status } = await late.present(payment, notice(), quietly);
      scene.held(status !== 200, 'it bought again');
    }
  },
});

/** What surrounds the service lies: its node, its chain, its clock, and a second process of it. */
export const surroundingKinds: readonly Kind[] = [
  {
    name: 'malformed answers of a node',
    promise:
      'malformed answers of a node crash no process, cause no internal error, and charge nobody without an answer',
    async run(scene) {
      const shop = await scene.shop();
      for (const method of methods) {
        const tried = shapes.filter(() => scene.rounds > 1 || scene.random.chance(0.15));
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
      const { status } = await honest(scene, shop);
      scene.held(status === 200, `afterward: ${status}`);
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
        const { status, json } = await shop.insist(payment, asked, 60_000);
        scene.held(status === 200, `then ${status} ${json?.error ?? json?.code}`);
      }
      const after = await honest(scene, shop);
      scene.held(after.status === 200, `the next buyer: ${after.status}`);
    },
  },
  {
    name: 'two purchases with the money for one',
    promise: 'while a payment can still be used, no buyer is told that nothing was charged',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const buyer = await scene.buyer(shop.chain, CENT);
      await shop.remembers();
      await setAutomine(shop.chain, false);
      const first = await shop.sign(buyer);
      const second = await shop.sign(buyer);
      const heard = Promise.all([
        shop.present(first, notice('First'), { ...quietly, timeoutMs: 20_000 }),
        shop.present(second, notice('Second'), { ...quietly, timeoutMs: 20_000 }),
      ]);
      await wait(1_200);
      await setAutomine(shop.chain, true);
      await mine(shop.chain);
      for (const { status, text } of await heard)
        scene.held(
          !/nothing was charged/i.test(text),
          `${status}: nothing was charged, of a payment that is still good`,
        );
      // A stranger who reads a reverted transaction submits its bytes once there is money.
      await fund(shop.chain, buyer.address, 10n * CENT);
      for (const { input, isReverted } of await shop.sent())
        if (isReverted) await sendTo(shop.chain, shop.chain.usdc, input);
      for (const [payment, asked] of [
        [first, notice('First')],
        [second, notice('Second')],
      ] as const) {
        // A payment that was never sent may have been refused for lack of money, which is remembered for seconds.
        const isServed = await within(
          60_000,
          async () => (await shop.present(payment, asked, quietly)).status === 200,
        );
        scene.held(isServed, 'with money for both, one is not answered within a minute');
      }
    },
  },
  {
    name: 'edited while pending',
    promise: 'a pending payment is sent again as it was signed, whatever is presented in the meantime',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      const { authorization } = payment.payload;
      const edits = [
        { validAfter: '1' },
        { validAfter: '7' },
        { validBefore: `${Number(authorization.validBefore) - 1}` },
      ];
      await setAutomine(shop.chain, false);
      await shop.present(payment, asked, { timeoutMs: 1_500 });
      await rpc(shop.chain.rpcUrl, 'anvil_dropAllTransactions');
      for (const edit of edits) {
        const edited = {
          ...payment,
          payload: { ...payment.payload, authorization: { ...authorization, ...edit } },
        };
        const { status } = await shop.present(edited, asked, { ...quietly, timeoutMs: 1_500 });
        scene.held(status !== 200, `${JSON.stringify(edit)}: an answer`);
      }
      await setAutomine(shop.chain, true);
      await mine(shop.chain);
      const { status, json } = await shop.insist(payment, asked, 60_000);
      scene.held(status === 200, `its payer is told ${status} ${json?.error ?? json?.code}`);
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted === 0, `${reverted} transactions of another content were sent and reverted`);
    },
  },
  off('a clock ahead', 130),
  off('a clock behind', -600),
  replay('replay with a clock behind', -600),
  {
    name: 'a restart within a second',
    promise:
      'a payment that bought an answer just before a restart buys nothing afterward, even within the same second',
    async run(scene) {
      const shop = await scene.shop();
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const strange = await shop.sign(await scene.buyer(shop.chain));
        await shop.remembers();
        // A block has the second in which it was made as its date, so the test waits for the beginning of a second.
        await wait(1_000 - (Date.now() % 1_000));
        await frontRun(shop.chain, strange.payload);
        await Promise.all([
          shop.insist(payment, notice(`Before ${round}`), 5_000, quietly),
          shop.insist(strange, notice(`Strange ${round}`), 5_000, quietly),
        ]);
        await shop.seller.end('SIGKILL');
        await shop.seller.start();
        for (const one of [payment, strange]) {
          const { status } = await shop.present(one, notice(), quietly);
          scene.held(status !== 200, 'it bought again after the restart');
        }
      }
    },
  },
  {
    name: 'two processes with one relayer and no Redis',
    promise: 'one payment that is presented to both processes at once for two requests buys one answer',
    async run(scene) {
      const one = await scene.shop();
      const other = await scene.shop({ like: one });
      for (let round = 0; round < 4 * scene.rounds; round += 1) {
        const payment = await one.sign(await scene.buyer(one.chain));
        await Promise.all([
          one.present(payment, notice(`One ${round}`), { ...quietly, timeoutMs: 15_000 }),
          other.present(payment, notice(`Other ${round}`), { ...quietly, timeoutMs: 15_000 }),
        ]);
        scene.tried(2);
      }
    },
  },
];

/** Returns a result of this shape instead of the real one. A transaction that was sent stays sent. */
async function oddly(call: Parameters<Lie>[0], pass: Parameters<Lie>[1], shape: unknown) {
  if (SENDS.includes(call.method)) await pass();
  return result(call, shape);
}
