import { numberToHex } from 'viem/utils';
import { paymentHeader, type SignedPayment } from '../../support/payments.ts';
import { changed } from '../changed-payment.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { notice, quietly, within } from '../shop.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other valid form of the signature: s mirrored, v flipped. */
const mirrored = (signature: `0x${string}`): `0x${string}` => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number(`0x${signature.slice(130)}`) === 27 ? '1c' : '1b';
  return `${signature.slice(0, 66) as `0x${string}`}${numberToHex(s, { size: 32 }).slice(2)}${v}`;
};

export const signatureKinds: readonly Kind[] = [
  {
    name: 'mirrored signatures',
    promise: 'the mirrored form of a signature buys nothing, before or after the real one',
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
    promise: 'a payment with a field that its payer did not sign buys nothing, whether it was used or not',
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
    name: 'read from the chain',
    promise:
      'a payment that is read from the chain buys nothing without its signature, and its payer still gets the answer',
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
    name: 'notations of one payment',
    promise: 'a payment in another letter case, number format or encoding is the same payment',
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
];
