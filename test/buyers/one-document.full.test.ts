import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { earned } from '../support/chain-app.ts';
import { sharedShop } from './bench.ts';
import { messageFor, toBase64, type Wallet, wallet } from './signing.ts';

// Each of these buyers has one document and a wallet. It reads addresses, header names, types and shapes from the
// document.

// biome-ignore lint/suspicious/noExplicitAny: what somebody reads of a stranger has no types
type Json = Record<string, any>;

const shop = sharedShop();
const buyer = (): Wallet => wallet(shop().chain.buyers[0]?.privateKey as Hex);
const fromBase64 = (text: string | null): Json => JSON.parse(Buffer.from(text ?? '', 'base64').toString());

/** Runs a buyer and expects a letter for one cent. */
async function expectLetter(buy: () => Promise<Json>): Promise<void> {
  const before = await earned(shop().chain);
  const answer = await buy();
  expect(answer.reminder?.subject).toContain('INV-1042');
  expect((await earned(shop().chain)) - before).toBe(10_000n);
}

/** A template with its own values in place of the text in angle brackets. */
function filled(template: Json, values: Json): Json {
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('<') ? values[name] : value,
    ]),
  );
}

/** The payment that the guide of a challenge describes. */
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

describe('a buyer who has nothing but', () => {
  it('llms.txt', async () => {
    const text = await (await fetch(`${shop().url}/llms.txt`)).text();
    await expectLetter(async () => {
      const [, address = ''] = /curl -i '(\S+late-fee-notice\?[^']*)'/.exec(text) ?? [];
      const [, required = ''] = /price in the (\S+) header \(base64 of JSON\)/.exec(text) ?? [];
      const [, paidIn = ''] = /base64 of its JSON, in the (\S+) header/.exec(text) ?? [];
      const [, primaryType = ''] = /EIP-712 typed data, primary type (\w+)/.exec(text) ?? [];
      const [types, example] = [...text.matchAll(/```json\n([^`]*)```/g)].map(([, json = '']) =>
        JSON.parse(json),
      );
      const [accepted] = fromBase64((await fetch(address)).headers.get(required)).accepts;
      const authorization = messageFor(accepted, buyer().address);
      expect(Object.keys(authorization)).toEqual(Object.keys(example.payload.authorization));
      const domain = {
        ...accepted.extra,
        chainId: Number(accepted.network.split(':')[1]),
        verifyingContract: accepted.asset,
      };
      const signature = await buyer().sign({ domain, types, primaryType, message: authorization });
      const payment = { ...example, accepted, payload: { signature, authorization } };
      return (await (await fetch(address, { headers: { [paidIn]: toBase64(payment) } })).json()) as Json;
    });
  });

  it('openapi.json', async () => {
    const document = (await (await fetch(`${shop().url}/openapi.json`)).json()) as Json;
    const follow = (part: Json): Json =>
      part.$ref === undefined
        ? part
        : part.$ref
            .slice(2)
            .split('/')
            .reduce((inner: Json, name: string) => inner[name], document);
    const operations = Object.entries(document.paths as Json).flatMap(([path, methods]) =>
      Object.entries(methods as Json).map(([method, operation]) => ({ path, method, operation })),
    );
    const cheapest = operations
      .filter(({ operation, method }) => operation['x-payment-info'] !== undefined && method === 'post')
      .sort((a, b) => priceOf(a.operation) - priceOf(b.operation))[0];
    await expectLetter(async () => {
      const { path, method, operation } = cheapest as (typeof operations)[number];
      const send = (headers: Record<string, string> = {}) =>
        fetch(`${document.servers[0].url}${path}`, {
          method: method.toUpperCase(),
          headers: { 'content-type': Object.keys(operation.requestBody.content)[0] as string, ...headers },
          body: JSON.stringify(Object.values<Json>(operation.requestBody.content)[0]?.example),
        });
      const [required] = Object.keys(follow(operation.responses['402']).headers);
      const parameter = operation.parameters.map(follow).find(({ schema }: Json) => schema.contentSchema);
      const payload = follow(parameter.schema.contentSchema);
      const [example] = payload.examples;
      const [accepted] = fromBase64((await send()).headers.get(required as string)).accepts;
      const authorization = messageFor(accepted, buyer().address);
      expect(Object.keys(authorization)).toEqual(
        payload.properties.payload.properties.authorization.required,
      );
      const types = payload['x-eip712-types'];
      const domain = {
        ...accepted.extra,
        chainId: Number(accepted.network.split(':')[1]),
        verifyingContract: accepted.asset,
      };
      const [primaryType] = Object.keys(types) as [string];
      const signature = await buyer().sign({ domain, types, primaryType, message: authorization });
      const payment = { ...example, accepted, payload: { signature, authorization } };
      return (await (await send({ [parameter.name]: toBase64(payment) })).json()) as Json;
    });
  });

  it('a 402', async () => {
    const address = `${shop().url}/v1/late-fee-notice?amount=1250&due_date=2026-09-01&invoice_number=INV-1042`;
    const challenge = (await (await fetch(address)).json()) as Json;
    await expectLetter(async () => {
      const [, header = ''] = /in the (\S+) header/.exec(challenge.how_to_pay) ?? [];
      const headers = { [header]: toBase64(await guided(challenge)) };
      return (await (await fetch(address, { headers })).json()) as Json;
    });
  });

  it('tools/list', async () => {
    const rpc = async (method: string, params: Json): Promise<Json> => {
      const reply = await fetch(`${shop().url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return ((await reply.json()) as Json).result;
    };
    const { tools } = await rpc('tools/list', {});
    const tool = tools.find(({ description }: Json) => /reminder/.test(description));
    await expectLetter(async () => {
      const { properties, required } = tool.inputSchema;
      const written = (field: Json) => (field.pattern === undefined ? 1_250 : '2026-09-01');
      const values = Object.fromEntries(required.map((name: string) => [name, written(properties[name])]));
      const call = { name: tool.name, arguments: { ...values, invoice_number: 'INV-1042' } };
      const unpaid = await rpc('tools/call', call);
      const challenge = JSON.parse(unpaid.content[0].text) as Json;
      expect(challenge.accepts[0].amount).toBe(tool._meta.x402.amount);
      const [, key = ''] = /_meta\["(.*)"\]/.exec(tool._meta.x402.payIn) ?? [];
      const paid = await rpc('tools/call', { ...call, _meta: { [key]: await guided(challenge) } });
      return paid.structuredContent;
    });
  });
});

const priceOf = (operation: Json): number => Number(operation['x-payment-info'].price.amount);
