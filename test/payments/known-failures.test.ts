import type { PaymentRequirements } from '@x402/core/types';
import type { Hex } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { rpc } from '../../src/devnet/chain-rpc.ts';
import { USED_TOPIC } from '../../src/payments/chain/usdc.ts';
import type { TestApp } from '../support/app.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { paymentHeader, requirementsFor, signAuthorization } from '../support/payments.ts';
import { startRpcProxy } from '../support/rpc-proxy.ts';

// The known failures of x402 sellers, by row number, that no other file tests. Row 10, a reorganization, has no defense
// to test: the answer is given at inclusion, and a reorganization costs at most a dollar. Row 22, sanctions, is the
// operator's duty: USDC's own list is enforced.
const CENT = 10_000n;
const DOLLAR = 1_000_000n;

describe('despite a known failure of x402 sellers,', () => {
  const chain = sharedChain();
  let app: TestApp;
  let accepted: PaymentRequirements;
  let buyer: DevAccount;

  beforeAll(async () => {
    app = chainApp(chain());
    accepted = await challengeOf(app);
    buyer = chain().buyers[0] as DevAccount;
  });

  const paid = (payment: Awaited<ReturnType<typeof signAuthorization>>) => ({
    'payment-signature': paymentHeader(payment),
  });
  const sign = (options: Partial<Parameters<typeof signAuthorization>[0]> = {}) =>
    signAuthorization({ buyer, accepted, ...options });

  /** The nonces of authorizations that a transaction used. */
  async function usedIn(transaction: Hex | undefined): Promise<(Hex | undefined)[]> {
    type Receipt = { logs: { topics: Hex[] }[] };
    const { logs } = await rpc<Receipt>(chain().rpcUrl, 'eth_getTransactionReceipt', transaction);
    return logs.filter(({ topics }) => topics[0] === USED_TOPIC).map(({ topics }) => topics[2]);
  }

  it('one payment that is presented for many answers buys one, even if all are requested at once (row 1)', async () => {
    const before = await earned(chain());
    const header = paid(await sign());
    const names = Array.from({ length: 8 }, (_, index) => `Client ${index}`);
    const ends = await Promise.all(
      names.map(async (name) => (await app.get(noticePath(name), header)).status),
    );
    expect(ends.sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await earned(chain())) - before).toBe(CENT);
  });

  it('a payment for a cheap product does not buy an expensive one, and no payment buys at another price (row 4)', async () => {
    const before = await earned(chain());
    const report = '/v1/stack-report?business_type=trades';
    const cheap = await app.get(report, paid(await sign()));
    expect(cheap.status).toBe(402);
    // A payment that claims to be for the expensive product is refused, too.
    const liar = await sign({
      accepted: requirementsFor(chain().payee, DOLLAR),
      authorization: { value: String(CENT) },
    });
    const lied = await app.get(report, paid(liar));
    expect(lied.status).toBe(402);
    for (const response of [cheap, lied])
      expect(await response.json()).toMatchObject({
        error: 'invalid_exact_evm_payload_authorization_value_mismatch',
      });
    const dear = await sign({ accepted: requirementsFor(chain().payee, DOLLAR) });
    expect((await app.get(noticePath(), paid(dear))).status).toBe(402);
    expect(await earned(chain())).toBe(before);
    expect((await app.get(report, paid(dear))).status).toBe(200);
    expect((await earned(chain())) - before).toBe(DOLLAR);
  });

  it('a payer with many slow pending payments does not make other payers wait (row 12)', async () => {
    const proxy = await startRpcProxy(chain().rpcUrl);
    // The times are long, so that nothing is sent again and a purchase that has begun is completed even on a busy machine.
    const slow = chainApp(chain(), { rpcUrl: proxy.url, patienceMs: 20_000, checkMs: 60_000 });
    let arrive = (): void => {};
    const until = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    proxy.fail('eth_sendRawTransactionSync', 'slow', { until, times: 1 });
    const headers = await Promise.all(Array.from({ length: 20 }, async () => paid(await sign())));
    const other = paid(await sign({ buyer: chain().buyers[1] as DevAccount }));
    const before = await earned(chain());
    const begun = headers.map((header, index) => slow.get(noticePath(`Client ${index}`), header));
    const sent = () => proxy.calls('eth_sendRawTransactionSync');
    await expect.poll(sent).toBe(1);
    // A payer that has not paid for anything yet has one pending transaction, and nineteen wait behind it. The other
    // payer's transaction is sent before them.
    const served = slow.get(noticePath('Other'), other);
    await expect.poll(sent).toBe(2);
    expect((await slow.get('/v1/late-fee?amount=1&due_date=2026-10-01')).status).toBe(200);
    expect(sent()).toBe(2);
    arrive();
    expect((await served).status).toBe(200);
    const ends = await Promise.all(begun);
    expect(ends.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await earned(chain())) - before).toBe(21n * CENT);
    await proxy.stop();
  });

  it('a node that shows another receipt is not believed, and the returned receipt is the right one (row 24)', async () => {
    const proxy = await startRpcProxy(chain().rpcUrl);
    const misled = chainApp(chain(), { rpcUrl: proxy.url });
    proxy.fail('eth_sendRawTransactionSync', 'wrong-receipt', { times: 1 });
    const payment = await sign();
    const response = await misled.get(noticePath(), paid(payment));
    expect(response.status).toBe(200);
    const receipt = headerJson<{ transaction: Hex }>(response, 'payment-response');
    expect(await usedIn(receipt?.transaction)).toEqual([payment.payload.authorization.nonce]);
    await proxy.stop();
  });
});
