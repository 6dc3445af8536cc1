import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcBalance } from '../../src/devnet/usdc.ts';
import { onCopyOf, sharedChain } from './chain.ts';
import * as act from './chain-actions.ts';
import {
  cancelAuthorization,
  faultyPayments,
  frontRun,
  frontRunTransaction,
  paymentHeader,
  requirementsFor,
  type SignedPayment,
  signAuthorization,
} from './payments.ts';
import { deployLenientWallet, deploySmartWallet } from './smart-wallet.ts';

const chain = sharedChain();
const buyer = (index = 0): DevAccount => chain().buyers[index] as DevAccount;
const accepted = () => requirementsFor(chain().payee, 10_000n);
const received = () => usdcBalance(chain().rpcUrl, chain().payee);

/** USDC's reply to a payment, without sending it. */
const simulate = ({ payload }: SignedPayment): Promise<unknown> =>
  rpc(
    chain().rpcUrl,
    'eth_call',
    frontRunTransaction(chain(), payload.authorization, payload.signature),
    'latest',
  );

test('a signed payment moves the agreed amount for any sender', () =>
  onCopyOf(chain(), async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await frontRun(chain(), payment.payload);
    expect(await received()).toBe(10_000n);
    await expect(frontRun(chain(), payment.payload)).rejects.toThrow('was reverted');
  }));

test('undoing the copy restores money, nonces and blocks', async () => {
  expect(await received()).toBe(0n);
  expect(await rpc(chain().rpcUrl, 'eth_blockNumber')).toBe('0x1');
});

test('the clock of the chain is right after the copy is undone', async () => {
  const dateOf = async () =>
    Number(
      (await rpc<{ timestamp: Hex }>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false)).timestamp,
    );
  const lastBlock = await dateOf();
  await expect.poll(() => Date.now() / 1_000 - lastBlock).toBeGreaterThan(2);
  await onCopyOf(chain(), () => act.increaseTime(chain(), 600));
  const asked = Math.floor(Date.now() / 1000);
  await act.mine(chain());
  const age = (await dateOf()) - asked;
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(5);
});

test('the header is the base64 of the payment', async () => {
  const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
  const header = paymentHeader(payment);
  expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  expect(JSON.parse(Buffer.from(header, 'base64').toString())).toEqual(payment);
});

test('faulty payments fail for their own reason, and nonces are fresh unless given', async () => {
  const faults = faultyPayments(buyer(8).address);
  const sign = (fault: object) => signAuthorization({ buyer: buyer(), accepted: accepted(), ...fault });
  await expect(simulate(await sign(faults.expired))).rejects.toThrow('authorization is expired');
  await expect(simulate(await sign(faults.future))).rejects.toThrow('authorization is not yet valid');
  await expect(simulate(await sign(faults.badSignature))).rejects.toThrow(/signature/);
  await expect(simulate(await sign(faults.raisedAfterSigning))).rejects.toThrow('invalid signature');
  const astray = (await sign(faults.wrongRecipient)).payload.authorization;
  expect(astray.to).toBe(buyer(8).address);
  const cheap = await sign(faults.wrongValue);
  expect(cheap.payload.authorization.value).toBe('1');
  expect(astray.nonce).not.toBe(cheap.payload.authorization.nonce);
});

test('a cancelled authorization is used up without paying', () =>
  onCopyOf(chain(), async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await cancelAuthorization(chain(), buyer(), payment.payload.authorization.nonce);
    await expect(simulate(payment)).rejects.toThrow('authorization is used or canceled');
    expect(await received()).toBe(0n);
  }));

test('a contract wallet pays only with its owner’s signature', () =>
  onCopyOf(chain(), async () => {
    const from = await deploySmartWallet(chain(), buyer().address, 1_000_000n);
    const authorization = { from };
    const theirs = await signAuthorization({ buyer: buyer(1), accepted: accepted(), authorization });
    await expect(simulate(theirs)).rejects.toThrow('invalid signature');
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted(), authorization });
    await frontRun(chain(), payment.payload);
    expect(await usdcBalance(chain().rpcUrl, from)).toBe(990_000n);
  }));

test('a lenient wallet pays with a signature longer than 65 bytes', () =>
  onCopyOf(chain(), async () => {
    const from = await deployLenientWallet(chain(), buyer().address, 10_000n);
    const signature: Hex = `0x${'ab'.repeat(300)}`;
    const options = { buyer: buyer(), accepted: accepted(), authorization: { from }, signature };
    await frontRun(chain(), (await signAuthorization(options)).payload);
    expect(await received()).toBe(10_000n);
  }));

test('blacklist and pause stop a payment until they are lifted', () =>
  onCopyOf(chain(), async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await act.blacklist(chain(), buyer().address);
    await expect(simulate(payment)).rejects.toThrow('Blacklistable: account is blacklisted');
    await act.unBlacklist(chain(), buyer().address);
    await act.pause(chain());
    await expect(simulate(payment)).rejects.toThrow('Pausable: paused');
    await act.unpause(chain());
    await expect(simulate(payment)).resolves.toBe('0x');
  }));

test('the clock of the chain can move past the expiry of an authorization', () =>
  onCopyOf(chain(), async () => {
    const payment = await signAuthorization({ buyer: buyer(), accepted: accepted() });
    await act.increaseTime(chain(), 300);
    await expect(simulate(payment)).rejects.toThrow('authorization is expired');
  }));

test('without automine a payment waits for a block, and can be dropped', () =>
  onCopyOf(chain(), async () => {
    const sign = () => signAuthorization({ buyer: buyer(), accepted: accepted() });
    const submit = async ({ payload }: SignedPayment) =>
      act.submit(chain(), frontRunTransaction(chain(), payload.authorization, payload.signature));
    await act.setAutomine(chain(), false);
    await submit(await sign());
    const dropped = await submit(await sign());
    expect(await received()).toBe(0n);
    await act.dropTransaction(chain(), dropped);
    await act.mine(chain());
    expect(await received()).toBe(10_000n);
    await act.setAutomine(chain(), true);
  }));

test('ether and base fee can be set to the wei', () =>
  onCopyOf(chain(), async () => {
    await act.setBalance(chain(), buyer(2).address, 7n);
    expect(await rpc(chain().rpcUrl, 'eth_getBalance', buyer(2).address, 'latest')).toBe('0x7');
    await act.setBaseFee(chain(), 5_000_000_000n);
    await act.mine(chain());
    const block = await rpc<{ baseFeePerGas: Hex }>(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    expect(BigInt(block.baseFeePerGas)).toBe(5_000_000_000n);
  }));
