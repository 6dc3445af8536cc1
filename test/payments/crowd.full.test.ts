import { randomBytes } from 'node:crypto';
import { privateKeyToAddress } from 'viem/accounts';
import { toHex } from 'viem/utils';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { TestApp } from '../support/app.ts';
import { deal } from '../support/batch.ts';
import { sharedChain } from '../support/chain.ts';
import { setAutomine } from '../support/chain-actions.ts';
import { type ChainAppOptions, chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type SlotNode, startSlotNode } from '../support/slot-node.ts';

const CENT = 10_000n;
const SLOTS = 16;
const BLOCK_SECONDS = 2;
const CROWD = 200;

/** Purchases that all come at once, at a node with 16 places for a sender and a block every two seconds. */
const chain = sharedChain();
let node: SlotNode;

beforeEach(async () => {
  node = await startSlotNode(chain().rpcUrl, SLOTS);
  await rpc(chain().rpcUrl, 'evm_setIntervalMining', BLOCK_SECONDS);
});
afterEach(async () => {
  await setAutomine(chain(), true);
  await node.stop();
});

const appOf = (options: ChainAppOptions = {}): TestApp =>
  chainApp(chain(), { rpcUrl: node.url, patienceMs: 20_000, ...options });

/** As many buyers with a signed payment each, whose request can be made again and again. */
async function crowd(app: TestApp, count: number): Promise<(() => Promise<number>)[]> {
  const accepted = await challengeOf(app);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const privateKey = toHex(randomBytes(32));
      const buyer = { privateKey, address: privateKeyToAddress(privateKey) };
      await deal(chain(), buyer.address, CENT);
      const payment = paymentHeader(await signAuthorization({ buyer, accepted }));
      return async () =>
        (await app.get(noticePath(`Client ${index}`), { 'payment-signature': payment })).status;
    }),
  );
}

/** Nothing was refused for want of room, and no bytes came twice. */
function expectNoFlood(): void {
  expect(node.refused()).toBe(0);
  expect([...node.broadcasts.values()].filter((times) => times > 1)).toEqual([]);
}

/** Sells to a whole crowd, each of whom comes again until they are answered. */
async function sellToAll(app: TestApp): Promise<void> {
  const before = await earned(chain());
  let buyers = await crowd(app, CROWD);
  while (buyers.length > 0) {
    const statuses = await Promise.all(buyers.map((buy) => buy()));
    // Answered, not sent, or sent and not in a block yet: each comes again until it is answered.
    expect(statuses.filter((status) => ![200, 503, 409].includes(status))).toEqual([]);
    buyers = buyers.filter((_, index) => statuses[index] !== 200);
  }
  expect((await earned(chain())) - before).toBe(BigInt(CROWD) * CENT);
}

it('no more are sent than a node keeps; who waits too long is not charged, and answered later', {
  timeout: 180_000,
}, async () => {
  await sellToAll(appOf());
  // Who was told that nothing was sent had nothing sent.
  expect(node.broadcasts.size).toBe(CROWD);
  expectNoFlood();
});

it('many wait and few transactions settle all of them', { timeout: 120_000 }, async () => {
  await sellToAll(appOf({ maxTogether: 32 }));
  expect(node.broadcasts.size).toBeLessThan(CROWD / 2);
  expectNoFlood();
});
