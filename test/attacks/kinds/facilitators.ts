import { type FacilitatorFault, facilitatorFaults } from '../../support/facilitator-answers.ts';
import { type LyingFacilitator, startLyingFacilitator } from '../../support/lying-facilitator.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { result } from '../node.ts';
import type { Scene, ShopOptions } from '../scene.ts';
import { CENT, notice, quietly, type Shop, within } from '../shop.ts';
import { hostedTheft } from './names.ts';

async function facilitator(scene: Scene): Promise<LyingFacilitator> {
  const lying = await startLyingFacilitator(scene.chain);
  scene.after(() => lying.stop());
  return lying;
}

/** Opens a shop that settles through a facilitator. Without a node, the shop trusts the facilitator. */
async function hosted(scene: Scene, hasNode = true): Promise<{ shop: Shop; lying: LyingFacilitator }> {
  const lying = await facilitator(scene);
  return { lying, shop: await scene.shop(hostedOptions(lying, hasNode)) };
}

const hostedOptions = (lying: LyingFacilitator, hasNode: boolean): ShopOptions => ({
  settings: { SETTLERS: lying.url, ...(!hasNode && { RPC_URLS: '' }) },
});

const LIES: readonly FacilitatorFault[] = facilitatorFaults.filter((fault) => fault.startsWith('lie-'));
const SETTLES: readonly FacilitatorFault[] = facilitatorFaults.filter((fault) => fault.startsWith('settle-'));

const forgedOnes = (name: string, promise: string, hasNode: boolean): Kind => ({
  name,
  promise,
  async run(scene) {
    const { shop, lying } = await hosted(scene, hasNode);
    const buyer = await scene.buyer(shop.chain);
    const before = lying.asked.length;
    for (let count = 0; count < 15 * scene.rounds; count += 1) {
      const signed = await shop.sign(buyer);
      const forged = {
        ...signed,
        payload: { ...signed.payload, signature: `0x${scene.random.hex(64).slice(2)}1c` as `0x${string}` },
      };
      const { status } = await shop.present(forged, notice(), { ...quietly, timeoutMs: 10_000 });
      // Without a node, it is unknown whether an account has code that accepts the signature.
      scene.held(status === 402 || (!hasNode && status === 503), `${status}`);
    }
    scene.held(
      lying.asked.length === before,
      `the facilitator was asked ${lying.asked.length - before} times`,
    );
    const { status } = await shop.buy(buyer, notice(), 10_000);
    scene.held(status === 200, `an honest buyer: ${status}`);
  },
});

