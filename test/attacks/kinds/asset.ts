import { blacklist, pause, unpause } from '../../support/chain-actions.ts';
import type { Kind } from '../kind.ts';
import { notice, within } from '../shop.ts';

export const assetKinds: readonly Kind[] = [
  {
    name: 'a paused asset',
    promise: 'while USDC is paused, payments get 503, and they can be used afterward',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      await pause(shop.chain);
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      const { status, json } = await shop.present(payment, asked);
      scene.held(status === 503, `${status} ${json?.error ?? json?.code}`);
      await unpause(shop.chain);
      const then = await shop.insist(payment, asked, 20_000);
      scene.held(then.status === 200, `afterward ${then.status}`);
    },
  },
  {
    name: 'a blacklisted payee',
    promise: 'if USDC blacklists the payee, no buyer is told to sign again, and /readyz reports it',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      await blacklist(shop.chain, shop.payee);
      const { status, json } = await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice());
      scene.held(status === 503, `${status} ${json?.error ?? json?.code}`);
      scene.held(
        await within(5_000, async () => (await shop.readyz()).status === 503),
        '/readyz says that payments can be taken',
      );
    },
  },
];
