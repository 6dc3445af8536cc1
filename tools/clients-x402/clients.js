// The official x402 buyers. Each import waits until its client is run.

const registered = async (version, { key }) => {
  const { x402Client } = await import(`fetch-${version}`);
  const { ExactEvmScheme } = await import(`evm-${version}`);
  const { privateKeyToAccount } = await import('viem/accounts');
  return new x402Client().register('eip155:8453', new ExactEvmScheme(privateKeyToAccount(key)));
};

const fetchOf = async (version, parts, send = fetch) => {
  const { wrapFetchWithPayment } = await import(`fetch-${version}`);
  return wrapFetchWithPayment(send, await registered(version, parts));
};

const buysWithFetch = (version, note) => ({
  name: '@x402/fetch',
  of: `fetch-${version}`,
  ...(note && { note }),
  run: async (parts) => parts.buyAll(await fetchOf(version, parts)),
});

const NOTICE = '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&client_name=';

/** Bought, bought again under the same name, and refused another purchase under it. */
async function buysOnceUnderAName({ url, assert }, buy) {
  const first = await buy(`${url}${NOTICE}Once`);
  const again = await buy(`${url}${NOTICE}Once`);
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.equal(await again.text(), await first.text());
  assert.equal(again.headers.get('payment-response'), first.headers.get('payment-response'));
  assert.equal((await buy(`${url}${NOTICE}Other`)).status, 409);
}

const resigning = (version) => ({
  name: '@x402/fetch signing anew with Idempotency-Key',
  of: `fetch-${version}`,
  spends: 10_000,
  async run(parts) {
    const pay = await fetchOf(version, parts);
    const headers = { 'idempotency-key': `purchase-${version}` };
    await buysOnceUnderAName(parts, (address) => pay(address, { method: 'GET', headers }));
  },
});

export const clients = [
  buysWithFetch('2.27'),
  buysWithFetch('2.24'),
  buysWithFetch('2.20'),
  buysWithFetch('2.10'),
  buysWithFetch('2.0', 'its fetch wants an init object, also for GET'),
  resigning('2.27'),
  resigning('2.10'),
  {
    name: '@x402/extensions payment-identifier',
    of: '@x402/extensions',
    spends: 10_000,
    async run(parts) {
      const { appendPaymentIdentifierToExtensions } = await import('@x402/extensions/payment-identifier');
      const client = await registered('2.27', parts);
      client.onBeforePaymentCreation(async ({ paymentRequired }) => {
        appendPaymentIdentifierToExtensions(paymentRequired.extensions, 'a-purchase-of-mine-1');
      });
      const { wrapFetchWithPayment } = await import('fetch-2.27');
      await buysOnceUnderAName(parts, wrapFetchWithPayment(fetch, client));
    },
  },
  {
    name: '@x402/extensions offer-receipt',
    of: '@x402/extensions',
    spends: 10_000,
    async run(parts) {
      const receipts = await import('@x402/extensions/offer-receipt');
      const response = await (await fetchOf('2.27', parts))(`${parts.url}${NOTICE}Receipt`);
      const receipt = receipts.extractReceiptFromResponse(response);
      const { payer, resourceUrl } = await receipts.verifyReceiptSignatureJWS(receipt);
      parts.assert.equal(payer.toLowerCase(), parts.address.toLowerCase());
      parts.assert.equal(resourceUrl, `${parts.url}/v1/late-fee-notice`);
    },
  },
  {
    name: '@x402/core x402HTTPClient by hand',
    of: 'core-2.27',
    async run(parts) {
      const { x402HTTPClient } = await import('core-2.27/client');
      const http = new x402HTTPClient(await registered('2.27', parts));
      await parts.buyAll(async (address, init) => {
        const challenge = await fetch(address, init);
        if (challenge.status !== 402) return challenge;
        const required = http.getPaymentRequiredResponse(
          (name) => challenge.headers.get(name),
          await challenge.json(),
        );
        const headers = http.encodePaymentSignatureHeader(await http.createPaymentPayload(required));
        const paid = { ...init, headers: { ...init.headers, ...headers } };
        const [first, again] = [await fetch(address, paid), await fetch(address, paid)];
        parts.assert.equal(await again.clone().text(), await first.text());
        parts.assert.equal(http.getPaymentSettleResponse((name) => again.headers.get(name)).success, true);
        return again;
      });
    },
  },
  {
    name: '@x402/axios',
    of: '@x402/axios',
    async run(parts) {
      const { default: axios } = await import('axios');
      const { wrapAxiosWithPayment, x402Client } = await import('@x402/axios');
      const { ExactEvmScheme } = await import('evm-2.11');
      const { privateKeyToAccount } = await import('viem/accounts');
      const payer = new x402Client().register(
        'eip155:8453',
        new ExactEvmScheme(privateKeyToAccount(parts.key)),
      );
      const buyer = wrapAxiosWithPayment(axios.create({ validateStatus: (status) => status !== 402 }), payer);
      await parts.buyAll(async (address, { method, headers, body }) => {
        const options = { url: address, method, headers, data: body, responseType: 'text' };
        const {
          status,
          data,
          headers: replied,
        } = await buyer.request({ ...options, transformResponse: (text) => text });
        return new Response(data, {
          status,
          headers: { 'payment-response': replied['payment-response'] ?? '' },
        });
      });
    },
  },
  {
    name: 'x402-fetch (protocol version 1)',
    of: 'x402-fetch',
    spends: 0,
    note: 'refused by the client itself, which reads version 1 alone; nothing charged',
    async run({ url, key, assert }) {
      const { createSigner, wrapFetchWithPayment } = await import('x402-fetch');
      const pay = wrapFetchWithPayment(fetch, await createSigner('base', key), 2_000_000n);
      await assert.rejects(pay(`${url}${NOTICE}One`, { method: 'GET' }));
      const told = await fetch(`${url}${NOTICE}One`, { headers: { 'x-payment': 'e30=' } });
      assert.equal(told.status, 402);
      assert.match((await told.json()).detail, /version 2|v2/);
    },
  },
];
