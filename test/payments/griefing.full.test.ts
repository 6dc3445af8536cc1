import type { Address, Hex } from 'viem';
import { encodeFunctionData, keccak256, parseAbi, toHex } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { deal } from '../support/batch.ts';
import { onCopyOf } from '../support/chain.ts';
import { execute } from '../support/chain-actions.ts';
import { chainApp, headerJson, noticePath } from '../support/chain-app.ts';
import { frontRun, paymentHeader, type SignedPayment } from '../support/payments.ts';
import { deployLenientWallet } from '../support/smart-wallet.ts';
import { proxiedBench } from './proxied.ts';

const CENT = 10_000n;
const ANY_SIGNATURE: Hex = `0x${'5a'.repeat(70)}`;
// This ERC-1271 wallet returns the magic value times (GASPRICE == 0), so only a call without a gas price succeeds.
const FREE_ONLY: Hex = '0x3a15631626ba7e0260e01b60005260206000f3';
// This code reverts on every call.
const REVERTS: Hex = '0x60006000fd';
const walletAbi = parseAbi(['function setSignatureValid(bool signatureValid)']);

describe('an account whose payments revert at our cost', () => {
  const bench = proxiedBench();
  const { chain, sign, gain } = bench;
  const sends = () => bench.proxy().sends();
  const present = (payment: SignedPayment, name = 'Acme') =>
    bench.app().get(noticePath(name), { 'payment-signature': paymentHeader(payment) });
  const owner = () => chain().buyers[7] as DevAccount;
  const lenient = () => deployLenientWallet(chain(), owner().address, 1_000_000n);
  const ofWallet = (from: Address) => sign({ authorization: { from }, signature: ANY_SIGNATURE });
  const setValid = (wallet: Address, isValid: boolean) =>
    execute(chain(), {
      from: chain().usdcOwner,
      to: wallet,
      data: encodeFunctionData({ abi: walletAbi, functionName: 'setSignatureValid', args: [isValid] }),
    });
  /** Presents a payment of a wallet that accepts in the simulation and rejects in the block. */
  const revert = async (wallet: Address, payment: SignedPayment, name?: string) => {
    bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { delayMs: 600, times: 1 });
    const before = sends();
    const response = present(payment, name);
    await expect.poll(sends, { interval: 5 }).toBe(before + 1);
    await setValid(wallet, false);
    return response;
  };
  it('is detected by a simulation with the gas price of the real transaction', async () => {
    const wallet: Address = '0x00000000000000000000000000000000000f4ee0';
    await rpc(chain().rpcUrl, 'anvil_setCode', wallet, FREE_ONLY);
    await deal(chain(), wallet, 1_000_000n);
    const response = await present(await ofWallet(wallet));
    expect([response.status, sends(), await gain()]).toEqual([402, 0, 0n]);
  });

  it('causes one revert: the same payment is not sent again, and the buyer learns until when it is valid', async () => {
    const wallet = await lenient();
    const payment = await ofWallet(wallet);
    const response = await revert(wallet, payment);
    expect(response.status).toBe(409);
    const { code, detail, charged } = (await response.json()) as Record<string, string>;
    const until = new Date(Number(payment.payload.authorization.validBefore) * 1_000).toISOString();
    expect([code, charged]).toEqual(['waiting', false]);
    expect(detail).toContain(`The payment is valid until ${until}`);
    expect(detail).toContain('do not sign a new one');
    expect(detail).not.toMatch(/[Nn]othing was charged/);
    expect(headerJson(response, 'payment-response')).toMatchObject({ errorReason: 'settlement_pending' });
    await setValid(wallet, true);
    for (let again = 0; again < 3; again += 1) expect((await present(payment)).status).toBe(409);
    expect([sends(), await gain()]).toEqual([1, 0n]);
    // The authorization is still valid. Anyone who has read it from the chain can submit it, and then the buyer gets
    // the answer.
    await frontRun(chain(), payment.payload);
    await expect.poll(async () => (await present(payment)).status).toBe(200);
    expect(await gain()).toBe(CENT);
  });

  it('causes only one revert, even if it is noticed late or by another process', async () => {
    await onCopyOf(chain(), async () => {
      const { rpcUrl } = chain();
      const wallet = await lenient();
      const code = await rpc<Hex>(rpcUrl, 'eth_getCode', wallet, 'latest');
      const payment = await ofWallet(wallet);
      bench.proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      await rpc(rpcUrl, 'evm_setAutomine', false);
      expect((await present(payment)).status).toBe(409);
      await rpc(rpcUrl, 'anvil_setCode', wallet, REVERTS);
      await rpc(rpcUrl, 'anvil_mine', '0x1');
      await rpc(rpcUrl, 'anvil_setCode', wallet, code);
      await rpc(rpcUrl, 'evm_setAutomine', true);
      const sent = sends();
      const other = chainApp(chain(), { rpcUrl: bench.proxy().url, claims: bench.app().claims });
      for (const app of [bench.app(), other, bench.app(), other]) {
        const again = await app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
        expect(again.status).toBe(409);
      }
      expect([sends(), await gain()]).toEqual([sent, 0n]);
    });
  });

  it('cannot pay for ten minutes, with any payment', async () => {
    const wallet = await lenient();
    await revert(wallet, await ofWallet(wallet));
    await setValid(wallet, true);
    const another = await present(await ofWallet(wallet), 'Other');
    expect([another.status, another.headers.get('retry-after')]).toEqual([503, '60']);
    expect(sends()).toBe(1);
    expect((await present(await sign(), 'Somebody else')).status).toBe(200);
  });

  it('slows down the accounts that share its code, but blocks none of them', async () => {
    const [bad, ...others] = [await lenient(), await lenient(), await lenient(), await lenient()];
    if (bad === undefined) throw new Error('no wallet');
    await revert(bad, await ofWallet(bad));
    await setValid(bad, true);
    // The cause of the revert is known as soon as the reply is "waiting".
    expect((await present(await ofWallet(bad), 'Again')).status).toBe(503);
    bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { delayMs: 400 });
    const payments = await Promise.all(others.map(ofWallet));
    const before = sends();
    let mostAtOnce = 0;
    const underWay = () =>
      bench.proxy().calls('eth_sendRawTransactionSync') -
      bench.proxy().answered('eth_sendRawTransactionSync');
    const looking = setInterval(() => {
      mostAtOnce = Math.max(mostAtOnce, underWay());
    }, 5);
    const ends = await Promise.all(payments.map((payment, index) => present(payment, `Client ${index}`)));
    clearInterval(looking);
    expect(ends.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([mostAtOnce, sends() - before]).toEqual([1, 3]);
  });

  it('is not put on hold if a stranger submits its payment while ours is pending, and may pay again', async () => {
    const payment = await sign();
    bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { delayMs: 600, times: 1 });
    const before = sends();
    const racing = present(payment);
    await expect.poll(sends, { interval: 5 }).toBe(before + 1);
    await frontRun(chain(), payment.payload);
    expect((await racing).status).toBe(200);
    expect((await present(await sign())).status).toBe(200);
    expect(await gain()).toBe(2n * CENT);
  });

  it('is not put on hold if two processes have sent its payment', async () => {
    await onCopyOf(chain(), async () => {
      const { rpcUrl } = chain();
      bench.proxy().fail('eth_sendRawTransactionSync', 'unsupported');
      const other = chainApp(chain(), { rpcUrl, claims: bench.app().claims });
      await rpc(rpcUrl, 'evm_setAutomine', false);
      const payment = await sign();
      expect((await present(payment)).status).toBe(409);
      const repeated = other.get(noticePath(), { 'payment-signature': paymentHeader(payment) });
      const pending = () =>
        rpc<{ pending: Hex }>(rpcUrl, 'txpool_status').then((pool) => Number(pool.pending));
      await expect.poll(pending).toBe(2);
      await rpc(rpcUrl, 'anvil_mine', '0x1');
      await rpc(rpcUrl, 'evm_setAutomine', true);
      expect((await repeated).status).toBe(200);
      const next = await other.get(noticePath('Next'), { 'payment-signature': paymentHeader(await sign()) });
      expect([next.status, await gain()]).toEqual([200, 2n * CENT]);
    });
  });

  it('is not blamed for a pause of the asset', async () => {
    const wallet = await lenient();
    const payment = await ofWallet(wallet);
    bench.proxy().fail('eth_sendRawTransactionSync', 'slow', { delayMs: 600, times: 1 });
    const response = present(payment);
    await expect.poll(sends, { interval: 5 }).toBe(1);
    await execute(chain(), pausing('pause'));
    expect((await response).status).toBe(409);
    await execute(chain(), pausing('unpause'));
    expect([(await present(payment)).status, await gain()]).toEqual([200, CENT]);
  });
  const pausing = (what: 'pause' | 'unpause') => ({
    from: chain().usdcOwner,
    to: chain().usdc,
    data: keccak256(toHex(`${what}()`)).slice(0, 10) as Hex,
  });
});
