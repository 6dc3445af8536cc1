import { paymentHeader } from '../../support/payments.ts';
import type { Heard } from '../client.ts';
import type { Kind } from '../kind.ts';
import { CENT, notice, toolCall } from '../shop.ts';

const VALUES = { amount: 1250, due_date: '2026-01-15', client_name: 'Acme' };
let clients = 0;
const values = () => {
  clients += 1;
  return { ...VALUES, client_name: `MCP ${clients}` };
};

/** Whether a reply has an answer, and no error of the protocol or of a tool. */
const isServed = (json: Heard['json']): boolean => json?.result !== undefined && json.result.isError !== true;

export const mcpKinds: readonly Kind[] = [
  {
    name: 'duplicate keys',
    promise: 'a message that contains a key twice is refused, wherever the key is',
    async run(scene) {
      const shop = await scene.house();
      const text = JSON.stringify(toolCall('late_fee', { amount: 5, due_date: '2026-01-15' }));
      const doubled = [
        text.replace('"amount":5', '"amount":5,"amount":5000'),
        text.replace('"name":"late_fee"', '"name":"late_fee","name":"quote_totals"'),
        text.replace('"method":"tools/call"', '"method":"ping","method":"tools/call"'),
        text.replace('"id":1', '"id":1,"id":2'),
        text.replace('"amount":5', '"amount":5,"\\u0061mount":5000'),
        text.replace('"arguments"', '"arguments":{},"arguments"'),
      ];
      for (const body of doubled) {
        const { json, status } = await shop.mcp(body);
        scene.held(!(status === 200 && isServed(json)), `it was served: ${body.slice(60, 160)}`);
      }
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const paid = JSON.stringify(toolCall('late_fee_notice', values(), payment));
      const twice = paid.replace('"amount":1250', '"amount":1,"amount":1250');
      const { json } = await shop.mcp(twice);
      scene.held(!isServed(json), 'a paid call was served');
      scene.held((await shop.sent()).length === 0, 'it was charged');
    },
  },
  {
    name: 'forged payments of any shape',
    promise: 'an invalid payment of any shape is refused without an internal error, a charge or an answer',
    async run(scene) {
      const shop = await scene.house();
      const good = await shop.sign(await scene.buyer(shop.chain));
      const authorization = good.payload.authorization;
      const odd: unknown[] = [
        null,
        true,
        7,
        '',
        'x',
        [],
        {},
        [good],
        { payload: null },
        { ...good, payload: [] },
        { ...good, x402Version: 1 },
        { ...good, x402Version: '2' },
        { ...good, accepted: null },
        { ...good, payload: { ...good.payload, signature: 7 } },
        { ...good, payload: { ...good.payload, authorization: { ...authorization, value: 10_000 } } },
        {
          ...good,
          payload: { ...good.payload, authorization: { ...authorization, nonce: [authorization.nonce] } },
        },
        { ...good, payload: { ...good.payload, signature: `0x${'11'.repeat(64)}1b` } },
        { ...good, extensions: 'x' },
        { ...good, extensions: { 'payment-identifier': { info: { id: '' } } } },
        `${paymentHeader(good)}!`,
        paymentHeader(good).repeat(2),
      ];
      for (const payment of odd) {
        const { status, json } = await shop.tool(payment, 'late_fee_notice', values(), CENT);
        scene.held(
          status < 500 && json?.error?.code !== -32603,
          `${JSON.stringify(payment)?.slice(0, 60)}: ${status}`,
        );
        scene.held(!isServed(json), `${JSON.stringify(payment)?.slice(0, 60)} was served`);
      }
      scene.held((await shop.sent()).length === 0, 'it was charged');
    },
  },
  {
    name: 'keys of the prototype',
    promise: 'keys such as __proto__ have no effect on this call or on later ones',
    async run(scene) {
      const shop = await scene.house();
      const keys = [
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        'hasOwnProperty',
        '__defineGetter__',
      ];
      for (const key of keys)
        for (const body of [
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late_fee","arguments":{"amount":5,"due_date":"2026-01-15","${key}":{"price":null,"isError":false}}}}`,
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${key}","arguments":{}}}`,
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"late_fee_notice","arguments":${JSON.stringify(VALUES)},"_meta":{"${key}":{"x402/payment":{}},"x402/payment":{"${key}":{"x402Version":2}}}}}`,
          `{"jsonrpc":"2.0","id":1,"method":"${key}","params":{}}`,
          `{"${key}":{"method":"tools/call"},"jsonrpc":"2.0","id":1,"method":"ping"}`,
        ]) {
          const { status, json } = await shop.mcp(body);
          scene.held(status < 500 && json?.error?.code !== -32603, `${body.slice(0, 80)}: ${status}`);
        }
      const { json } = await shop.mcp(toolCall('late_fee_notice', values()));
      scene.held(json?.result?.isError === true, 'a paid tool is free afterward');
      scene.held((await shop.get(notice().path)).status === 402, 'a paid route is free afterward');
    },
  },
  {
    name: 'several calls in one message',
    promise: 'a batch of calls with one payment buys at most one answer',
    async run(scene) {
      const shop = await scene.house();
      const payment = await shop.sign(await scene.buyer(shop.chain));
      const calls = [1, 2, 3, 4].map((id) => toolCall('late_fee_notice', values(), payment, id));
      const { json } = await shop.mcp(calls);
      const answers = [json].flat().filter(isServed);
      scene.held(answers.length <= 1, `${answers.length} answers`);
      const same = await Promise.all(
        [1, 2, 3, 4].map(() => shop.tool(payment, 'late_fee_notice', values(), CENT)),
      );
      scene.tried(4);
      const bought = same.filter((heard) => isServed(heard.json));
      scene.held(bought.length + answers.length <= 1, `${bought.length + answers.length} answers`);
    },
  },
  {
    name: 'foreign origins',
    promise:
      'a page of another origin, or one that reaches the service under its own host name, cannot call tools',
    async run(scene) {
      const shop = await scene.house();
      const origins = [
        'https://evil.example',
        'null',
        'http://127.0.0.1.evil.example',
        'http://localhost.evil.example',
        `${shop.seller.url}.evil.example`,
        'file://',
        'http://0.0.0.0:1',
        'https://127.0.0.1@evil.example',
      ];
      for (const origin of origins) {
        const { status } = await shop.mcp(toolCall('late_fee', VALUES), { origin });
        scene.held(status === 403, `origin ${origin}: ${status}`);
      }
      for (const host of ['evil.example', 'evil.example:80', `evil.example:${shop.seller.port}`]) {
        const { status } = await shop.mcp(toolCall('late_fee', VALUES), { host, origin: `http://${host}` });
        scene.held(status === 403, `host and origin ${host}: ${status}`);
      }
    },
  },
  {
    name: 'two payments in one call',
    promise: 'a payment in the header and another in the message are one purchase',
    async run(scene) {
      const shop = await scene.house();
      for (let round = 0; round < 2; round += 1) {
        const one = await shop.sign(await scene.buyer(shop.chain));
        const other = await shop.sign(await scene.buyer(shop.chain));
        const before = (await shop.transfers()).length;
        await shop.mcp(toolCall('late_fee_notice', values(), one), {
          'payment-signature': paymentHeader(other),
        });
        const charged = (await shop.transfers()).length - before;
        scene.held(charged <= 1, `charged ${charged} times`);
      }
    },
  },
  {
    name: 'large payments',
    promise: 'a payment object over MCP has the same maximum size as over HTTP',
    async run(scene) {
      const shop = await scene.house();
      const payment = await shop.sign(await scene.buyer(shop.chain), notice(), {
        extensions: { junk: 'x'.repeat(50_000) },
      });
      const { json, status } = await shop.tool(payment, 'late_fee_notice', values(), CENT);
      scene.held(status < 500 && !isServed(json), 'it was served');
      scene.held((await shop.sent()).length === 0, 'it was charged');
    },
  },
  {
    name: 'a flood of messages',
    promise: 'an address may send about three hundred messages a minute, and others are still served',
    async run(scene) {
      const shop = await scene.shop({ settings: { FREE_REQUESTS_PER_MINUTE: '30' } });
      let limited = 0;
      for (let count = 0; count < 340; count += 1) {
        const { status } = await shop.mcp({ jsonrpc: '2.0', id: 1, method: 'ping' }, {}, '127.0.9.9');
        if (status === 429) limited += 1;
      }
      scene.tried(340);
      scene.held(limited >= 39, `${limited} of 340 got 429`);
      const other = await shop.mcp({ jsonrpc: '2.0', id: 1, method: 'ping' }, {}, '127.0.9.10');
      scene.held(other.status === 200, `another address: ${other.status}`);
    },
  },
  {
    name: 'ids and versions of any shape',
    promise: 'messages of any shape are answered without an internal error',
    async run(scene) {
      const shop = await scene.house();
      const ids = [
        'null',
        '{}',
        '[]',
        '1e400',
        '-0',
        '"\\u0000"',
        `"${'x'.repeat(10_000)}"`,
        'true',
        '9007199254740993',
        '0.1',
      ];
      for (const id of ids) {
        const { status, json } = await shop.mcp(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"late_fee","arguments":${JSON.stringify(VALUES)}}}`,
        );
        scene.held(status < 500 && json?.error?.code !== -32603, `id ${id.slice(0, 20)}: ${status}`);
      }
      for (const version of ['', '1.0', '9999-99-99', 'x'.repeat(2_000), '__proto__']) {
        const { status } = await shop.mcp(toolCall('late_fee', VALUES), { 'mcp-protocol-version': version });
        scene.held(status < 500, `version ${version.slice(0, 20)}: ${status}`);
      }
      for (const body of [
        '',
        'null',
        '[]',
        '7',
        '"x"',
        '{',
        '[[[[[]]]]]',
        '{"jsonrpc":"2.0"}',
        '\ufeff{}',
        '['.repeat(50_000),
      ]) {
        const { status } = await shop.mcp(body);
        scene.held(status < 500, `${body.slice(0, 20)}: ${status}`);
      }
    },
  },
];
