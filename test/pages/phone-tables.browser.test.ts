import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const COMPARED = '/tools/compare?id=activepieces&id=wave-starter&id=zoho-invoice-free';
const QUOTE =
  '/quote#items.description=Garden+design+and+a+planting+plan&items.quantity=2&items.unit_price=14500.5&items.tax_percent=5&items.description=Plants&items.quantity=1200&items.unit_price=0.125&items.tax_percent=&tax_percent=20&discount_percent=5&deposit_percent=25&currency=GBP';

/** Tables with a part that is visible only after sideways scrolling. */
const HIDDEN_SIDEWAYS = `[...document.querySelectorAll('.table, .lined')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ className }) => className)`;

/** What a screen reader announces for the tables: the numbers of rows and cells of each kind. */
const TOLD = ['table', 'row', 'columnheader', 'rowheader', 'cell'] as const;

describe.skipIf(executablePath === undefined)('a table on a phone', () => {
  const pages = pagesUnderTest({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const told = async () => {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    return TOLD.map(
      (role) =>
        nodes.filter((node) => !node.ignored && String(node.role?.value).toLowerCase() === role).length,
    );
  };

  it.each([320, 360])(
    'shows three tools one below the other at %d px, with their names in every line',
    async (width) => {
      await page.setViewportSize({ width: 1280, height: 740 });
      await page.goto(pages.url + COMPARED);
      const asTable = await told();
      await page.setViewportSize({ width, height: 740 });
      expect(await page.evaluate(HIDDEN_SIDEWAYS)).toEqual([]);
      const names = await page.locator('thead th').allTextContents();
      expect(names).toHaveLength(4);
      const [price] = await page.locator('tbody tr').all();
      const cells = (await price?.locator('td').all()) ?? [];
      for (const [index, cell] of cells.entries())
        expect(await cell.getAttribute('data-of')).toBe(names[index + 1]);
      const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
      const tops = boxes.map((box) => box?.y ?? Number.NaN);
      expect(tops).toEqual(tops.toSorted((one, other) => one - other));
      expect(new Set(tops).size).toBe(3);
      // With another layout, screen readers still announce the same table.
      expect(asTable.slice(1).every((count) => count > 3)).toBe(true);
      expect(await told()).toEqual(asTable);
      expect(await barriersOf(page)).toEqual([]);
    },
  );

  it.each([320, 360])('shows all of a quote at %d px', async (width) => {
    await page.goto(pages.url + QUOTE);
    await page.getByText('How each figure was reached').click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.sheet').waitFor();
    await page.setViewportSize({ width: 1280, height: 740 });
    const asTable = await told();
    await page.setViewportSize({ width, height: 740 });
    expect(await page.evaluate(HIDDEN_SIDEWAYS)).toEqual([]);
    expect(await told()).toEqual(asTable);
    expect(await barriersOf(page)).toEqual([]);
  });
});
