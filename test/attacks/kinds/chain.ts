import { pad } from 'viem/utils';
import { rpc } from '../../../src/devnet/chain-rpc.ts';
import {
  blacklist,
  increaseTime,
  mine,
  pause,
  returnTo,
  setAutomine,
  setBalance,
  setBaseFee,
  snapshot,
  unpause,
} from '../../support/chain-actions.ts';
import type { SignedPayment } from '../../support/payments.ts';
import { cancel, frontRun, fund, oddAnswers, place, sendTo, walletCode } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { LEAP_SECONDS } from '../seller.ts';
import { type Asked, CENT, notice, report, type Shop, wait, within } from '../shop.ts';

const quietly = { isHonest: false } as const;
const GWEI = 1_000_000_000n;
/** What an operator accepts to lose of gas for each cent sold, unless told otherwise. */
const WEI_PER_CENT = 10_000n * GWEI;

/** Buys for several at once; what each was told at the end. */
const buyAll = (shop: Shop, bought: readonly { payment: SignedPayment; asked: Asked }[], forMs: number) =>
  Promise.all(bought.map(({ payment, asked }) => shop.insist(payment, asked, forMs)));

/** Has blocks, those to come too, ask for so much gas money: thousandths of a gwei. */
async function priceGas(chain: Shop['chain'], milliGwei: bigint): Promise<void> {
  await setBaseFee(chain, (milliGwei * GWEI) / 1_000n);
  await mine(chain);
  await setBaseFee(chain, (milliGwei * GWEI) / 1_000n);
}

