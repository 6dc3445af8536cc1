import { privateKeyToAccount } from 'viem/accounts';
import { numberToHex } from 'viem/utils';
import { paymentHeader, type SignedPayment } from '../../support/payments.ts';
import { answersIn, headerJson, wire } from '../client.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { CENT, notice, pack, report, type Shop, within } from '../shop.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature that says the same: s mirrored, v flipped. */
const mirrored = (signature: `0x${string}`): `0x${string}` => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number(`0x${signature.slice(130)}`) === 27 ? '1c' : '1b';
  return `${signature.slice(0, 66) as `0x${string}`}${numberToHex(s, { size: 32 }).slice(2)}${v}`;
};

const changed = (
  payment: SignedPayment,
  authorization: object,
  signature?: `0x${string}`,
): SignedPayment => ({
  ...payment,
  payload: {
    signature: signature ?? payment.payload.signature,
    authorization: { ...payment.payload.authorization, ...authorization },
  },
});

/** Questions to the chain that a payment causes; others are asked in the background too. */
const LOOKS = ['eth_call', 'eth_getCode', 'eth_getLogs', 'eth_getTransactionReceipt'];

/** Presents payments that are refused, each of them twice, and counts what they cost. */
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
  // One look of the background may fall into it.
  scene.held(first <= count + 2, `${first} looks at the chain for ${count} payments`);
  scene.held(again <= 2, `${again} looks at the chain for ${count} repetitions`);
  scene.held((await shop.sent()).length === 0, 'gas was spent');
}

/** Whatever is heard, the books tell. */
const quietly = { isHonest: false } as const;

