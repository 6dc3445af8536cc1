import { concat, pad } from 'viem/utils';
import { rpc } from '../../../src/devnet/chain-rpc.ts';
import type { SignedPayment } from '../../support/payments.ts';
import { ALWAYS, conditions, fund, NEVER, oddAnswers, place, walletCode } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import type { Scene } from '../scene.ts';
import { CENT, notice, quietly, type Shop, wait } from '../shop.ts';

type Hex = `0x${string}`;
/** The most gas that the shop may lose to reverted transactions: more than a settlement usually costs. */
const REVERT_GAS = 500_000n;

/** A contract wallet with money and its own code. Its payments may have any signature. */
async function wallet(shop: Shop, code: Hex, usdc = 100n * CENT): Promise<Hex> {
  const at = await place(shop.chain, code);
  await fund(shop.chain, at, usdc);
  return at;
}

async function paymentOf(scene: Scene, shop: Shop, from: Hex, signature?: Hex): Promise<SignedPayment> {
  const buyer = await scene.buyer(shop.chain, 0n);
  return shop.sign(buyer, notice(), { authorization: { from }, ...(signature && { signature }) });
}

/** Presents payments of one payer repeatedly, and measures the relayer's loss. */
async function griefed(
  scene: Scene,
  shop: Shop,
  next: () => Promise<SignedPayment>,
  what: string,
): Promise<void> {
  const before = (await shop.sent()).filter(({ isReverted }) => isReverted);
  const same = await next();
  const asked = notice();
  for (let count = 0; count < 2; count += 1) await shop.present(same, asked, quietly);
  for (let count = 0; count < 3 * scene.rounds; count += 1)
    await shop.present(await next(), notice(), quietly);
  const lost = (await shop.sent()).filter(({ isReverted }) => isReverted).slice(before.length);
  const gas = lost.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  scene.held(lost.length <= 1, `${what}: ${lost.length} transactions were reverted, ${gas} gas`);
  scene.held(gas <= REVERT_GAS, `${what}: ${gas} gas`);
}

const grief = (scene: Scene, shop: Shop, from: Hex, what: string): Promise<void> =>
  griefed(scene, shop, () => paymentOf(scene, shop, from), what);

async function isHonestServed(scene: Scene, shop: Shop): Promise<void> {
  const { status } = await shop.buy(await scene.buyer(shop.chain), notice(), 60_000);
  scene.held(status === 200, `an honest buyer at that time: ${status}`);
}

const griefing = (name: string, promise: string, codes: () => Record<string, Hex>): Kind => ({
  name,
  promise,
  async run(scene) {
    const shop = await scene.house();
    for (const [what, code] of Object.entries(codes()))
      await grief(scene, shop, await wallet(shop, code), what);
    await isHonestServed(scene, shop);
  },
});

/** Code that an account has delegated to (EIP-7702). */
const delegation = (to: Hex): Hex => concat(['0xef0100', to]);

