import type { Hex } from 'viem';
import { concat } from 'viem/utils';
import { rpc } from '../../../src/devnet/chain-rpc.ts';
import { mine, setBalance, setBaseFee } from '../../support/chain-actions.ts';
import { burningWallet, conditions, fund, oddAnswers, place, walletCode } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { CENT, notice, quietly, report, type Shop, within } from '../shop.ts';

const GWEI = 1_000_000_000n;
/** The default gas that an operator accepts to lose for each cent sold. */
const WEI_PER_CENT = 10_000n * GWEI;

/** Sets the gas price of this block and of later ones, in thousandths of a gwei. */
async function priceGas(chain: Shop['chain'], milliGwei: bigint): Promise<void> {
  await setBaseFee(chain, (milliGwei * GWEI) / 1_000n);
  await mine(chain);
  await setBaseFee(chain, (milliGwei * GWEI) / 1_000n);
}

type Payer = { readonly buyer: Awaited<ReturnType<Scene['buyer']>>; readonly address: Hex };

const PAYERS = 6;

/** Makes many payers with their own code revert, and checks which callers are still served. */
async function revertUntilSpent(
  scene: Scene,
  payerWith: (chain: Shop['chain'], code: Hex) => Promise<Payer>,
): Promise<void> {
  const chain = await scene.ownChain();
  const shop = await scene.shop({ chain, settings: { GAS_BUDGET_ETH_PER_HOUR: '0.00003' } });
  // A simulation runs in one block, and the transaction in the next.
  const turning = walletCode(conditions['an odd block'], oddAnswers['runs out of gas']);
  for (let count = 0; count < PAYERS; count += 1) {
    const { buyer, address } = await payerWith(chain, `${turning}${String(count).padStart(4, '0')}` as Hex);
    await fund(chain, address, 100n * CENT);
    for (let parity = 0; parity < 2; parity += 1) {
      await priceGas(chain, 10n);
      const payment = await shop.sign(buyer, notice(), { authorization: { from: address } });
      await shop.present(payment, notice(), { ...quietly, timeoutMs: 3_000 });
    }
  }
  scene.tried(PAYERS);
  const sent = await shop.sent();
  const spent = sent.reduce((sum, { costWei }) => sum + costWei, 0n);
  scene.held(sent.length > 0 && sent.length < PAYERS, `${sent.length} of ${PAYERS} were sent`);
  scene.held(spent <= 7_500_000_000_000n, `${spent} wei of gas for a share of 7500000000000`);
  await priceGas(chain, 10n);
  const { status } = await shop.present(await shop.sign(await scene.buyer(chain)), notice());
  scene.held(status === 200, `an ordinary buyer is told ${status}`);
  const told = await shop.readyz();
  scene.held(told.status === 200, `/readyz ${told.status} while an ordinary buyer is served`);
}

export const gasKinds: readonly Kind[] = [
  {
    name: 'gas at a hundred times its price',
    promise: 'the gas for an answer costs at most the maximum for each cent of its price',
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
      'once contract wallets have used their share of the budget on reverts, they get 503, and ordinary buyers are still served',
    async run(scene) {
      await revertUntilSpent(scene, async (chain, code) => {
        const address = await place(chain, code);
        return { buyer: await scene.buyer(chain, 0n), address };
      });
    },
  },
  {
    name: 'an hourly budget of gas, by delegated accounts',
    promise:
      'reverts of accounts that delegate to a contract (EIP-7702) count like reverts of contract wallets, even if the key signed',
    async run(scene) {
      await revertUntilSpent(scene, async (chain, code) => {
        const buyer = await scene.buyer(chain, 0n);
        const delegation = concat(['0xef0100', await place(chain, code)]);
        await rpc(chain.rpcUrl, 'anvil_setCode', buyer.address, delegation);
        return { buyer, address: buyer.address };
      });
    },
  },
  {
    name: 'a wallet that pays and burns gas',
    promise:
      'the gas for a sale to a contract wallet costs at most the revenue, and plain accounts are still served',
    async run(scene) {
      const chain = await scene.ownChain();
      const shop = await scene.shop({ chain });
      for (const milliGwei of [1n, 5n, 10n, 20n]) {
        await priceGas(chain, milliGwei);
        // Rejects the cheap check. With more gas, it burns nearly all of it and accepts.
        const address = await place(chain, burningWallet());
        await fund(chain, address, 100n * CENT);
        const payment = await shop.sign(await scene.buyer(chain, 0n), notice(), {
          authorization: { from: address },
        });
        const before = await shop.sent();
        const { status } = await shop.present(payment, notice(), { ...quietly, timeoutMs: 10_000 });
        const costWei = (await shop.sent())
          .slice(before.length)
          .reduce((sum, sent) => sum + sent.costWei, 0n);
        scene.held(
          costWei <= WEI_PER_CENT / 3n,
          `answered ${status} at ${milliGwei} thousandths of a gwei, for ${costWei} wei of gas`,
        );
        await priceGas(chain, 10n);
        const plain = await shop.buy(await scene.buyer(chain), notice(), 10_000);
        scene.held(plain.status === 200, `a plain account meanwhile: ${plain.status}`);
      }
      scene.tried(4);
    },
  },
  {
    name: 'an exhausted budget',
    promise: 'with a budget for two settlements, further payments get 503, and /readyz reports it',
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
    promise:
      'without money for gas, payments get 503, /readyz reports it, and they can be used once there is some',
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
      scene.held(then.status === 200, `afterward ${then.status}`);
    },
  },
];
