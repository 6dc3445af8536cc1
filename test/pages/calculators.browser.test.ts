import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

describe.skipIf(executablePath === undefined)('the pages for people in a browser', () => {
  let page: Page;
  const pages = pagesUnderTest({ viewport: { width: 1000, height: 900 } });
  const { asked, open } = pages;
  const visit = (path: string) => page.goto(`${pages.url}${path}`);

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
    await expect
      .poll(() => page.locator('.quote-sums').textContent())
      .toContain('$200.00 now, $1,166.44 later');
    await expect
      .poll(() => page.locator('.steps').textContent())
      .toContain('863.51 x 20% = 172.702, rounded to 172.70');
    await page.locator('.chip > summary', { hasText: 'Discount' }).click();
    await page.locator('#f-discount_percent').fill('5');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => page.locator('#faults').textContent())
      .toContain('“Discount amount” is also given as a percentage: leave one of the two empty');
  });

  it('add lines one by one, each with its own labels', async () => {
    await visit('/quote');
    await expect.poll(() => page.locator('.quote-line').count()).toBe(3);
    await page.getByRole('button', { name: 'Add a line' }).click();
    await page.keyboard.type('Fourth');
    await page.getByLabel('Price, line 4').fill('5');
    await expect.poll(() => page.locator('#total').textContent()).toBe('$5.00');
    await expect.poll(() => page.getByLabel('Item, line 4').inputValue()).toBe('Fourth');
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
    await expect.poll(() => page.locator('.quote-line').count()).toBe(3);
    page = await open({ javaScriptEnabled: false });
    await visit('/quote');
    await page.getByLabel('Price, line 1').fill('5');
    await page.keyboard.press('Enter');
    await expect.poll(total).toBe('$5.00');
  });

  it('ignore parameters that are not for their form', async () => {
    for (const path of ['/late-invoice?utm_source=mail', '/late-invoice#api', '/quote?fbclid=1#example']) {
      await visit(path);
      await page.waitForTimeout(200);
      await expect.poll(async () => [path, await page.locator('#faults li').count()]).toEqual([path, 0]);
      await expect.poll(() => page.locator('input:focus').count()).toBe(0);
    }
  });

  it('refuse too many lines instead of omitting some', async () => {
    const lines = Array.from({ length: 150 }, () => 'items.unit_price=1').join('&');
    await visit(`/quote#${lines}`);
    await expect
      .poll(() => page.locator('#faults li').allTextContents())
      .toEqual(['“Items” must have 1 to 100 lines']);
    await expect.poll(() => page.locator('#total').textContent()).toBe('$0.00');
  });

  it('fill in an example without leaving the page', async () => {
    for (const [path, shown, value] of [
      ['/late-invoice', '#figure', '10.63'],
      ['/quote', '#total', '$1,223.77'],
    ] as const) {
      page = await open();
      // Timers run only by `page.clock.runFor`, however busy the machine is. The timers that the page sets at its start must run.
      await page.clock.install({ time: '2026-11-21T10:00:00Z' });
      await visit(path);
      await page.clock.pauseAt('2026-11-21T11:00:00Z');
      const before = asked.length;
      await page.getByRole('link', { name: 'Fill in an example' }).click();
      await expect.poll(() => page.locator(shown).textContent()).toContain(value);
      await page.clock.runFor(5_000);
      expect(asked.slice(before)).toEqual([]);
    }
  });
});
