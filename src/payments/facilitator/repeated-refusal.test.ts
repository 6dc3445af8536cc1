import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderOf, PAYER } from '../../../test/support/order.ts';
import { createFacilitatorSettler } from './facilitator-settler.ts';

// The facilitator settles the payment and loses the connection before it replies. At the next request, the payer has
// no money left.
const seen: string[] = [];
let isReset = false;
const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  if (request.url === '/verify') return void response.end(JSON.stringify({ isValid: true }));
  const { nonce } = JSON.parse(text).paymentPayload.payload.authorization;
  const isAgain = seen.includes(nonce);
  seen.push(nonce);
  if (isReset) {
    isReset = false;
    request.socket.resetAndDestroy();
  } else if (isAgain)
    response.end(
      JSON.stringify({
        success: false,
        errorReason: 'insufficient_funds',
        transaction: '',
        network: 'eip155:8453',
      }),
    );
  else
    response.end(
      JSON.stringify({
        success: true,
        transaction: `0x${'ab'.repeat(32)}`,
        network: 'eip155:8453',
        payer: PAYER,
      }),
    );
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('a payment whose repetition is refused may already be settled, so the buyer is not told that no money moved', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settler = createFacilitatorSettler({ url, rpc: null, now: Date.now, repeatMs: [] });
  const yes = { proven: async () => true, sending: async () => true };
  expect(await settler.settle(orderOf(1), yes)).toMatchObject({ state: 'settled' });
  isReset = true;
  expect(await settler.settle(orderOf(2), yes)).toEqual({ state: 'unknown', transaction: null });
  expect(seen.filter((nonce) => nonce === orderOf(2).payment.authorization.nonce)).toHaveLength(2);
});
