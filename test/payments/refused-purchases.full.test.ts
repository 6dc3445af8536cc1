import { describe, expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { proves } from '../spec/clauses.ts';
import { onCopyOf } from '../support/chain.ts';
import { blacklist, mint, pause } from '../support/chain-actions.ts';
import { chainApp, headerJson, noticePath } from '../support/chain-app.ts';
import {
  cancelAuthorization,
  faultyPayments,
  frontRun,
  paymentHeader,
  signAuthorization,
} from '../support/payments.ts';
import { buyingBench } from './buying.ts';

const POLLING = { interval: 200 };

describe('the service with the real USDC contract', () => {
  const { chain, app, accepted, buyer, buy } = buyingBench();

  const stranger = '0x00000000000000000000000000000000000000c1';
  const faults = faultyPayments(stranger);
  const reasons = [
    ['expired', 'invalid_exact_evm_payload_authorization_valid_before'],
    ['future', 'invalid_exact_evm_payload_authorization_valid_after'],
    ['wrongValue', 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['raisedAfterSigning', 'invalid_exact_evm_payload_authorization_value_mismatch'],
    ['wrongRecipient', 'invalid_exact_evm_payload_recipient_mismatch'],
    ['badSignature', 'invalid_exact_evm_payload_signature'],
  ] as const;
  for (const [fault, reason] of reasons)
    it(`refuses a payment that is ${fault} with ${reason}, and charges nothing`, async () => {
      const { response, gain } = await buy(faults[fault]);
      expect([response.status, gain]).toEqual([402, 0n]);
      expect(headerJson<{ error: string }>(response, 'payment-required')?.error).toBe(reason);
      expect(await response.json()).toMatchObject({
        code: 'payment_required',
        error: reason,
        charged: false,
      });
    });

  it('refuses a signature by somebody else for the payer', async () => {
    const { response, gain } = await buy({
      authorization: { from: (chain().buyers[2] as DevAccount).address },
    });
    expect([response.status, gain]).toEqual([402, 0n]);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_payload_signature' });
  });

  it('refuses a payer without funds, who may pay with the same authorization once funded', async () => {
    const poor = devAccounts(13)[12] as DevAccount;
    const { payment, response, gain } = await buy({ buyer: poor });
    expect([response.status, gain]).toEqual([402, 0n]);
    expect(await response.json()).toMatchObject({ error: 'insufficient_funds' });
    await mint(chain(), poor.address, 1_000_000n);
    // A rejection is remembered for five seconds, so that repeating it costs no further call.
    const header = { 'payment-signature': paymentHeader(payment) };
    await expect.poll(async () => (await app().get(noticePath(), header)).status, POLLING).toBe(200);
  });

  it('refuses an authorization that its payer canceled', async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await cancelAuthorization(chain(), buyer(), payment.payload.authorization.nonce);
    const response = await app().get(noticePath(), { 'payment-signature': paymentHeader(payment) });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_nonce_already_used' });
  });

  it('does not honor an authorization that was used before this process could have known it', async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await frontRun(chain(), payment.payload);
    const claims = memoryClaims({ maxClaims: 10, now: () => Date.now() + 3_000 });
    const later = chainApp(chain(), { claims });
    const response = await later.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: 'invalid_exact_evm_nonce_already_used' });
  });

  it('names a blacklisted payer and does not ask to retry', async () => {
    await onCopyOf(chain(), async () => {
      await blacklist(chain(), buyer().address);
      const { response, gain } = await buy();
      expect([response.status, gain]).toEqual([402, 0n]);
      expect(await response.json()).toMatchObject({ error: 'payer_or_payee_blacklisted' });
    });
  });

  it(proves(['7-5xx', '3-failed'], 'answers 503 and sends nothing while the asset is paused'), async () => {
    await onCopyOf(chain(), async () => {
      await pause(chain());
      const { response, gain } = await buy();
      expect([response.status, gain]).toEqual([503, 0n]);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await response.json()).toMatchObject({ code: 'settlement_unavailable', charged: false });
    });
  });
});
