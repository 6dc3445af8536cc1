import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/config/reading.ts';
import { cdpHeaders } from '../../src/payments/facilitator/known-facilitators.ts';
import { extractDiscoveryInfoFromExtension } from '../../tools/x402/bazaar.ts';
import { onCopyOf } from '../support/chain.ts';
import { increaseTime, mine } from '../support/chain-actions.ts';
import { earned, headerJson } from '../support/chain-app.ts';
import { facilitatorBench, heard, present } from '../support/facilitator-bench.ts';
import { cancelAuthorization, frontRun } from '../support/payments.ts';

const CENT = 10_000n;

describe('a hosted settler', () => {
  const bench = facilitatorBench();

  it('reports "waiting" with the transaction while the facilitator does not know the result and the node does not show it', async () => {
    const { facilitator, proxy, seller, sign } = bench();
    const at = await seller();
    facilitator.fail('settle-and-pending');
    proxy.fail('eth_getTransactionReceipt', 'no-receipt');
    proxy.fail('eth_getLogs', 'dead');
    const payment = await sign();
    const asked = facilitator.asked.length;
    const waiting = await present(at, payment);
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
    expect((await present(at, payment)).status).toBe(200);
  });

  it('answers a buyer who comes back thousands of blocks later, even if nobody knew the transaction', async () => {
    const { chain, facilitator, proxy, seller, sign } = bench();
    await onCopyOf(chain, async () => {
      const at = await seller();
      const before = await earned(chain);
      facilitator.fail('settle-and-pending');
      proxy.fail('eth_getTransactionReceipt', 'no-receipt');
      proxy.fail('eth_getLogs', 'dead');
      const payment = await sign();
      expect((await present(at, payment)).status).toBe(409);
      proxy.heal();
      await mine(chain, 12_000);
      await expect.poll(async () => (await present(at, payment)).status).toBe(200);
      expect((await earned(chain)) - before).toBe(CENT);
    });
    facilitator.heal();
  });

  it('reports "waiting" if a facilitator takes too long, and answers once it has settled', async () => {
    const { chain, facilitator, seller, sign } = bench();
    const at = await seller();
    const before = await earned(chain);
    facilitator.fail('slow', { times: 1, delayMs: 2_800 });
    const payment = await sign();
    const waiting = await present(at, payment);
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([409, '2']);
    await expect.poll(async () => (await present(at, payment)).status).toBe(200);
    expect((await earned(chain)) - before).toBe(CENT);
  });

  it("sends our own requirements, resource and listing instead of the client's copies, and whatever else the client signed or added", async () => {
    const { accepted, facilitator, seller, sign } = bench();
    const at = await seller();
    const extensions = {
      'payment-identifier': { info: { id: 'order-4711-order-4711' } },
      'of-its-own': { info: { note: 'as it came' } },
    };
    const payment = await sign({
      accepted: { ...accepted, maxTimeoutSeconds: 99, extra: { name: 'evil' } },
      resource: { url: 'https://evil.example/?client=Acme', description: '', mimeType: '' },
      // Text from a buyer would appear in catalogs under our name.
      extensions: { ...extensions, bazaar: { info: { input: { type: 'http' } }, note: 'evil' } },
    });
    expect((await present(at, payment)).status).toBe(200);
    const { body, headers } = facilitator.asked.at(-1) ?? {};
    expect(body?.paymentRequirements).toEqual(accepted);
    expect(body?.paymentPayload.accepted).toEqual(accepted);
    expect(body?.paymentPayload.resource).toMatchObject({ url: 'https://calc.example/v1/late-fee-notice' });
    const { bazaar, ...others } = body?.paymentPayload.extensions ?? {};
    expect(others).toEqual(extensions);
    expect(extractDiscoveryInfoFromExtension(bazaar as never).input).toMatchObject({
      type: 'http',
      method: 'GET',
    });
    expect(body?.paymentPayload.payload.signature).toBe(payment.payload.signature);
    expect(JSON.stringify(body)).not.toContain('evil');
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('sends a token only to the facilitator that needs one', async () => {
    const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString(
      'base64',
    );
    const id = new Secret('key-4711');
    const { facilitator, lines, seller, sign } = bench();
    const at = await seller({
      headers: cdpHeaders({ id, secret: new Secret(secret), host: 'api.cdp.example', now: Date.now }),
    });
    lines.length = 0;
    const bought = await present(at, await sign());
    expect(bought.status).toBe(200);
    const [scheme, token = ''] = facilitator.asked.at(-1)?.headers.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Bearer');
    const { pathname } = new URL(`${facilitator.url}/settle`);
    expect(decodeJwt(token)).toMatchObject({ sub: 'key-4711', uris: [`POST api.cdp.example${pathname}`] });
    const told = (await heard(bought)) + lines.join('');
    for (const own of [token, secret, d, 'key-4711', 'Bearer']) expect(told).not.toContain(own);
  });

  it('sends a facilitator no payment that the chain would refuse', async () => {
    const { buyer, chain, facilitator, seller, sign } = bench();
    const at = await seller();
    const asked = facilitator.asked.length;
    const wrong = await sign({ signature: `0x${'11'.repeat(64)}1b` });
    const canceled = await sign();
    await cancelAuthorization(chain, buyer, canceled.payload.authorization.nonce);
    expect((await present(at, wrong)).status).toBe(402);
    expect((await present(at, canceled)).status).toBe(402);
    expect(facilitator.asked).toHaveLength(asked);
  });

  it('honors an authorization that somebody else has submitted, without asking the facilitator', async () => {
    const { chain, facilitator, seller, sign } = bench();
    const at = await seller();
    const asked = facilitator.asked.length;
    const payment = await sign();
    const before = await earned(chain);
    await frontRun(chain, payment.payload);
    expect((await present(at, payment)).status).toBe(200);
    expect((await earned(chain)) - before).toBe(CENT);
    expect(facilitator.asked).toHaveLength(asked);
  });

  it('sends nothing while no node can be reached', async () => {
    const { facilitator, proxy, seller, sign } = bench();
    const at = await seller();
    const asked = facilitator.asked.length;
    proxy.fail('*', 'dead');
    const payment = await sign();
    const refused = await present(at, payment);
    proxy.heal();
    expect(refused.status).toBe(503);
    expect(facilitator.asked).toHaveLength(asked);
    expect((await present(at, payment)).status).toBe(200);
  });

  it("treats a payment as not sent after a gateway's 503 page, if the facilitator is known for such pages and the chain agrees", async () => {
    const { chain, facilitator, seller, sign } = bench();
    const at = await seller({ isEdge503: true });
    const before = await earned(chain);
    const payment = await sign();
    facilitator.fail('page-503', { times: 1 });
    expect((await present(at, payment)).status).toBe(503);
    facilitator.fail('settle-and-503', { times: 1 });
    expect((await present(at, payment)).status).toBe(200);
    expect((await earned(chain)) - before).toBe(CENT);
    facilitator.heal();
  });

  it.each([
    ['with a node', 'refuse', true],
    ['without a node', 'refuse', false],
    ['without a node and after it has settled', 'settle-and-refuse', false],
  ] as const)(
    'tells the buyer, %s, that the facilitator can still use a payment that it declines',
    async (_how, fault, hasRpc) => {
      const { chain, facilitator, seller, sign } = bench();
      const at = await seller({ hasRpc });
      facilitator.fail(fault, { times: 1 });
      const payment = await sign();
      const before = await earned(chain);
      const answer = await present(at, payment);
      const { code, detail, charged } = (await answer.json()) as Record<string, string>;
      expect([answer.status, code, charged]).toEqual([409, 'waiting', false]);
      const until = new Date(Number(payment.payload.authorization.validBefore) * 1_000).toISOString();
      for (const words of [
        'did not go through',
        'do not sign a new one',
        `The payment is valid until ${until}`,
        'whether your account has paid',
      ])
        expect(detail).toContain(words);
      // If the facilitator is called again, it settles, or reports that it has already settled.
      expect([(await present(at, payment)).status, (await earned(chain)) - before]).toEqual([200, CENT]);
    },
  );

  it('reports an unanswered payment as not received once it can no longer be used', async () => {
    const { chain, facilitator, seller, sign } = bench();
    const at = await seller();
    facilitator.fail('drop');
    const payment = await sign();
    const before = await earned(chain);
    const waiting = await present(at, payment);
    expect([waiting.status, await waiting.json()]).toMatchObject([409, { code: 'waiting' }]);
    facilitator.heal();
    await onCopyOf(chain, async () => {
      await increaseTime(chain, 200);
      const final = await present(at, payment);
      expect([final.status, await final.json()]).toMatchObject([409, { code: 'rejected_or_not_received' }]);
      expect(await earned(chain)).toBe(before);
    });
  });
});
