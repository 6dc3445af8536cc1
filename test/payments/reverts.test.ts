import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { concat, encodeFunctionData, numberToHex, parseAbi } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { usdcAbi, usdcDomain, usdcTypes } from '../../src/devnet/usdc.ts';
import { deal } from '../support/batch.ts';
import { onCopyOf } from '../support/chain.ts';
import { execute, submit } from '../support/chain-actions.ts';
import { chainApp, noticePath } from '../support/chain-app.ts';
import { paymentHeader, type SignedPayment } from '../support/payments.ts';
import { deployLenientWallet } from '../support/smart-wallet.ts';
import { proxiedBench } from './proxied.ts';

const CENT = 10_000n;
const ANY_SIGNATURE: Hex = `0x${'5a'.repeat(70)}`;
const walletAbi = parseAbi(['function setSignatureValid(bool signatureValid)']);
const transferAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
// Two ERC-1271 wallets: one returns the magic value only in odd blocks, the other only in even ones. Both return it if
// the transaction has no sender.
const RETURN_MAGIC = '631626ba7e0260e01b60005260206000f3';
const ODD_BLOCKS: Hex = `0x32154360011617${RETURN_MAGIC}`;
const EVEN_BLOCKS: Hex = `0x3215436001161517${RETURN_MAGIC}`;
const account = (index: number) => devAccounts(70)[index] as DevAccount;

