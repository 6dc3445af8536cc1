import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { opened, stopped } from '../../../test/support/listening.ts';
import { orderOf } from '../../../test/support/order.ts';
import { type Rpc, RpcFailure } from '../chain/rpc.ts';
import { createFacilitatorSettler } from './facilitator-settler.ts';

const TRANSACTION = `0x${'ab'.repeat(32)}` as const;
let errorReason = '';
const server = createServer(async (request, response) => {
  for await (const _ of request);
  const body =
    request.url === '/verify'
      ? { isValid: true }
      : { success: false, errorReason, transaction: '', network: 'eip155:8453' };
  response.end(JSON.stringify(body));
});
let url: string;
beforeAll(async () => {
  url = await opened(server);
});
afterAll(() => stopped(server));

const yes = { proven: async () => true, sending: async () => true };
const BEFORE_MS = 2_000_000_000_000;
const settlerAt = (nowMs: number) => {
  return createFacilitatorSettler({ url, rpc: null, now: () => nowMs, repeatMs: [] });
};

describe('a payment that was sent to a facilitator when there is no node', () => {
  it('has no final result until a minute after it expires if the facilitator reports it as used, because our own request may have used it', async () => {
    errorReason = 'invalid_exact_evm_nonce_already_used';
    const open = { state: 'unknown', transaction: TRANSACTION };
    expect(await settlerAt(BEFORE_MS - 1).reconcile(orderOf(), TRANSACTION, yes)).toEqual(open);
    expect(await settlerAt(BEFORE_MS + 60_000).reconcile(orderOf(), TRANSACTION, yes)).toEqual(open);
    expect(await settlerAt(BEFORE_MS + 60_001).reconcile(orderOf(), TRANSACTION, yes)).toMatchObject({
      state: 'refused',
    });
  });

  it('counts as declined until a minute after it expires if the facilitator refuses it, because the facilitator still holds it', async () => {
    errorReason = 'insufficient_funds';
    const declined = { state: 'declined', reason: 'insufficient_funds', transaction: TRANSACTION };
    expect(await settlerAt(BEFORE_MS + 60_000).reconcile(orderOf(), TRANSACTION, yes)).toEqual(declined);
    expect(await settlerAt(BEFORE_MS + 60_001).reconcile(orderOf(), TRANSACTION, yes)).toMatchObject({
      state: 'refused',
    });
    expect(await settlerAt(BEFORE_MS - 1).settle(orderOf(), yes)).toEqual({ ...declined, transaction: null });
  });
});

describe('a facilitator that refuses a payment while no node knows its result', () => {
  it("does not prove that no money moved, so the payment's result is unknown", async () => {
    errorReason = 'insufficient_funds';
    // The node approves the payment, and is unreachable from then on.
    const rpc: Rpc = {
      async call(method) {
        if (method === 'eth_call') return '0x' as never;
        throw new RpcFailure('unclear');
      },
      batch: async () => [],
      onOneNode: (work) => work(rpc),
    };
    const settler = createFacilitatorSettler({
      url,
      rpc,
      now: Date.now,
      repeatMs: [],
      patienceMs: 50,
      pollMs: 10,
    });
    expect(await settler.settle(orderOf(), yes)).toEqual({ state: 'unknown', transaction: null });
  });
});