export const paymentKinds: readonly Kind[] = [
  {
    name: 'one payment, many requests',
    promise: 'a payment presented for twenty requests at once buys one of them',
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
    promise: 'the same request twenty times at once is one transfer and the same bytes',
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
    promise: 'a payment presented over HTTP and MCP at once buys one answer',
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
    promise: 'two signatures over one nonce buy one answer, one after the other and at once',
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
    name: 'mirrored signatures',
    promise: 'the other signature that recovers to the payer buys nothing before and nothing after',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const payment = await shop.sign(buyer);
      const mirror = changed(payment, {}, mirrored(payment.payload.signature));
      const before = await shop.present(mirror, notice(), quietly);
      scene.held(before.status === 402, `before: ${before.status}`);
      const asked = notice();
      const bought = await shop.insist(payment, asked);
      scene.held(bought.status === 200, `the true one: ${bought.status}`);
      const collected = await shop.present(mirror, asked, quietly);
      scene.held(collected.status !== 200, 'it collected what the true one bought');
      const after = await shop.present(mirror, notice(), quietly);
      scene.held(after.status !== 200, `after: ${after.status}`);
    },
  },
  {
    name: 'recovery ids 0 and 1',
    promise: 'a signature as some hardware wallets write it pays like any other',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < 4; round += 1) {
        const payment = await shop.sign(buyer);
        const { signature } = payment.payload;
        const id = signature.endsWith('1b') ? '00' : '01';
        const { status } = await shop.insist(
          changed(payment, {}, `${signature.slice(0, 130) as `0x`}${id}`),
          notice('Ledger'),
        );
        scene.held(status === 200, `v ${id}: ${status}`);
        await within(2_000, async () => (await shop.transfers()).length > round);
      }
    },
  },
  {
    name: 'edited after signing',
    promise: 'a payment with anything but what its payer signed buys nothing, used or unused',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const stranger = await scene.buyer(scene.chain);
      const paid = await shop.sign(buyer);
      const unpaid = await shop.sign(buyer);
      const asked = notice();
      scene.held((await shop.insist(paid, asked)).status === 200, 'an honest payment was not answered');
      for (const payment of [paid, unpaid]) {
        const { authorization, signature } = payment.payload;
        const edits: SignedPayment[] = [
          changed(payment, { validBefore: String(Number(authorization.validBefore) + 1) }),
          changed(payment, { validBefore: String(Math.floor(Date.now() / 1000) + 50_000) }),
          changed(payment, { validAfter: '1' }),
          changed(payment, { nonce: `0x${'ab'.repeat(32)}` }),
          changed(payment, { from: stranger.address }),
          changed(payment, {}, `0x${'11'.repeat(64)}1b`),
          changed(payment, {}, `0x${'00'.repeat(65)}`),
          changed(payment, {}, `${signature}00`),
          changed(payment, {}, `${signature.slice(0, 130) as `0x`}1d`),
        ];
        for (const edit of edits)
          for (const request of [asked, notice()]) {
            const { status } = await shop.present(edit, request, quietly);
            const index = edits.indexOf(edit);
            scene.held(
              status !== 200 && status !== 500,
              `edit ${index} of a payment ${payment === paid ? 'that was used' : 'not used'}: ${status}`,
            );
          }
      }
      scene.held((await shop.transfers()).length === 1, 'money moved for an edited payment');
    },
  },
  {
    name: 'read off the chain',
    promise: 'who reads a payment off the chain gets nothing for it without its signature, and its payer all',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      for (let round = 0; round < 3 * scene.rounds; round += 1) {
        const payment = await shop.sign(buyer);
        await shop.remembers();
        await frontRun(scene.chain, payment);
        const garbage = changed(payment, {}, `0x${scene.random.hex(64).slice(2)}1b`);
        const stranger = await shop.present(garbage, notice(), quietly);
        scene.held(stranger.status !== 200, 'a stranger took the answer');
        const asked = notice();
        const own = await shop.insist(payment, asked, 3_000);
        scene.held(own.status === 200, `its payer is told ${own.status} ${own.json?.code}`);
      }
    },
  },
  {
    name: 'spellings of one payment',
    promise: 'a payment in other letters, numbers and encodings is the same payment',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(scene.chain);
      const payment = await shop.sign(buyer);
      const { authorization, signature } = payment.payload;
      const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}` as `0x${string}`;
      const text = JSON.stringify(payment);
      const headers = [
        paymentHeader(payment),
        paymentHeader(changed(payment, { nonce: upper(authorization.nonce) })),
        paymentHeader(changed(payment, { from: upper(authorization.from) })),
        paymentHeader(changed(payment, { to: upper(authorization.to) })),
        paymentHeader(changed(payment, { value: '00010000' })),
        paymentHeader(changed(payment, { validAfter: '000' })),
        paymentHeader(changed(payment, {}, upper(signature))),
        paymentHeader(
          changed(payment, {}, `${signature.slice(0, 130) as `0x`}${signature.endsWith('1b') ? '00' : '01'}`),
        ),
        Buffer.from(text).toString('base64url'),
        Buffer.from(`  ${text}\n`).toString('base64'),
        Buffer.from(text.replace('"payload"', '"payload":null,"payload"')).toString('base64'),
        Buffer.from(text.replace('"nonce"', '"\\u006eonce"')).toString('base64'),
        Buffer.from(text.replace('"x402Version":2', '"x402Version":2.0')).toString('base64'),
      ];
      const heard = await Promise.all(
        headers.map((header, index) =>
          shop.present(payment, notice(`Spelling ${index}`), { header, isHonest: false }),
        ),
      );
      scene.tried(headers.length);
      const bought = heard.filter(({ status }) => status === 200).length;
      scene.held(bought === 1, `${bought} requests were answered`);
      scene.held(
        heard.every(({ status }) => status !== 500),
        'a 500',
      );
    },
  },
  {
    name: 'numbers that are none',
    promise: 'values, times and nonces out of range are refused and never charged',
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
    name: 'one cent, many payments at once',
    promise: 'an account with one cent settles one of 120 payments at once and has none reverted',
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
    name: 'money moved away meanwhile',
    promise: 'a payer who empties the account while payments are under way costs one revert at most',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const buyer = await scene.buyer(shop.chain, 30n * CENT);
      // What was proven is overtaken: the account is emptied at the moment of each broadcast.
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
    promise: 'an account without money costs one look at the chain at most, a repeated one none, and no gas',
    async run(scene) {
      const shop = await scene.shop();
      await looksOf(scene, shop, async () => shop.sign(await scene.buyer(scene.chain, 0n)));
    },
  },
  {
    name: 'forged signatures',
    promise: 'a forged payment costs one look at the chain at most, a repeated one none, and no gas',
    async run(scene) {
      const shop = await scene.shop();
      const buyer = await scene.buyer(scene.chain);
      await looksOf(scene, shop, async () =>
        changed(await shop.sign(buyer), {}, `0x${scene.random.hex(64).slice(2)}1b`),
      );
    },
  },
  {
    name: 'used nonces of others',
    promise: 'the public nonce of a stranger with a forged signature costs one look at the chain at most',
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
  {
    name: 'a payment that outlives its refusal',
    promise: 'a payment that failed for want of money is good once the money is there, and charged once',
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
    name: 'collecting without the signature',
    promise: 'what was bought is collected with the very payment alone, before and after it has run out',
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
    name: 'an honest burst',
    promise: 'sixty honest buyers at once from one address are all served',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop({ settings: { REFUSED_PAYMENTS_PER_MINUTE: '120' } });
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
    promise: 'a payment sent with another method is not charged, or buys what the right method then gives',
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
    promise: 'a request with several payments, in any header, is charged once at most',
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
        // The books hold what both buy afterwards.
        for (const payment of [one, other]) {
          const { status } = await shop.insist(payment, asked, 8_000, quietly);
          scene.held(status === 200, `its payer is told ${status}`);
        }
        scene.held((await shop.transfers()).length > 0, 'nothing was charged');
      }
    },
  },
  {
    name: 'hung up on',
    promise: 'who hangs up while a payment is settled collects the answer with the same payment',
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
