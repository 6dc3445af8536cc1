import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { opened, stopped } from '../../../test/support/listening.ts';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import { createFacilitatorSettler } from './facilitator-settler.ts';

const TRANSACTION = `0x${'ab'.repeat(32)}`;
const NETWORK = 'eip155:8453';

// The facilitator settles each authorization once, does not remember its answers, and then gives this reason.
let errorReason = '';
const settled = new Set<string>();
let asked = 0;
let isReset = false;
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  if (request.url === '/verify') return void response.end(JSON.stringify({ isValid: true }));
  const { nonce } = JSON.parse(text).paymentPayload.payload.authorization;
  const isUsed = settled.has(nonce);
  settled.add(nonce);
  asked += 1;
  if (isReset) {
    isReset = false;
    request.socket.resetAndDestroy();
  } else if (isUsed) {
    response.end(JSON.stringify({ success: false, errorReason, transaction: '', network: NETWORK }));
  } else {
    response.end(JSON.stringify({ success: true, transaction: TRANSACTION, network: NETWORK, payer: PAYER }));
  }
});
let url: string;
beforeAll(async () => {
  url = await opened(server);
});
afterAll(() => stopped(server));

it.each(['invalid_exact_evm_nonce_already_used', 'insufficient_funds'])(
  'a payment that settled as its connection broke has an unknown result, even if its repetition is refused with %s',
  async (reason) => {
    errorReason = reason;
    settled.clear();
    asked = 0;
    const settler = createFacilitatorSettler({ url, rpc: null, now: Date.now, repeatMs: [] });
    const yes = { proven: async () => true, sending: async () => true };
    expect(await settler.settle(orderOf(1), yes)).toMatchObject({ state: 'settled' });
    // The connection is reset while it is kept open, which looks as if an idle connection had just been closed.
    isReset = true;
    expect(await settler.settle(orderOf(2), yes)).toEqual({ state: 'unknown', transaction: null });
    expect([settled.size, asked]).toEqual([2, 3]);
    if (reason === 'insufficient_funds') return;
    // The facilitator approved the payment a moment before. It may have been used for this purchase, so the buyer is
    // not asked to sign again.
    expect(await settler.settle(orderOf(2), yes)).toEqual({ state: 'unknown', transaction: null });
  },
);
