import fc from 'fast-check';
import { hexToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import type { Hex } from '../x402/payment.ts';
import { signedTransaction } from './signed-transaction.ts';

const hexOf = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as Hex);
const wei = fc.bigInt({ min: 0n, max: 2n ** 70n });

it('a signed transaction equals the one that viem makes, byte for byte', async () => {
  const calls = fc.record({
    to: hexOf(20),
    data: fc.nat({ max: 400 }).chain(hexOf),
    gas: wei,
    maxFeePerGas: fc.constant(2n ** 71n),
    maxPriorityFeePerGas: wei,
    nonce: fc.nat(),
    chainId: fc.integer({ min: 1, max: 100_000 }),
  });
  const keys = fc.bigInt({ min: 1n, max: 2n ** 250n });
  await fc.assert(
    fc.asyncProperty(calls, keys, async (call, secret) => {
      const key: Hex = `0x${secret.toString(16).padStart(64, '0')}`;
      const { raw } = await signedTransaction(hexToBytes(key), call);
      expect(raw).toBe(await privateKeyToAccount(key).signTransaction({ ...call, type: 'eip1559' }));
    }),
  );
});
