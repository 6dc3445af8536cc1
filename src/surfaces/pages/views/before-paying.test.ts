import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { type Asked, letterBefore, reportBefore } from './before-paying.ts';

const askedFor =
  (values: Readonly<Record<string, string>>): Asked =>
  (name) =>
    values[name] ?? null;

test('a report without subscriptions is promised as what it is, on the page and before it is paid for', async () => {
  expect(reportBefore(askedFor({ business_type: 'creator', free_only: 'true' })).join()).toContain(
    'a share of each sale may still be taken',
  );
  expect(reportBefore(askedFor({ business_type: 'creator' }))).toEqual([]);
  const html = await (await testApp().get('/stack-report')).text();
  const label = /<label for="f-free_only">([^<]*)/.exec(html)?.[1];
  expect(label).toBe('Only tools without a subscription');
  expect(/id="f-free_only-hint"[^>]*>([^<]*)/.exec(html)?.[1]).toMatch(
    /a share of each sale may still be taken/,
  );
});

test('a letter that names no business is said to, unless a name came along for its document', () => {
  expect(letterBefore(askedFor({ amount: '1250' })).join()).toMatch(/^The letter will name no business/);
  expect(letterBefore(askedFor({ business_name: ' ' }))).toHaveLength(1);
  expect(letterBefore(askedFor({ business_name: 'Green Gardens' }))).toEqual([]);
  expect(letterBefore(askedFor({ 'paper.business': 'Green Gardens' }))).toEqual([]);
});
