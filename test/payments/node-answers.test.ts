import { readFileSync } from 'node:fs';
import type { Address, Hex } from 'viem';
import { concat, encodeFunctionData, numberToHex, pad, parseAbi, size } from 'viem/utils';
import { expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi } from '../../src/devnet/usdc.ts';
import { listens, processes, type ServiceProcess } from '../operations/process.ts';
import { batcher, type Call, placeBatcher } from '../support/batch.ts';
import { sharedChain } from '../support/chain.ts';
import { noticePath } from '../support/chain-app.ts';
import { procFiles } from '../support/here.ts';
import { freePort } from '../support/listening.ts';
import {
  paymentHeader,
  requirementsFor,
  SELLER,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';
import { until } from '../support/until.ts';
import { leastOf } from './bench-parts.ts';

// Strangers decide what a node has to say of their accounts and of their transactions.
const chain = sharedChain();
const start = processes();

/** As SECURITY.md promises: times the processor time of a late-fee call. */
const PROMISED = 30;
const LATE_FEE = '/v1/late-fee?amount=1250&due_date=2026-09-01&paid_date=2026-11-21&rate=1.5';
const WALLET: Address = '0x000000000000000000000000000000000000aa02';
const LOGGER: Address = '0x000000000000000000000000000000000000aa03';
const ONE_OF_400_KB: Hex = '0x621900006000a000';
// So many logs of 32 bytes, one after the other.
const EIGHT_THOUSAND: Hex = '0x6122005b620000206000a0600190038060035700';
const GAS = numberToHex(28_000_000);
const transferAbi = parseAbi([
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
]);

/** What the process has used of a processor so far, in milliseconds. */
function cpuMs({ child }: ServiceProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const payer = () => devAccounts(60)[54] as DevAccount;
const accepted = () => requirementsFor(SELLER, 10_000n);

/** Forgeries of an account whose code answers 418 kB to whatever it is asked. */
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

/** Whatever a contract with this code does when it is called. */
async function calling(code: Hex): Promise<Call[]> {
  await rpc(chain().rpcUrl, 'anvil_setCode', LOGGER, code);
  return [{ to: LOGGER, data: '0x' }];
}

/** Transfers of nothing, which anybody may have an account make. */
function transfersOfNothing(count: number): Call[] {
  const args = [payer().address, LOGGER, 0n] as const;
  const data = encodeFunctionData({ abi: transferAbi, functionName: 'transferFrom', args });
  return Array.from({ length: count }, () => ({ to: chain().usdc, data }));
}

/** Payments that their payer signed, whose nonce was used for nothing in a transaction that did more besides. */
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

it.skipIf(procFiles.areMissing).each<[string, number, (count: number) => Promise<SignedPayment[]>]>([
  ['an account that answers 418 kB', 402, forgeries],
  [
    'a transaction with a log of 800 kB',
    402,
    async (count) => usedBeside(await calling(ONE_OF_400_KB), count),
  ],
  [
    'a transaction with eight thousand logs',
    402,
    async (count) => usedBeside(await calling(EIGHT_THOUSAND), count),
  ],
  [
    'four hundred transfers of its payer in one block',
    402,
    (count) => usedBeside(transfersOfNothing(380), count),
  ],
])(
  procFiles.named('a refused payment costs a bounded multiple of a late-fee call, whatever nodes say of %s'),
  async (_, status, make) => {
    const service = start({
      SETTLERS: 'local',
      RPC_URLS: chain().rpcUrl,
      RELAYER_KEY: chain().relayerKey,
      PAY_TO: SELLER,
      FREE_REQUESTS_PER_MINUTE: '1000000',
      REFUSED_PAYMENTS_PER_MINUTE: '1000000',
      PORT: String(await freePort()),
    });
    await listens(service);
    await until(async () => (await fetch(`${service.url}/readyz`)).status === 200, 'ready');
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}${path}`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const each = async (times: number, what: (turn: number) => Promise<number>, is: number) => {
      const before = cpuMs(service);
      for (let turn = 0; turn < times; turn += 1) expect(await what(turn)).toBe(is);
      return (cpuMs(service) - before) / times;
    };
    const lateFee = (times: number) => each(times, () => get(LATE_FEE), 200);
    const TIMES = 40;
    // The kernel counts in steps of 10 ms: of one round, five for the payments and two for the late fees.
    const ROUNDS = 5;
    const payments = await make((1 + 3 * ROUNDS) * TIMES);
    const present = (from: number) => (turn: number) =>
      get(noticePath(), { 'payment-signature': paymentHeader(payments[from + turn] as SignedPayment) });
    await lateFee(2_000);
    await each(TIMES, present(0), status);
    let from = 0;
    const times = await leastOf({ tries: 3, limit: PROMISED }, async () => {
      let [paying, asking] = [0, 0];
      for (let round = 0; round < ROUNDS; round += 1) {
        from += TIMES;
        paying += await each(TIMES, present(from), status);
        asking += await lateFee(500);
      }
      return paying / asking;
    });
    if (process.env.SHOW_COSTS) console.log(`${times.toFixed(1).padStart(6)} of ${PROMISED}: ${_}`);
    expect(times).toBeLessThanOrEqual(PROMISED);
  },
  120_000,
);
