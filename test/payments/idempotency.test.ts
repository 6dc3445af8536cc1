import type { PaymentRequirements } from '@x402/core/types';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import type { TestApp } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';

const CENT = 10_000n;

describe('a buyer who signs again after losing a reply', () => {
  const chain = sharedChain();
  let app: TestApp;
  let accepted: PaymentRequirements;
  let buyer: DevAccount;
  let before: bigint;
  let id = 0;

  beforeEach(async () => {
    app = chainApp(chain());
    accepted = await challengeOf(app);
    buyer = chain().buyers[0] as DevAccount;
    before = await earned(chain());
    id += 1;
  });

  const extension = (name: string) => ({ 'payment-identifier': { info: { required: false, id: name } } });
  const sign = (options: Partial<Parameters<typeof signAuthorization>[0]> = {}) =>
    signAuthorization({ buyer, accepted, ...options });
  const present = async (path: string, payment: Awaited<ReturnType<typeof sign>>, key?: string) =>
    app.get(path, { 'payment-signature': paymentHeader(payment), ...(key && { 'idempotency-key': key }) });
  const gain = async () => (await earned(chain())) - before;

  for (const way of ['payment-identifier', 'Idempotency-Key'] as const)
    it(`gets the same answer and receipt for one charge under the same ${way}`, async () => {
      const name = `purchase-${way}-${id}-0123456789`;
      const options = way === 'payment-identifier' ? { extensions: extension(name) } : {};
      const key = way === 'Idempotency-Key' ? name : undefined;
      const first = await present(noticePath(), await sign(options), key);
      const second = await present(noticePath(), await sign(options), key);
      expect([first.status, second.status, await gain()]).toEqual([200, 200, CENT]);
      expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
      expect(await second.text()).toBe(await first.text());
    });

  it('is refused another request under the same key, and not charged', async () => {
    const key = `another-request-${id}`;
    expect((await present(noticePath('A'), await sign(), key)).status).toBe(200);
    const other = await present(noticePath('B'), await sign(), key);
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused', charged: false });
    expect(await gain()).toBe(CENT);
  });

  it('shares no key with another payer', async () => {
    const key = `shared-${id}`;
    const other = chain().buyers[1] as DevAccount;
    expect((await present(noticePath(), await sign(), key)).status).toBe(200);
    expect((await present(noticePath(), await sign({ buyer: other }), key)).status).toBe(200);
    expect(await gain()).toBe(2n * CENT);
  });

  it('reveals nothing to somebody who knows the payer and the key but cannot sign', async () => {
    const key = `guessed-${id}`;
    const first = await present(noticePath(), await sign(), key);
    const forged = await present(noticePath(), await sign({ signature: `0x${'11'.repeat(64)}1b` }), key);
    expect(forged.status).toBe(402);
    expect(forged.headers.get('payment-response')).not.toBe(first.headers.get('payment-response'));
  });

  it('may use the key again if the first payment was refused', async () => {
    const key = `refused-${id}`;
    const refused = await present(noticePath(), await sign({ signature: `0x${'11'.repeat(64)}1b` }), key);
    const paid = await present(noticePath(), await sign(), key);
    expect([refused.status, paid.status, await gain()]).toEqual([402, 200, CENT]);
  });

  it('must wait while the first payment is in doubt, and is never charged again', async () => {
    const proxy = await startRpcProxy(chain().rpcUrl);
    app = chainApp(chain(), { rpcUrl: proxy.url });
    const key = `in-doubt-${id}`;
    proxy.fail('eth_sendRawTransactionSync', 'drop-reply');
    proxy.fail('eth_getTransactionReceipt', 'no-receipt');
    proxy.fail('eth_getLogs', 'no-receipt');
    const payment = await sign();
    expect((await present(noticePath(), payment, key)).status).toBe(409);
    const anew = await present(noticePath(), await sign(), key);
    expect(await anew.json()).toMatchObject({ code: 'waiting' });
    proxy.heal();
    const again = async () => (await present(noticePath(), payment, key)).status;
    await expect.poll(again).toBe(200);
    expect((await present(noticePath(), await sign(), key)).status).toBe(200);
    expect(await gain()).toBe(CENT);
    await proxy.stop();
  });

  it('is charged once if both signatures arrive at the same moment', async () => {
    const key = `race-${id}`;
    const payments = [await sign(), await sign()] as const;
    const responses = await Promise.all(payments.map((payment) => present(noticePath(), payment, key)));
    expect(responses.map(({ status }) => status)).toContain(200);
    for (const payment of payments) expect((await present(noticePath(), payment, key)).status).toBe(200);
    expect(await gain()).toBe(CENT);
  });

  it('gets an error that says what is wrong with a malformed identifier', async () => {
    const response = await present(noticePath(), await sign({ extensions: extension('short') }));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_payment',
      errors: [{ code: 'invalid_payment_identifier' }],
    });
  });
});