export const walletKinds: readonly Kind[] = [
  griefing(
    'valid only in a simulation',
    'a wallet that recognizes a simulation by its gas price costs at most one revert',
    () => ({
      'no gas price': walletCode(conditions['no gas price']),
      'no base fee': walletCode(conditions['no base fee']),
      'no coinbase': walletCode(conditions['no coinbase']),
    }),
  ),
  griefing(
    'valid in some blocks',
    'a wallet whose signature is valid only in some blocks costs at most one revert',
    () => ({
      'even blocks': walletCode(conditions['an even block']),
      'odd blocks': walletCode(conditions['an odd block']),
      'odd seconds': walletCode(conditions['an odd second']),
      'even randomness': walletCode(conditions['even randomness']),
    }),
  ),
  griefing(
    'valid depending on gas',
    'a wallet whose signature is valid only with much or little gas left costs at most one revert',
    () => ({
      much: walletCode(conditions['much gas left']),
      little: walletCode(conditions['little gas left']),
      'little, else all of it': walletCode(conditions['little gas left'], oddAnswers['runs out of gas']),
    }),
  ),
  {
    name: "valid depending on the relayer's balance",
    promise: 'a wallet that notices that the relayer paid for gas costs at most one revert',
    async run(scene) {
      const shop = await scene.shop();
      // The wallet accepts as long as the relayer remembers the wallet's state before each presentation.
      const condition = `5f5473${shop.relayer.address.slice(2)}3114`;
      for (const otherwise of [undefined, oddAnswers['runs out of gas']]) {
        const from = await wallet(shop, walletCode(condition, otherwise));
        const next = async () => {
          const wei = await rpc<Hex>(shop.chain.rpcUrl, 'eth_getBalance', shop.relayer.address, 'latest');
          await rpc(shop.chain.rpcUrl, 'anvil_setStorageAt', from, pad('0x0'), pad(wei));
          return paymentOf(scene, shop, from);
        };
        await griefed(scene, shop, next, otherwise === undefined ? 'refuses' : 'eats gas');
      }
      await isHonestServed(scene, shop);
    },
  },
  griefing(
    'malformed answers of a wallet',
    'a wallet with malformed answers is refused before any gas is spent',
    () => Object.fromEntries(Object.entries(oddAnswers).map(([what, code]) => [what, `0x${code}` as Hex])),
  ),
  {
    name: 'wallets that reject signatures',
    promise: 'a wallet that rejects the signature does not cost gas, and one that accepts it is served',
    async run(scene) {
      const shop = await scene.house();
      const never = await wallet(shop, walletCode(NEVER));
      for (let count = 0; count < 5; count += 1) {
        const { status } = await shop.present(await paymentOf(scene, shop, never), notice(), quietly);
        scene.held(status === 402, `${status}`);
      }
      scene.held((await shop.sent()).length === 0, 'gas was spent');
      const always = await wallet(shop, walletCode(ALWAYS));
      for (let count = 0; count < 3; count += 1) {
        const payment = await paymentOf(scene, shop, always);
        const { status } = await shop.insist(payment, notice(`Always ${count}`), 60_000, quietly);
        scene.held(status === 200, `a good wallet: ${status}`);
      }
    },
  },
  {
    name: 'many wallets with bad code',
    promise: 'wallets with the same bad code cost few reverts in total, and honest buyers are still served',
    async run(scene) {
      const shop = await scene.shop({ chain: await scene.ownChain() });
      const code = walletCode(conditions['no gas price']);
      const bad = walletCode(conditions['an odd block'], oddAnswers['runs out of gas']);
      const wallets = await Promise.all(
        Array.from({ length: 6 }, (_, index) => wallet(shop, index % 2 === 0 ? code : bad)),
      );
      const payments = await Promise.all(
        wallets.flatMap((from) => Array.from({ length: 25 }, () => paymentOf(scene, shop, from))),
      );
      const flood = Promise.all(payments.map((one) => shop.present(one, notice(), quietly)));
      const honest = await Promise.all(
        Array.from({ length: 8 }, async () => shop.buy(await scene.buyer(shop.chain), notice(), 60_000)),
      );
      for (const { status } of honest) scene.held(status === 200, `an honest buyer: ${status}`);
      await flood;
      const lost = (await shop.sent()).filter(({ isReverted }) => isReverted);
      scene.held(lost.length <= wallets.length, `${lost.length} reverts for ${wallets.length} wallets`);
    },
  },
  {
    name: 'good wallets that share bad code',
    promise: 'a wallet that behaves is served next to one with the same code that does not',
    async run(scene) {
      const shop = await scene.house();
      // Accepts unless its first storage word is set, with the same code in both cases.
      const code = walletCode('5f5415');
      const bad = await wallet(shop, walletCode(`${conditions['no gas price']}5f541517`));
      const good = await wallet(shop, code);
      await grief(scene, shop, bad, 'bad');
      for (let count = 0; count < 4; count += 1) {
        const payment = await paymentOf(scene, shop, good);
        const { status } = await shop.insist(payment, notice(`Good ${count}`), 60_000, quietly);
        scene.held(status === 200, `the good one: ${status}`);
      }
    },
  },
  {
    name: 'delegated accounts',
    promise:
      'a delegated account (EIP-7702) can pay if its code accepts the signature, but not if only its key signed',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(shop.chain);
      const plain = await shop.insist(await shop.sign(buyer), notice(), 60_000);
      scene.held(plain.status === 200, `before the delegation: ${plain.status}`);
      const refusing = await place(shop.chain, walletCode(NEVER));
      await place(shop.chain, delegation(refusing), buyer.address);
      const before = (await shop.sent()).length;
      for (let count = 0; count < 3; count += 1) {
        const { status } = await shop.present(await shop.sign(buyer), notice(), quietly);
        scene.held(status === 402, `signed by the key of an account whose code refuses: ${status}`);
      }
      scene.held((await shop.sent()).length === before, 'gas was spent');
      const lenient = await place(shop.chain, walletCode(ALWAYS));
      await place(shop.chain, delegation(lenient), buyer.address);
      // Facts about the code may be cached for a short time.
      await wait(100);
      const payment = await paymentOf(scene, shop, buyer.address, `0x${'44'.repeat(65)}`);
      const taken = await shop.insist(payment, notice('Delegated'), 60_000, quietly);
      scene.held([200, 402].includes(taken.status), `signed as its code wants it: ${taken.status}`);
      await place(shop.chain, '0x', buyer.address);
      const back = await shop.insist(await shop.sign(buyer), notice('Back'), 60_000, quietly);
      scene.held(back.status === 200, `after the delegation: ${back.status}`);
    },
  },
  {
    name: 'delegated accounts with changing answers',
    promise: 'a delegated account whose signature is valid only in a simulation costs at most one revert',
    async run(scene) {
      const shop = await scene.house();
      const buyer = await scene.buyer(shop.chain);
      const turning = await place(shop.chain, walletCode(conditions['no gas price']));
      await place(shop.chain, delegation(turning), buyer.address);
      await griefed(scene, shop, () => shop.sign(buyer), 'delegated');
      await isHonestServed(scene, shop);
    },
  },
  {
    name: 'long signatures',
    promise: 'a wallet with a signature of up to 4 KB pays, and its gas is right',
    async run(scene) {
      const shop = await scene.house();
      const from = await wallet(shop, walletCode(ALWAYS));
      for (const bytes of [66, 500, 1_500, 2_500, 3_600]) {
        const signature: Hex = `0x${scene.random.hex(bytes).slice(2)}`;
        const payment = await paymentOf(scene, shop, from, signature);
        const { status, json } = await shop.insist(payment, notice(`Long ${bytes}`), 60_000, quietly);
        scene.held(status === 200, `${bytes} bytes: ${status} ${json?.code}`);
      }
    },
  },
  {
    name: 'expensive signatures',
    promise: 'a wallet whose signature check needs much gas, but no more than the price allows, can pay',
    async run(scene) {
      const shop = await scene.house();
      const burning = await wallet(shop, walletCode(burn(150_000)));
      const payment = await paymentOf(scene, shop, burning);
      const { status } = await shop.insist(payment, notice('Dear'), 60_000, quietly);
      scene.held(status === 200, `${status}`);
    },
  },
];

/** Code that takes at least this much gas and leaves a one: cold storage reads of 2,100 gas each. */
function burn(gas: number): string {
  const reads = Math.ceil(gas / 2_110);
  return `${Array.from({ length: reads }, (_, index) => `61${(index + 1).toString(16).padStart(4, '0')}5450`).join('')}6001`;
}
