import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Route } from '../../src/catalog/operation.ts';
import { type DevAccount, devAccounts } from '../../src/devnet/chain-accounts.ts';
import { createFacilitatorSettler } from '../../src/payments/facilitator/facilitator-settler.ts';
import { isCatalogAmong } from '../../src/payments/facilitator/known-facilitators.ts';
import { opened, stopped } from '../support/listening.ts';
import { paymentHeader, signAuthorization } from '../support/payments.ts';
import { type Served, served } from './served.ts';
import { decodedHeader, paidOperations } from './support.ts';

type Listed = { readonly resource: string; readonly method: string; readonly inputs: readonly string[] };

/**
 * A made-up facilitator with a catalog, as the documentation of such facilitators describes it: it lists what it has
 * settled once the bare address has answered 402 to a request without input.
 */
function listingFacilitator() {
  const listed: Listed[] = [];
  const answerTo = async (path: string, asked: string) => {
    const { paymentPayload } = JSON.parse(asked);
    const { from, nonce } = paymentPayload.payload.authorization;
    if (path === '/verify') return { isValid: true, payer: from };
    const { input } = paymentPayload.extensions.bazaar.info;
    const { url } = paymentPayload.resource;
    const { properties } = paymentPayload.extensions.bazaar.schema.properties.input;
    const probe = await fetch(url, { method: input.method });
    const inputs = Object.keys((properties.queryParams ?? properties.body).properties);
    if (probe.status === 402) listed.push({ resource: url, method: input.method, inputs });
    return { success: true, transaction: nonce, network: 'eip155:8453', payer: from };
  };
  const server = createServer((request, response) => {
    void text(request)
      .then((asked) => answerTo(request.url ?? '', asked))
      .then((body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
  });
  return { server, listed };
}

describe('a facilitator that lists services in a catalog', () => {
  const ending: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0)) await end();
  });

  /** The service with a settler of this kind, replaced by the made-up facilitator. */
  async function serviceWith(kind: string): Promise<Served & { listed: Listed[] }> {
    const { server, listed } = listingFacilitator();
    const url = await opened(server);
    ending.push(() => stopped(server));
    const service = await served({
      settlement: createFacilitatorSettler({ url, rpc: null, now: Date.now }),
      coldProbe: isCatalogAmong([{ kind }]) ? 402 : 400,
      now: Date.now,
    });
    ending.push(service.stop);
    return { ...service, listed };
  }

  /** Buys the example of every paid operation. */
  async function buyAll(url: string): Promise<void> {
    for (const [index, { route, example }] of paidOperations.entries()) {
      const { method, path } = route as Route;
      const query = method === 'GET' ? `?${new URLSearchParams(example as Record<string, string>)}` : '';
      const ask = (headers: Record<string, string> = {}) =>
        fetch(`${url}${path}${query}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'POST' && { body: JSON.stringify(example) }),
        });
      const { accepts } = decodedHeader(await ask(), 'payment-required');
      const buyer = devAccounts(9)[index] as DevAccount;
      // The test payee's address has no checksum, and viem signs only checksummed addresses.
      const authorization = { to: accepts[0].payTo.toLowerCase() };
      const payment = await signAuthorization({ buyer, accepted: accepts[0], authorization });
      expect((await ask({ 'payment-signature': paymentHeader(payment) })).status).toBe(200);
    }
  }

  it.each(['cdp', 'payai'])(
    'reads a price from every address without input if the settler is %s',
    async (kind) => {
      const { url, listed } = await serviceWith(kind);
      await buyAll(url);
      const expected = paidOperations.map(({ route, input }) => ({
        resource: `${url}${route?.path}`,
        method: route?.method,
        inputs: Object.keys(input),
      }));
      expect(listed).toEqual(expected);
    },
  );

  it.each(['facilitator', 'local', 'embedded'])(
    'is not expected to read such prices if the settler is %s',
    async (kind) => {
      const { url, listed } = await serviceWith(kind);
      await buyAll(url);
      expect(listed).toEqual([]);
    },
  );
});
