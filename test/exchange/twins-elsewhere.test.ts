import { describe, expect, it } from 'vitest';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import type { End, Handover, Settlement } from '../../src/payments/settlement.ts';
import { fakePayment, NOON, testApp } from '../support/app.ts';

const HASH = `0x${'cd'.repeat(32)}` as const;
const PAYER = '0x00000000000000000000000000000000000000bb';
const USED = { state: 'refused', reason: 'invalid_exact_evm_nonce_already_used' } as const;
const PATH = '/v1/late-fee-notice?amount=1&due_date=2026-01-01';
const HEADER = { 'payment-signature': fakePayment({ nonce: '1' }) };

/** Two instances with one memory: the second checks the payment while the first sells. */
function twoInstances(first: (handover: Handover) => Promise<End>) {
  const claims = memoryClaims({ maxClaims: 10, now: () => NOON });
  const instance = (settle: Settlement['settle']) =>
    testApp({
      claims,
      settlement: {
        settle,
        reconcile: async () => ({ state: 'unknown', transaction: HASH }),
        isWalletSigned: async () => true,
      },
    });
  const one = instance((_order, handover) => first(handover));
  const replies: Response[] = [];
  const two = instance(async () => {
    replies.push(await one.get(PATH, HEADER));
    return USED;
  });
  return { replies, two };
}

async function sell({ proven, sending }: Handover): Promise<End> {
  await proven();
  await sending(HASH);
  return { state: 'settled', transaction: HASH, payer: PAYER };
}

describe('a payment that another instance sold while it was being checked here', () => {
  it('gets the same answer for the same request', async () => {
    const { replies, two } = twoInstances(sell);
    const second = await two.get(PATH, HEADER);
    expect(replies.map(({ status }) => status)).toEqual([200]);
    expect(second.status).toBe(200);
    expect(await second.json()).toEqual(await replies[0]?.json());
  });

  it('gets no answer for another request, and no reply says that it was not paid', async () => {
    const { replies, two } = twoInstances(sell);
    const second = await two.get(`${PATH}&client_name=Acme`, HEADER);
    expect(replies.map(({ status }) => status)).toEqual([200]);
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: 'payment_already_used' });
  });

  it('waits while the result at the other instance is unknown', async () => {
    const { two } = twoInstances(async ({ proven, sending }) => {
      await proven();
      await sending(HASH);
      return { state: 'unknown', transaction: HASH };
    });
    const second = await two.get(PATH, HEADER);
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: 'waiting' });
  });
});
