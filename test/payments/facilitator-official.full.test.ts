import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import { createFacilitatorSettler } from '../../src/payments/facilitator/facilitator-settler.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { type OfficialFacilitator, startOfficialFacilitator } from '../support/official-facilitator.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { deploySmartWallet } from '../support/smart-wallet.ts';

const CENT = 10_000n;

describe('the official facilitator as a hosted settler', () => {
  const chain = sharedChain();
  let facilitator: OfficialFacilitator;

  beforeAll(async () => {
    facilitator = await startOfficialFacilitator(
      chain().rpcUrl,
      chain().buyers[8]?.privateKey as `0x${string}`,
    );
  });
  afterAll(() => facilitator.stop());

  const appWith = (hasRpc: boolean) =>
    chainApp(chain(), {
      settlement: createFacilitatorSettler({
        url: facilitator.url,
        rpc: hasRpc ? rpcOver([chain().rpcUrl]) : null,
        now: Date.now,
      }),
    });

  for (const [title, hasRpc] of [
    ['checked against the chain', true],
    ['taken at its word', false],
  ] as const) {
    it(`sells a notice for one cent, ${title}`, async () => {
      const app = appWith(hasRpc);
      const buyer = chain().buyers[0] as DevAccount;
      const accepted = await challengeOf(app);
      const before = await earned(chain());
      const payment = await signAuthorization({ buyer, accepted });
      const response = await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
      expect(response.status).toBe(200);
      expect(headerJson(response, 'payment-response')).toMatchObject({
        success: true,
        payer: buyer.address.toLowerCase(),
        network: 'eip155:8453',
      });
      expect((await earned(chain())) - before).toBe(CENT);
    });
  }

  it('sells to a contract wallet (ERC-1271)', async () => {
    const app = appWith(true);
    const buyer = chain().buyers[1] as DevAccount;
    const wallet = await deploySmartWallet(chain(), buyer.address, 1_000_000n);
    const accepted = await challengeOf(app);
    const payment = await signAuthorization({ buyer, accepted, authorization: { from: wallet } });
    const response = await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
    expect(response.status).toBe(200);
  });

  it('says what is wrong with a payment, with the same code whether or not an RPC URL is set', async () => {
    const poor = chain().buyers[2] as DevAccount;
    for (const hasRpc of [true, false]) {
      const app = appWith(hasRpc);
      const accepted = await challengeOf(app);
      const payment = await signAuthorization({
        buyer: poor,
        accepted,
        signature: `0x${'11'.repeat(64)}1b`,
      });
      const response = await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
      expect(response.status).toBe(402);
      expect(headerJson(response, 'payment-response')).toMatchObject({
        success: false,
        errorReason: 'invalid_exact_evm_payload_signature',
      });
    }
  });
});
