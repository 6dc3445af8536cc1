import { privateKeyToAccount } from 'viem/accounts';
import { paymentHeader } from '../../support/payments.ts';
import { changed } from '../changed-payment.ts';
import { answersIn, headerJson, wire } from '../client.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { CENT, notice, quietly, within } from '../shop.ts';

export const purchaseKinds: readonly Kind[] = [
  {
    name: 'one payment, many requests',
    promise: 'a payment that is presented for twenty requests at once buys one of the answers',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        const heard = await Promise.all(
          Array.from({ length: 20 }, () => shop.present(payment, notice(), quietly)),
        );
        const bought = heard.filter(({ status }) => status === 200).length;
        scene.held(bought === 1, `${bought} requests were answered`);
      }
    },
  },
  {
    name: 'one payment, one request, twenty times',
    promise: 'twenty identical requests at once cause one transfer and get the same bytes',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        const asked = notice();
        await Promise.all(Array.from({ length: 20 }, () => shop.present(payment, asked)));
        const again = await shop.insist(payment, asked);
        scene.held(again.status === 200, `then ${again.status}`);
        scene.held((await shop.sent()).length === round + 1, 'more transactions than payments');
      }
    },
  },
  {
    name: 'one payment over HTTP and MCP',
    promise: 'a payment that is presented over HTTP and MCP at once buys one answer',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < 3 * scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        const values = { amount: 1250, due_date: '2026-01-15', client_name: `Over MCP ${round}` };
        await Promise.all([
          shop.present(payment, notice(), quietly),
          shop.tool(payment, 'late_fee_notice', values, CENT),
          shop.present(payment, notice(), quietly),
        ]);
        scene.tried(3);
      }
    },
  },
  {
    name: 'one nonce signed twice',
    promise: 'two signatures over one nonce buy one answer, in turn or at once',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const first = await shop.sign(buyer);
        const { nonce, validBefore } = first.payload.authorization;
        const again = { authorization: { nonce, validBefore: String(Number(validBefore) + 7) } };
        const second = await shop.sign(buyer, notice(), again);
        const one = () => shop.present(first, notice('One'), quietly);
        const other = () => shop.present(second, notice('Other'), quietly);
        const heard = round % 2 === 0 ? [await one(), await other()] : await Promise.all([one(), other()]);
        const bought = heard.filter(({ status }) => status === 200).length;
        scene.held(bought <= 1, 'both were answered');
      }
    },
  },
  {
    name: 'a refused payment with money later',
    promise:
      'a payment that failed for lack of money can be used once the money is there, and is charged once',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain, 0n);
      const payment = await shop.sign(buyer);
      const asked = notice();
      const poor = await shop.present(payment, asked, quietly);
      scene.held(poor.status === 402, `${poor.status}`);
      const funder = await scene.buyer(scene.chain);
      const gift = await shop.sign(funder, notice(), { authorization: { to: buyer.address } });
      await frontRun(scene.chain, gift);
      const isServed = await within(
        15_000,
        async () => (await shop.present(payment, asked, quietly)).status === 200,
      );
      scene.held(isServed, 'not within 15 s');
    },
  },
  {
    name: 'collecting with another signature',
    promise:
      'an answer can be collected only with the payment that bought it, before and after the payment expires',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const validBefore = String(Math.floor(Date.now() / 1000) + 8);
      const payment = await shop.sign(buyer, notice(), { authorization: { validBefore } });
      const asked = notice();
      const bought = await shop.insist(payment, asked);
      scene.held(bought.status === 200, `${bought.status}`);
      const forged = changed(payment, {}, `0x${'22'.repeat(64)}1b`);
      const other = await privateKeyToAccount(buyer.privateKey).signMessage({ message: 'hello' });
      await within(12_000, () => Date.now() / 1000 > Number(validBefore) + 1);
      for (const one of [forged, changed(payment, {}, other)]) {
        const { status } = await shop.present(one, asked, quietly);
        scene.held(status !== 200, 'collected with another signature');
      }
      const again = await shop.present(payment, asked);
      scene.held(again.status === 200, `its payer is told ${again.status} ${again.json?.code}`);
      const { transaction } = headerJson(again, 'payment-response') ?? {};
      scene.held(transaction === headerJson(bought, 'payment-response')?.transaction, 'another receipt');
    },
  },
  {
    name: 'a burst of honest buyers',
    promise: 'sixty honest buyers at one address are all served at once',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      const bought = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => ({
          payment: await shop.sign(await scene.buyer(scene.chain)),
          asked: notice(`Burst ${index}`),
        })),
      );
      const first = await Promise.all(bought.map(({ payment, asked }) => shop.present(payment, asked)));
      for (const { status } of first) scene.held([200, 409, 503].includes(status), `at once: ${status}`);
      const then = await Promise.all(bought.map(({ payment, asked }) => shop.insist(payment, asked, 15_000)));
      for (const { status } of then) scene.held(status === 200, `in the end: ${status}`);
    },
  },
  {
    name: 'other methods with a payment',
    promise:
      'a payment that is sent with another method is not charged, or the right method then returns its answer',
    async run(scene) {
      const shop = await scene.house();
      for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'TRACE', 'QUERY']) {
        const payment = await shop.sign(await scene.buyer(scene.chain));
        const asked = notice();
        const { status } = await shop.get(asked.path, {
          method,
          headers: { 'payment-signature': paymentHeader(payment) },
          timeoutMs: 5_000,
        });
        scene.held(status < 500, `${method}: ${status}`);
        const own = await shop.insist(payment, asked, 10_000);
        scene.held(own.status === 200, `after ${method}: ${own.status}`);
      }
    },
  },
  {
    name: 'several payments in one request',
    promise: 'a request with several payments, in any header, is charged at most once',
    async run(scene) {
      const shop = await scene.house();
      for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'payment-signature']) {
        const one = await shop.sign(await scene.buyer(scene.chain));
        const other = await shop.sign(await scene.buyer(scene.chain));
        const asked = notice();
        const line = wire(shop.seller.port);
        line.write(
          `GET ${asked.path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nPAYMENT-SIGNATURE: ${paymentHeader(one)}\r\n${name}: ${paymentHeader(other)}\r\n\r\n`,
        );
        await line.closed(4_000);
        scene.held(answersIn(line.heard()) === 1, `${answersIn(line.heard())} answers`);
        // The books include what both buy afterward.
        for (const payment of [one, other]) {
          const { status } = await shop.insist(payment, asked, 8_000, quietly);
          scene.held(status === 200, `its payer is told ${status}`);
        }
        scene.held((await shop.transfers()).length > 0, 'nothing was charged');
      }
    },
  },
  {
    name: 'disconnected buyers',
    promise: 'a buyer who disconnects during settlement collects the answer with the same payment',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < 6 * scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        const asked = notice();
        await shop.present(payment, asked, { timeoutMs: scene.random.whole(1, 40), isHonest: false });
        const { status } = await shop.insist(payment, asked, 10_000);
        scene.held(status === 200, `${status}`);
      }
    },
  },
];
