import { increaseTime } from '../../support/chain-actions.ts';
import type { SignedPayment } from '../../support/payments.ts';
import { cancel, frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { LEAP_SECONDS } from '../seller.ts';
import { notice, quietly, wait } from '../shop.ts';

export const frontRunningKinds: readonly Kind[] = [
  {
    name: 'submitted by a stranger before presentation',
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
    name: 'submitted by a stranger before our broadcast',
    promise:
      'a payment that a stranger submits between simulation and broadcast is answered and charged once',
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
    promise: 'a buyer whose payment a stranger submitted first can buy again at once',
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
    name: 'canceled before our broadcast',
    promise:
      'a payment that its payer cancels between simulation and broadcast buys nothing and costs one revert',
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
        scene.held(status !== 200, 'an answer for a canceled payment');
        next = null;
        await shop.present(payment, notice(), quietly);
      }
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted <= 1, `${reverted} reverts of one payer`);
    },
  },
  {
    name: 'used long before presentation',
    promise:
      'a payment that was used long before it is presented buys nothing, because it paid for something else',
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
