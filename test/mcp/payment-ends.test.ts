import { describe, expect, it } from 'vitest';
import { type Ending, fakePayment } from '../support/app.ts';
import { ERAS, type Era, type Posted, request, testApp } from './endpoint.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';

/** A paid call whose settlement has a scripted result. */
async function paid(era: Era, end: Ending): Promise<Posted> {
  const app = testApp({ end: () => end });
  return request(app, era, 'tools/call', {
    params: {
      name: 'late_fee_notice',
      arguments: { amount: 1250, due_date: '2026-09-01', paid_date: '2026-11-21' },
      _meta: { 'x402/payment': fakePayment() },
    },
  });
}

describe.each(ERAS)('in the %s MCP revisions, a payment', (era) => {
  it('with an unknown result gets a request to repeat the same call, without a new signature', async () => {
    const { status, headers, body, text } = await paid(era, { state: 'unknown', transaction: HASH });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'waiting', charged: false },
      _meta: {
        'x402/payment-response': {
          success: false,
          errorReason: 'settlement_pending',
          transaction: HASH,
          payer: PAYER,
        },
      },
    });
    expect(body.result?.content[0]?.text).toMatch(/\bsame call\b/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(text).not.toContain('accepts');
    expect(text).not.toContain('x402/error');
  });

  it('that the chain refuses gets the price again, with a receipt of the failure and no answer', async () => {
    const { body, text } = await paid(era, { state: 'refused', reason: 'insufficient_funds' });
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { x402Version: 2, error: 'insufficient_funds', accepts: [{ amount: '10000' }] },
      _meta: {
        'x402/payment-response': { success: false, errorReason: 'insufficient_funds', transaction: '' },
        'x402/error': { error: 'insufficient_funds' },
      },
    });
    expect(text).not.toMatch(/"reminder\\?"/);
  });

  it('that no settler could send gets an error that says when to try again', async () => {
    const { status, headers, body, text } = await paid(era, { state: 'not_sent', reason: 'rpc_down' });
    const wait = Number(headers.get('retry-after'));
    expect([status, body.result?.isError]).toEqual([200, true]);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(body.result?.structuredContent).toMatchObject({
      code: 'settlement_unavailable',
      charged: false,
      retry_after_seconds: wait,
    });
    expect(body.result?.content[0]?.text).toMatch(/\bcharged\b/);
    expect(text).not.toContain('rpc_down');
    expect(text).not.toContain('accepts');
  });

  it('that makes the settler throw gets an internal error that does not show the cause', async () => {
    const { status, body, text } = await paid(era, 'throws');
    expect([status, body.error]).toEqual([200, { code: -32603, message: 'Internal error' }]);
    expect(text).not.toContain('settler');
  });
});
