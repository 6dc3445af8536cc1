import type { SignedPayment } from '../../support/payments.ts';
import { changed } from '../changed-payment.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { CENT, notice, pack, quietly, report, type Shop } from '../shop.ts';

/**
 * The calls to the chain that a payment causes; other calls are made in the background. The code of the payer is read
 * in the same request as the simulation.
 */
const LOOKS = ['eth_call', 'eth_getLogs', 'eth_getTransactionReceipt'];

/** Presents rejected payments, each of them twice, and counts their cost. */
async function looksOf(scene: Scene, shop: Shop, next: () => Promise<SignedPayment>): Promise<void> {
  const looks = () => LOOKS.reduce((sum, method) => sum + shop.node.calls(method), 0);
  const count = 20 * scene.rounds;
  let first = 0;
  let again = 0;
  for (let index = 0; index < count; index += 1) {
    const payment = await next();
    const asked = notice();
    const before = looks();
    const { status } = await shop.present(payment, asked, quietly);
    scene.held(status === 402, `${status}`);
    const between = looks();
    await shop.present(payment, asked, quietly);
    first += between - before;
    again += looks() - between;
  }
  // One background check may happen meanwhile.
  scene.held(first <= count + 2, `${first} calls to the chain for ${count} payments`);
  scene.held(again <= 2, `${again} calls to the chain for ${count} repetitions`);
  scene.held((await shop.sent()).length === 0, 'gas was spent');
}

