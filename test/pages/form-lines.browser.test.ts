import { describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const PHONE = { width: 360, height: 740 };

describe.skipIf(executablePath === undefined)('the lines of a form', () => {
  const pages = pagesUnderTest({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  let page: Page;

  const open = async (path: string, options?: Parameters<typeof pages.open>[0]) => {
    page = await pages.open(options);
    await page.goto(`${pages.url}${path}`);
  };

  it('moves and removes lines by keyboard, with the total of each at once', async () => {
    await open('/quote-pack');
    for (const [row, name, price] of [
      [1, 'Design', '450'],
      [2, 'Plants', '7,25'],
      [3, 'Lights', '220'],
    ] as const) {
      await page.getByLabel(`What, line ${row}`).fill(name);
      await page.getByLabel(`Price of one, line ${row}`).fill(price);
    }
    const lines = () => page.locator('.line-total').allTextContents();
    await expect.poll(lines).toEqual(['£450.00', '£7.25', '£220.00']);
    await page.getByRole('button', { name: 'Move up line 3' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(lines).toEqual(['£450.00', '£220.00', '£7.25']);
    expect(await page.getByLabel('What, line 2').inputValue()).toBe('Lights');
    expect(
      await page
        .getByRole('button', { name: 'Move up line 2' })
        .evaluate((button) => button.matches(':focus')),
    ).toBe(true);
    await page.getByRole('button', { name: 'Remove line 1' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(lines).toEqual(['£220.00', '£7.25']);
    expect(await page.getByLabel('What, line 1').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await page.getByRole('status').textContent()).toBe('Line 1 removed.');
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await barriersOf(page)).toEqual([]);
  });

  it.each([PHONE, { width: 1280, height: 900 }])('has room for what a line is, at %o', async (viewport) => {
    for (const path of ['/quote', '/quote-pack']) {
      await open(path, { viewport });
      const what = await page.getByLabel('What, line 1').boundingBox();
      const quantity = await page.getByLabel('Quantity, line 1').boundingBox();
      expect(what?.width, path).toBeGreaterThan(2 * (quantity?.width ?? Number.POSITIVE_INFINITY));
    }
  });
});
