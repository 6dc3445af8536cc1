import type { PaymentRequirements } from '@x402/core/types';
import { beforeAll } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { TestApp } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';

/** An app on the embedded chain for a whole suite, and a buyer of notices; call it in a describe block. */
export function buyingBench() {
  const chain = sharedChain();
  let app: TestApp;
  let accepted: PaymentRequirements;
  let buyer: DevAccount;

  beforeAll(async () => {
    app = chainApp(chain());
    accepted = await challengeOf(app);
    buyer = chain().buyers[0] as DevAccount;
  });

  /** Signs for the notice and presents it; the payee's gain comes with the response. */
  async function buy(options: Partial<Parameters<typeof signAuthorization>[0]> = {}, path = noticePath()) {
    const before = await earned(chain());
    const payment = await signAuthorization({ buyer, accepted, ...options });
    const response = await app.get(path, { 'payment-signature': paymentHeader(payment) });
    return { payment, response, gain: (await earned(chain())) - before };
  }

  return { chain, app: () => app, accepted: () => accepted, buyer: () => buyer, buy };
}
