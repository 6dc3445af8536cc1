import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { earned } from '../support/chain-app.ts';
import { sharedShop } from './bench.ts';
import { messageFor, toBase64, type Wallet, wallet } from './signing.ts';

// Each of these buyers has one document and a wallet, and reads addresses, header names, types and shapes from the
// document.

// biome-ignore lint/suspicious/noExplicitAny: a buyer has no types for a document that it has never seen
type Json = Record<string, any>;

const shop = sharedShop();
const buyer = (): Wallet => wallet(shop().chain.buyers[0]?.privateKey as Hex);
const fromBase64 = (text: string | null): Json => JSON.parse(Buffer.from(text ?? '', 'base64').toString());

/** The products: their name in documents, their price in atomic units, and the fields of every answer. */
const wares = {
  letter: {
    named: /reminder/,
    price: 10_000n,
    isIn: (answer: Json) => answer.reminder?.subject?.includes('INV-1042') === true,
  },
  pack: {
    named: /three priced options/i,
    price: 50_000n,
    isIn: (answer: Json) => answer.options?.length === 3 && typeof answer.cover_note?.body === 'string',
  },
};
type Ware = (typeof wares)[keyof typeof wares];
const each = Object.entries(wares);

/** Runs a buyer and expects the requested answer for its price. */
async function expectBought({ price, isIn }: Ware, buy: () => Promise<Json>): Promise<void> {
  const before = await earned(shop().chain);
  const answer = await buy();
  expect([isIn(answer), answer]).toEqual([true, answer]);
  expect((await earned(shop().chain)) - before).toBe(price);
}

const posted = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const LETTER_QUERY = 'amount=1250&due_date=2026-09-01&invoice_number=INV-1042';

/** The typed data to sign for these requirements, with types from a document. */
const typedData = (accepted: Json, types: Json) => ({
  domain: {
    ...accepted.extra,
    chainId: Number(accepted.network.split(':')[1]),
    verifyingContract: accepted.asset,
  },
  types: types as never,
  primaryType: Object.keys(types)[0] as string,
  message: messageFor(accepted as never, buyer().address),
});

/** Fills a template: the texts in angle brackets are replaced by values. */
function filled(template: Json, values: Json): Json {
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('<') ? values[name] : value,
    ]),
  );
}

/** Makes the payment that the guide in a challenge describes. */
async function guided(challenge: Json): Promise<Json> {
  const { sign, payment_payload: payload, accepts } = challenge;
  const message = filled(sign.message, messageFor(accepts[0], buyer().address));
  const signature = await buyer().sign({ ...sign, message });
  return {
    ...payload,
    accepted: accepts[0],
    payload: filled(payload.payload, { signature, authorization: message }),
  };
}

