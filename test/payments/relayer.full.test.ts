import type { PaymentRequirements } from '@x402/core/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import type { SignedTransaction } from '../../src/payments/local/account.ts';
import { GasTooDear } from '../../src/payments/local/gas.ts';
import { createRelayer, type Relayer } from '../../src/payments/local/relayer.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { mine, setAutomine, setBaseFee } from '../support/chain-actions.ts';
import { chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { call } from './self-call.ts';

// The chain fees of the tests are far below this maximum.
const CEILING = 10n ** 12n;

describe('the relayer', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let relayer: Relayer;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    relayer = make();
  });
  const stop = async () => {
    relayer.stop();
    await proxy.stop();
  };
  afterEach(stop);
  const onCopy = (work: () => Promise<void>) => onCopyOf(chain(), work, stop);

  const make = (maxFeePerGasWei = CEILING, resendAfterMs = 60) =>
    createRelayer({
      key: chain().relayerKey,
      chainId: 8453,
      rpc: rpcOver([proxy.url]),
      now: Date.now,
      maxFeePerGasWei,
      checkMs: 30,
      resendAfterMs,
      bumpAfterMs: 200,
    });
  const count = async (tag: 'latest' | 'pending' = 'latest') =>
    Number(await ask<string>(chain().rpcUrl, 'eth_getTransactionCount', relayer.address, tag));
  const send = (raw: `0x${string}`) => ask<string>(chain().rpcUrl, 'eth_sendRawTransaction', raw);

  /** The priority fee that the pool has for our account. */
  async function tip(): Promise<bigint> {
    type Pool = { pending: Record<string, Record<string, { maxPriorityFeePerGas: string }>> };
    const { pending } = await ask<Pool>(chain().rpcUrl, 'txpool_content');
    const mine = Object.entries(pending).find(([from]) => from.toLowerCase() === relayer.address)?.[1] ?? {};
    return BigInt(Object.values(mine)[0]?.maxPriorityFeePerGas ?? 0);
  }

  it('fills the gap that a rejected transaction leaves before it signs later ones', async () => {
    relayer.stop();
    // Nothing is sent again within this time, so only the gap may be filled.
    relayer = make(CEILING, 60_000);
    const start = await count();
    const first = await relayer.sign(call, async (signed) => signed);
    await relayer.sign(call, async ({ raw }) => send(raw));
    await relayer.sign(call, async ({ raw }) => send(raw));
    expect([first?.nonce, await count()]).toEqual([start, start]);
    expect(relayer.rejected(first as SignedTransaction, 'not_sent')).toBe(true);
    await until(async () => (await count()) === start + 3, 'the transactions are in blocks');
  });

  it('gives a nonce back if nothing was sent', async () => {
    const start = await count();
    expect(await relayer.sign(call, async () => null)).toBeNull();
    const nonce = await relayer.sign(call, async (signed) => {
      await send(signed.raw);
      return signed.nonce;
    });
    expect(nonce).toBe(start);
    // The node mines only after it has answered.
    await until(async () => (await count()) === start + 1, 'the transactions are in blocks');
  });

  it('sends the same bytes again if a node has lost them', async () => {
    const start = await count();
    await relayer.sign(call, async ({ hash }) => hash);
    await until(async () => (await count()) === start + 1, 'the transactions are in blocks');
    expect(proxy.calls('eth_sendRawTransaction')).toBeGreaterThan(0);
  });

  it('raises the price of a stuck transaction, but not above the maximum', async () => {
    await onCopy(async () => {
      const start = await count();
      await setAutomine(chain(), false);
      await relayer.sign(call, async ({ raw }) => send(raw));
      await until(async () => (await tip()) > 1_000_000n, 'the fee is raised');
      await setAutomine(chain(), true);
      await ask(chain().rpcUrl, 'evm_mine');
      await until(async () => (await count()) === start + 1, 'the transactions are in blocks');
    });
  });

  it('signs nothing while gas is above the maximum price', async () => {
    await onCopy(async () => {
      await setBaseFee(chain(), 10n ** 10n);
      await mine(chain());
      const frugal = make(10n ** 9n);
      let sends = 0;
      await expect(
        frugal.sign(call, async () => {
          sends += 1;
          return 1;
        }),
      ).rejects.toBeInstanceOf(GasTooDear);
      expect(sends).toBe(0);
    });
    // A chain that was reset keeps the base fee of its next block.
    await setBaseFee(chain(), 5_000_000n);
  });

  it('asks for the gas price again if it was too low', async () => {
    await onCopy(async () => {
      const app = chainApp(chain(), { rpcUrl: proxy.url });
      const accepted = (await challengeOf(app)) as PaymentRequirements;
      const buy = async (name: string) => {
        const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
        return (await app.get(noticePath(name), { 'payment-signature': paymentHeader(payment) })).status;
      };
      expect(await buy('A')).toBe(200);
      await setBaseFee(chain(), 4n * 10n ** 7n);
      await ask(chain().rpcUrl, 'evm_mine');
      expect(await buy('B')).toBe(200);
    });
    await setBaseFee(chain(), 5_000_000n);
  });
});
