import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const ROWS = 'Item\tQty\tPrice\nDesign\t2\t£450.00\nPlants\t40\t7.25\n';

describe.skipIf(executablePath === undefined)('what was written or pasted', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const open = (path: string) => page.goto(`${pages.url}${path}`);
  const paste = async (field: string, text: string): Promise<void> => {
    await page.getByLabel(field).focus();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
  };
  const whats = () =>
    page
      .locator('[name="items.description"]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value).filter(Boolean));
  /** What the page says of the pasting where eyes see it. */
  const said = () => page.locator('.pasted:visible').textContent();

  it('with a fault is found by the link to it, also below an empty line', async () => {
    await open('/quote');
    await page.locator('.line-total').first().waitFor({ state: 'attached' });
    await page.getByLabel('What, line 3').fill('Hedge');
    await page.locator('form p.buttons button').last().click();
    const link = page.locator('#faults a').first();
    expect([await link.textContent(), await link.getAttribute('href')]).toEqual([
      'Line 3, Price of one is required',
      '#f-items-2-unit_price',
    ]);
    await link.click();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('f-items-2-unit_price');
  });

  it.each(['/quote', '/quote-pack'])(
    'from a spreadsheet comes without a connection, too: %s',
    async (path) => {
      await open(path);
      await page.locator('.line-total').first().waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      await page.context().setOffline(true);
      await paste('What, line 1', ROWS);
      await expect.poll(whats).toEqual(['Design', 'Plants']);
      expect(await said()).toBe('2 lines pasted.');
      expect(await barriersOf(page)).toEqual([]);
      await page.context().setOffline(false);
      pages.complaints.length = 0;
    },
  );

  it('stays where rows are pasted above it', async () => {
    await open(
      '/quote#items.description=Lawn&items.unit_price=80&items.description=Hedge&items.unit_price=120&currency=GBP',
    );
    await page.getByLabel('What, line 2').waitFor();
    await paste('What, line 1', ROWS);
    await expect.poll(whats).toEqual(['Lawn', 'Design', 'Plants', 'Hedge']);
    await expect
      .poll(() => page.locator('.line-total').allTextContents())
      .toEqual(['£80.00', '£900.00', '£290.00', '£120.00', '']);
  });

  it('is said of its pasting until something else takes its place', async () => {
    await open('/quote');
    await page.locator('.line-total').first().waitFor({ state: 'attached' });
    await paste('What, line 1', `${ROWS}\nTotal\t\t1190`);
    await expect.poll(said).toBe('2 lines pasted. Left out: the row “Total”.');
    expect(await whats()).toEqual(['Design', 'Plants']);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Fill in an example' }).click();
    await expect.poll(whats).toContain('Garden design');
    expect(await page.locator('.pasted').textContent()).toBe('');
  });

  it('is named where there is no room or no field for it', async () => {
    await open('/quote');
    await page.locator('.line-total').first().waitFor({ state: 'attached' });
    const lines = Array.from({ length: 103 }, (_, index) => `Tree ${index + 1}\tA-${index}\t2\t5\t10`);
    await paste('What, line 1', ['Item\tCode\tQty\tPrice\tTotal', ...lines].join('\n'));
    await expect
      .poll(said)
      .toBe('100 lines pasted. The last 3 were not: there is room for 100 lines in all. Left out: Code.');
    expect(await page.getByRole('status').first().textContent()).toContain('The last 3 were not');
    expect(await whats()).toHaveLength(100);
  });

  it('is not cut short where it is too long, but said to be', async () => {
    await open('/quote');
    const long = 'Roses '.repeat(60).trim();
    await page.getByLabel('Price of one, line 1').fill('5');
    await page.getByLabel('What, line 1').focus();
    await page.keyboard.insertText(long);
    await page.keyboard.press('Tab');
    expect(await page.getByLabel('What, line 1').inputValue()).toBe(long);
    await expect.poll(() => page.locator('#f-items-0-description-fault').textContent()).toContain('200');
  });

  /** What is written is kept a moment later: in the address of a free page, in the tab of a paid one. */
  const isKept = (text: string) =>
    expect.poll(() => page.evaluate('location.hash + JSON.stringify(sessionStorage)')).toContain(text);

  it('outlasts a reload after a link within the page was followed', async () => {
    for (const path of ['/late-fee', '/late-fee-reminder']) {
      await open(path);
      await page.getByLabel('Amount of the invoice').fill('1250');
      await isKept('1250');
      await page.locator('.skip').focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      await page.reload();
      await expect.poll(() => page.getByLabel('Amount of the invoice').inputValue()).toBe('1250');
    }
    await open('/late-fee-reminder#example');
    await page.reload();
    await page.getByLabel('Amount of the invoice').fill('1300');
    await isKept('1300');
    await open('/terms');
    await open('/late-fee-reminder');
    await expect.poll(() => page.getByLabel('Amount of the invoice').inputValue()).toBe('1300');
  });

  it('outlasts a reload of a document that was sent as a link', async () => {
    await open('/quote#items.description=Lawn&items.unit_price=80&paper.issued_on=2026-11-21');
    await page.locator('.sheet').waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.reload();
    await page.locator('.sheet').waitFor();
    expect(await page.locator('.sheet').textContent()).toContain('Lawn');
  });

  it.each(['/late-fee', '/late-fee-reminder'])(
    'is asked about before an example takes its place: %s',
    async (path) => {
      await open(path);
      const questions: string[] = [];
      let isYes = false;
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void (isYes ? dialog.accept() : dialog.dismiss());
      });
      const amount = () => page.getByLabel('Amount of the invoice').inputValue();
      const example = page.getByRole('link', { name: 'Fill in an example' });
      await page.getByLabel('Amount of the invoice').fill('77');
      await example.click();
      expect([questions, await amount()]).toEqual([
        ['Put the example in the place of what you wrote?'],
        '77',
      ]);
      isYes = true;
      await example.click();
      expect(await amount()).toBe('1250');
    },
  );
});
