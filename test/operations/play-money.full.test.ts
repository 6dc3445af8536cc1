import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { type Hex, parseSignature } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerJson } from '../../src/demo/buyer.ts';
import { type ChainProcess, runAnvil } from '../../src/devnet/anvil.ts';
import { deployUsdc, type EmbeddedChain } from '../../src/devnet/chain.ts';
import { devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi, usdcAddress, usdcBalance } from '../../src/devnet/usdc.ts';
import type { Service } from '../../src/service/service.ts';
import { getWarningsFor402Body, validatePaymentRequiredDetailed } from '../../tools/x402/catalogue.ts';
import { officialClients } from '../mcp/clients.ts';
import { type Chain, execute, mint, type Send, unBlacklist } from '../support/chain-actions.ts';
import { noticePath } from '../support/chain-app.ts';
import { serviceWith } from '../support/own-service.ts';
import {
  type Authorization,
  frontRun,
  frontRunTransaction,
  requirementsFor,
  SELLER,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';

const DOLLAR = 1_000_000n;
const CENT = 10_000n;
const BLACKLISTED = 'Blacklistable: account is blacklisted';
/** The account of a user who has real money and lets an agent sign with it. */
const someone = privateKeyToAccount(`0x${'5b'.repeat(32)}`);
const [, , , stranger] = devAccounts(4);

type Signing = Parameters<typeof someone.signTypedData>[0];
/** Every signature request that the account received. */
const asked: Signing[] = [];
const wallet = new x402Client().register(
  'eip155:8453',
  new ExactEvmScheme({
    address: someone.address,
    signTypedData: (message) => {
      asked.push(message as Signing);
      return someone.signTypedData(message as Signing);
    },
  }),
);

describe('a buyer with a real wallet on the embedded chain', () => {
  let service: Service;
  let demo: EmbeddedChain;
  let anvil: ChainProcess;
  /** USDC after Circle's own initialization, which is its state on Base. */
  let base: Chain;
  const presented: SignedPayment['payload'][] = [];

  beforeAll(async () => {
    ({ service } = await serviceWith({}));
    demo = service.chain as EmbeddedChain;
    await mint(demo, someone.address, DOLLAR);
    anvil = await runAnvil();
    base = { rpcUrl: `http://127.0.0.1:${anvil.port}`, usdc: usdcAddress, usdcOwner: demo.usdcOwner };
    await deployUsdc(base.rpcUrl, { owner: base.usdcOwner, funded: [someone.address], amount: DOLLAR });
    await buyOverHttp();
    await buyOverMcp();
  });
  afterAll(async () => {
    await service?.stop();
    await anvil?.stop();
  });

  async function buyOverHttp() {
    const pay = wrapFetchWithPayment(async (input, init) => {
      const request = new Request(input, init);
      const payment = headerJson<SignedPayment>(request.headers, 'payment-signature');
      if (payment) presented.push(payment.payload);
      return fetch(request);
    }, wallet);
    expect((await pay(`${service.url}${noticePath()}`)).status).toBe(200);
  }

  async function buyOverMcp() {
    const agent = await officialClients[0]?.connect(new URL(`${service.url}/mcp`));
    const call = { name: 'late_fee_notice', arguments: { amount: 1250, due_date: '2026-09-01' } };
    const unpaid = await agent?.callTool(call);
    const payment: PaymentPayload = await wallet.createPaymentPayload(
      unpaid?.structuredContent as PaymentRequired,
    );
    presented.push(payment.payload as SignedPayment['payload']);
    const paid = await agent?.callTool({ ...call, _meta: { 'x402/payment': payment } });
    expect(paid?.isError).not.toBe(true);
    await agent?.close();
  }

  const simulate = (chain: Chain, transaction: Send) =>
    rpc<Hex>(chain.rpcUrl, 'eth_call', transaction, 'latest');

  it('buys with play money, and signs only payments to the USDC contract', async () => {
    expect(await usdcBalance(demo.rpcUrl, someone.address)).toBe(DOLLAR - 2n * CENT);
    expect(await usdcBalance(demo.rpcUrl, usdcAddress)).toBe(2n * CENT);
    expect(asked).toHaveLength(2);
    for (const { primaryType, message } of asked)
      expect([primaryType, message]).toMatchObject([
        'TransferWithAuthorization',
        { to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', value: CENT },
      ]);
  });

  it('has signed a payment that the USDC of Base refuses in every form, from any sender', async () => {
    expect(presented).toHaveLength(2);
    for (const { authorization, signature } of presented)
      for (const data of formsOf(authorization, signature))
        for (const from of [base.usdcOwner, someone.address, stranger?.address as Hex, usdcAddress])
          await expect(simulate(base, { from, to: usdcAddress, data })).rejects.toThrow(BLACKLISTED);
    for (const payload of presented) await expect(frontRun(base, payload)).rejects.toThrow('was reverted');
    expect(await usdcBalance(base.rpcUrl, someone.address)).toBe(DOLLAR);
    expect(await usdcBalance(base.rpcUrl, usdcAddress)).toBe(0n);
  });

  it('cannot send real USDC by hand to the recipient that the service names', async () => {
    const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [demo.payee, CENT] });
    const transaction = { from: someone.address, to: usdcAddress, data };
    await expect(simulate(base, transaction)).rejects.toThrow(BLACKLISTED);
    await expect(simulate(demo, transaction)).resolves.toBe(`0x${'1'.padStart(64, '0')}`);
  });

  it('is protected only by that recipient: a payment to any other recipient would be valid on Base', async () => {
    const buyer = { address: someone.address, privateKey: `0x${'5b'.repeat(32)}` as Hex };
    const accepted = requirementsFor(SELLER, CENT);
    await frontRun(base, (await signAuthorization({ buyer, accepted })).payload);
    expect(await usdcBalance(base.rpcUrl, SELLER)).toBe(CENT);
    const [first] = presented as [SignedPayment['payload']];
    await unBlacklist(base, usdcAddress);
    const sent = frontRunTransaction(base, first.authorization, first.signature);
    await expect(execute(base, sent)).resolves.toMatchObject({ status: '0x1' });
  });

  it('finds in the price list that the money is play money', async () => {
    const agent = await officialClients[0]?.connect(new URL(`${service.url}/mcp`));
    const prices = await agent?.callTool({ name: 'pricing', arguments: {} });
    await agent?.close();
    expect(prices?.structuredContent).toMatchObject({ recipient: usdcAddress, promises: { length: 4 } });
    expect(JSON.stringify(prices?.structuredContent)).toContain(
      'PLAY MONEY: payments settle on this service’s own chain',
    );
  });

  it("gets a challenge that the catalogs' validators accept", async () => {
    const body = await (await fetch(`${service.url}${noticePath()}`)).json();
    expect(body).toMatchObject({ accepts: [{ payTo: usdcAddress, asset: usdcAddress }] });
    expect(getWarningsFor402Body(body)).toEqual([]);
    const { issues } = validatePaymentRequiredDetailed(body);
    expect(issues.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

const others = parseAbi([
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

/** Returns the calls that take an authorization, with these values and this signature. */
function formsOf(authorization: Authorization, signature: Hex): Hex[] {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce] as const;
  const { r, s, yParity } = parseSignature(signature);
  const functionName = 'transferWithAuthorization';
  return [
    encodeFunctionData({ abi: usdcAbi, functionName, args: [...args, signature] }),
    encodeFunctionData({ abi: usdcAbi, functionName, args: [...args, 27 + yParity, r, s] }),
    encodeFunctionData({
      abi: others,
      functionName: 'receiveWithAuthorization',
      args: [...args, signature],
    }),
  ];
}
