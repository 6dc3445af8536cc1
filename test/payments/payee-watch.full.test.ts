import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Claims, memoryClaims } from '../../src/exchange/claims/claims.ts';
import { type PayeeWatch, watchPayee } from '../../src/exchange/payee-watch.ts';
import { type Rpc, rpcOver } from '../../src/payments/chain/rpc.ts';
import { sharedChain } from '../support/chain.ts';
import { mine, mint } from '../support/chain-actions.ts';
import { chainApp, challengeOf, noticePath } from '../support/chain-app.ts';
import {
  cancelAuthorization,
  frontRun,
  paymentHeader,
  requirementsFor,
  SELLER,
  type SignedPayment,
  signAuthorization,
} from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

/** `wait` blocks its caller until `take` releases it; `take` resolves when the next caller waits. */
function takingTurns<Value>(value: () => Value) {
  let arrive = (): void => undefined;
  let pass = (): void => undefined;
  const arrival = () => new Promise<void>((resolve) => (arrive = resolve));
  let arrived = arrival();
  return {
    async wait(): Promise<Value> {
      const passed = new Promise<void>((resolve) => (pass = resolve));
      arrive();
      await passed;
      return value();
    },
    async take(): Promise<void> {
      await arrived;
      arrived = arrival();
      pass();
      await arrived;
    },
  };
}

const CENT = 10_000n;

describe('a watch over the payee', () => {
  const chain = sharedChain();
  let proxy: RpcProxy;
  let rpc: Rpc;
  let claims: Claims;
  let clockMs: number;
  let told: [transaction: string, count: number][];
  let watch: PayeeWatch;
  /** Lets the watch check once, and resolves when it has. */
  let look: () => Promise<void>;

  beforeEach(async () => {
    proxy = await startRpcProxy(chain().rpcUrl);
    rpc = rpcOver([proxy.url]);
    claims = memoryClaims({ maxClaims: 100, now: () => Date.now() - 10_000 });
    clockMs = Date.now();
    told = [];
    const turns = takingTurns(() => rpc);
    look = turns.take;
    watch = watchPayee({
      rpc: turns.wait,
      payee: { network: 'eip155:8453', asset: chain().usdc, payTo: chain().payee },
      claims: { find: (key) => claims.find(key), completeSince: () => claims.completeSince() },
      now: () => clockMs,
      onShared: (transaction, count) => void told.push([transaction, count]),
      firstMs: 0,
      everyMs: 0,
    });
    await look();
    await look();
  });
  afterEach(async () => {
    watch.stop();
    await proxy.stop();
  });

  const sign = (changes = {}): Promise<SignedPayment> =>
    signAuthorization({
      buyer: chain().buyers[0] as never,
      accepted: requirementsFor(chain().payee, CENT),
      ...changes,
    });
  const soldElsewhere = async (): Promise<string> =>
    (await frontRun(chain(), (await sign()).payload)).transactionHash;
  const present = (payment: SignedPayment, app = chainApp(chain(), { claims })) =>
    app.get(noticePath(), { 'payment-signature': paymentHeader(payment) });

  it('finds a payment to the payee at another seller, one check after it could have been presented here', async () => {
    const transaction = await soldElsewhere();
    await look();
    expect(told).toEqual([]);
    await look();
    expect(told).toEqual([[transaction, 1]]);
    expect(watch.isShared()).toBe(true);
  });

  it('finds the sales of a second process that does not share its claims, and no others', async () => {
    const shares = chainApp(chain(), { claims });
    expect((await present(await sign({ accepted: await challengeOf(shares) }), shares)).status).toBe(200);
    await look();
    await look();
    expect(told).toEqual([]);
    const apart = chainApp(chain());
    const sold = await present(await sign({ accepted: await challengeOf(apart) }), apart);
    expect(sold.status).toBe(200);
    await look();
    await look();
    expect(told).toEqual([[expect.stringMatching(/^0x[0-9a-f]{64}$/), 1]]);
  });

  it('does not report transfers that are not sales: plain transfers, other payees, cancellations', async () => {
    await mint(chain(), chain().payee, CENT);
    await frontRun(chain(), (await sign({ accepted: requirementsFor(SELLER, CENT) })).payload);
    const canceled = await sign();
    await cancelAuthorization(chain(), chain().buyers[0] as never, canceled.payload.authorization.nonce);
    await look();
    await look();
    expect(told).toEqual([]);
    expect(watch.isShared()).toBe(false);
  });

  it('does not report a payment that a stranger submitted before its buyer presented it', async () => {
    const payment = await sign();
    await frontRun(chain(), payment.payload);
    await look();
    expect((await present(payment)).status).toBe(200);
    await look();
    expect(told).toEqual([]);
  });

  it('does not report payments from before the watch began', async () => {
    await soldElsewhere();
    watch.stop();
    const turns = takingTurns(() => rpc);
    watch = watchPayee({
      rpc: turns.wait,
      payee: { network: 'eip155:8453', asset: chain().usdc, payTo: chain().payee },
      claims,
      now: () => clockMs,
      onShared: (transaction, count) => void told.push([transaction, count]),
      firstMs: 0,
      everyMs: 0,
    });
    for (let count = 0; count < 3; count += 1) await turns.take();
    expect(told).toEqual([]);
  });

  it('makes three calls, however often a payer has paid, and one call if there is no new block', async () => {
    for (let count = 0; count < 5; count += 1) await soldElsewhere();
    await look();
    const before = proxy.calls();
    await look();
    expect(proxy.calls() - before).toBe(3);
    await look();
    expect(proxy.calls() - before).toBe(4);
    await mine(chain());
    await look();
    await look();
    expect(proxy.calls() - before).toBe(7);
  });

  it('skips no block if a node or the claims could not be read', async () => {
    const transaction = await soldElsewhere();
    await look();
    proxy.fail('eth_getLogs', 'error');
    await look();
    proxy.heal();
    const reachable = claims;
    claims = { ...reachable, find: async () => ({ kind: 'down' }) };
    await look();
    claims = { ...reachable, completeSince: async () => null };
    await look();
    expect([told, watch.isShared()]).toEqual([[], false]);
    claims = reachable;
    await look();
    expect(told).toEqual([[transaction, 1]]);
  });

  it('does not report payments from before the claims were lost', async () => {
    await soldElsewhere();
    await look();
    clockMs += 300_000;
    claims = memoryClaims({ maxClaims: 100, now: () => clockMs });
    await look();
    expect(told).toEqual([]);
    clockMs += 300_000;
    await look();
    await look();
    const transaction = await soldElsewhere();
    await look();
    await look();
    expect(told).toEqual([[transaction, 1]]);
  });
});