export const chainKinds: readonly Kind[] = [
  {
    name: 'submitted by a stranger before',
    promise: 'a payment that a stranger submits before it is presented buys one answer',
    async run(scene) {
      const shop = await scene.house();
      for (let round = 0; round < 3 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        await shop.remembers();
        await frontRun(shop.chain, payment);
        const heard = await Promise.all([1, 2, 3].map(() => shop.present(payment, notice(), quietly)));
        const bought = heard.filter(({ status }) => status === 200).length;
        scene.held(bought === 1, `${bought} answers`);
      }
    },
  },
  {
    name: 'submitted by a stranger meanwhile',
    promise: 'a payment that a stranger submits between proof and broadcast is answered and charged once',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      const payments = new Map<string, SignedPayment>();
      shop.node.lie(async ({ method, params }) => {
        if (!method.startsWith('eth_sendRawTransaction')) return undefined;
        for (const [nonce, payment] of payments)
          if (String(params[0]).includes(nonce.slice(2))) {
            payments.delete(nonce);
            await shop.remembers();
            await frontRun(shop.chain, payment);
          }
        return undefined;
      });
      for (let round = 0; round < 4 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        payments.set(payment.payload.authorization.nonce, payment);
        const { status, json } = await shop.insist(payment, notice(`Meanwhile ${round}`), 20_000);
        scene.held(status === 200, `${status} ${json?.code}`);
      }
    },
  },
  {
    name: 'put on hold by a stranger',
    promise: 'a buyer whose payment a stranger submitted meanwhile buys again at once',
    async run(scene) {
      const shop = await scene.shop();
      await shop.remembers();
      let next: SignedPayment | null = null;
      shop.node.lie(async ({ method }) => {
        if (!method.startsWith('eth_sendRawTransaction') || next === null) return;
        const payment = next;
        next = null;
        await frontRun(shop.chain, payment);
      });
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const buyer = await scene.buyer(shop.chain);
        next = await shop.sign(buyer);
        const first = await shop.insist(next, notice(`Overtaken ${round}`), 20_000);
        scene.held(first.status === 200, `overtaken: ${first.status} ${first.json?.code}`);
        const { status, json } = await shop.buy(buyer, notice(), 5_000);
        scene.held(status === 200, `the next purchase: ${status} ${json?.error ?? json?.code}`);
      }
    },
  },
  {
    name: 'cancelled meanwhile',
    promise: 'a payment that its payer cancels between proof and broadcast buys nothing and costs one revert',
    async run(scene) {
      const shop = await scene.shop();
      const buyer = await scene.buyer(shop.chain);
      let next: SignedPayment | null = null;
      shop.node.lie(async ({ method }) => {
        if (!method.startsWith('eth_sendRawTransaction') || next === null) return;
        const { nonce } = next.payload.authorization;
        next = null;
        await cancel(shop.chain, buyer, nonce);
      });
      for (let round = 0; round < 4 * scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        next = payment;
        const { status } = await shop.present(payment, notice(), quietly);
        scene.held(status !== 200, 'an answer for a cancelled payment');
        next = null;
        await shop.present(payment, notice(), quietly);
      }
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted <= 1, `${reverted} reverts of one payer`);
    },
  },
  {
    name: 'a reorganisation that drops settlements',
    promise:
      'after a reorganisation the relayer goes on without a restart, and /readyz does not lie meanwhile',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const before = await snapshot(shop.chain);
      for (let count = 0; count < 3; count += 1) {
        const { status } = await shop.buy(await scene.buyer(shop.chain));
        scene.held(status === 200, `before: ${status}`);
      }
      // The answers given before are lost money, by design; they are no part of the books.
      shop.presented.splice(0);
      await returnTo(shop.chain, before);
      const buyer = await scene.buyer(shop.chain);
      const asked = notice();
      const payment = await shop.sign(buyer, asked);
      const { status, json } = await shop.insist(payment, asked, 45_000);
      scene.held(status === 200, `45 s afterwards: ${status} ${json?.code}`);
      const next = await shop.buy(await scene.buyer(shop.chain), notice(), 10_000);
      scene.held(next.status === 200, `the next one: ${next.status}`);
      const ready = await shop.readyz();
      scene.held(
        (ready.status === 200) === (next.status === 200),
        `/readyz ${ready.status} while buyers are told ${next.status}`,
      );
    },
  },
  {
    name: 'a reorganisation under a stranger',
    promise: 'a use that a reorganisation takes back has bought one request, and no second one afterwards',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const buyer = await scene.buyer(shop.chain);
      const before = await snapshot(shop.chain);
      const payment = await shop.sign(buyer);
      const asked = notice();
      await shop.remembers();
      await frontRun(shop.chain, payment);
      const first = await shop.insist(payment, asked, 5_000);
      scene.held(first.status === 200, `${first.status}`);
      await returnTo(shop.chain, before);
      await shop.remembers();
      await frontRun(shop.chain, payment);
      const other = await shop.present(payment, notice(), quietly);
      scene.held(other.status !== 200, 'it bought a second request');
      const again = await shop.present(payment, asked, quietly);
      scene.held(again.status === 200, `the first request again: ${again.status}`);
    },
  },
  {
    name: 'blocks that come late',
    promise: 'while no block comes nobody is told to sign anew, and all are answered once they come',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const bought = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => ({
          payment: await shop.sign(await scene.buyer(shop.chain)),
          asked: notice(`Late ${index}`),
        })),
      );
      await setAutomine(shop.chain, false);
      await Promise.all(
        bought.map(({ payment, asked }) => shop.present(payment, asked, { timeoutMs: 2_000 })),
      );
      for (const { payment } of bought.slice(0, 3))
        await shop.present(payment, notice(), { ...quietly, timeoutMs: 500 });
      await rpc(shop.chain.rpcUrl, 'anvil_dropAllTransactions');
      await setAutomine(shop.chain, true);
      await mine(shop.chain);
      for (const { status, json } of await buyAll(shop, bought, 40_000))
        scene.held(status === 200, `${status} ${json?.code}`);
    },
  },
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
  {
    name: 'a paused asset',
    promise: 'while USDC is paused payments are 503 and good afterwards',
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
      scene.held(then.status === 200, `afterwards ${then.status}`);
    },
  },
  {
    name: 'a payee that is blacklisted',
    promise: 'a payee that USDC refuses is our fault: no buyer is told to sign anew, and /readyz says so',
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
  {
    name: 'two purchases, money for one',
    promise: 'nobody is told that nothing was charged while the payment can still be used',
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
      // Whoever reads a reverted transaction submits its bytes once there is money.
      await fund(shop.chain, buyer.address, 10n * CENT);
      for (const { input, isReverted } of await shop.sent())
        if (isReverted) await sendTo(shop.chain, shop.chain.usdc, input);
      for (const [payment, asked] of [
        [first, notice('First')],
        [second, notice('Second')],
      ] as const) {
        // One that was never handed over may have been refused for want of money, and that is remembered for seconds.
        const isServed = await within(
          15_000,
          async () => (await shop.present(payment, asked, quietly)).status === 200,
        );
        scene.held(isServed, 'with money for both, one is not answered within 15 s');
      }
    },
  },
  {
    name: 'edited while it waits',
    promise:
      'a payment that waits for its block is sent again as it was signed, whatever is presented meanwhile',
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
      const { status, json } = await shop.insist(payment, asked, 30_000);
      scene.held(status === 200, `its payer is told ${status} ${json?.error ?? json?.code}`);
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted === 0, `${reverted} transactions of another content were sent and reverted`);
    },
  },
  {
    name: 'blocks on top',
    promise: 'with CONFIRMATIONS an answer waits for them, and a reorganisation before costs nobody anything',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain(), settings: { CONFIRMATIONS: '2' } });
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const asked = notice();
      const before = await snapshot(shop.chain);
      const early = await shop.present(payment, asked, { timeoutMs: 2_000 });
      scene.held(early.status !== 200, 'an answer without blocks on top');
      await returnTo(shop.chain, before);
      const isServed = await within(45_000, async () => {
        await mine(shop.chain);
        return (await shop.present(payment, asked, { timeoutMs: 3_000 })).status === 200;
      });
      scene.held(isServed, 'after the reorganisation it is not answered within 45 s');
      scene.held((await shop.transfers()).length === 1, 'an answer without a transfer');
    },
  },
  {
    name: 'used long before',
    promise: 'a use long before the payment is first presented buys nothing here: it was for somebody else',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const validBefore = String(Math.floor(Date.now() / 1000) + 3_000);
      const buyer = await scene.buyer(shop.chain);
      const payments = await Promise.all(
        [1, 2, 3].map(() => shop.sign(buyer, notice(), { authorization: { validBefore } })),
      );
      await shop.remembers();
      for (const payment of payments) await frontRun(shop.chain, payment);
      await increaseTime(shop.chain, LEAP_SECONDS);
      shop.seller.leap();
      await wait(50);
      for (const payment of payments) {
        const { status } = await shop.present(payment, notice(), quietly);
        scene.held(status !== 200, 'it bought an answer');
      }
      const { status } = await shop.present(
        await shop.sign(buyer, notice(), { authorization: { validBefore } }),
        notice(),
        quietly,
      );
      scene.held(status === 200, `a payment of today: ${status}`);
    },
  },
];
