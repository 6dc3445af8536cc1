import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

const chain = sharedChain();
let proxy: RpcProxy;
beforeAll(async () => {
  proxy = await startRpcProxy(chain().rpcUrl);
});
afterAll(() => proxy?.stop());

test('after the first, each of 50 purchases takes two RPC calls: one proof and one broadcast', async () => {
  // The clock stands still, so that no reading of the gas price grows old on a slow machine.
  const startedMs = Date.now();
  const app = chainApp(chain(), { rpcUrl: proxy.url, now: () => startedMs });
  const accepted = await challengeOf(app);
  const buyer = chain().buyers[0];
  if (!buyer) throw new Error('The chain has buyers');
  const purchase = async () => {
    const payment = paymentHeader(await signAuthorization({ buyer, accepted }));
    return (await app.get(noticePath(), { 'payment-signature': payment })).status;
  };
  expect(await purchase()).toBe(200);
  proxy.resetCalls();
  for (let index = 0; index < 50; index++) expect(await purchase()).toBe(200);
  expect(proxy.calls('eth_call')).toBe(50);
  expect(proxy.calls('eth_sendRawTransactionSync')).toBe(50);
  expect(proxy.calls()).toBe(100);
});
