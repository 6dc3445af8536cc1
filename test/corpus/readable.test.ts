import { describe, expect, it } from 'vitest';
import { post } from './asked.ts';
import { readableAnswer, readableRequest } from './readable.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

describe('an answer in readable form', () => {
  it('shows a base64 header decoded, without what is also in the body', () => {
    const body = { code: 'payment_required', accepts: [{ amount: '10000' }] };
    const header = encoded({ x402Version: 2, accepts: body.accepts });
    const told = readableAnswer(`402\npayment-required: ${header}\n\n${JSON.stringify(body)}`);
    expect(told).toContain('payment-required: { "x402Version": 2, "accepts": "(as in the body)" }');
    expect(told).toContain('{ "code": "payment_required", "accepts": [{ "amount": "10000" }] }');
  });

  it('shows each line of a text on its own line', () => {
    expect(readableAnswer('200\n\n{"body":"Hello,\\n\\nThank \\"you\\"."}')).toBe(
      '200\n\n{\n  "body": """\n    Hello,\n\n    Thank "you".\n    """\n}',
    );
  });

  it.each(['{"sum":1.50}', '{ "sum": 1 }', '{"a":1,"a":2}', '{"sum"', ''])(
    'shows a body as it is if JSON would be written differently: %j',
    (body) => {
      expect(readableAnswer(`200\ncontent-length: 0\n\n${body}`)).toBe(
        body === '' ? '200\ncontent-length: 0' : `200\n\n${body}`,
      );
    },
  );

  it('shows a character that is repeated a hundred times once', () => {
    expect(readableRequest(post('/x', { name: 'y'.repeat(5000) }, {}))).toBe(
      'POST /x\n\n{ "name": "y…(5000 times)" }',
    );
  });
});
