import { describe, expect, it } from 'vitest';
import { executablePath, newcomer, payingBench } from './paying-bench.ts';

// This is the only browser suite that `npm test` runs: each thing that an owner does on the pages, once.
describe.skipIf(executablePath === undefined)('a walk through the pages', () => {
  const bench = payingBench();
  const { press, isBought, result, spentIn } = bench;

  it('calculates a late fee during typing and takes it to the letter', async () => {
    await bench.page.goto(`${bench.url}/late-invoice`);
    await bench.page.locator('#form[novalidate]').waitFor();
    await bench.page.fill('#f-amount', '1250');
    await bench.page.fill('#f-due_date', '2026-11-04');
    await expect.poll(() => bench.page.locator('#total').textContent()).toMatch(/1,2\d\d\.\d\d/);
    await bench.page.locator('#buy').click();
    await expect.poll(() => bench.page.url()).toContain('/late-invoice');
    await expect.poll(() => bench.page.locator('#f-amount').inputValue()).toBe('1250');
    await expect.poll(() => bench.page.locator('#f-due_date').inputValue()).toBe('2026-11-04');
  });

  it('calculates a quote line by line and takes it to the three options', async () => {
    await bench.page.goto(`${bench.url}/quote`);
    await bench.page.locator('#form[novalidate]').waitFor();
    await bench.page.fill('#f-items-0-description', 'Roses');
    await bench.page.fill('#f-items-0-quantity', '40');
    await bench.page.fill('#f-items-0-unit_price', '2.50');
    await expect.poll(() => bench.page.locator('#total').textContent()).toContain('100.00');
    await bench.page.getByRole('button', { name: /Offer 3 options/ }).click();
    await bench.page.getByLabel('Your trade').waitFor();
  });

  it('sells a letter for a cent of play money and prints it', async () => {
    bench.buyer = newcomer;
    const asked = await bench.openWithPlayMoney();
    const spent = await spentIn(async () => {
      await bench.askForReminder('Walker Ltd');
      await press('Pay 0.01 USDC');
      await isBought('Your reminder');
    });
    expect(spent).toBe(10_000n);
    expect(asked()).toEqual([]);
    // The play-money chain has the name of Base, but the block explorer of Base has none of its transactions.
    await expect.poll(() => bench.page.locator('main a[href*="scan"]').count()).toBe(0);
    await expect.poll(() => result().textContent()).toContain('Hello Walker Ltd,');
    expect((await bench.page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('finds a tool by its purpose, with the quote of its vendor', async () => {
    await bench.page.goto(`${bench.url}/tools/category/time-tracking`);
    await bench.page
      .locator('main')
      .getByRole('link', { name: /Clockify/ })
      .first()
      .click();
    await bench.page.locator('blockquote').first().waitFor();
    await expect.poll(() => bench.page.locator('h1').textContent()).toContain('Clockify');
  });
});
