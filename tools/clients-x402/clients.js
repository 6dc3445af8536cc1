// The official x402 buyers, and one written by hand. Each import waits until its client is run.
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/**
 * Buys an answer, buys it again under the same name, and checks that a different purchase under that name is refused.
 */
async function buysOnceUnderAName({ url, assert }, buy) {
  const first = await buy(`${url}${NOTICE}Once`);
  const again = await buy(`${url}${NOTICE}Once`);
  assert.deepEqual([first.status, again.status], [200, 200]);
  assert.equal(await again.text(), await first.text());
  assert.equal(again.headers.get('payment-response'), first.headers.get('payment-response'));
  assert.equal((await buy(`${url}${NOTICE}Other`)).status, 409);
}

const resigning = (version) => ({
  name: '@x402/fetch signing again with Idempotency-Key',
  of: `fetch-${version}`,
  spends: 10_000,
  async run(parts) {
    const pay = await fetchOf(version, parts);
    const headers = { 'idempotency-key': `purchase-${version}` };
    await buysOnceUnderAName(parts, (address) => pay(address, { method: 'GET', headers }));
  },
});

const buysWithAxios = (of, evm, note) => ({
  name: '@x402/axios',
  of,
  ...(note && { note }),
  async run(parts) {
    const { default: axios } = await import('axios');
    const { wrapAxiosWithPayment, x402Client } = await import(of);
    const { ExactEvmScheme } = await import(evm);
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
});

/** A buyer of protocol version 1, which cannot read a challenge of version 2. */
const ofVersion1 = (of, refused) => ({
  name: `${of} (protocol version 1)`,
  of,
  spends: 0,
  fault: 'reads version 1 alone; nothing charged',
  async run({ url, key, assert }) {
    await assert.rejects(refused(await import(of), key, `${url}${NOTICE}One`), /version|Version|network/);
  },
});

const printed = (command, words) => {
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
  return stdout;
};

function curl(address, { method, headers = {}, body }) {
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const sent = body === undefined ? [] : ['--data-binary', body];
  const [head, ...rest] = printed('curl', ['-sSi', '-X', method, ...words, ...sent, address]).split(
    '\r\n\r\n',
  );
  const [first, ...lines] = head.split('\r\n');
  const replied = lines.map((line) => line.split(/: (.*)/).slice(0, 2));
  return new Response(rest.join('\r\n\r\n'), { status: Number(first.split(' ')[1]), headers: replied });
}

/** The signer of /developers.md as a developer saves it, next to the package that it needs. */
async function savedSigner({ url, home }) {
  const page = await (await fetch(`${url}/developers.md`)).text();
  const [, text] = page.split('### sign.mjs')[1].split(/```\w*\n/);
  symlinkSync(
    fileURLToPath(new URL('node_modules', import.meta.url)),
    join(home, 'node_modules'),
    'junction',
  );
  const file = join(home, 'sign.mjs');
  writeFileSync(file, text);
  return file;
}

const encoded = (payment) => Buffer.from(JSON.stringify(payment)).toString('base64');

export const clients = [
  buysWithFetch('2.27'),
  buysWithFetch('2.24'),
  buysWithFetch('2.20'),
  buysWithFetch('2.10'),
  buysWithFetch('2.0', 'its fetch wants an init object, also for GET'),
  resigning('2.27'),
  resigning('2.20'),
  resigning('2.10'),
  resigning('2.0'),
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
  buysWithAxios('@x402/axios', 'evm-2.11'),
  buysWithAxios(
    'axios-2.2',
    'evm-2.2',
    'with @x402/core held to 2.2.0: the newest, which npm takes beside it, refuses before it pays',
  ),
  {
    name: '@faremeter/fetch',
    of: '@faremeter/fetch',
    async run(parts) {
      const { wrap } = await import('@faremeter/fetch');
      const { createPaymentHandler } = await import('@faremeter/payment-evm/exact');
      const { createLocalWallet } = await import('@faremeter/wallet-evm');
      const wallet = await createLocalWallet({ id: 8453, name: 'Base' }, parts.key);
      await parts.buyAll(wrap(fetch, { handlers: [createPaymentHandler(wallet)] }));
    },
  },
  ofVersion1('x402-fetch', async ({ createSigner, wrapFetchWithPayment }, key, address) =>
    wrapFetchWithPayment(fetch, await createSigner('base', key), 2_000_000n)(address, { method: 'GET' }),
  ),
  ofVersion1('x402-axios', async ({ createSigner, withPaymentInterceptor }, key, address) => {
    const { default: axios } = await import('axios');
    return withPaymentInterceptor(axios.create(), await createSigner('base', key)).get(address);
  }),
  {
    name: 'curl with the signer of /developers.md, which uses viem',
    of: 'viem',
    async run(parts) {
      const signer = await savedSigner(parts);
      await parts.buyAll(async (address, asked) => {
        const challenge = curl(address, asked);
        if (challenge.status !== 402) return challenge;
        const signature = printed(process.execPath, [signer, challenge.headers.get('payment-required')]);
        return curl(address, {
          ...asked,
          headers: { ...asked.headers, 'payment-signature': signature.trim() },
        });
      });
    },
  },
  {
    name: 'curl with a payload of version 1, or in X-PAYMENT',
    of: 'viem',
    spends: 0,
    fault: 'told 400 or 402 and what to send instead; nothing charged',
    async run(parts) {
      const address = `${parts.url}${NOTICE}One`;
      const told = (headers) => curl(address, { method: 'GET', headers });
      const signer = await savedSigner(parts);
      const required = told({}).headers.get('payment-required');
      const version2 = printed(process.execPath, [signer, required]).trim();
      const { payload } = JSON.parse(Buffer.from(version2, 'base64').toString());
      const version1 = encoded({ x402Version: 1, scheme: 'exact', network: 'base', payload });
      const refused = told({ 'payment-signature': version1 });
      parts.assert.equal(refused.status, 400);
      parts.assert.match(await refused.text(), /\/payment\/x402Version must be 2/);
      for (const payment of [version1, version2]) {
        const unread = told({ 'x-payment': payment });
        parts.assert.equal(unread.status, 402);
        parts.assert.match((await unread.json()).detail, /version 2 PaymentPayload in PAYMENT-SIGNATURE/);
      }
    },
  },
];