export const refusedPaymentKinds: readonly Kind[] = [
  {
    name: 'invalid numbers',
    promise: 'payments with values, times or nonces out of range are refused and not charged',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const later = Math.floor(Date.now() / 1000);
      const edits = [
        { value: '0' },
        { value: '9999' },
        { value: '10001' },
        { value: '-10000' },
        { value: '1e4' },
        { value: '0x2710' },
        { value: ' 10000' },
        { value: '10000.0' },
        { value: `${2n ** 256n + 10_000n}` },
        { value: '9'.repeat(78) },
        { value: 10_000 as unknown as string },
        { validBefore: '0' },
        { validBefore: `${2n ** 256n - 1n}` },
        { validBefore: `${later + 90_000}` },
        { validBefore: `${later + 2}` },
        { validAfter: `${later + 60}` },
        { validAfter: `${2n ** 255n}` },
        { nonce: '0x00' as const },
        { nonce: `0x${'0'.repeat(63)}g` as const },
        { from: '0x0000000000000000000000000000000000000000' as const },
        { to: buyer.address },
        { from: shop.payee },
      ];
      for (const edit of edits) {
        const payment = await shop.sign(buyer);
        const { status } = await shop.present(changed(payment, edit), notice(), quietly);
        scene.held([400, 402].includes(status), `${JSON.stringify(edit)}: ${status}`);
      }
      scene.held((await shop.sent()).length === 0, 'gas was spent for it');
    },
  },
  {
    name: 'another price, network or asset',
    promise: 'a payment for another product, network, asset or payee is refused before anything is sent',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const accepted = [
        { network: 'eip155:84532' },
        { network: 'eip155:1' },
        { asset: shop.payee },
        { payTo: buyer.address },
        { scheme: 'upto' },
        { amount: '1' },
        { amount: '50000' },
      ];
      for (const edit of accepted) {
        const payment = await shop.sign(buyer);
        const { status } = await shop.present(
          { ...payment, accepted: { ...payment.accepted, ...edit } } as SignedPayment,
          notice(),
          quietly,
        );
        scene.held(status === 402 || status === 400, `${JSON.stringify(edit)}: ${status}`);
      }
      for (const [signed, asked] of [
        [notice(), pack()],
        [pack(), notice()],
        [notice(), report()],
      ] as const) {
        const { status } = await shop.present(await shop.sign(buyer, signed), asked, quietly);
        scene.held(status === 402, `a payment of ${signed.price} for ${asked.price}: ${status}`);
      }
      scene.held((await shop.sent()).length === 0, 'gas was spent for it');
    },
  },
  {
    name: 'one cent for many payments at once',
    promise: 'of 120 payments at once by an account with one cent, one settles and none reverts',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const buyer = await scene.buyer(shop.chain, CENT);
      const payments = await Promise.all(Array.from({ length: 120 }, () => shop.sign(buyer)));
      const heard = await Promise.all(payments.map((one) => shop.present(one, notice(), quietly)));
      scene.tried(120);
      const sent = await shop.sent();
      const bought = heard.filter(({ status }) => status === 200).length;
      scene.held(bought === 1, `${bought} answers`);
      scene.held(
        sent.every(({ isReverted }) => !isReverted),
        `${sent.filter(({ isReverted }) => isReverted).length} transactions were reverted`,
      );
    },
  },
  {
    name: 'money that is moved away',
    promise: 'a payer who empties the account while payments are pending costs at most one revert',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const buyer = await scene.buyer(shop.chain, 30n * CENT);
      // The account is emptied at the moment of each broadcast, so that each check is outdated.
      let isEmptied = false;
      const away = await shop.sign(
        buyer,
        { path: '', price: 30n * CENT },
        { authorization: { to: shop.chain.usdcOwner } },
      );
      shop.node.lie(async ({ method }, pass) => {
        if (method.startsWith('eth_sendRawTransaction') && !isEmptied) {
          isEmptied = true;
          await frontRun(shop.chain, away);
        }
        return pass();
      });
      const payments = await Promise.all(Array.from({ length: 20 }, () => shop.sign(buyer)));
      const heard = await Promise.all(payments.map((one) => shop.present(one, notice(), quietly)));
      scene.held(
        heard.every(({ status }) => status !== 200),
        'an answer without a transfer',
      );
      for (const payment of payments.slice(0, 5)) await shop.present(payment, notice(), quietly);
      const reverted = (await shop.sent()).filter(({ isReverted }) => isReverted).length;
      scene.held(reverted <= 1, `${reverted} transactions were reverted`);
      const again = (await shop.sent()).length;
      for (let count = 0; count < 10 * scene.rounds; count += 1)
        await shop.present(await shop.sign(buyer), notice(), quietly);
      scene.held((await shop.sent()).length === again, 'gas was spent on an empty account');
    },
  },
  {
    name: 'unfunded keys',
    promise:
      'a payment without money causes at most one call to the chain, none if it is repeated, and costs no gas',
    async run(scene) {
      const shop = await scene.shop();
      await looksOf(scene, shop, async () => shop.sign(await scene.buyer(scene.chain, 0n)));
    },
  },
  {
    name: 'forged signatures',
    promise:
      'a forged payment causes at most one call to the chain, none if it is repeated, and costs no gas',
    async run(scene) {
      const shop = await scene.shop();
      const buyer = await scene.buyer(scene.chain);
      await looksOf(scene, shop, async () =>
        changed(await shop.sign(buyer), {}, `0x${scene.random.hex(64).slice(2)}1b`),
      );
    },
  },
  {
    name: 'used nonces of other payers',
    promise: 'a forged payment with a public nonce causes at most one call to the chain',
    async run(scene) {
      const shop = await scene.shop();
      const victim = await scene.buyer(scene.chain);
      const paid = await shop.sign(victim);
      await shop.remembers();
      await frontRun(scene.chain, paid);
      const count = 20 * scene.rounds;
      const looks = () => LOOKS.reduce((sum, method) => sum + shop.node.calls(method), 0);
      const before = looks();
      for (let index = 0; index < count; index += 1) {
        const forged = changed(paid, {}, `0x${scene.random.hex(64).slice(2)}1c`);
        const { status } = await shop.present(forged, notice(), quietly);
        scene.held(status !== 200, 'it was answered');
      }
      const calls = looks() - before;
      scene.held(calls <= count + 6, `${calls} calls for ${count} forged payments`);
    },
  },
];
