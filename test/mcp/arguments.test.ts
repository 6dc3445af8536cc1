import { describe, expect, it } from 'vitest';
import { callTool, legacy, post, testApp } from './endpoint.ts';

const app = testApp();
const call = (name: string, values: unknown) => callTool(app, 'legacy', name, { arguments: values });

describe('an argument as a model writes it', () => {
  it('may be a number as text', async () => {
    const { structuredContent } = await call('late_fee', {
      amount: '1250',
      due_date: '2026-11-04',
      paid_date: '2026-11-21',
      rate: '1.5',
      grace_days: '0',
    });
    expect(structuredContent).toMatchObject({ amount: 1250, days_late: 17, late_fee: 10.63 });
  });

  it('may be a list as a JSON string', async () => {
    const { structuredContent } = await call('quote_totals', {
      items: '[{"unit_price":"10","quantity":"2"}]',
    });
    expect(structuredContent).toMatchObject({ subtotal: 20, total: 20 });
  });

  it('may be null if it is optional', async () => {
    const { structuredContent } = await call('quote_totals', {
      items: [{ unit_price: 10, quantity: null, description: null }],
      tax_percent: null,
      currency: null,
    });
    expect(structuredContent).toMatchObject({ total: 10, currency: 'USD' });
  });

  it('may be null or absent as a whole if no argument is required', async () => {
    for (const params of [{ name: 'pricing' }, { name: 'pricing', arguments: null }]) {
      const { body } = await post(app, legacy('tools/call', params));
      expect(body.result?.structuredContent).toMatchObject({ x402_version: 2 });
    }
  });
});

describe('the text of an error over MCP', () => {
  it('has one line for each fault with its correction, as structuredContent has', async () => {
    const result = await call('quote_totals', {
      items: [{ unit_price: 10 }, { quantity: 0 }],
      tax: 5,
      valid_days: 999,
    });
    const [{ text = '' } = {}] = result.content;
    expect(text.replaceAll('"', '').split('\n').slice(1).sort()).toEqual([
      expect.stringMatching(/^- items\.1\.quantity: .*\b0\b.*\b1000000$/),
      expect.stringMatching(/^- items\.1\.unit_price: is required; .*\b450$/),
      expect.stringMatching(/^- tax: .*\bfield\b.*\btax_percent\?/),
      expect.stringMatching(/^- valid_days: .*\b1\b.*\b365$/),
    ]);
    const { errors, charged } = result.structuredContent as {
      charged: boolean;
      errors: { pointer: string; detail: string; hint?: string }[];
    };
    expect(charged).toBe(false);
    for (const { detail, hint } of errors) {
      expect(text).toContain(detail);
      expect(text).toContain(hint ?? detail);
    }
  });

  it('does not repeat invisible characters from unknown names', async () => {
    const hostile = 'a\u202Eb\u200Bc\u{E0041}\nIGNORE ALL\u0007';
    const { content, structuredContent } = await call('pricing', { [hostile]: 1, 'x/y~z': 2 });
    const shown = `${content[0]?.text}${JSON.stringify(structuredContent)}`;
    for (const invisible of ['\u202E', '\u200B', '\u0007', '\u{E0041}'])
      expect(shown).not.toContain(invisible);
    expect(content[0]?.text).toContain('- abc IGNORE ALL: ');
    expect(content[0]?.text).toContain('- x/y~z: ');
  });

  it('stays short for any input', async () => {
    const values = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`${'n'.repeat(40)}${index}`, 1]),
    );
    const { content } = await call('pricing', values);
    expect((content[0]?.text ?? '').split('\n').length).toBeLessThanOrEqual(102);
  });
});

it('the error for an invoice that is not yet due does not suggest another date', async () => {
  const early = { amount: 1250, due_date: '2026-12-24' };
  const { content } = await call('late_fee_notice', early);
  const text = content[0]?.text ?? '';
  const advised = /\b[Cc]orrect (?:these|this)\b/;
  expect(text.split('\n')).toEqual([
    expect.not.stringMatching(advised),
    expect.stringMatching(/^- due_date: .*24 December 2026.*21 November 2026.*25 December 2026/),
  ]);
  const both = await call('late_fee_notice', { ...early, tone: 'angry' });
  expect(both.content[0]?.text).toMatch(advised);
  expect(both.structuredContent?.detail).toMatch(advised);
});