describe('a revert', () => {
  const bench = proxiedBench();
  const { chain, sign, gain } = bench;
  const sends = () => bench.proxy().sends();
  const present = (payment: SignedPayment, name = 'Acme', app = bench.app()) =>
    app.get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
  const mine = () => rpc(chain().rpcUrl, 'anvil_mine', '0x1');
  const lenient = () => deployLenientWallet(chain(), (chain().buyers[7] as DevAccount).address, 1_000_000n);
  const ofWallet = (from: Address) => sign({ authorization: { from }, signature: ANY_SIGNATURE });
  const setValid = (wallet: Address, isValid: boolean) =>
    execute(chain(), {
      from: chain().usdcOwner,
      to: wallet,
      data: encodeFunctionData({ abi: walletAbi, functionName: 'setSignatureValid', args: [isValid] }),
    });
  const isSent = async (before: number) => {
    await expect.poll(sends, { interval: 5 }).toBeGreaterThan(before);
  };
  // The account cancels while the transaction waits in the pool, not during the send.
  const isPooledNow = async () => {
    const pending = () => rpc<{ pending: Hex }>(chain().rpcUrl, 'txpool_status').then((pool) => pool.pending);
    await expect.poll(pending, { interval: 5 }).not.toBe('0x0');
  };
  const revertedInBlock = async (): Promise<number> => {
    const { rpcUrl } = chain();
    const block = await rpc<{ transactions: Hex[] }>(rpcUrl, 'eth_getBlockByNumber', 'latest', false);
    const receipts = block.transactions.map((hash) =>
      rpc<{ status: Hex }>(rpcUrl, 'eth_getTransactionReceipt', hash),
    );
    return (await Promise.all(receipts)).filter(({ status }) => status === '0x0').length;
  };

  it.each([
    ['odd', ODD_BLOCKS],
    ['even', EVEN_BLOCKS],
  ])(
    'costs gas once for an account that its key has delegated to code that is valid in %s blocks',
    async (_which, code) => {
      const payer = account(50);
      const delegate: Address = '0x00000000000000000000000000000000000e7702';
      await rpc(chain().rpcUrl, 'anvil_setCode', delegate, code);
      await rpc(chain().rpcUrl, 'anvil_setCode', payer.address, concat(['0xef0100', delegate]));
      await deal(chain(), payer.address, CENT);
      const first = await sign({ buyer: payer });
      for (let turn = 0; turn < 6; turn += 1) {
        await present(first);
        await mine();
        await present(await sign({ buyer: payer }), `Client ${turn}`);
        await mine();
      }
      expect([sends(), await gain()]).toEqual([1, 0n]);
      await rpc(chain().rpcUrl, 'anvil_setCode', payer.address, '0x');
    },
  );

  it('costs gas once if the head of the node lags behind its receipt', async () => {
    const wallet = await lenient();
    const payment = await ofWallet(wallet);
    for (let turn = 0; turn < 3; turn += 1) {
      await setValid(wallet, true);
      let passOn = () => {};
      const until = new Promise<void>((resolve) => {
        passOn = resolve;
      });
      bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { until, times: 1 });
      const before = sends();
      const response = present(payment);
      if (turn === 0) await isSent(before);
      await setValid(wallet, false);
      const head = await rpc(chain().rpcUrl, 'eth_getBlockByNumber', 'latest', false);
      bench.proxy().fail('eth_getBlockByNumber', 'lie', { result: head, times: 1 });
      passOn();
      expect((await response).status).toBe(409);
      bench.proxy().heal();
    }
    expect(sends()).toBe(1);
    await setValid(wallet, true);
    expect((await present(await ofWallet(wallet), 'Other')).status).toBe(503);
  });

  it('costs gas once for a payer who cancels just before the payment, at a node that does not wait for receipts', async () => {
    await onCopyOf(chain(), async () => {
      const { rpcUrl, usdc, usdcOwner } = chain();
      const payer = account(51);
      await deal(chain(), payer.address, CENT);
      const app = chainApp(chain(), { rpcUrl: bench.proxy().url, patienceMs: 6_000 });
      bench.proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      let reverts = 0;
      const statuses: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const payment = await sign({ buyer: payer });
        await rpc(rpcUrl, 'evm_setAutomine', false);
        const response = present(payment, `Client ${turn}`, app);
        if (turn === 0) await isPooledNow();
        const { nonce } = payment.payload.authorization;
        const signature = await privateKeyToAccount(payer.privateKey).signTypedData({
          domain: usdcDomain,
          types: usdcTypes,
          primaryType: 'CancelAuthorization',
          message: { authorizer: payer.address, nonce },
        });
        const args = [payer.address, nonce, signature] as const;
        const data = encodeFunctionData({ abi: usdcAbi, functionName: 'cancelAuthorization', args });
        if (turn === 0) await submit(chain(), { from: usdcOwner, to: usdc, data });
        await mine();
        reverts += await revertedInBlock();
        statuses.push((await response).status);
      }
      await rpc(rpcUrl, 'evm_setAutomine', true);
      expect([reverts, statuses]).toEqual([1, [409, 503, 503]]);
    });
  });

  it('costs gas once for a key that moves its money away and back within the block', async () => {
    await onCopyOf(chain(), async () => {
      const { rpcUrl, usdc } = chain();
      const [payer, friend] = [account(57), account(58)];
      await deal(chain(), payer.address, CENT);
      for (const { address } of [payer, friend]) {
        await rpc(rpcUrl, 'anvil_impersonateAccount', address);
        await rpc(rpcUrl, 'anvil_setBalance', address, numberToHex(10n ** 18n));
      }
      const move = (from: Address, to: Address, fees: { tip: bigint; most: bigint }) =>
        rpc(rpcUrl, 'eth_sendTransaction', {
          from,
          to: usdc,
          gas: numberToHex(100_000),
          maxFeePerGas: numberToHex(fees.most),
          maxPriorityFeePerGas: numberToHex(fees.tip),
          data: encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [to, CENT] }),
        });
      const app = chainApp(chain(), { rpcUrl: bench.proxy().url, patienceMs: 3_000 });
      bench.proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      const payment = await sign({ buyer: payer });
      await rpc(rpcUrl, 'evm_setAutomine', false);
      const response = present(payment, 'Acme', app);
      await isPooledNow();
      await move(payer.address, friend.address, { tip: 10n ** 10n, most: 10n ** 11n });
      const { baseFeePerGas } = await rpc<{ baseFeePerGas: Hex }>(
        rpcUrl,
        'eth_getBlockByNumber',
        'latest',
        false,
      );
      await move(friend.address, payer.address, { tip: 0n, most: BigInt(baseFeePerGas) + 10n });
      await mine();
      expect([await revertedInBlock(), (await response).status]).toEqual([1, 409]);
      await rpc(rpcUrl, 'evm_setAutomine', true);
      const sent = sends();
      expect((await present(payment, 'Acme', app)).status).toBe(409);
      expect((await present(await sign({ buyer: payer }), 'Other', app)).status).toBe(503);
      expect(sends()).toBe(sent);
    });
  });

  it('stops the waiting payments of its payer, which then hold neither a slot nor a claim', async () => {
    // Nothing is sent again while the test holds replies back.
    const app = chainApp(chain(), { rpcUrl: bench.proxy().url, checkMs: 60_000 });
    const [bad, payer] = [await lenient(), await lenient()];
    for (let index = 0; index < 3; index += 1)
      expect((await present(await ofWallet(payer), `Paid ${index}`, app)).status).toBe(200);
    let reject = () => {};
    const isRejected = new Promise<void>((resolve) => {
      reject = resolve;
    });
    bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { until: isRejected, times: 1 });
    const flagged = present(await ofWallet(bad), 'Bad', app);
    await isSent(3);
    await setValid(bad, false);
    reject();
    await flagged;
    const before = sends();
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { until });
    const payments = await Promise.all(Array.from({ length: 4 }, () => ofWallet(payer)));
    const { claims } = app;
    const ends = payments.map((payment, index) => present(payment, `Waits ${index}`, app));
    await isSent(before);
    // The last call about a payment checks whether the asset would accept it, and only that call contains its nonce.
    for (const { payload } of payments)
      await expect
        .poll(() => bench.proxy().answered('eth_call', payload.authorization.nonce.slice(2)))
        .toBeGreaterThan(0);
    const claimed = await Promise.all(
      payments.map(async ({ accepted, payload: { authorization } }) => {
        const key = `${accepted.network}:${accepted.asset.toLowerCase()}:${authorization.from.toLowerCase()}:${authorization.nonce}`;
        return (await claims.find(key)).kind;
      }),
    );
    expect(claimed.filter((kind) => kind === 'held')).toHaveLength(1);
    await setValid(payer, false);
    release();
    const statuses = (await Promise.all(ends)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([409, 503, 503, 503]);
    expect(sends() - before).toBe(1);
  });

  it("is not risked beyond a payer's balance while that payer's transactions are pending", async () => {
    await onCopyOf(chain(), async () => {
      const { rpcUrl } = chain();
      const payer = account(53);
      await deal(chain(), payer.address, CENT);
      bench.proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      await rpc(rpcUrl, 'evm_setAutomine', false);
      expect((await present(await sign({ buyer: payer }))).status).toBe(409);
      const asked = bench.proxy().calls('eth_call');
      const second = present(await sign({ buyer: payer }), 'Second');
      // The second payment was checked, and its payer's balance was read. It waits for the first one, although its
      // buyer no longer does.
      await expect.poll(() => bench.proxy().calls('eth_call')).toBeGreaterThanOrEqual(asked + 2);
      await mine();
      await rpc(rpcUrl, 'evm_setAutomine', true);
      expect((await second).status).toBe(402);
      expect(await gain()).toBe(CENT);
    });
  });
});
