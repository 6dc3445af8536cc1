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

test('what is free, a price, and whatever is asked over MCP without paying take none', async () => {
  const app = chainApp(chain(), { rpcUrl: proxy.url });
  const lines = { items: [{ unit_price: 5 }] };
  const call = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: lines },
  });
  proxy.resetCalls();
  const answers = [
    await app.get('/v1/late-fee?amount=5&due_date=2026-01-01'),
    await app.get('/v1/tools'),
    await app.post('/v1/quote', lines),
    await app.get(noticePath()),
    await app.post('/v1/quote-pack', lines),
    await app.get('/v1/stack-report?business_type=trades'),
    await app.post('/mcp', call('quote_totals')),
    await app.post('/mcp', call('quote_pack')),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 402, 402, 402, 200, 200]);
  expect(proxy.calls()).toBe(0);
});
