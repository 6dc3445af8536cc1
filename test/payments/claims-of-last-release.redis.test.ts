import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { privateKeyToAddress } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { redisClaims } from '../../src/exchange/claims/redis-claims.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import type { RpcReceipt } from '../../src/payments/chain/rpc-node.ts';
import { USED_TOPIC } from '../../src/payments/chain/usdc.ts';
import { createLocalSettler } from '../../src/payments/local/local-settler.ts';
import { createRelayer } from '../../src/payments/local/relayer.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import { type TestApp, terms, testApp } from '../support/app.ts';
import { headerJson } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';
import { connectTo, type RedisServer, redisMissing, startRedis } from '../support/redis.ts';

/**
 * A recording from commit ed422df: three purchases that it settled by one Multicall3 transaction, with its claims in
 * Redis from before that transaction was mined. The second payer's money was moved away in between.
 */
type Recorded = {
  recordedAt: number;
  payee: Hex;
  claims: { key: string; fields: Record<string, string> }[];
  purchases: [Purchase, Purchase, Purchase];
  receipt: RpcReceipt & { from: Hex };
  head: { number: Hex; timestamp: Hex; baseFeePerGas: Hex };
};
type Purchase = { path: string; header: string };
const recorded: Recorded = JSON.parse(
  readFileSync(new URL('./claims-of-ed422df.json', import.meta.url), 'utf8'),
);
const AUTHORIZATION_STATE = '0xe94a0102';
const NO_MONEY = 'execution reverted: ERC20: transfer amount exceeds balance';
const ANOTHER_KEY: Hex = `0x${'17'.repeat(32)}`;

/** The replies of a node of that chain, from the recorded receipt. */
function nodeOf(sends: string[]) {
  const { receipt, head } = recorded;
  const used = receipt.logs.filter(({ topics }) => topics[0] === USED_TOPIC);
  return (method: string, params: unknown[]): unknown => {
    const [first] = params as [{ data?: Hex; topics?: (Hex | Hex[] | null)[] } & Hex];
    switch (method) {
      case 'eth_getTransactionReceipt':
        return first === receipt.transactionHash ? receipt : null;
      case 'eth_blockNumber':
        return head.number;
      case 'eth_getBlockByNumber':
        return head;
      case 'eth_getCode':
        return '0x';
      case 'eth_call': {
        if (!first.data?.startsWith(AUTHORIZATION_STATE)) throw new Error(NO_MONEY);
        const isUsed = used.some(({ topics: [, payer, nonce] }) =>
          first.data?.endsWith(`${payer?.slice(2)}${nonce?.slice(2)}`),
        );
        return `0x${(isUsed ? '1' : '0').padStart(64, '0')}`;
      }
      case 'eth_getLogs':
        return receipt.logs.filter(({ topics }) =>
          (first.topics ?? []).every(
            (wanted, at) => wanted === null || [wanted].flat().includes(topics[at] as Hex),
          ),
        );
      default:
        if (method.startsWith('eth_send')) sends.push(method);
        return null;
    }
  };
}

describe.skipIf(redisMissing)(
  'a claim of the last release that another relayer sent through Multicall',
  () => {
    let server: RedisServer;
    let node: Server;
    let close: () => void;
    let sends: string[];

    beforeEach(async () => {
      sends = [];
      server = await startRedis();
      for (const { key, fields } of recorded.claims)
        await server.command('HSET', key, ...Object.entries(fields).flat());
    });
    afterEach(async () => {
      close();
      await stopped(node);
      await server.stop();
    });

    async function appOf(): Promise<TestApp> {
      const answer = nodeOf(sends);
      node = createServer(async (request, response) => {
        const asked = JSON.parse(await text(request));
        const replies = [asked].flat().map(({ id, method, params }) => {
          try {
            return { jsonrpc: '2.0', id, result: answer(method, params) };
          } catch (error) {
            return { jsonrpc: '2.0', id, error: { code: 3, message: (error as Error).message } };
          }
        });
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(Array.isArray(asked) ? replies : replies[0]));
      });
      const rpc = rpcOver([await opened(node)]);
      // A clock that continues from the time of the recording whenever it is read.
      let nowMs = recorded.recordedAt + 5_000;
      const now = () => {
        nowMs += 10;
        return nowMs;
      };
      const parts = { rpc, now, maxFeePerGasWei: 10n ** 12n, chainId: 8453, key: ANOTHER_KEY };
      const relayer = createRelayer(parts);
      const redis = await connectTo(server);
      close = () => {
        relayer.stop();
        redis.close();
      };
      return testApp({
        now,
        terms: { ...terms, payTo: recorded.payee },
        claims: redisClaims({ redis, now }),
        settlement: createLocalSettler({
          rpc,
          relayer,
          now,
          gasWeiPerCent: 10n ** 13n,
          patienceMs: 400,
          isShared: true,
        }),
      });
    }
    const present = ({ path, header }: Purchase, app: TestApp) =>
      app.get(path, { 'payment-signature': header });

    it.each([
      ['by its receipt', recorded.receipt.transactionHash],
      ['by the events of the asset if the same call was mined at a higher price', `0x${'ab'.repeat(32)}`],
    ])('has its result found %s', async (_how, remembered) => {
      for (const { key } of recorded.claims)
        await server.command('HSET', key, 'transaction', remembered.slice(2));
      const app = await appOf();
      const [first, , third] = recorded.purchases;
      for (const purchase of [first, third]) {
        const response = await present(purchase, app);
        expect(response.status).toBe(200);
        expect(headerJson<{ transaction: Hex }>(response, 'payment-response')?.transaction).toBe(
          recorded.receipt.transactionHash,
        );
      }
      expect(sends).toEqual([]);
      expect(privateKeyToAddress(ANOTHER_KEY).toLowerCase()).not.toBe(recorded.receipt.from);
    });

    it('in a failed batch is neither answered nor sent again: it waits until it expires', async () => {
      const app = await appOf();
      const response = await present(recorded.purchases[1], app);
      const { code, charged } = (await response.json()) as { code: string; charged: boolean };
      expect([response.status, code, charged, sends]).toEqual([409, 'waiting', false, []]);
    });
  },
);
