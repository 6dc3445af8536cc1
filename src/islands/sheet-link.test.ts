import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { green, packed } from '../../test/support/papers.ts';
import { packSheet } from '../surfaces/pages/documents/pack.ts';
import type { Sheet } from '../surfaces/pages/documents/sheet.ts';
import { sheetIn, sheetLink } from './sheet-link.ts';

const sheet = packSheet(packed(), { ...green, pay: 'https://buy.stripe.com/x' });
const opened = async (sent: unknown) => sheetIn((await sheetLink(sent as Sheet)).split('#')[1] ?? '');

beforeEach(() => vi.stubGlobal('location', { origin: 'https://example.com' }));
afterEach(() => vi.unstubAllGlobals());

it('a link opens the document that it was made from', async () => {
  expect(await opened(sheet)).toEqual(sheet);
});

it.each([
  { contact: [5] },
  { facts: 'none' },
  { parts: [{ payment: { address: 'javascript:alert(1)', of: '' } }] },
  { parts: [{ payment: { address: 'https://127.0.0.1/x', of: '' } }] },
  { parts: [{ steps: [{ title: { link: 'Pay', href: 'https://example.net' } }] }] },
  { parts: [{ terms: 'none' }] },
  { parts: [{ table: { head: [] } }] },
])('a link opens nothing if its document is not one that this site makes: %j', async (changed) => {
  expect(await opened({ ...sheet, ...changed })).toBeNull();
});
