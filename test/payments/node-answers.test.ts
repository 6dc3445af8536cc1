import type { Address, Hex } from 'viem';
import { concat, encodeFunctionData, numberToHex, pad, parseAbi, size } from 'viem/utils';
import { expect, it, vi } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';
import { terms } from '../support/app.ts';
import { batcher, type Call, placeBatcher } from '../support/batch.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, noticePath } from '../support/chain-app.ts';
import {
  paymentHeader,
  requirementsFor,
  SELLER,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';

// Strangers control the data that a node returns about their accounts and transactions.
const chain = sharedChain();

/** All replies together; the longest reply that is read has 256 KiB. */
const MOST_CHARACTERS = 260 * 1024;
const WALLET: Address = '0x000000000000000000000000000000000000aa02';
const LOGGER: Address = '0x000000000000000000000000000000000000aa03';
const ONE_OF_400_KB: Hex = '0x621900006000a000';
// This code writes eight thousand logs of 32 bytes, one after another.
const EIGHT_THOUSAND: Hex = '0x6122005b620000206000a0600190038060035700';
const GAS = numberToHex(28_000_000);
const transferAbi = parseAbi([
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
]);

const payer = () => devAccounts(60)[54] as DevAccount;
const accepted = () => requirementsFor(SELLER, 10_000n);

/** Returns forgeries for an account whose code returns 418 kB to any call. */
async function forgeries(count: number): Promise<SignedPayment[]> {
  await rpc(chain().rpcUrl, 'anvil_setCode', WALLET, '0x620660006000f3');
  const forge = () =>
    signAuthorization({
      buyer: payer(),
      accepted: accepted(),
      authorization: { from: WALLET },
      signature: `0x${'5a'.repeat(70)}`,
    });
  return Promise.all(Array.from({ length: count }, forge));
}

/** Returns the calls that make a contract with this code run. */
async function calling(code: Hex): Promise<Call[]> {
  await rpc(chain().rpcUrl, 'anvil_setCode', LOGGER, code);
  return [{ to: LOGGER, data: '0x' }];
}

/** Returns transfers of zero, which anybody can make in another account's name. */
function transfersOfNothing(count: number): Call[] {
  const args = [payer().address, LOGGER, 0n] as const;
  const data = encodeFunctionData({ abi: transferAbi, functionName: 'transferFrom', args });
  return Array.from({ length: count }, () => ({ to: chain().usdc, data }));
}

/**
 * Payments that their payer signed, and whose nonce was used for a zero transfer in a transaction that also did other
 * things.
 */
async function usedBeside(beside: readonly Call[], count: number): Promise<SignedPayment[]> {
  await placeBatcher(chain());
  const free = await signAuthorization({ buyer: payer(), accepted: requirementsFor(SELLER, 0n) });
  const { from, to, validBefore, nonce } = free.payload.authorization;
  const data = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, 0n, 0n, BigInt(validBefore), nonce, free.payload.signature],
  });
  const calls = concat(
    [{ to: chain().usdc, data }, ...beside].flatMap((call) => [
      pad(call.to),
      numberToHex(size(call.data), { size: 32 }),
      call.data,
    ]),
  );
  const transaction = { from: chain().usdcOwner, to: batcher, data: calls, gas: GAS };
  const receipt = await rpc<{ status: Hex; logs: unknown[] }>(
    chain().rpcUrl,
    'eth_sendTransactionSync',
    transaction,
  );
  expect(JSON.stringify(receipt).length).toBeGreaterThan(200_000);
  const later = (_: unknown, index: number) =>
    signAuthorization({
      buyer: payer(),
      accepted: accepted(),
      authorization: { nonce, validBefore: String(Number(validBefore) + index + 1) },
    });
  return Promise.all(Array.from({ length: count }, later));
}

it.each<[string, number, (count: number) => Promise<SignedPayment[]>]>([
  ['of an account that returns 418 kB', 402, forgeries],
  [
    'used in a transaction with a log of 800 kB',
    402,
    async (count) => usedBeside(await calling(ONE_OF_400_KB), count),
  ],
  [
    'used in a transaction with eight thousand logs',
    402,
    async (count) => usedBeside(await calling(EIGHT_THOUSAND), count),
  ],
  [
    'used beside 380 transfers of its payer in one block',
    402,
    (count) => usedBeside(transfersOfNothing(380), count),
  ],
  // There are more transfers than the service reads, so it stays unknown whether one of them is the payment.
  [
    'used beside 600 transfers of its payer in one block',
    503,
    (count) => usedBeside(transfersOfNothing(600), count),
  ],
])('the service reads only a few short replies from a node for a payment %s', async (_, status, make) => {
  const app = chainApp(chain(), { terms: { ...terms, payTo: SELLER } });
  const [first, second] = await make(2);
  const present = async (payment?: SignedPayment) =>
    (await app.get(noticePath(), { 'payment-signature': paymentHeader(payment as SignedPayment) })).status;
  // The first payment also causes the calls that are made only once.
  await present(first);
  const parsing = vi.spyOn(JSON, 'parse');
  const answered = await present(second);
  const replies = parsing.mock.calls.map(([text]) => text).filter((text) => text.startsWith('{"jsonrpc"'));
  parsing.mockRestore();
  const characters = replies.reduce((sum, { length }) => sum + length, 0);
  expect([answered, replies.length <= 6, characters <= MOST_CHARACTERS]).toEqual([status, true, true]);
});
