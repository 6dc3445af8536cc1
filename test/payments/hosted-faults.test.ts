import type { PaymentRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { createLog } from '../../src/log.ts';
import { createFailover } from '../../src/payments/failover.ts';
import { createHostedSettler } from '../../src/payments/hosted-settler.ts';
import { rpcOver } from '../../src/payments/rpc.ts';
import { sharedChain } from '../support/chain.ts';
import { mine } from '../support/chain-actions.ts';
import { chainApp, challengeOf, earned, headerJson, noticePath } from '../support/chain-app.ts';
import { type FacilitatorFault, facilitatorFaults } from '../support/facilitator-answers.ts';
import { type Listening, listening } from '../support/listening.ts';
import { type LyingFacilitator, startLyingFacilitator } from '../support/lying-facilitator.ts';
import { cancelAuthorization, frontRun, paymentHeader, signAuthorization } from '../support/payments.ts';
import { type RpcProxy, startRpcProxy } from '../support/rpc-proxy.ts';

const CENT = 10_000n;

/** What a buyer hears while a fault lasts; `200` only where the chain has the transfer. */
const withChain: Record<FacilitatorFault, 200 | 409 | 503> = {
  'lie-unsettled': 409,
  'lie-other-transaction': 409,
  'lie-no-transaction': 409,
  'lie-wrong-payer': 409,
  'lie-wrong-network': 409,
  'settle-and-drop': 200,
  'settle-and-pending': 200,
  'settle-and-refuse': 200,
  'settle-and-500': 200,
  'settle-and-503': 200,
  'settle-and-turn-away': 200,
  'settle-and-redirect': 200,
  'settle-and-flood': 200,
  'settle-and-garble': 200,
  'settle-wrong-hash': 200,
  pending: 409,
  drop: 409,
  'too-many': 503,
  unauthorized: 503,
  'page-503': 409,
  redirect: 409,
  secret: 409,
  slow: 200,
};

/** The same where the facilitator's word is all there is: what is not a well-formed success for us is no success. */
const withoutChain: Partial<Record<FacilitatorFault, 200 | 409 | 503>> = {
  'lie-no-transaction': 409,
  'lie-wrong-payer': 409,
  'lie-wrong-network': 409,
  'settle-and-drop': 409,
  'settle-and-pending': 409,
  'settle-and-500': 409,
  'settle-and-503': 409,
  'settle-and-redirect': 409,
  'settle-and-flood': 409,
  'settle-and-garble': 409,
  pending: 409,
  drop: 409,
  'too-many': 503,
  unauthorized: 503,
  redirect: 409,
  secret: 409,
  slow: 200,
};

describe('a facilitator that lies or breaks', () => {
  const chain = sharedChain();
  let facilitator: LyingFacilitator;
  let proxy: RpcProxy;
  let accepted: PaymentRequirements;
  let buyer: DevAccount;
  const servers: Listening[] = [];
  const lines: string[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) });

  beforeAll(async () => {
    facilitator = await startLyingFacilitator(chain());
    proxy = await startRpcProxy(chain().rpcUrl);
    accepted = await challengeOf(chainApp(chain()));
    buyer = chain().buyers[0] as DevAccount;
  });
  afterAll(async () => {
    await Promise.all([facilitator.stop(), proxy.stop(), ...servers.map((server) => server.stop())]);
  });

  /** A fresh instance of the whole service, listening, whose only settler is the facilitator. */
  async function seller({ hasRpc = true, isEdge503 = false } = {}): Promise<Listening> {
    const settlement = createHostedSettler({
      url: facilitator.url,
      rpc: hasRpc ? rpcOver([`${proxy.url}/v2/SECRET-rpc-path`]) : null,
      now: Date.now,
      isEdge503,
      repeatMs: [20, 40],
      patienceMs: 250,
      pollMs: 50,
      deadlineMs: 2_000,
      onListing: (listing) => log.debug('settlement', { outcome: 'listed', reason: listing }),
    });
    const failover = createFailover({
      settlers: [{ name: 'facilitator_1', settlement }],
      now: Date.now,
      onSettler: ({ durationMs, ...report }) =>
        log.info('settlement', { ...report, duration_ms: durationMs }),
    });
    const server = await listening(
      chainApp(chain(), {
        settlement: failover,
        onBug: (operation) => log.error('fault', { where: 'operation', operation }),
      }),
    );
    servers.push(server);
    return server;
  }

  const present = (at: Listening, header: string) =>
    fetch(`${at.url}${noticePath()}`, { headers: { 'payment-signature': header } });

  /** Nothing that only the facilitator, its address or the node's says. */
  function expectNoSecret(text: string) {
    for (const secret of ['SECRET', 'facilitator.example', 'elsewhere', 'upstream', 'crashed', 'boom'])
      expect(text).not.toContain(secret);
    for (const url of [facilitator.url, proxy.url]) expect(text).not.toContain(new URL(url).host);
  }

  async function heard(response: Response): Promise<string> {
    const receipt = JSON.stringify(headerJson(response, 'payment-response'));
    const required = JSON.stringify(headerJson(response, 'payment-required'));
    return [await response.text(), receipt, required, ...[...response.headers].flat()].join('\n');
  }

  for (const [title, hasRpc, table] of [
    ['with an RPC', true, withChain],
    ['without an RPC', false, withoutChain],
  ] as const)
    for (const fault of facilitatorFaults.filter((name) => table[name] !== undefined))
      it(`${title}, ${fault}: one transfer at most, and an answer only with one`, async () => {
        const at = await seller({ hasRpc });
        const before = await earned(chain());
        lines.length = 0;
        facilitator.fail(fault);
        const header = paymentHeader(await signAuthorization({ buyer, accepted }));
        const first = await present(at, header);
        expect(first.status).toBe(table[fault]);
        const gain = (await earned(chain())) - before;
        if (first.status === 200) expect(gain).toBe(CENT);
        if (first.status === 503) expect(gain).toBe(0n);
        expectNoSecret(await heard(first));
        facilitator.heal();
        const again = await present(at, header);
        expect(again.status).toBe(200);
        expect((await earned(chain())) - before).toBe(CENT);
        expectNoSecret(await heard(again));
        expect(lines.join('')).toContain('"settler":"facilitator_1"');
        expectNoSecret(lines.join(''));
      });

  it('says waiting with the transaction while a facilitator does not know the end and the node shows none', async () => {
    const at = await seller();
    facilitator.fail('settle-and-pending');
    proxy.fail('eth_getTransactionReceipt', 'no-receipt');
    proxy.fail('eth_getLogs', 'dead');
    const header = paymentHeader(await signAuthorization({ buyer, accepted }));
    const asked = facilitator.asked.length;
    const waiting = await present(at, header);
    const texts = facilitator.asked.slice(asked).map(({ text }) => text);
    proxy.heal();
    facilitator.heal();
    expect(waiting.status).toBe(409);
    expect(headerJson(waiting, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(1);
    expect((await present(at, header)).status).toBe(200);
  });

  it('says waiting when a facilitator takes too long, and gives the answer once it has settled', async () => {
    const at = await seller();
    const before = await earned(chain());
    facilitator.fail('slow', { times: 1, delayMs: 2_800 });
    const header = paymentHeader(await signAuthorization({ buyer, accepted }));
    const waiting = await present(at, header);
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([409, '2']);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await present(at, header)).status).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
  });

  it('sends our requirements and resource, and what the client signed and added, never its copies', async () => {
    const at = await seller();
    const extensions = {
      'payment-identifier': { info: { id: 'order-4711-order-4711' } },
      bazaar: { info: {} },
    };
    const payment = await signAuthorization({
      buyer,
      accepted: { ...accepted, maxTimeoutSeconds: 99, extra: { name: 'evil' } },
      resource: { url: 'https://evil.example/?client=Acme', description: '', mimeType: '' },
      extensions,
    });
    expect((await present(at, paymentHeader(payment))).status).toBe(200);
    const { body, headers } = facilitator.asked.at(-1) ?? {};
    expect(body?.paymentRequirements).toEqual(accepted);
    expect(body?.paymentPayload.accepted).toEqual(accepted);
    expect(body?.paymentPayload.resource).toMatchObject({ url: 'https://calc.example/v1/late-fee-notice' });
    expect(body?.paymentPayload.extensions).toEqual(extensions);
    expect(body?.paymentPayload.payload.signature).toBe(payment.payload.signature);
    expect(JSON.stringify(body)).not.toContain('evil');
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('shows a facilitator no payment that the chain would refuse', async () => {
    const at = await seller();
    const asked = facilitator.asked.length;
    const wrong = await signAuthorization({ buyer, accepted, signature: `0x${'11'.repeat(64)}1b` });
    const canceled = await signAuthorization({ buyer, accepted });
    await cancelAuthorization(chain(), buyer, canceled.payload.authorization.nonce);
    expect((await present(at, paymentHeader(wrong))).status).toBe(402);
    expect((await present(at, paymentHeader(canceled))).status).toBe(402);
    expect(facilitator.asked).toHaveLength(asked);
  });

  it('honours an authorization that somebody else has submitted, without asking the facilitator', async () => {
    const at = await seller();
    const asked = facilitator.asked.length;
    const payment = await signAuthorization({ buyer, accepted });
    const before = await earned(chain());
    await frontRun(chain(), payment.payload);
    expect((await present(at, paymentHeader(payment))).status).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
    expect(facilitator.asked).toHaveLength(asked);
  });

  it('sends nothing while no node can be reached', async () => {
    const at = await seller();
    const asked = facilitator.asked.length;
    proxy.fail('*', 'dead');
    const header = paymentHeader(await signAuthorization({ buyer, accepted }));
    const refused = await present(at, header);
    proxy.heal();
    expect(refused.status).toBe(503);
    expect(facilitator.asked).toHaveLength(asked);
    expect((await present(at, header)).status).toBe(200);
  });

  it('takes a 503 page of a gateway as not sent where the facilitator is known for it, once the chain agrees', async () => {
    const at = await seller({ isEdge503: true });
    const before = await earned(chain());
    const header = paymentHeader(await signAuthorization({ buyer, accepted }));
    facilitator.fail('page-503', { times: 1 });
    expect((await present(at, header)).status).toBe(503);
    facilitator.fail('settle-and-503', { times: 1 });
    expect((await present(at, header)).status).toBe(200);
    expect((await earned(chain())) - before).toBe(CENT);
    facilitator.heal();
  });

  it('ends an unanswered payment as not received once it can never be used', async () => {
    const at = await seller();
    const soon = String(Math.floor(Date.now() / 1000) + 7);
    facilitator.fail('drop');
    const payment = await signAuthorization({ buyer, accepted, authorization: { validBefore: soon } });
    const before = await earned(chain());
    const waiting = await present(at, paymentHeader(payment));
    expect([waiting.status, await waiting.json()]).toMatchObject([409, { code: 'waiting' }]);
    await new Promise((resolve) => setTimeout(resolve, 7_500));
    await mine(chain());
    facilitator.heal();
    const final = await present(at, paymentHeader(payment));
    expect([final.status, await final.json()]).toMatchObject([409, { code: 'rejected_or_not_received' }]);
    expect(await earned(chain())).toBe(before);
  });
});
