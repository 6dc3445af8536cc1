import type { PaymentRequired } from '@x402/core/types';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { movesMoney, USED_TOPIC } from '../../src/payments/chain/usdc.ts';
import { fakePayment, testApp } from '../support/app.ts';
import { headerJson, noticePath } from '../support/chain-app.ts';

const CENT = 10_000n;
const app = testApp({
  end: ({ payment }) => ({
    state: 'settled',
    transaction: `0x${'cd'.repeat(32)}`,
    payer: payment.authorization.from,
  }),
});

describe('despite a known failure of x402 sellers,', () => {
  it('no cache keeps a challenge or a paid answer (row 15)', async () => {
    const unpaid = await app.get(noticePath());
    const answer = await app.get(noticePath(), { 'payment-signature': fakePayment() });
    expect(
      [unpaid, answer].map((response) => [response.status, response.headers.get('cache-control')]),
    ).toEqual([
      [402, 'no-store'],
      [200, 'no-store'],
    ]);
  });

  it("a challenge names only our address, and not the caller's host, forwarding headers or query (rows 16 and 17)", async () => {
    const response = await app.get(noticePath('Planted 4711'), {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    });
    const required = headerJson<PaymentRequired>(response, 'payment-required');
    expect(required?.resource?.url).toBe('https://calc.example/v1/late-fee-notice');
    expect(JSON.stringify(required)).not.toMatch(/evil|4711/);
  });

  it('a client is told to retry with the same key, and not with a new one each time (row 21)', async () => {
    type Described = { components: { parameters: { IdempotencyKey: { description: string } } } };
    const document = (await (await app.get('/openapi.json')).json()) as Described;
    const { description } = document.components.parameters.IdempotencyKey;
    expect(description).toMatch(/with the same key and the same request is not charged again/);
    expect(description).not.toMatch(/unique|per request/i);
  });

  it('a use without its transfer, as with an asset that does not revert, pays for nothing (row 23)', () => {
    const from = `0x${'b'.repeat(40)}` as Hex;
    const to = `0x${'a'.repeat(40)}` as Hex;
    const asset = `0x${'c'.repeat(40)}` as Hex;
    const nonce = `0x${'1'.repeat(64)}` as Hex;
    const topic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
    const at = { address: asset, transactionHash: nonce, blockNumber: '0x1' as Hex };
    const used = {
      ...at,
      logIndex: '0x7' as Hex,
      topics: [USED_TOPIC as Hex, topic(from), nonce],
      data: '0x' as Hex,
    };
    const moved = {
      ...at,
      logIndex: '0x8' as Hex,
      topics: [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' as Hex,
        topic(from),
        topic(to),
      ],
      data: '0x2710' as Hex,
    };
    const order = { from, to, value: CENT, validAfter: 0n, validBefore: 1n, nonce };
    expect(movesMoney([used], asset, order)).toBeNull();
    expect(movesMoney([used, { ...moved, logIndex: '0x9' }], asset, order)).toBeNull();
    expect(movesMoney([moved], asset, order)).toBeNull();
    expect(movesMoney([used, { ...moved, data: '0x270f' }], asset, order)).toBe(false);
    expect(movesMoney([used, moved], asset, order)).toBe(true);
  });
});
