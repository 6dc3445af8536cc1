import { rpc } from '../../../src/devnet/chain-rpc.ts';
import { mine } from '../../support/chain-actions.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { FREE, notice, quietly, within } from '../shop.ts';

const off = (name: string, aheadSeconds: number): Kind => ({
  name,
  ...(aheadSeconds === 600 && { isLong: true }),
  promise:
    'while our clock is wrong, payments get 503, /readyz reports it, and no buyer is told to sign again',
  async run(scene) {
    const shop = await scene.shop({ aheadSeconds });
    // Two looks at the chain, some seconds apart, show a wrong clock if there is a new block between them. A real chain
    // always has one; this one has one when somebody pays, which may be nobody.
    let minedMs = 0;
    const isTold = await within(15_000, async () => {
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
  ...(aheadSeconds === 600 && { isLong: true }),
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

export const clockKinds: readonly Kind[] = [
  off('two minutes ahead', 130),
  off('ten minutes ahead', 600),
  off('ten minutes behind', -600),
  replay('replay with a clock behind', -600),
  replay('replay with a clock ahead', 600),
  {
    name: 'a chain that is ahead of our clock',
    promise:
      'if the chain is an hour ahead, payments and /readyz get 503, and no answer is given without a transfer',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain(), isStarted: false });
      await rpc(shop.chain.rpcUrl, 'evm_increaseTime', '0xe10');
      await mine(shop.chain);
      await shop.seller.start();
      const isTold = await within(8_000, async () => (await shop.readyz()).status === 503);
      scene.held(isTold, '/readyz says that payments can be taken');
      const { status, json } = await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice());
      scene.held(status === 503, `${status} ${json?.error ?? json?.code} while /readyz is 503`);
    },
  },
  {
    name: 'payments that expire',
    promise:
      'a payment that is valid for a few seconds is charged only with an answer, or refused before it is sent',
    async run(scene) {
      const shop = await scene.house();
      for (let count = 0; count < 8 * scene.rounds; count += 1) {
        const validBefore = String(Math.floor(Date.now() / 1000) + scene.random.whole(-1, 9));
        const payment = await shop.sign(await scene.buyer(shop.chain), notice(), {
          authorization: { validBefore },
        });
        const { status } = await shop.present(payment, notice());
        scene.held([200, 402, 409].includes(status), `${status}`);
      }
      scene.held(
        (await shop.sent()).every(({ isReverted }) => !isReverted),
        'reverted',
      );
    },
  },
];
