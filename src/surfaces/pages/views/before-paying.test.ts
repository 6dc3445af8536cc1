import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { type Asked, letterBefore } from '../documents/letter.ts';
import { reportBefore } from '../documents/report.ts';

const askedFor =
  (values: Readonly<Record<string, string>>): Asked =>
  (name) =>
    values[name] ?? null;

test('a report that includes no subscriptions is described as such on the page and before payment', async () => {
  const share = /\bshare of each sale\b/;
  expect(reportBefore(askedFor({ business_type: 'creator', free_only: 'true' })).join()).toMatch(share);
  expect(reportBefore(askedFor({ business_type: 'creator' }))).toEqual([]);
  const html = await (await testApp().get('/plan')).text();
  const label = /<label for="f-free_only">([^<]*)/.exec(html)?.[1];
  expect(label).toMatch(/\bsubscription\b/);
  expect(/id="f-free_only-hint"[^>]*>([^<]*)/.exec(html)?.[1]).toMatch(share);
});

test('a letter without a business name gets a warning, unless its document has a name', () => {
  expect(letterBefore(askedFor({ amount: '1250' })).join()).toMatch(/\bdoes not have your business name\b/);
  expect(letterBefore(askedFor({ business_name: ' ' }))).toHaveLength(1);
  expect(letterBefore(askedFor({ business_name: 'Green Gardens' }))).toEqual([]);
  expect(letterBefore(askedFor({ 'paper.business': 'Green Gardens' }))).toEqual([]);
});
