import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rpc, rpcBatch } from '../../src/devnet/chain-rpc.ts';
import { sharedChain } from './chain.ts';
import { submit } from './chain-actions.ts';
import { nodeSecret, type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

const chain = sharedChain();
let proxy: RpcProxy;
beforeAll(async () => {
  proxy = await startRpcProxy(chain().rpcUrl, 7);
});
afterEach(() => {
  proxy.heal();
  proxy.resetCalls();
});
afterAll(() => proxy.stop());

const blockNumber = () => rpc(proxy.url, 'eth_blockNumber');

/** A raw zero-value transfer from buyer 1 to itself, to be sent through the proxy. */
const rawTransaction = async (): Promise<Hex> => {
  const account = privateKeyToAccount(chain().buyers[0]?.privateKey ?? '0x');
  const nonce = Number(await rpc<Hex>(chain().rpcUrl, 'eth_getTransactionCount', account.address, 'latest'));
  return account.signTransaction({
    chainId: 8453,
    nonce,
    to: account.address,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
};

test('calls and batches pass without a fault and are counted by method', async () => {
  expect(await blockNumber()).toBe('0x1');
  expect(await rpcBatch(proxy.url, [['eth_chainId'], ['eth_blockNumber']])).toEqual(['0x2105', '0x1']);
  expect(proxy.calls('eth_blockNumber')).toBe(2);
  expect(proxy.calls('eth_getLogs')).toBe(0);
  expect(proxy.calls()).toBe(3);
});

test('the node’s own refusals pass unchanged', async () => {
  await expect(rpc(proxy.url, 'eth_noSuchThing')).rejects.toMatchObject({ code: -32601 });
});

test('drop-reply sends the transaction and loses its answer', async () => {
  const raw = await rawTransaction();
  const before = Number(await blockNumber());
  proxy.fail('eth_sendRawTransactionSync', 'drop-reply');
  await expect(rpc(proxy.url, 'eth_sendRawTransactionSync', raw)).rejects.toThrow('fetch failed');
  expect(Number(await blockNumber())).toBe(before + 1);
});

test('dead blocks all requests to the node, and other methods still work', async () => {
  const raw = await rawTransaction();
  const before = await blockNumber();
  proxy.fail('eth_sendRawTransactionSync', 'dead');
  await expect(rpc(proxy.url, 'eth_sendRawTransactionSync', raw)).rejects.toThrow('fetch failed');
  expect(await blockNumber()).toBe(before);
  proxy.fail('*', 'dead');
  await expect(blockNumber()).rejects.toThrow('fetch failed');
});

test('error returns a node’s text with a secret', async () => {
  proxy.fail('eth_blockNumber', 'error');
  await expect(blockNumber()).rejects.toThrow(nodeSecret);
});

test('unsupported answers -32601 and sends nothing', async () => {
  const raw = await rawTransaction();
  const before = await blockNumber();
  proxy.fail('eth_sendRawTransactionSync', 'unsupported');
  await expect(rpc(proxy.url, 'eth_sendRawTransactionSync', raw)).rejects.toMatchObject({ code: -32601 });
  expect(await blockNumber()).toBe(before);
});

test('no-receipt returns null and no logs, and a synchronous send times out after sending', async () => {
  const buyer = chain().buyers[1]?.address ?? '0x';
  const hash = await submit(chain(), { from: buyer, to: buyer, data: '0x' });
  proxy.fail('*', 'no-receipt');
  expect(await rpc(proxy.url, 'eth_getTransactionReceipt', hash)).toBeNull();
  const everything = { fromBlock: '0x0', toBlock: 'latest', address: chain().usdc };
  expect(await rpc(proxy.url, 'eth_getLogs', everything)).toEqual([]);
  expect(await rpc<unknown[]>(chain().rpcUrl, 'eth_getLogs', everything)).not.toEqual([]);
  const send = rpc(proxy.url, 'eth_sendRawTransactionSync', await rawTransaction());
  await expect(send).rejects.toMatchObject({ code: 4 });
});

test('wrong-receipt returns the success of another transaction', async () => {
  const raw = await rawTransaction();
  proxy.fail('eth_sendRawTransactionSync', 'wrong-receipt');
  const receipt = await rpc<{ status: Hex; to: Hex; blockNumber: Hex }>(
    proxy.url,
    'eth_sendRawTransactionSync',
    raw,
  );
  expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1', to: chain().usdc.toLowerCase() });
});

test('slow delays the answer until the event that it waits for', async () => {
  let happen = () => {};
  const until = new Promise<void>((resolve) => {
    happen = resolve;
  });
  proxy.fail('eth_blockNumber', 'slow', { until });
  const order: string[] = [];
  const answered = blockNumber().then(() => order.push('answered'));
  await expect.poll(() => proxy.calls('eth_blockNumber')).toBeGreaterThan(0);
  order.push('happened');
  happen();
  await answered;
  expect(order).toEqual(['happened', 'answered']);
});

test('non-json returns a page instead of JSON-RPC', async () => {
  proxy.fail('eth_blockNumber', 'non-json');
  await expect(blockNumber()).rejects.toThrow(/not valid JSON/);
});

test('too-many returns status 429 and Retry-After', async () => {
  proxy.fail('eth_blockNumber', 'too-many');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const response = await fetch(proxy.url, { method: 'POST', body });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
});

test('declines returns the requested status and error', async () => {
  const reply = { status: 401, code: -32000, message: 'must be authenticated' };
  proxy.fail('*', 'declines', { reply });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const response = await fetch(proxy.url, { method: 'POST', body });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32000, message: 'must be authenticated' },
  });
});

test('times limits how often a fault occurs', async () => {
  proxy.fail('eth_blockNumber', 'error', { times: 2 });
  const outcomes = [];
  for (let turn = 0; turn < 4; turn++)
    outcomes.push(
      await blockNumber().then(
        () => 'answer',
        () => 'error',
      ),
    );
  expect(outcomes).toEqual(['error', 'error', 'answer', 'answer']);
});

test('chance affects the same calls for the same seed', async () => {
  const run = async (seed: number): Promise<string> => {
    const other = await startRpcProxy(chain().rpcUrl, seed);
    other.fail('eth_chainId', 'error', { chance: 0.5 });
    let pattern = '';
    for (let turn = 0; turn < 24; turn++)
      pattern += await rpc(other.url, 'eth_chainId').then(
        () => '.',
        () => 'x',
      );
    await other.stop();
    return pattern;
  };
  const first = await run(42);
  expect(first).toMatch(/\..*x|x.*\./);
  expect(await run(42)).toBe(first);
  expect(await run(43)).not.toBe(first);
});
