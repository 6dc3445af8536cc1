import type { Address } from 'viem';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { sharedChain } from '../support/chain.ts';
import { blacklist, mine, pause, returnTo, setBalance, snapshot } from '../support/chain-actions.ts';
import { freePort } from '../support/listening.ts';
import { nodeSecret, type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { examined } from './doctor.ts';

const PAUSED = 'USDC 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913, paused';
const PAY_TO = 'PAY_TO 0x00000000000000000000000000000000000000AA';
// The base fee of the first block of the tests, times four, plus the tip.
const OFFER_WEI = 18_695_868n;

describe("the doctor's check of a chain and an account", () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let port: number;
  let untouched: `0x${string}`;
  let relayer: Address;
  let key: string;
  /** The doctor's names for the parts. */
  let node: string;
  let account: string;

  beforeAll(async () => {
    // A recent block, as an active chain has it.
    await mine(chain());
    port = await freePort();
    relayer = chain().buyers[7]?.address as Address;
    key = chain().buyers[7]?.privateKey as string;
    account = `RELAYER_KEY, account ${relayer}`;
  });
  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    node = `RPC 1 ${proxy.url}`;
    untouched = await snapshot(chain());
  });
  afterEach(async () => {
    await returnTo(chain(), untouched);
    await proxy.stop();
  });

  const look = (changes: Record<string, string> = {}, now?: () => number) =>
    examined(
      {
        PORT: String(port),
        NODE_ENV: 'development',
        SETTLERS: 'local',
        RPC_URLS: `${proxy.url}/v2/SECRET-4711?key=SECRET-4711`,
        RELAYER_KEY: key,
        PAY_TO: '0x00000000000000000000000000000000000000aa',
        ...changes,
      },
      now && { now },
    );

  it('finds no fault if there is none, and sends nothing', async () => {
    const { wrong, warned, line, text } = await look();
    expect(wrong, text).toEqual([]);
    expect(warned).toEqual([`PUBLIC_BASE_URL http://127.0.0.1:${port}`]);
    expect(line(node)).toBe(
      `ok    ${node}: chain 8453, as NETWORK says, with the USDC that buyers sign for.`,
    );
    expect(line(`${node}, clock`)).toMatch(/: block 2 is -?\d+ s old by this machine's clock\.$/);
    expect(line(`${node}, eth_getLogs`)).toContain('answers over 9000 blocks');
    expect(line(PAUSED)).toBe(`ok    ${PAUSED}: no.`);
    expect(line(PAY_TO)).toBe(`ok    ${PAY_TO}: not blacklisted.`);
    expect(line(account)).toContain('10000 ETH pay for at least 3332570381 settlements');
    expect(line('Statutory reference rates')).toBe(
      'ok    Statutory reference rates: known until 31 December 2026.',
    );
    expect(proxy.calls('eth_sendRawTransaction')).toBe(0);
  });

  it('shows only the origin of an RPC URL, whether or not it answers', async () => {
    for (const fault of [null, 'error', 'non-json', 'too-many', 'dead'] as const) {
      if (fault !== null) proxy.fail('*', fault);
      const { text } = await look();
      expect(text).toContain(node);
      expect(text).not.toContain('4711');
      expect(text).not.toContain(nodeSecret);
      expect(text).not.toContain(key.slice(2));
    }
  });

  it.each([
    ['error', 'rejects the call (code -32000)'],
    ['non-json', 'gives no JSON-RPC answer'],
    ['dead', 'gives no JSON-RPC answer'],
  ] as const)('says what a broken node does (%s), and checks nothing further', async (fault, says) => {
    proxy.fail('*', fault);
    const { wrong, line, text } = await look();
    expect(wrong).toEqual([node]);
    expect(line(node)).toContain(says);
    expect(text).not.toMatch(/clock|PAY_TO|RELAYER_KEY/);
  });

  it('reports each of several nodes, and continues with a healthy one', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    const { wrong, line } = await look({ RPC_URLS: `${gone}/SECRET-4711,${proxy.url}` });
    expect(wrong).toEqual([`RPC 1 ${gone}`]);
    expect(line(`RPC 1 ${gone}`)).toContain('cannot be reached');
    expect(line(`RPC 2 ${proxy.url}`)).toMatch(/^ok /);
    expect(line(PAUSED)).toMatch(/^ok /);
  });

  it('reports a chain that is not the chain of NETWORK', async () => {
    const { wrong, line } = await look({ NETWORK: 'eip155:84532' });
    expect(wrong).toEqual([node]);
    expect(line(node)).toContain('is not of eip155:84532 (NETWORK), or has a different contract');
  });

  it.each([
    [14, 'ok'],
    [40, 'warn'],
    [-40, 'warn'],
    [90, 'FAIL'],
    [-90, 'FAIL'],
  ])('judges a clock that is %d s ahead of the chain: %s', async (aheadSeconds, verdict) => {
    const block = (await look()).line(`${node}, clock`);
    const ageSeconds = Number(/is (-?\d+) s old/.exec(block)?.[1]);
    const { line } = await look({}, () => Date.now() + (aheadSeconds - ageSeconds - 0.5) * 1_000);
    expect(line(`${node}, clock`).split(' ')[0]).toBe(verdict);
  });

  it('fails a node that does not answer within the time limit', async () => {
    proxy.fail('eth_getLogs', 'error');
    const { wrong, line } = await look();
    expect(wrong).toEqual([`${node}, eth_getLogs`]);
    expect(line(`${node}, eth_getLogs`)).toContain('for 9000 blocks');
  });

  it('fails if USDC is paused, or the payee is blacklisted', async () => {
    await pause(chain());
    await blacklist(chain(), '0x00000000000000000000000000000000000000aa');
    const { wrong, line } = await look();
    expect(wrong).toEqual([PAUSED, PAY_TO]);
    expect(line(PAY_TO)).toContain('blacklisted by USDC. Use a different address');
  });

  it('fails a node that cannot read the contract', async () => {
    proxy.fail('eth_call', 'error');
    expect((await look()).wrong).toEqual([node]);
  });

  it.each([
    [200n, 'ok', '200 settlements'],
    [199n, 'warn', '199 settlements'],
    [0n, 'FAIL', '0 ETH pay for at least 0 settlements'],
  ])('with gas money for %d settlements reports %s', async (settlements, verdict, says) => {
    await setBalance(chain(), relayer, settlements * OFFER_WEI * 160_500n);
    const { line } = await look();
    expect(line(account)).toMatch(new RegExp(`^${verdict} .*${says}`));
  });

  it('fails an account with code, which may be delegated to a contract', async () => {
    expect((await look()).line(`${account}, code`)).toBe(`ok    ${account}, code: none, as it should be.`);
    await ask(chain().rpcUrl, 'anvil_setCode', relayer, `0xef0100${'00'.repeat(19)}ff`);
    const delegated = await look();
    expect(delegated.wrong).toEqual([`${account}, code`]);
    expect(delegated.line(`${account}, code`)).toContain('delegation (EIP-7702). Use a new key');
  });

  it('does not require gas money if all settlers are hosted', async () => {
    const { text } = await look({
      NODE_ENV: 'development',
      SETTLERS: `http://127.0.0.1:${await freePort()}`,
      RELAYER_KEY: '',
    });
    expect(text).toContain(PAUSED);
    expect(text).not.toContain('RELAYER_KEY');
  });
});