export const facilitatorKinds: readonly Kind[] = [
  {
    name: 'false success',
    promise: 'if a facilitator reports success without a transfer of this payment, nothing is sold',
    async run(scene) {
      const { shop, lying } = await hosted(scene);
      for (const fault of LIES) {
        lying.fail(fault);
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const { status } = await shop.present(payment, notice(), { ...quietly, timeoutMs: 1_500 });
        scene.held(
          status !== 200 ||
            (await shop.transfers()).some(({ nonce }) => nonce === payment.payload.authorization.nonce),
          `${fault}: an answer`,
        );
      }
    },
  },
  {
    name: 'false failure',
    promise: 'if a facilitator settles a payment and denies it, the buyer is not told to sign again',
    async run(scene) {
      const { shop, lying } = await hosted(scene);
      const bought = await Promise.all(
        SETTLES.map(async (fault) => {
          const payment = await shop.sign(await scene.buyer(shop.chain));
          return { fault, payment, asked: notice(fault) };
        }),
      );
      for (const { fault, payment, asked } of bought) {
        lying.fail(fault, { times: 1 });
        await shop.present(payment, asked, { timeoutMs: 1_500 });
      }
      lying.heal();
      await Promise.all(
        bought.map(async ({ fault, payment, asked }) => {
          const { status, json } = await shop.insist(payment, asked, 40_000);
          scene.held(status === 200, `${fault}: ${status} ${json?.code}`);
        }),
      );
    },
  },
  forgedOnes('forged payments at a facilitator', 'a forged payment does not reach a facilitator', true),
  forgedOnes(
    'forged payments without a node',
    'a forged payment does not reach a facilitator even if the service has no node',
    false,
  ),
  hostedTheft(
    'idempotency keys at a facilitator without a node',
    'a forged payment does not collect a purchase under its idempotency key, even without a node',
    async (scene) => hostedOptions(await facilitator(scene), false),
  ),
  {
    name: 'decoys at a facilitator',
    promise: 'a payment that reuses a public nonce buys nothing if a facilitator settles',
    isLong: true,
    async run(scene) {
      const { shop } = await hosted(scene);
      const buyer = await scene.buyer(shop.chain);
      const used = await shop.sign(buyer);
      await shop.remembers();
      await frontRun(shop.chain, used);
      const { authorization } = used.payload;
      for (const edit of [{}, { validBefore: String(Number(authorization.validBefore) + 9) }]) {
        const garbage = {
          ...used,
          payload: {
            signature: `0x${'66'.repeat(64)}1b` as const,
            authorization: { ...authorization, ...edit },
          },
        };
        const { status } = await shop.present(garbage, notice(), { ...quietly, timeoutMs: 8_000 });
        scene.held(status !== 200, 'a stranger took the answer');
      }
      const own = await shop.insist(used, notice('Own'), 10_000);
      scene.held(own.status === 200, `its payer: ${own.status}`);
    },
  },
  {
    name: 'large extensions at a facilitator',
    promise: 'large extensions over MCP do not reach a facilitator, and do not cause it to be skipped',
    async run(scene) {
      const { shop, lying } = await hosted(scene);
      const before = lying.asked.length;
      for (let count = 0; count < 3; count += 1) {
        const buyer = await scene.buyer(shop.chain);
        const payment = await shop.sign(buyer, notice(), { extensions: { junk: 'x'.repeat(50_000) } });
        await shop.tool(
          payment,
          'late_fee_notice',
          { amount: 10, due_date: '2026-01-15', client_name: `L${count}` },
          CENT,
        );
      }
      scene.held(lying.asked.length === before, `it was asked ${lying.asked.length - before} times`);
      const { status } = await shop.buy(await scene.buyer(shop.chain), notice(), 5_000);
      scene.held(status === 200, `an honest buyer: ${status}`);
    },
  },
  {
    name: 'a facilitator and nodes of another chain',
    promise: 'if the nodes are on another chain, nothing is sent to the facilitator, and nobody is charged',
    async run(scene) {
      const lying = await facilitator(scene);
      const shop = await scene.shop({ ...hostedOptions(lying, true), isStarted: false });
      shop.node.lie((call) => {
        if (call.method === 'eth_chainId') return result(call, '0x1');
        if (call.method === 'eth_call') return result(call, '0x');
        return ['eth_getLogs', 'eth_getTransactionReceipt'].includes(call.method)
          ? result(call, call.method === 'eth_getLogs' ? [] : null)
          : undefined;
      });
      await shop.seller.start();
      scene.held(
        await within(6_000, async () => (await shop.readyz()).status === 503),
        '/readyz says that payments can be taken',
      );
      const { status } = await shop.present(await shop.sign(await scene.buyer(shop.chain)), notice(), {
        timeoutMs: 5_000,
      });
      scene.held(status === 503, `${status}`);
      scene.held(lying.asked.length === 0, 'it was sent');
      scene.held((await shop.transfers()).length === 0, 'it was charged');
    },
  },
  {
    name: 'random faults of a facilitator',
    promise: 'with random faults, each transfer pays for one answer',
    isLong: true,
    async run(scene) {
      const { shop, lying } = await hosted(scene);
      lying.failAtRandom(0.5);
      const bought = await Promise.all(
        Array.from({ length: 10 * scene.rounds }, async (_, index) => ({
          payment: await shop.sign(await scene.buyer(shop.chain)),
          asked: notice(`Lot ${index}`),
        })),
      );
      await Promise.all(
        bought.map(({ payment, asked }) => shop.present(payment, asked, { timeoutMs: 6_000 })),
      );
      lying.heal();
      await Promise.all(
        bought.map(async ({ payment, asked }) => {
          const { status, json } = await shop.insist(payment, asked, 45_000);
          scene.held(status === 200, `${status} ${json?.code}`);
        }),
      );
    },
  },
];
