import { randomBytes } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { toHex } from 'viem/utils';
import { afterEach, expect, it } from 'vitest';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { TestApp } from '../support/app.ts';
import { deal } from '../support/batch.ts';
import { sharedChain } from '../support/chain.ts';
import { setAutomine } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type SlotNode, startSlotNode } from '../support/slot-node.ts';

const CENT = 10_000n;
// The number of pending transactions that common nodes keep for one sender.
const SLOTS = 16;
const BLOCK_SECONDS = 1;

/** Simultaneous purchases at a node that keeps 16 transactions of one sender and makes a block every second. */
const chain = sharedChain();
let node: SlotNode;

afterEach(async () => {
  await setAutomine(chain(), true);
  await node.stop();
});

async function appAt(dropsSilently: boolean): Promise<TestApp> {
  node = await startSlotNode(chain().rpcUrl, SLOTS, { dropsSilently });
  await setAutomine(chain(), false);
  return chainApp(chain(), { rpcUrl: node.url, patienceMs: 40_000, pollMs: 200 });
}

const makeBlocks = () => rpc(chain().rpcUrl, 'evm_setIntervalMining', BLOCK_SECONDS);

/** Returns this many buyers with a signed payment each, whose requests can be repeated. */
async function crowd(app: TestApp, count: number): Promise<(() => Promise<number>)[]> {
  const accepted = await challengeOf(app);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const privateKey = toHex(randomBytes(32));
      const buyer = { privateKey, address: privateKeyToAddress(privateKey) };
      await deal(chain(), buyer.address, CENT);
      // The payments are valid for longer than a busy machine may need.
      const authorization = { validBefore: String(Math.floor(Date.now() / 1000) + 3_600) };
      const payment = paymentHeader(await signAuthorization({ buyer, accepted, authorization }));
      return async () =>
        (await app.get(noticePath(`Client ${index}`), { 'payment-signature': payment })).status;
    }),
  );
}

it.each([
  ['refuses', false],
  ['accepts and silently drops', true],
])(
  'fifty simultaneous purchases are all answered, with one transaction each, by a node that %s those beyond its limit of sixteen',
  async (_what, dropsSilently) => {
    const app = await appAt(dropsSilently);
    const before = await earned(chain());
    const buyers = await crowd(app, 50);
    const statuses = Promise.all(buyers.map((buy) => buy()));
    // Blocks are made only then, so the test does not depend on the speed of this machine.
    await expect.poll(() => node.refused()).toBeGreaterThan(0);
    await makeBlocks();
    expect(await statuses).toEqual(Array(50).fill(200));
    expect((await earned(chain())) - before).toBe(50n * CENT);
    // Transactions that the node had no room for were sent again with their nonces.
    expect(node.nonces.size).toBe(50);
  },
  300_000,
);

it('a hundred simultaneous purchases are answered in order, and nothing is sent for those that get 503', {
  timeout: 240_000,
}, async () => {
  const app = await appAt(false);
  const before = await earned(chain());
  let buyers = await crowd(app, 100);
  await makeBlocks();
  while (buyers.length > 0) {
    const statuses = await Promise.all(buyers.map((buy) => buy()));
    // A purchase is answered, not sent, or sent and not in a block yet. Each is repeated until it is answered.
    expect(statuses.filter((status) => ![200, 503, 409].includes(status))).toEqual([]);
    buyers = buyers.filter((_, index) => statuses[index] !== 200);
  }
  expect((await earned(chain())) - before).toBe(100n * CENT);
  expect(node.nonces.size).toBe(100);
});
