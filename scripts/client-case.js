// One client of scripts/clients.js, in a separate process: node scripts/client-case.js TOOL INDEX
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toolFolder } from './tool.js';

const { SERVICE_URL: url, BUYER_KEY: key, BUYER_ADDRESS: address, HOME: home } = process.env;
const [, , tool, index] = process.argv;

const JSON_BODY = { 'content-type': 'application/json' };
/** The three products over HTTP: the request and the expected answer. */
const products = [
  {
    path: '/v1/late-fee-notice?amount=1250&due_date=2026-09-01&client_name=Acme%20Ltd',
    init: { method: 'GET' },
    has: 'reminder',
    tool: 'late_fee_notice',
    arguments: { amount: 1250, due_date: '2026-09-01', client_name: 'Acme Ltd' },
  },
  {
    path: '/v1/quote-pack',
    init: { method: 'POST', headers: JSON_BODY, body: '{"items":[{"unit_price":450}]}' },
    has: 'options',
    tool: 'quote_pack',
    arguments: { items: [{ unit_price: 450 }] },
  },
  {
    path: '/v1/stack-report?business_type=consultant',
    init: { method: 'GET' },
    has: 'picks',
    tool: 'small_business_stack_report',
    arguments: { business_type: 'consultant' },
  },
];

/** Buys all three with a client's fetch, reads each receipt, and has bad input rejected without paying. */
async function buyAll(fetch) {
  for (const { path, init, has } of products) {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    assert.equal(response.status, 200, text.slice(0, 300));
    assert.ok(has in JSON.parse(text), text.slice(0, 300));
    const receipt = JSON.parse(Buffer.from(response.headers.get('payment-response'), 'base64').toString());
    assert.equal(receipt.success, true);
  }
  const refused = await fetch(`${url}/v1/late-fee-notice?amount=-1&due_date=soon`, { method: 'GET' });
  assert.equal(refused.status, 400);
}

/** Uses the tools of an MCP client that does not pay: two free ones, the price of a paid one, and bad arguments. */
async function useTools({ list, call }) {
  const names = (await list()).map((each) => (typeof each === 'string' ? each : each.name));
  for (const name of [
    'quote_totals',
    'late_fee',
    'list_tools',
    'pricing',
    ...products.map((each) => each.tool),
  ])
    assert.ok(
      names.some((each) => each.endsWith(name)),
      `no tool ${name} in ${names}`,
    );
  const text = async (...asked) => {
    try {
      const result = await call(...asked);
      return typeof result === 'string' ? result : JSON.stringify(result);
    } catch (error) {
      return `${error?.message} ${error?.data === undefined ? '' : JSON.stringify(error.data)}`;
    }
  };
  const fee = { amount: 1250, due_date: '2026-09-01', paid_date: '2026-11-21', rate: 1.5 };
  assert.match(await text('late_fee', fee), /50\.63|1300\.63/);
  assert.match(await text('quote_totals', { items: [{ unit_price: 450 }, { unit_price: 5 }] }), /455/);
  assert.match(await text('late_fee_notice', products[0].arguments), /x402Version|payment_required|10000/);
  // No schema can reject 30 February, so the service must.
  assert.match(await text('late_fee', { ...fee, due_date: '2026-02-30' }), /due_date/);
}

const { clients } = await import(pathToFileURL(join(toolFolder(tool), 'clients.js')).href);
try {
  await clients[Number(index)].run({ url, key, address, home, products, buyAll, useTools, assert });
  process.exit(0);
} catch (error) {
  console.log(
    `FAILED ${String(error?.message ?? error)
      .replaceAll('\n', ' ')
      .slice(0, 300)}`,
  );
  console.log(error);
  process.exit(1);
}
