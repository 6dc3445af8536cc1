import { randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { toHex } from 'viem/utils';
import { afterEach, beforeEach, expect } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { MULTICALL } from '../../src/payments/chain/multicall.ts';
import type { TestApp } from '../support/app.ts';
import { deal } from '../support/batch.ts';
import { sharedChain } from '../support/chain.ts';
import { setAutomine } from '../support/chain-actions.ts';
import { type ChainAppOptions, chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

export const CENT = 10_000n;

type Pooled = { hash: Hex; to: Address; input: Hex; gas: Hex; maxFeePerGas: Hex };

/**
 * Purchases that go together: one transaction may be under way, so that whoever comes behind it waits. Blocks are made by
 * hand. Call it in a describe.
 */
export function togetherBench() {
  const chain = sharedChain();
  let proxy: RpcProxy;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
  });
  afterEach(async () => {
    await setAutomine(chain(), true);
    await proxy.stop();
  });

  const appOf = (options: ChainAppOptions = {}): TestApp =>
    chainApp(chain(), {
      rpcUrl: proxy.url,
      patienceMs: 12_000,
      maxOutstanding: 1,
      maxTogether: 32,
      ...options,
    });
  const mine = () => rpc(chain().rpcUrl, 'anvil_mine', '0x1');
  async function buyerOf(cents = 1n): Promise<DevAccount> {
    const privateKey = toHex(randomBytes(32));
    const address = privateKeyToAddress(privateKey);
    await deal(chain(), address, cents * CENT);
    return { privateKey, address };
  }
  const present = (app: TestApp, payment: SignedPayment, name = payment.payload.authorization.nonce) =>
    app.get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
  const statusesOf = async (responses: readonly Promise<Response>[]) =>
    (await Promise.all(responses)).map(({ status }) => status);

  /** What waits in the node's pool for a block, as soon as there is something. */
  async function pooled(isIt: (one: Pooled) => boolean = () => true): Promise<Pooled> {
    type Pool = { pending: Record<string, Record<string, Pooled>> };
    let found: Pooled | undefined;
    await expect
      .poll(async () => {
        const { pending } = await rpc<Pool>(chain().rpcUrl, 'txpool_content');
        found = Object.values(pending)
          .flatMap((mine) => Object.values(mine))
          .find(isIt);
        return found !== undefined;
      })
      .toBe(true);
    return found as Pooled;
  }
  const isForMany = ({ to }: Pooled) => to.toLowerCase() === MULTICALL;

  /** One purchase is on its way, and those of so many buyers wait behind it until a block comes. */
  async function waiting(app: TestApp, buyers: readonly DevAccount[]) {
    const accepted = await challengeOf(app);
    const sign = (buyer: DevAccount) => signAuthorization({ buyer, accepted });
    await setAutomine(chain(), false);
    const first = present(app, await sign(await buyerOf()));
    await pooled();
    const asked = proxy.calls('eth_getCode');
    const payments = await Promise.all(buyers.map(sign));
    const responses = payments.map((payment) => present(app, payment));
    await expect.poll(() => proxy.calls('eth_getCode') - asked).toBe(buyers.length);
    // The last answer is still on its way.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { first, payments, responses };
  }
  return { chain, proxy: () => proxy, appOf, mine, buyerOf, present, statusesOf, pooled, isForMany, waiting };
}
