import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { DevAccount } from '../../src/devnet/chain-accounts.ts';
import { memoryClaims } from '../../src/exchange/claims/claims.ts';
import { sharedChain } from '../support/chain.ts';
import { chainApp, challengeOf, earned, noticePath } from '../support/chain-app.ts';
import { opened, stopped } from '../support/listening.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';

/** A gateway that rejects the first send, either although it passed it on, or only once the same bytes were sent again. */
async function busyGateway(target: string, { passesOn }: { passesOn: boolean }) {
  let isFirst = true;
  let sentAgain = () => {};
  const isSentAgain = new Promise<void>((resolve) => {
    sentAgain = resolve;
  });
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (isFirst && body.includes('eth_sendRawTransactionSync')) {
      isFirst = false;
      if (passesOn)
        await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      else await isSentAgain;
      response.writeHead(503).end('busy');
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(200, headers).end(await reply.text());
    if (body.includes('eth_sendRawTransaction')) sentAgain();
  });
  return { url: await opened(server), stop: () => stopped(server) };
}

const chain = sharedChain();

it('a payment is answered if a node accepted its bytes at the second send, even if the first send was rejected', async () => {
  const gateway = await busyGateway(chain().rpcUrl, { passesOn: false });
  const app = chainApp(chain(), { rpcUrl: gateway.url });
  const accepted = await challengeOf(app);
  const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
  const before = await earned(chain());
  const header = { 'payment-signature': paymentHeader(payment) };
  const statuses = [];
  for (let time = 0; time < 2; time += 1) statuses.push((await app.get(noticePath(), header)).status);
  await gateway.stop();
  expect([statuses, (await earned(chain())) - before]).toEqual([[200, 200], 10_000n]);
});

it('a payment that a node accepted although it reported a rejection is answered by another instance on the same claims', async () => {
  const gateway = await busyGateway(chain().rpcUrl, { passesOn: true });
  const claims = memoryClaims({ maxClaims: 1_000, now: () => Date.now() - 10_000 });
  const one = chainApp(chain(), { rpcUrl: gateway.url, claims });
  const other = chainApp(chain(), { claims });
  const accepted = await challengeOf(one);
  const payment = await signAuthorization({ buyer: chain().buyers[0] as DevAccount, accepted });
  const before = await earned(chain());
  const header = { 'payment-signature': paymentHeader(payment) };
  const statuses = [];
  for (const app of [one, other, other]) statuses.push((await app.get(noticePath(), header)).status);
  await gateway.stop();
  expect([statuses, (await earned(chain())) - before]).toEqual([[503, 200, 200], 10_000n]);
});
