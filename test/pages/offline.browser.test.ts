import { describe, expect, it } from 'vitest';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('a page that loses its connection', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });

  it('still calculates a quote and shows its document without further requests', async () => {
    const page = await pages.open();
    await page.goto(`${pages.url}/quote`);
    await page.locator('#form[novalidate]').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Price, line 1').fill('450');
    await page.getByLabel('Your business').fill('Green Gardens');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('.sheet').textContent()).toContain('£450.00');
    expect(await barriersOf(page)).toEqual([]);
    await page.context().setOffline(false);
  });
});
