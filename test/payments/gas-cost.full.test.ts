import { describe, expect, it } from 'vitest';
import { rpc as ask } from '../../src/devnet/chain-rpc.ts';
import { rpcOver } from '../../src/payments/chain/rpc.ts';
import { GasBudgetSpent, GasTooDear } from '../../src/payments/local/gas.ts';
import { createRelayer } from '../../src/payments/local/relayer.ts';
import type { Hex } from '../../src/payments/x402/payment.ts';
import { onCopyOf, sharedChain } from '../support/chain.ts';
import { call } from './self-call.ts';

describe('the maximum price of gas', () => {
  const chain = sharedChain();
  const make = (gasBudgetWeiPerHour?: bigint) =>
    createRelayer({
      key: chain().relayerKey,
      chainId: 8453,
      rpc: rpcOver([chain().rpcUrl]),
      now: Date.now,
      maxFeePerGasWei: 5n * 10n ** 9n,
      gasBudgetWeiPerHour,
    });
  const baseFee = async () =>
    BigInt(
      (await ask<{ baseFeePerGas: Hex }>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false))
        .baseFeePerGas,
    );

  it('is four times the base fee plus the tip, at most what the sale may spend, and at least one base fee', async () => {
    const base = await baseFee();
    const relayer = make();
    const fees = async (perGasWei: bigint) =>
      (await relayer.fees({ gas: 100_000n, data: '0x', ceilingWei: perGasWei * 100_000n })).maxFeePerGas;
    expect(await fees(10n ** 9n)).toBe(4n * base + 1_000_000n);
    expect(await fees(2n * base)).toBe(2n * base);
    expect(await fees(base + 1_000_000n)).toBe(base + 1_000_000n);
    await expect(fees(base + 999_999n)).rejects.toBeInstanceOf(GasTooDear);
  });

  it('includes the last data fee of the rollup, both for the sale and for the budget', async () => {
    await onCopyOf(chain(), async () => {
      const base = await baseFee();
      const relayer = make(4n * 10n ** 15n);
      const sale = { ...call, gas: 100_000n, data: `0x${'01'.repeat(356)}`, ceilingWei: 10n ** 14n } as const;
      expect((await relayer.fees(sale)).maxFeePerGas).toBe(4n * base + 1_000_000n);
      const signed = await relayer.sign(sale, async (made) => made);
      const sent = await ask(chain().rpcUrl, 'eth_sendRawTransactionSync', signed?.raw);
      relayer.saw({
        ...(sent as object),
        l1Fee: `0x${(9n * 10n ** 13n).toString(16)}`,
      });
      // A tenth of the maximum remains for gas.
      expect((await relayer.fees({ ...sale, ceilingWei: 10n ** 14n })).maxFeePerGas).toBeLessThanOrEqual(
        10n ** 8n,
      );
      await expect(relayer.fees({ ...sale, ceilingWei: 9n * 10n ** 13n })).rejects.toBeInstanceOf(GasTooDear);
      // Ten reservations of this sale fill the quarter of a kind of payer. Without the data fee it would take some
      // thousands.
      for (let made = 0; made < 10; made += 1) await relayer.sign(sale, async ({ hash }) => hash);
      await expect(relayer.fees(sale)).rejects.toBeInstanceOf(GasBudgetSpent);
      // The data fee of a long transaction is not charged to an empty one.
      expect((await relayer.fees(call)).maxFeePerGas).toBe(4n * base + 1_000_000n);
      relayer.stop();
    });
  });
});
