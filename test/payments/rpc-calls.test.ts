import type { Address, Hex } from 'viem';
import { concat } from 'viem/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { deal } from '../support/batch.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

const IMPLEMENTATION: Address = '0x00000000000000000000000000000000000e7702';
// This ERC-1271 wallet accepts any signature.
const LENIENT: Hex = '0x631626ba7e60e01b60005260206000f3';
const chain = sharedChain();
let proxy: RpcProxy;
beforeAll(async () => {
  proxy = await startRpcProxy(chain().rpcUrl);
});
afterAll(() => proxy?.stop());

test.each([
  ['of a key alone', null],
  ['of a key that delegates to a contract', LENIENT],
])(
  'after the first purchase, each of 50 purchases %s takes two RPC requests: one check and one broadcast',
  async (_whose, code) => {
    // The clock is stopped, so that no gas price becomes too old on a slow machine.
    const startedMs = Date.now();
    const app = chainApp(chain(), { rpcUrl: proxy.url, now: () => startedMs });
    const accepted = await challengeOf(app);
    const buyer = devAccounts(61)[60] as DevAccount;
    await deal(chain(), buyer.address, 1_000_000n);
    if (code !== null) {
      await rpc(chain().rpcUrl, 'anvil_setCode', IMPLEMENTATION, code);
      await rpc(chain().rpcUrl, 'anvil_setCode', buyer.address, concat(['0xef0100', IMPLEMENTATION]));
    }
    const purchase = async () => {
      const payment = paymentHeader(await signAuthorization({ buyer, accepted }));
      return (await app.get(noticePath(), { 'payment-signature': payment })).status;
    };
    expect(await purchase()).toBe(200);
    proxy.resetCalls();
    for (let index = 0; index < 50; index++) expect(await purchase()).toBe(200);
    expect(proxy.calls('eth_call')).toBe(50);
    expect(proxy.calls('eth_getCode')).toBe(50);
    expect(proxy.calls('eth_sendRawTransactionSync')).toBe(50);
    expect(proxy.calls()).toBe(150);
    // The simulation and the code of the payer are requested together.
    expect(proxy.requests()).toBe(100);
  },
);

test('free operations, prices, and unpaid MCP calls do not send RPC requests', async () => {
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
