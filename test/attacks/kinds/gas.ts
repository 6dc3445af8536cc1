import { pad } from 'viem/utils';
import { rpc } from '../../../src/devnet/chain-rpc.ts';
import { mine, setBalance, setBaseFee } from '../../support/chain-actions.ts';
import { fund, oddAnswers, place, walletCode } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { CENT, notice, quietly, report, type Shop, within } from '../shop.ts';

const GWEI = 1_000_000_000n;
/** What an operator accepts to lose of gas for each cent sold, unless told otherwise. */
const WEI_PER_CENT = 10_000n * GWEI;

/** Has blocks, those to come too, ask for so much gas money: thousandths of a gwei. */
async function priceGas(chain: Shop['chain'], milliGwei: bigint): Promise<void> {
  await setBaseFee(chain, (milliGwei * GWEI) / 1_000n);
  await mine(chain);
  await setBaseFee(chain, (milliGwei * GWEI) / 1_000n);
}

export const gasKinds: readonly Kind[] = [
  {
    name: 'gas at a hundred times its price',
    promise: 'what an answer brings bounds what its gas may cost, per cent of its price',
    async run(scene) {
      const chain = await scene.ownChain();
      for (const milliGwei of scene.rounds > 1 ? [40n, 400n, 1_000n] : [40n, 1_000n]) {
        await priceGas(chain, milliGwei);
        const shop = await scene.shop({ chain });
        for (const asked of [notice(), report()]) {
          await priceGas(chain, milliGwei);
          const { status, json } = await shop.present(
            await shop.sign(await scene.buyer(chain), asked),
            asked,
            { timeoutMs: 12_000 },
          );
          scene.held([200, 503].includes(status), `${status} ${json?.code}`);
          const cost = (await shop.sent()).at(-1);
          if (status !== 200 || cost === undefined) continue;
          const bound = (WEI_PER_CENT * asked.price) / CENT;
          scene.held(
            cost.costWei <= bound,
            `${cost.costWei} wei of gas for an answer of ${asked.price}: more than ${bound}`,
          );
        }
        await shop.seller.end();
      }
    },
  },
  {
    name: 'an hourly budget of gas',
    promise:
      'reverts of accounts with code end with their share of the hour: then theirs are 503, others go on, and /readyz tells the truth of both',
    async run(scene) {
      const chain = await scene.ownChain();
      const shop = await scene.shop({ chain, settings: { GAS_BUDGET_ETH_PER_HOUR: '0.00001' } });
      for (let count = 0; count < 16; count += 1) {
        // Each with code of its own, valid while the relayer has paid for nothing since.
        const tail = String(count).padStart(4, '0');
        const condition = `5f5473${shop.relayer.address.slice(2)}3114`;
        const turning = walletCode(condition, oddAnswers['runs out of gas']);
        const from = await place(chain, `${turning}${tail}` as `0x${string}`);
        await fund(chain, from, 100n * CENT);
        await priceGas(chain, 10n);
        const wei = await rpc<`0x${string}`>(chain.rpcUrl, 'eth_getBalance', shop.relayer.address, 'latest');
        await rpc(chain.rpcUrl, 'anvil_setStorageAt', from, pad('0x0'), pad(wei));
        const payment = await shop.sign(await scene.buyer(chain, 0n), notice(), { authorization: { from } });
        await shop.present(payment, notice(), { ...quietly, timeoutMs: 3_000 });
      }
      scene.tried(16);
      const spent = (await shop.sent()).reduce((sum, { costWei }) => sum + costWei, 0n);
      scene.held(spent <= 15_000_000_000_000n, `${spent} wei of gas for a budget of 10000000000000`);
      const { status } = await shop.present(await shop.sign(await scene.buyer(chain)), notice());
      const told = await shop.readyz();
      scene.held(
        (told.status === 200) === (status === 200),
        `/readyz ${told.status} while a payment of a plain account is told ${status}`,
      );
    },
  },
  {
    name: 'an exhausted budget',
    promise: 'with a budget for two settlements the next payments are 503, and /readyz tells the truth',
    async run(scene) {
      const shop = await scene.shop({ settings: { GAS_BUDGET_ETH_PER_HOUR: '0.000001' } });
      for (let count = 0; count < 6; count += 1)
        await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice());
      const spent = (await shop.sent()).reduce((sum, { costWei }) => sum + costWei, 0n);
      scene.held(spent <= 2_000_000_000_000n, `${spent} wei of gas for a budget of 1000000000000`);
      const { status } = await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice());
      const isReady = await within(3_000, async () => (await shop.readyz()).status === 503).then((is) => !is);
      scene.held(
        isReady === (status === 200),
        `/readyz ${isReady ? 200 : 503} while a payment is told ${status}`,
      );
    },
  },
  {
    name: 'a relayer without money',
    promise: 'without money for gas payments are 503, /readyz says so, and they are good once there is some',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({ isStarted: false });
      await setBalance(shop.chain, shop.relayer.address, 0n);
      await shop.seller.start();
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      const { status } = await shop.present(payment, asked);
      scene.held(status === 503, `${status}`);
      scene.held(
        await within(5_000, async () => (await shop.readyz()).status === 503),
        '/readyz says that payments can be taken',
      );
      await setBalance(shop.chain, shop.relayer.address, 10n ** 18n);
      const then = await shop.insist(payment, asked, 30_000);
      scene.held(then.status === 200, `afterwards ${then.status}`);
    },
  },
];
