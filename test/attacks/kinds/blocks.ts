import { rpc } from '../../../src/devnet/chain-rpc.ts';
import { mine, returnTo, setAutomine, snapshot } from '../../support/chain-actions.ts';
import type { SignedPayment } from '../../support/payments.ts';
import { frontRun, fund, sendTo } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { type Asked, CENT, notice, quietly, type Shop, wait, within } from '../shop.ts';

/** Several buyers buy at once; returns the last reply to each of them. */
const buyAll = (shop: Shop, bought: readonly { payment: SignedPayment; asked: Asked }[], forMs: number) =>
  Promise.all(bought.map(({ payment, asked }) => shop.insist(payment, asked, forMs)));

export const blockKinds: readonly Kind[] = [
  {
    name: 'a reorganization that drops settlements',
    promise:
      'after a reorganization, the relayer continues without a restart, and /readyz reports its state correctly',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const before = await snapshot(shop.chain);
      for (let count = 0; count < 3; count += 1) {
        const { status } = await shop.buy(await scene.buyer(shop.chain));
        scene.held(status === 200, `before: ${status}`);
      }
      // Answers that were given before a block disappeared are an accepted loss, so they are not part of the books.
      shop.presented.splice(0);
      await returnTo(shop.chain, before);
      const buyer = await scene.buyer(shop.chain);
      const asked = notice();
      const payment = await shop.sign(buyer, asked);
      const { status, json } = await shop.insist(payment, asked, 45_000);
      scene.held(status === 200, `45 s afterward: ${status} ${json?.code}`);
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
    name: 'a reorganization after a stranger submitted a payment',
    promise:
      'a payment whose transfer a reorganization reverses has bought one answer, and buys no second one afterward',
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
    name: 'late blocks',
    promise:
      'while no blocks arrive, no buyer is told to sign again, and all buyers get answers once they do',
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
          15_000,
          async () => (await shop.present(payment, asked, quietly)).status === 200,
        );
        scene.held(isServed, 'with money for both, one is not answered within 15 s');
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
      const { status, json } = await shop.insist(payment, asked, 30_000);
      scene.held(status === 200, `its payer is told ${status} ${json?.error ?? json?.code}`);
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted === 0, `${reverted} transactions of another content were sent and reverted`);
    },
  },
  {
    name: 'confirmations',
    promise:
      'with CONFIRMATIONS, an answer waits for that many blocks, and an earlier reorganization costs neither side anything',
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
      scene.held(isServed, 'after the reorganization it is not answered within 45 s');
      scene.held((await shop.transfers()).length === 1, 'an answer without a transfer');
    },
  },
];
