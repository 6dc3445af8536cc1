import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, toHex } from 'viem/utils';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EmbeddedChain, startChain } from './chain.ts';
import { rpc } from './chain-rpc.ts';
import { usdcAbi, usdcAddress, usdcBalance, usdcDomain, usdcTypes } from './usdc.ts';

let chain: EmbeddedChain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const read = (data: Hex) => rpc<Hex>(chain.rpcUrl, 'eth_call', { to: usdcAddress, data }, 'latest');

test('the chain has the chain ID of Base and listens only on the loopback interface', async () => {
  expect(await rpc(chain.rpcUrl, 'eth_chainId')).toBe('0x2105');
  expect(chain.chainId).toBe(8453);
  expect(chain.rpcUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('USDC has the same signing domain as USDC on Base', async () => {
  const separator = await read(encodeFunctionData({ abi: usdcAbi, functionName: 'DOMAIN_SEPARATOR' }));
  expect(separator).toBe('0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f');
});

test('nine buyers hold 1,000 USDC each, the payee holds none, and the relayer has sent nothing', async () => {
  expect(chain.buyers).toHaveLength(9);
  expect(chain.buyers[0]?.address).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  for (const { address, privateKey } of chain.buyers) {
    expect(privateKeyToAccount(privateKey).address).toBe(address);
    expect(await usdcBalance(chain.rpcUrl, address)).toBe(1_000_000_000n);
  }
  expect(chain.payee).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913');
  expect(await usdcBalance(chain.rpcUrl, chain.payee)).toBe(0n);
  const relayer = privateKeyToAccount(chain.relayerKey).address;
  expect(relayer).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  expect(await rpc(chain.rpcUrl, 'eth_getTransactionCount', relayer, 'latest')).toBe('0x0');
});

test('a signed authorization moves the money once and never again', async () => {
  const buyer = privateKeyToAccount(chain.buyers[8]?.privateKey ?? '0x');
  const nonce = toHex(7, { size: 32 });
  const message = {
    from: buyer.address,
    to: chain.payee,
    value: 10_000n,
    validAfter: 0n,
    validBefore: 4_000_000_000n,
    nonce,
  };
  const signature = await buyer.signTypedData({
    domain: usdcDomain,
    types: usdcTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [buyer.address, chain.payee, 10_000n, 0n, 4_000_000_000n, nonce, signature],
  });
  const transaction = { from: chain.usdcOwner, to: usdcAddress, data };
  const receipt = await rpc<{ status: Hex }>(chain.rpcUrl, 'eth_sendTransactionSync', transaction);
  expect(receipt.status).toBe('0x1');
  expect(await usdcBalance(chain.rpcUrl, chain.payee)).toBe(10_000n);
  await expect(read(data)).rejects.toThrow('FiatTokenV2: authorization is used or canceled');
});

test('the chain makes a new block only when the last block is old', async () => {
  const latest = () =>
    rpc<{ number: Hex; timestamp: Hex }>(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false);
  const before = await latest();
  const blockMs = Number(before.timestamp) * 1_000;
  await chain.refresh(blockMs + 1_000);
  expect((await latest()).number).toBe(before.number);
  await chain.refresh(blockMs + 60_000);
  expect(Number((await latest()).number)).toBe(Number(before.number) + 1);
});

test('the chain refuses to start in production', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  await expect(startChain()).rejects.toThrow('does not start with NODE_ENV=production');
  vi.unstubAllEnvs();
});
