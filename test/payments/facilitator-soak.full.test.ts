import type { PaymentRequirements } from '@x402/core/types';
import { encodeEventTopics } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import { createFacilitatorSettler } from '../../src/payments/facilitator/facilitator-settler.ts';
import { createFailover } from '../../src/payments/failover.ts';
import type { TestApp } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { type LyingFacilitator, startLyingFacilitator } from '../support/lying-facilitator.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';

const CENT = 10_000n;
const PURCHASES = 80;
const BUYERS_AT_ONCE = 8;
const PATIENCE_MS = 40_000;
const PAUSE_MS = 40;
const seed = Number(process.env.SOAK_SEED ?? 4_711);

describe('two facilitators that fail at random', () => {
  const chain = sharedChain();
  let facilitators: LyingFacilitator[];
  let app: TestApp;
  let accepted: PaymentRequirements;

  beforeAll(async () => {
    facilitators = await Promise.all([1, 2].map((index) => startLyingFacilitator(chain(), seed + index)));
    const settlers = facilitators.map(({ url }, index) => ({
      name: `facilitator_${index + 1}`,
      settlement: createFacilitatorSettler({
        url,
        rpc: rpcOver([chain().rpcUrl]),
        now: Date.now,
        repeatMs: [10, 20],
        patienceMs: 60,
        pollMs: 20,
        deadlineMs: 1_000,
      }),
    }));
    app = chainApp(chain(), { settlement: createFailover({ settlers, now: Date.now, restMs: 50 }) });
    accepted = await challengeOf(app);
    for (const facilitator of facilitators) facilitator.failAtRandom(0.7);
  });
  afterAll(() => Promise.all(facilitators.map((facilitator) => facilitator.stop())));

  /** Presents one payment for its own request until it gets the answer; returns the replies on the way. */
  async function buy(index: number): Promise<number[]> {
    const buyer = chain().buyers[index % 7] as DevAccount;
    const header = paymentHeader(await signAuthorization({ buyer, accepted }));
    const heard: number[] = [];
    while (heard.at(-1) !== 200 && heard.length < PATIENCE_MS / PAUSE_MS) {
      if (heard.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const response = await app.get(noticePath(`Client ${index}`), { 'payment-signature': header });
      heard.push(response.status);
    }
    return heard;
  }

  it(`leave balanced books: every payment is used once and answered once (seed ${seed})`, async () => {
    const before = await earned(chain());
    const heard: number[][] = [];
    let next = 0;
    const worker = async () => {
      while (next < PURCHASES) heard.push(await buy(next++));
    };
    await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, worker));
    expect(heard.filter((statuses) => statuses.at(-1) === 200)).toHaveLength(PURCHASES);
    expect(heard.flat().filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(heard.flat().filter((status) => status !== 200).length).toBeGreaterThan(PURCHASES / 4);
    expect((await earned(chain())) - before).toBe(BigInt(PURCHASES) * CENT);
    const topics = encodeEventTopics({ abi: usdcAbi, eventName: 'AuthorizationUsed' });
    const used = await rpc<unknown[]>(chain().rpcUrl, 'eth_getLogs', {
      address: chain().usdc,
      fromBlock: '0x0',
      topics,
    });
    expect(used).toHaveLength(PURCHASES);
    expect(app.bugs).toEqual([]);
  }, 300_000);
});
