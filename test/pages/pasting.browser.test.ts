import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const ROWS = 'Item\tQty\tPrice\nDesign\t2\t£450.00\nPlants\t40\t7.25\n';

describe.skipIf(executablePath === undefined)('rows pasted from a spreadsheet', () => {
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
  /** The total of each line that has one. */
  const totals = async () => (await page.locator('.quote-line > .amount').allTextContents()).filter(Boolean);
  /** The page's visible message about the pasted text. */
  const said = () => page.locator('.pasted:visible > p').first().textContent();

  it('can be read without a connection', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await page.context().setOffline(true);
    await paste('Item, line 1', ROWS);
    await expect.poll(whats).toEqual(['Design', 'Plants']);
    await expect.poll(said).toBe('2 lines pasted.');
    expect(await barriersOf(page)).toEqual([]);
    await page.context().setOffline(false);
    pages.complaints.length = 0;
  });

  it('may begin with an empty heading cell', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await paste('Item, line 1', '\tQty\tPrice\nRoses\t40\t2.50\nVases\t10\t8\n');
    await expect.poll(whats).toEqual(['Roses', 'Vases']);
    await expect.poll(said).toBe('2 lines pasted.');
  });

  it.each([
    [
      'Phase 1: Brand\t\t\nLogo\t1\t1200\nPhase 2: Print\nCards\t500\t0.18\n',
      '4 lines pasted. No price yet: “Phase 1: Brand”; “Phase 2: Print”.',
    ],
    ['Roses\t40\t\nVases\t10\t8\n', '2 lines pasted. No price yet: “Roses”.'],
    ['Visit\t\t\nAdvice\t\t\n', '2 lines pasted. No price yet: “Visit”; “Advice”.'],
  ])('come with a note that names the lines without a price: %j', async (rows, told) => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await paste('Item, line 1', `Item\tQty\tPrice\n${rows}`);
    await expect.poll(async () => (await whats()).length).toBeGreaterThan(1);
    await expect.poll(said).toBe(told);
  });

  it('come with a question if the meaning of a column is only a guess', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await paste('Item, line 1', 'Roses\t10\t20\t10%\t180\t7\nVases\t2\t100\t5%\t190\t7\n');
    await expect.poll(said).toBe('2 lines pasted. Left out: column 4; column 5; column 6.');
    expect(await barriersOf(page)).toEqual([]);
    // Text that was typed into the lines stays.
    await page.getByLabel('Item, line 2').fill('Large vases');
    await page.getByLabel('The tax in percent?').selectOption('column 4: 10%, 5%');
    await expect.poll(said).toBe('2 lines pasted. Left out: column 5; column 6.');
    await page.getByLabel('The tax in percent?').selectOption('None');
    await expect.poll(() => page.locator('#total').textContent()).toBe('£400.00');
    await page.getByLabel('Which column is the price?').selectOption('column 5: 180, 190');
    await page.getByLabel('The quantity?').selectOption('None');
    await expect.poll(() => page.locator('#total').textContent()).toBe('£370.00');
    await expect.poll(whats).toEqual(['Roses', 'Large vases']);
    await paste('Item, line 3', 'Item\tPrice\tVAT %\nCards\t3\t20\n');
    await expect.poll(said).toBe('1 line pasted.');
    await expect.poll(() => page.getByLabel('Which column is the price?').count()).toBe(0);
    await expect.poll(() => page.locator('#total').textContent()).toBe('£373.60');
  });

  it.each(['/quote'])(
    'are returned with the cells that were not understood, and nothing is calculated with those cells: %s',
    async (path) => {
      await open(path);
      await page.locator('#form[novalidate]').waitFor();
      await paste('Item, line 1', 'Item\tQty\tPrice\nRoses\tforty\t2.50\nHelp\t2:30\t40\nVase\t\t8\n');
      await expect
        .poll(said)
        .toBe('3 lines pasted. Not understood: Quantity, line 1 (“forty”); Quantity, line 2 (“2:30”).');
      await expect.poll(totals).toEqual(['£8.00']);
    },
  );

  it('leave out the total of the rows, which the owner can add', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await paste('Item, line 1', 'Oak\t50\nElm\t30\nGate\t80\n');
    await expect.poll(said).toBe('2 lines pasted. Left out: the row “Gate”.');
    await page.getByRole('button', { name: 'Add that row' }).click();
    await expect.poll(said).toBe('3 lines pasted.');
    await expect.poll(whats).toEqual(['Oak', 'Elm', 'Gate']);
    await expect.poll(() => page.locator('#total').textContent()).toBe('£160.00');
  });

  it.each(['/quote'])('in two currencies are refused at the second currency: %s', async (path) => {
    await open(path);
    await page.locator('#form[novalidate]').waitFor();
    await page.getByLabel('Price, line 1').fill('€10');
    await page.getByLabel('Price, line 2').fill('$10');
    await page.getByRole('button', { name: 'Send' }).last().click();
    await expect
      .poll(() => page.locator('#faults').textContent())
      .toBe(
        'One thing needs a change:Line 2, “Price” is not in the same currency as the amounts before it: enter all amounts in one currency',
      );
    await expect.poll(totals).not.toContain('20.00');
    // The browser logs rejected requests.
    pages.complaints.length = 0;
    await page.getByLabel('Price, line 2').fill('10 €');
    await expect.poll(totals).toEqual(['€10.00', '€10.00']);
  });

  it('keep their note if other rows are pasted above', async () => {
    await open(
      '/quote#items.description=Lawn&items.unit_price=80&items.description=Hedge&items.unit_price=120&currency=GBP',
    );
    await expect.poll(whats).toEqual(['Lawn', 'Hedge']);
    await paste('Item, line 1', ROWS);
    await expect.poll(whats).toEqual(['Lawn', 'Design', 'Plants', 'Hedge']);
    await expect.poll(totals).toEqual(['£80.00', '£900.00', '£290.00', '£120.00']);
  });

  it('keep their note until another note replaces it', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    await paste('Item, line 1', `${ROWS}\nTotal\t\t1190`);
    await expect.poll(said).toBe('2 lines pasted. Left out: the row “Total”.');
    await expect.poll(whats).toEqual(['Design', 'Plants']);
    await page.getByRole('link', { name: 'Fill in an example' }).click();
    await expect.poll(whats).toContain('Garden design');
    await expect.poll(() => page.locator('.pasted').count()).toBe(0);
  });

  it('come with a note about lines beyond the limit and columns without a field', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    const lines = Array.from({ length: 103 }, (_, index) => `Tree ${index + 1}\tA-${index}\t2\t5\t10`);
    await paste('Item, line 1', ['Item\tCode\tQty\tPrice\tTotal', ...lines].join('\n'));
    await expect
      .poll(said)
      .toBe('100 lines pasted. The last 3 were not: there is room for 100 lines in total. Left out: Code.');
    await expect.poll(() => page.getByRole('status').first().textContent()).toContain('The last 3 were not');
    await expect.poll(whats).toHaveLength(100);
  });

  it('come with an error if a text is too long, and the text is not cut', async () => {
    await open('/quote');
    await page.locator('#form[novalidate]').waitFor();
    const long = 'Roses '.repeat(60).trim();
    await page.getByLabel('Price, line 1').fill('5');
    await page.getByLabel('Item, line 1').focus();
    await page.keyboard.insertText(long);
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByLabel('Item, line 1').inputValue()).toBe(long);
    await expect.poll(() => page.locator('#f-items-0-description-fault').textContent()).toContain('200');
  });
});
