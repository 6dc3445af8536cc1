import { describe, expect, it } from 'vitest';
import { post } from './asked.ts';
import { readableAnswer, readableRequest } from './readable.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

describe('an answer as a person reads it', () => {
  it('has a base64 header decoded, without what the body says too', () => {
    const body = { code: 'payment_required', accepts: [{ amount: '10000' }] };
    const header = encoded({ x402Version: 2, accepts: body.accepts });
    const told = readableAnswer(`402\npayment-required: ${header}\n\n${JSON.stringify(body)}`);
    expect(told).toContain('payment-required: { "x402Version": 2, "accepts": "(as in the body)" }');
    expect(told).toContain('{ "code": "payment_required", "accepts": [{ "amount": "10000" }] }');
  });

  it('has the lines of a text on lines of their own', () => {
    expect(readableAnswer('200\n\n{"body":"Hello,\\n\\nThank \\"you\\"."}')).toBe(
      '200\n\n{\n  "body": """\n    Hello,\n\n    Thank "you".\n    """\n}',
    );
  });

  it.each(['{"sum":1.50}', '{ "sum": 1 }', '{"a":1,"a":2}', '{"sum"', ''])(
    'has a body that JSON would be written otherwise as it is: %j',
    (body) => {
      expect(readableAnswer(`200\ncontent-length: 0\n\n${body}`)).toBe(
        body === '' ? '200\ncontent-length: 0' : `200\n\n${body}`,
      );
    },
  );

  it('has a character that comes a hundred times once', () => {
    expect(readableRequest(post('/x', { name: 'y'.repeat(5000) }, {}))).toBe(
      'POST /x\n\n{ "name": "y…(5000 times)" }',
    );
  });
});
