import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath } from '../support/pages-under-test.ts';
import { calculatorPages } from './calculator-pages.ts';

describe.skipIf(executablePath === undefined)('the pages for people in a browser', () => {
  let page: Page;
  const { pages, open, visit } = calculatorPages(() => page);
  const { asked } = pages;

  beforeEach(async () => {
    page = await open();
  });

  it('tax each line of a quote at its rate, and take a discount and a deposit as money', async () => {
    await visit('/quote');
    await page.locator('#form[novalidate]').waitFor();
    for (const [row, price, rate] of [
      [1, '900', ''],
      [2, '213.5', '5'],
      [3, '120', '0'],
    ] as const) {
      await page.getByLabel(`Price, line ${row}`).fill(price);
      await page.getByLabel(`More for line ${row}`).click();
      await page.getByLabel(`Other tax, %, line ${row}`).fill(rate);
    }
    await page.locator('#form').getByText('Tax 5%').click();
    await page.locator('#f-tax_percent').fill('20');
    await page.getByText('Add a discount').click();
    await page.getByLabel('Discount amount').fill('50');
    await page.getByText('Ask for a deposit').click();
    await page.getByLabel('Deposit amount').fill('200');
    await expect.poll(() => page.locator('#total').textContent()).toBe('$1,366.44');
    expect(await page.locator('.quote-sums').textContent()).toContain('$200.00 now, $1,166.44 later');
    expect(await page.locator('.steps').textContent()).toContain('863.51 x 20% = 172.702, rounded to 172.70');
    await page.locator('.chip > summary', { hasText: 'Discount' }).click();
    await page.locator('#f-discount_percent').fill('5');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => page.locator('#faults').textContent())
      .toContain('“Discount amount” is also given as a percentage: leave one of the two empty');
  });

  it('open a quote from a link that contains it, and send none of it to the server', async () => {
    await visit('/quote#items.description=Lawn&items.quantity=2&items.unit_price=40.5&tax_percent=10');
    const total = () => page.locator('#total').textContent();
    await expect.poll(total).toBe('$89.10');
    await page.getByLabel('What, line 2').fill('Hedge');
    await page.getByLabel('Price, line 2').fill('12');
    await expect.poll(total).toBe('$102.30');
    await page.reload();
    await expect.poll(total).toBe('$102.30');
    expect(await page.getByLabel('What, line 2').inputValue()).toBe('Hedge');
    expect(asked.filter((url) => /Lawn|Hedge|40\.5/.test(url))).toEqual([]);
  });

  it('add lines one by one, each with its own labels', async () => {
    await visit('/quote');
    expect(await page.locator('.quote-line').count()).toBe(3);
    await page.getByRole('button', { name: 'Add a line' }).click();
    await page.keyboard.type('Fourth');
    await page.getByLabel('Price, line 4').fill('5');
    await expect.poll(() => page.locator('#total').textContent()).toBe('$5.00');
    expect(await page.getByLabel('What, line 4').inputValue()).toBe('Fourth');
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('calculate the result on Enter, with and without JavaScript', async () => {
    const total = () => page.locator('#total').textContent();
    await visit('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await page.getByLabel('Price, line 1').fill('5');
    await page.keyboard.press('Enter');
    await expect.poll(total).toBe('$5.00');
    expect(await page.locator('.quote-line').count()).toBe(3);
    page = await open({ javaScriptEnabled: false });
    await visit('/quote');
    await page.getByLabel('Price, line 1').fill('5');
    await page.keyboard.press('Enter');
    await page.waitForLoadState();
    expect(await total()).toBe('$5.00');
  });

  it('ignore parameters that are not for their form', async () => {
    for (const path of ['/late-invoice?utm_source=mail', '/late-invoice#api', '/quote?fbclid=1#example']) {
      await visit(path);
      await page.waitForTimeout(200);
      expect([path, await page.locator('#faults li').count()]).toEqual([path, 0]);
      expect(await page.locator('input:focus').count()).toBe(0);
    }
  });
});
