import { describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('a form for owners', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  const open = async (path: string, options?: Parameters<typeof pages.open>[0]) => {
    page = await pages.open(options);
    await page.goto(`${pages.url}${path}`);
  };
  const amount = () => page.locator('#f-amount');
  const due = () => page.locator('#f-due_date');

  it('proposes the currency of the main country of a language without a region', async () => {
    for (const path of ['/late-invoice', '/quote']) {
      await open(path, { locale: 'pl' });
      await expect.poll(() => page.locator('[name="currency"]').inputValue(), { message: path }).toBe('PLN');
    }
  });

  it.each(['/late-invoice', '/quote'])(
    'on %s writes money in the format of the page, even for a German browser',
    async (path) => {
      await open(path, { locale: 'de-DE' });
      const money = path === '/late-invoice' ? amount() : page.getByLabel('Price, line 1');
      await money.fill('1.250,00');
      if (path === '/late-invoice') await due().fill('2026-11-04');
      else await page.getByLabel('Quantity, line 1').fill('1.000');
      const read = path === '/late-invoice' ? ['= €1,250.00'] : ['= 1000', '= €1,250.00'];
      await expect.poll(() => page.locator('.understood:not(:empty)').allTextContents()).toEqual(read);
      await expect
        .poll(() => page.getByRole('main').textContent())
        .not.toMatch(/\d\.\d{3},\d|\d,\d{2}(?!\d)/);
      await money.fill('1,250');
      await page.locator('[id$=business],[name="business_name"]').first().focus();
      await expect.poll(() => page.locator('.fault .choice').allTextContents()).toEqual(['1.25', '1250']);
    },
  );

  it('stays within 320 pixels, even with many lines and open choices', async () => {
    for (const path of [
      '/quote#items.unit_price=5',
      '/late-invoice#amount=1250&due_date=2026-11-04&paid_date=2026-11-21',
    ]) {
      await open(path, { viewport: { width: 320, height: 640 } });
      await page.locator('#form[novalidate]').waitFor();
      await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
      await expect
        .poll(async () => [path, await page.evaluate('document.documentElement.scrollWidth - innerWidth')])
        .toEqual([path, 0]);
      expect(await barriersOf(page)).toEqual([]);
    }
  });
});
