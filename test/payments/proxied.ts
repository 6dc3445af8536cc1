import type { PaymentRequirements } from '@x402/core/types';
import { afterEach, beforeEach } from 'vitest';
import type { EmbeddedChain } from '../../src/devnet/chain.ts';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { SettlerChoice } from '../../src/payments/facilitator/known-facilitators.ts';
import { type Settlers, settlersOf } from '../../src/payments/settlers/settlers.ts';
import { type TestApp, terms } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned } from '../support/chain-app.ts';
import { signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

type SettlerParts = Partial<Parameters<typeof settlersOf>[1]> & { choices?: SettlerChoice[] };

/** The settlers of a running service with its own key, which sells from a cent to half a dollar. */
export const ownSettlers = (
  chain: EmbeddedChain,
  rpcUrls: readonly string[],
  { choices = [{ kind: 'local' }], ...parts }: SettlerParts = {},
): Settlers =>
  settlersOf(choices, {
    rpcUrls,
    key: chain.relayerKey,
    cdpApiKey: null,
    terms: { ...terms, payTo: chain.payee },
    prices: { lowest: '10000', highest: '500000' },
    gasWeiPerCent: 10n ** 13n,
    gasBudgetWeiPerHour: 2n * 10n ** 16n,
    confirmations: 0,
    now: Date.now,
    ...parts,
  });

/**
 * The app on the embedded chain behind an RPC that can be made to fail, new for each test; call it in a describe
 * block.
 */
export function proxiedBench() {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let app: TestApp;
  let accepted: PaymentRequirements;
  let buyer: DevAccount;
  let before: bigint;
  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    app = chainApp(chain(), { rpcUrl: proxy.url });
    accepted = await challengeOf(app);
    buyer = chain().buyers[0] as DevAccount;
    before = await earned(chain());
  });
  afterEach(() => proxy.stop());
  return {
    chain,
    proxy: () => proxy,
    app: () => app,
    accepted: () => accepted,
    buyer: () => buyer,
    sign: (options: Partial<Parameters<typeof signAuthorization>[0]> = {}) =>
      signAuthorization({ buyer, accepted, ...options }),
    /** The payee's income in this test. */
    gain: async () => (await earned(chain())) - before,
  };
}
