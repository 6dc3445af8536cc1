import { describe, expect, it } from 'vitest';
import { fakePayment } from '../support/app.ts';
import { post, testApp } from './endpoint.ts';

const app = testApp();
const payment = Buffer.from(fakePayment(), 'base64').toString();
const message = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
const call = (name: string, values: string, meta = '') =>
  post(app, message(`{"name":"${name}","arguments":${values}${meta && `,"_meta":${meta}`}}`));
const faultsOf = async (posted: ReturnType<typeof call>) => {
  const { structuredContent = {} } = (await posted).body.result ?? {};
  const { code, errors = [] } = structuredContent as {
    code?: string;
    errors?: { pointer: string; code: string }[];
  };
  return [code, ...errors.map((error) => `${error.pointer} ${error.code}`)];
};

describe('a JSON name that occurs twice', () => {
  it.each([
    ['late_fee', '{"amount":5,"amount":5000,"due_date":"2026-01-01"}', '/amount'],
    ['late_fee', '{"amount":5,"\\u0061mount":5000,"due_date":"2026-01-01"}', '/amount'],
    ['quote_totals', '{"items":[{"unit_price":1},{"unit_price":1,"unit_price":2}]}', '/items/1/unit_price'],
    ['quote_totals', '{"items":[],"items":[{"unit_price":1}]}', '/items'],
    ['late_fee_notice', '{"amount":5,"amount":5,"due_date":"2026-01-01"}', '/amount'],
  ])('in the arguments of %s gets the same error as over HTTP', async (name, values, pointer) => {
    expect(await faultsOf(call(name, values))).toEqual(['invalid_input', `${pointer} repeated_field`]);
  });

  const NOTICE = '{"amount":5,"due_date":"2026-01-01"}';
  it.each([
    [
      payment.replace('"value":"10000"', '"value":"1","value":"10000"'),
      '/payment/payload/authorization/value',
    ],
    [payment.replace('"x402Version":2', '"x402Version":1,"x402Version":2'), '/payment/x402Version'],
    [payment.replace('"scheme":"exact"', '"scheme":"upto","scheme":"exact"'), '/payment/accepted/scheme'],
  ])('in a payment makes the payment unreadable', async (twice, pointer) => {
    expect(await faultsOf(call('late_fee_notice', NOTICE, `{"x402/payment":${twice}}`))).toEqual([
      'invalid_payment',
      `${pointer} repeated_field`,
    ]);
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}',
    message('{"name":"late_fee","name":"quote_totals","arguments":{}}'),
    message(`{"name":"late_fee","arguments":{},"arguments":${NOTICE}}`),
    message(
      `{"name":"late_fee_notice","arguments":${NOTICE},"_meta":{"x402/payment":{},"x402/payment":${payment}}}`,
    ),
    message('{"name":"late_fee","arguments":{},"_meta":{},"_meta":{}}'),
  ])('elsewhere makes the message invalid: %s', async (text) => {
    const { status, body } = await post(app, text);
    expect([status, body.id, body.error?.code]).toEqual([400, null, -32600]);
    expect(body.error?.message).toContain('more than once');
  });

  it('is not a fault if it is inside a string or in another object', async () => {
    const values = '{"items":[{"description":"\\"a\\":1,\\"a\\":2 {\\\\","unit_price":1},{"unit_price":1}]}';
    expect(await faultsOf(call('quote_totals', values))).toEqual([undefined]);
  });
});

describe('an MCP message', () => {
  it('with more than 2,000 names is refused', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `"n${index}":1`).join();
    const { status, body } = await call('late_fee', `{${names(2_000)}}`);
    expect([status, body.error]).toEqual([
      400,
      { code: -32600, message: 'The message has more than 2000 names.' },
    ]);
    expect((await faultsOf(call('late_fee', `{${names(1_900)}}`)))[0]).toBe('invalid_input');
  });

  it('with a hundred lines that use every field is accepted', async () => {
    const line = '{"description":"x","quantity":2,"unit_price":1}';
    expect(await faultsOf(call('quote_totals', `{"items":[${Array(100).fill(line).join()}]}`))).toEqual([
      undefined,
    ]);
  });
});

describe('a payment that is a JSON object', () => {
  const paid = (extensions: unknown) =>
    faultsOf(
      call(
        'late_fee_notice',
        '{"amount":5,"due_date":"2026-01-01"}',
        `{"x402/payment":${JSON.stringify({ ...JSON.parse(payment), extensions })}}`,
      ),
    );
  const room = 12_288 - JSON.stringify({ ...JSON.parse(payment), extensions: { a: '' } }).length;

  it('may be as long as a header, and not one character longer', async () => {
    expect(await paid({ a: 'x'.repeat(room) })).toEqual(['settlement_unavailable']);
    expect(await paid({ a: 'x'.repeat(room + 1) })).toEqual(['invalid_payment', '/payment too_long']);
  });

  it('is rejected as too long if it is nested too deeply to be serialized', async () => {
    const deep = `{"x402/payment":{"extensions":${'['.repeat(9_000)}${']'.repeat(9_000)}}}`;
    expect(await faultsOf(call('late_fee_notice', '{"amount":5,"due_date":"2026-01-01"}', deep))).toEqual([
      'invalid_payment',
      '/payment too_long',
    ]);
  });
});
