import { describe, expect, it } from 'vitest';
import { terms } from '../../../test/support/app.ts';
import { domainSeparator } from '../x402/signature.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { isBlacklisted, isOurs } from './usdc.ts';

const SEPARATOR = `0x${domainSeparator(terms)}`;
const NO = new RpcFailure('answered', { code: 3, said: 'execution reverted' });

/** A node that returns its chain id, and one answer to every call. */
const node = (answer: string | RpcFailure, chainId = '0x2105') => {
  const asked: unknown[] = [];
  const rpc: Rpc = {
    async call(method, params) {
      if (method === 'eth_chainId') return chainId as never;
      asked.push([method, ...params]);
      if (typeof answer === 'string') return answer as never;
      throw answer;
    },
    batch: async () => [],
    onOneNode: (work) => work(rpc),
  };
  return { rpc, asked };
};

describe('a node', () => {
  it('is accepted if it is on the chain and its asset has the domain that buyers sign for', async () => {
    const { rpc, asked } = node(SEPARATOR.toUpperCase().replace('0X', '0x'));
    expect(await isOurs(rpc, terms)).toBe(true);
    expect(asked).toEqual([['eth_call', { to: terms.asset, data: '0x3644e515' }, 'latest']]);
  });

  it.each([
    ['is of another chain', node(SEPARATOR, '0x1')],
    ['has an asset with another domain', node(`0x${'ab'.repeat(32)}`)],
    ['has no code where the asset should be', node('0x')],
    ['has a contract there without a domain', node(NO)],
  ])('is not accepted if it %s', async (_what, { rpc }) => {
    expect(await isOurs(rpc, terms)).toBe(false);
  });

  it('is not judged while it cannot be reached', async () => {
    const failure = new RpcFailure('unreached');
    await expect(isOurs(node(failure).rpc, terms)).rejects.toBe(failure);
  });
});

describe('an account', () => {
  const account = `0x${'aB'.repeat(20)}` as const;

  it('is blacklisted if the asset says so', async () => {
    const { rpc, asked } = node(`0x${'1'.padStart(64, '0')}`);
    expect(await isBlacklisted(rpc, terms.asset, account)).toBe(true);
    const data = `0xfe575a87${'0'.repeat(24)}${'ab'.repeat(20)}`;
    expect(asked).toEqual([['eth_call', { to: terms.asset, data }, 'latest']]);
  });

  it.each([
    ['says no', `0x${'0'.repeat(64)}`],
    ['has no such list', NO],
  ])('is not blacklisted by an asset that %s', async (_what, answer) => {
    expect(await isBlacklisted(node(answer).rpc, terms.asset, account)).toBe(false);
  });
});