describe.each(each)('a buyer of the %s', (name, ware) => {
  it('needs no documentation except llms.txt', async () => {
    const text = await (await fetch(`${shop().url}/llms.txt`)).text();
    const [, required = ''] = /price in the (\S+) header \(base64-encoded JSON\)/.exec(text) ?? [];
    const [, paidIn = ''] = /base64-encoded JSON in the (\S+) header/.exec(text) ?? [];
    const [types, example] = [...text.matchAll(/```json\n([^`]*)```/g)].map(([, json = '']) =>
      JSON.parse(json),
    );
    const ask = (headers: Record<string, string> = {}): Promise<Response> => {
      const [, address = ''] = /curl -i '(\S+late-fee-notice\?[^']*)'/.exec(text) ?? [];
      if (name === 'letter') return fetch(address, { headers });
      const [, path = ''] = /- POST (\S+) \([\d.]+ USD\): Three priced options/.exec(text) ?? [];
      const inputs = text
        .split('\n')
        .find((line) => line.startsWith(`- POST ${path} `) && line.includes('items*'));
      expect(inputs).toMatch(/items\* list of 1\.\.100 \{.*unit_price number/);
      const init = posted({ items: [{ unit_price: 450 }] });
      return fetch(new URL(path, address), { ...init, headers: { ...init.headers, ...headers } });
    };
    await expectBought(ware, async () => {
      const [accepted] = fromBase64((await ask()).headers.get(required)).accepts;
      const typed = typedData(accepted, types);
      expect(Object.keys(typed.message)).toEqual(Object.keys(example.payload.authorization));
      const payload = { signature: await buyer().sign(typed), authorization: typed.message };
      return (await (await ask({ [paidIn]: toBase64({ ...example, accepted, payload }) })).json()) as Json;
    });
  });

  it('needs no documentation except openapi.json', async () => {
    const document = (await (await fetch(`${shop().url}/openapi.json`)).json()) as Json;
    const follow = (part: Json): Json =>
      part.$ref === undefined
        ? part
        : part.$ref
            .slice(2)
            .split('/')
            .reduce((inner: Json, step: string) => inner[step], document);
    const [path, operation] = Object.entries(document.paths as Json)
      .map(([address, methods]): [string, Json] => [address, methods.post ?? {}])
      .find(
        ([, { description = '', ...post }]) => 'x-payment-info' in post && ware.named.test(description),
      ) as [string, Json];
    const [[type, content]] = Object.entries(follow(operation.requestBody).content as Json) as [
      [string, Json],
    ];
    const send = (headers: Record<string, string> = {}) =>
      fetch(`${document.servers[0].url}${path}`, {
        method: 'POST',
        headers: { 'content-type': type, ...headers },
        body: JSON.stringify(content.example),
      });
    const [required] = Object.keys(follow(operation.responses['402']).headers);
    const parameter = operation.parameters.map(follow).find(({ schema }: Json) => schema.contentSchema);
    const payload = follow(parameter.schema.contentSchema);
    const [example] = payload.examples;
    await expectBought(ware, async () => {
      const [accepted] = fromBase64((await send()).headers.get(required as string)).accepts;
      const typed = typedData(accepted, payload['x-eip712-types']);
      expect(Object.keys(typed.message)).toEqual(
        payload.properties.payload.properties.authorization.required,
      );
      const signed = { signature: await buyer().sign(typed), authorization: typed.message };
      const payment = toBase64({ ...example, accepted, payload: signed });
      return (await (await send({ [parameter.name]: payment })).json()) as Json;
    });
  });

  it('needs no documentation except a 402 response', async () => {
    const isLetter = name === 'letter';
    const address = `${shop().url}${isLetter ? `/v1/late-fee-notice?${LETTER_QUERY}` : '/v1/quote-pack'}`;
    const init = isLetter ? {} : posted({ items: [{ unit_price: 450 }] });
    const challenge = (await (await fetch(address, init)).json()) as Json;
    const [, header = ''] = /in the (\S+) header/.exec(challenge.how_to_pay) ?? [];
    await expectBought(ware, async () => {
      const headers = { ...init.headers, [header]: toBase64(await guided(challenge)) };
      return (await (await fetch(address, { ...init, headers })).json()) as Json;
    });
  });

  it('needs only an entry in a bazaar if it knows x402', async () => {
    const probe =
      name === 'letter'
        ? await fetch(`${shop().url}/v1/late-fee-notice?amount=1&due_date=2026-09-01`)
        : await fetch(`${shop().url}/v1/quote-pack`, posted({ items: [{ unit_price: 1 }] }));
    // A catalog keeps the address, the terms and the extension of a challenge.
    const { resource, accepts, extensions } = fromBase64(probe.headers.get('payment-required'));
    const { input } = extensions.bazaar.info;
    await expectBought(ware, async () => {
      const [accepted] = accepts;
      const typed = typedData(accepted, X402_TYPES);
      const payload = { signature: await buyer().sign(typed), authorization: typed.message };
      const paid = { 'payment-signature': toBase64({ x402Version: 2, accepted, payload }) };
      // The entry says what to send and what it costs, so the buyer does not need to make an unpaid request first.
      const url = `${resource.url}${input.queryParams ? `?${new URLSearchParams(input.queryParams)}` : ''}`;
      const init = input.body === undefined ? {} : posted(input.body);
      const request = { ...init, method: input.method, headers: { ...init.headers, ...paid } };
      return (await (await fetch(url, request)).json()) as Json;
    });
  });

  it('needs no documentation except tools/list and the challenge', async () => {
    const rpc = async (method: string, params: Json): Promise<Json> => {
      const reply = await fetch(`${shop().url}/mcp`, posted({ jsonrpc: '2.0', id: 1, method, params }));
      return ((await reply.json()) as Json).result;
    };
    const { tools } = await rpc('tools/list', {});
    const tool = tools.find(({ description, _meta }: Json) => _meta?.x402 && ware.named.test(description));
    const { properties, required } = tool.inputSchema;
    const values = Object.fromEntries(required.map((field: string) => [field, written(properties[field])]));
    const arguments_ = 'invoice_number' in properties ? { ...values, invoice_number: 'INV-1042' } : values;
    const call = { name: tool.name, arguments: arguments_ };
    await expectBought(ware, async () => {
      const unpaid = await rpc('tools/call', call);
      const challenge = JSON.parse(unpaid.content[0].text) as Json;
      expect(challenge.accepts[0].amount).toBe(tool._meta.x402.amount);
      const [, key = ''] = /_meta\["(.*)"\]/.exec(tool._meta.x402.payIn) ?? [];
      const paid = await rpc('tools/call', { ...call, _meta: { [key]: await guided(challenge) } });
      return paid.structuredContent;
    });
  });
});

/** A value for a required field, by its schema. */
function written({ type, pattern, items }: Json): unknown {
  if (type === 'array') return [{ unit_price: written(items.properties.unit_price) }];
  return pattern === undefined ? 1_250 : '2026-09-01';
}

/** The EIP-3009 types that the x402 specification gives for its scheme "exact". */
const X402_TYPES: Json = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};
