import { encodeAbiParameters, keccak256, pad, toHex } from 'viem/utils';
import { requirementsFor, type SignedPayment, signAuthorization } from '../../support/payments.ts';
import {
  approve,
  cancel,
  inOneTransaction,
  place,
  plainCall,
  randomAddress,
  sendTo,
  sequenceCode,
  useCall,
} from '../contracts.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { CENT, DOLLAR, notice, report, type Shop } from '../shop.ts';

type Buyer = Awaited<ReturnType<Scene['buyer']>>;

/** An authorization of the payer that moves zero to a third party. */
const decoy = (buyer: Buyer) =>
  signAuthorization({
    buyer,
    accepted: requirementsFor(randomAddress(), 0n),
  });

/** Uses the nonce of `used` in a payment for an answer, either written into it or signed again. */
const asPayment = async (
  shop: Shop,
  buyer: Buyer,
  used: SignedPayment,
  isSigned: boolean,
): Promise<SignedPayment> => {
  const { nonce } = used.payload.authorization;
  if (isSigned) return shop.sign(buyer, report(), { authorization: { nonce } });
  const { authorization, signature } = used.payload;
  const edited = { ...authorization, to: shop.payee, value: String(DOLLAR) };
  return {
    ...used,
    accepted: requirementsFor(shop.payee, DOLLAR),
    payload: { signature, authorization: edited },
  };
};

const decoys = (name: string, promise: string, isSigned: boolean): Kind => ({
  name,
  promise,
  async run(scene) {
    const shop = await scene.house();
    const buyer = await scene.buyer(scene.chain);
    for (let round = 0; round < scene.rounds; round += 1) {
      const paid = await shop.sign(buyer, report());
      const others = await Promise.all(Array.from({ length: 6 }, () => decoy(buyer)));
      const order = [...others.slice(0, 3), paid, ...others.slice(3)];
      await shop.remembers();
      await inOneTransaction(
        scene.chain,
        order.map((one) => useCall(scene.chain, one)),
      );
      const payments = await Promise.all(others.map((one) => asPayment(shop, buyer, one, isSigned)));
      for (const payment of payments) {
        const { status } = await shop.present(payment, report(), { isHonest: false });
        scene.held(status !== 200, 'a decoy of the same transaction bought an answer');
      }
      const { status } = await shop.insist(paid, report());
      scene.held(status === 200, `the payer gets ${status}`);
    }
  },
});

/** An attack with one real use and an imitation of a payment; `fake` puts both into one transaction. */
const beside = (
  name: string,
  promise: string,
  fake: (scene: Scene, shop: Shop, buyer: Buyer) => Promise<readonly SignedPayment[]>,
): Kind => ({
  name,
  promise,
  async run(scene) {
    const shop = await scene.house();
    const buyer = await scene.buyer(scene.chain);
    for (let round = 0; round < scene.rounds; round += 1)
      for (const payment of await fake(scene, shop, buyer)) {
        const { status } = await shop.present(payment, report(), { isHonest: false });
        scene.held(status !== 200, 'an answer without a transfer of its own');
      }
  },
});

const USED = keccak256(toHex('AuthorizationUsed(address,bytes32)'));
const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'));

export const transferKinds: readonly Kind[] = [
  decoys(
    'edited decoys',
    'a decoy next to a real transfer buys nothing after it is edited into a payment',
    false,
  ),
  decoys('decoys signed twice', 'a payment that is signed with the nonce of a decoy buys nothing', true),
  beside(
    'another payee next to ours',
    'a transfer of the price to another payee, next to one to ours, buys nothing',
    async ({ chain }, shop, buyer) => {
      const paid = await shop.sign(buyer, report());
      const away = await signAuthorization({ buyer, accepted: requirementsFor(randomAddress(), DOLLAR) });
      await shop.remembers();
      await inOneTransaction(chain, [useCall(chain, away), useCall(chain, paid)]);
      await shop.insist(paid, report());
      return [await asPayment(shop, buyer, away, true), await asPayment(shop, buyer, away, false)];
    },
  ),
  beside(
    'events of another token',
    'events of another contract in the same transaction buy nothing',
    async ({ chain }, shop, buyer) => {
      const used = await decoy(buyer);
      const { nonce } = used.payload.authorization;
      const data = encodeAbiParameters([{ type: 'uint256' }], [DOLLAR]);
      const fake = await place(
        chain,
        sequenceCode([
          { topics: [USED, pad(buyer.address), nonce], data: '0x' },
          { topics: [TRANSFER, pad(buyer.address), pad(shop.payee)], data },
        ]),
      );
      await shop.remembers();
      await inOneTransaction(chain, [useCall(chain, used), { to: fake, data: '0x' }]);
      return [await asPayment(shop, buyer, used, true)];
    },
  ),
  beside(
    'plain transfer after a decoy',
    'a plain transfer by the payer after the use of an authorization buys nothing',
    async ({ chain }, shop, buyer) => {
      const used = await decoy(buyer);
      const at = randomAddress();
      await place(
        chain,
        sequenceCode([useCall(chain, used), plainCall(chain, buyer.address, shop.payee, DOLLAR)]),
        at,
      );
      await approve(chain, buyer.address, at);
      await sendTo(chain, at);
      return [await asPayment(shop, buyer, used, true)];
    },
  ),
  beside(
    'plain transfer after a cancellation',
    'a canceled authorization and a plain transfer in one transaction buy nothing',
    async ({ chain }, shop, buyer) => {
      const paid = await shop.sign(buyer, report());
      await cancel(chain, buyer, paid.payload.authorization.nonce);
      const at = randomAddress();
      await place(chain, sequenceCode([plainCall(chain, buyer.address, shop.payee, DOLLAR)]), at);
      await approve(chain, buyer.address, at);
      await sendTo(chain, at);
      return [paid];
    },
  ),
  beside(
    'more expensive than the payment',
    'a nonce that was used for one cent does not buy an answer for a dollar, whatever is signed with it',
    async ({ chain }, shop, buyer) => {
      const cheap = await shop.sign(buyer, notice());
      await shop.remembers();
      await inOneTransaction(chain, [useCall(chain, cheap)]);
      await shop.insist(cheap, notice());
      return [await asPayment(shop, buyer, cheap, true), await asPayment(shop, buyer, cheap, false)];
    },
  ),
  {
    name: 'two payers in one transaction',
    promise: "each of several payers in one transaction gets one answer, and none of another payer's",
    async run(scene) {
      const shop = await scene.house();
      const buyers = await Promise.all(Array.from({ length: 3 }, () => scene.buyer(scene.chain)));
      const payments = await Promise.all(buyers.map((buyer) => shop.sign(buyer, notice())));
      await shop.remembers();
      await inOneTransaction(
        scene.chain,
        payments.map((one) => useCall(scene.chain, one)),
      );
      for (const [index, payment] of payments.entries()) {
        const other = payments[(index + 1) % payments.length] as SignedPayment;
        const { nonce } = other.payload.authorization;
        const mixed = await shop.sign(buyers[index] as Buyer, notice(), { authorization: { nonce } });
        const stolen = await shop.present(mixed, notice(), { isHonest: false });
        // If this payer has not used the nonce, its payment is valid and is charged. For another payer the nonce is
        // like any other, and the books show the charge.
        scene.held([200, 402].includes(stolen.status), `the nonce of another payer: ${stolen.status}`);
        const { status } = await shop.insist(payment, notice());
        scene.held(status === 200, `the payer gets ${status}`);
      }
      scene.held(
        (await shop.transfers()).every(({ value }) => value === CENT),
        'another value',
      );
    },
  },
];
