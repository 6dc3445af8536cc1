import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { barriersOf, executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const MENU = ['Quote', 'Late invoice', 'Free tools'];
/** Pages that no other suite checks at this width. */
const PATHS = [
  ...['/', '/quote', '/quote/hvac', '/late-invoice', '/plan', '/developers', '/docs', '/legal'],
  ...['/tools', '/tools/category/invoicing', '/tools#words=salon+booking', '/tools/how-checked'],
  ...['/tools/activepieces', '/problems/invalid-input'],
];
const COMPARED = '/tools/compare?id=activepieces&id=wave-starter&id=zoho-invoice-free';
const QUOTE =
  '/quote#items.description=Garden+design+and+a+planting+plan&items.quantity=2&items.unit_price=14500.5&items.tax_percent=5&items.description=Plants&items.quantity=1200&items.unit_price=0.125&items.tax_percent=&tax_percent=20&discount_percent=5&deposit_percent=25&currency=GBP';
const CALCULATORS = [
  '/quote#items.description=Lawn&items.unit_price=80&items.description=Hedge&items.unit_price=120&items.description=Pots&items.unit_price=9&currency=GBP',
  '/late-invoice#amount=1250&due_date=2026-09-04',
];

/** Tables with a part that is visible only after sideways scrolling. */
const HIDDEN_SIDEWAYS = `[...document.querySelectorAll('.table, .lined')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ className }) => className)`;

/** What a screen reader announces for the tables: the numbers of rows and cells of each kind. */
const TOLD = ['table', 'row', 'columnheader', 'rowheader', 'cell'] as const;

/** The focused element if the bar covers part of it, with its name and positions; null if it is fully visible. */
const COVERED = `(() => {
  const bar = document.querySelector('.bar, .dock');
  const one = document.activeElement;
  if (bar === null || bar.contains(one) || !bar.checkVisibility()) return null;
  const { top: edge, bottom: end } = bar.getBoundingClientRect();
  const { top, bottom } = one.getBoundingClientRect();
  // An element taller than the space above the bar counts as visible if it fills that space.
  const isSeen = bottom <= edge || top >= end || (bottom - top > edge - 16 && top < edge / 2);
  return isSeen ? null : [one.id || one.textContent.trim().slice(0, 30), Math.round(top), Math.round(bottom), Math.round(edge)].join(' ');
})()`;

type Target = {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly least: number;
};
const TARGETS = `[...document.querySelectorAll('.menu a')].map((link) => {
  const { left, right, top, width, height } = link.getBoundingClientRect();
  return { text: link.textContent.trim(), left, right, top, least: Math.min(width, height) };
})`;

describe.skipIf(executablePath === undefined)('a page on a narrow screen', () => {
  const pages = pagesUnderTest({ locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const at = async (width: number, path: string) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${pages.url}${path}`);
  };
  const resizeTo = async (width: number) => {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(() => page.evaluate('innerWidth')).toBe(width);
  };
  const overhang = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');

  it.each([320, 768])(
    'shows the menu in one line at %d px, with targets large enough for a thumb',
    async (width) => {
      await at(width, '/quote');
      await expect.poll(() => page.evaluate('innerWidth')).toBe(width);
      const targets = (await page.evaluate(TARGETS)) as readonly Target[];
      expect(targets.map(({ text }) => text)).toEqual(MENU);
      expect(new Set(targets.map(({ top }) => top)).size).toBe(1);
      for (const { left, right, least } of targets) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(width);
        expect(least).toBeGreaterThanOrEqual(44);
      }
      await expect.poll(overhang).toBeLessThanOrEqual(0);
    },
  );

  it('does not overflow at 320 px, which is 200 % of 640 px', async () => {
    for (const path of PATHS) {
      await at(320, path);
      await expect.poll(async () => [path, await overhang()]).toEqual([path, 0]);
    }
  });

  it.each([360, 1280])('leaves room for the description of a line at %d px', async (width) => {
    for (const path of ['/quote', '/quote#step=options&items.unit_price=5&better_adds=x']) {
      await at(width, path);
      const widthOf = async (label: string) =>
        (await page.getByLabel(label, { exact: true }).boundingBox())?.width ?? Number.NaN;
      const times = async () => (await widthOf('Item, line 1')) / (await widthOf('Quantity, line 1'));
      await expect.poll(times, { message: path }).toBeGreaterThan(2);
    }
  });

  const told = async () => {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    return TOLD.map(
      (role) =>
        nodes.filter((node) => !node.ignored && String(node.role?.value).toLowerCase() === role).length,
    );
  };

  it('shows three tools one below the other, with their names in every line', async () => {
    await at(1280, COMPARED);
    const asTable = await told();
    for (const width of [360, 320]) {
      await resizeTo(width);
      await expect.poll(() => page.evaluate(HIDDEN_SIDEWAYS)).toEqual([]);
      const names = await page.locator('thead th').allTextContents();
      expect(names).toHaveLength(4);
      const [price] = await page.locator('tbody tr').all();
      const cells = (await price?.locator('td').all()) ?? [];
      for (const [index, cell] of cells.entries())
        await expect.poll(() => cell.getAttribute('data-of')).toBe(names[index + 1]);
      const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
      const tops = boxes.map((box) => box?.y ?? Number.NaN);
      expect(tops).toEqual(tops.toSorted((one, other) => one - other));
      expect(new Set(tops).size).toBe(3);
      // With another layout, screen readers still announce the same table.
      expect(asTable.slice(1).every((count) => count > 3)).toBe(true);
      await expect.poll(told).toEqual(asTable);
    }
    expect(await barriersOf(page)).toEqual([]);
  });

  it('shows all of a quote, as the same table', async () => {
    await at(360, QUOTE);
    await page.getByText('How each figure was reached').click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.sheet').waitFor();
    await resizeTo(1280);
    const asTable = await told();
    for (const width of [360, 320]) {
      await resizeTo(width);
      await expect.poll(() => page.evaluate(HIDDEN_SIDEWAYS)).toEqual([]);
      await expect.poll(told).toEqual(asTable);
    }
    expect(await barriersOf(page)).toEqual([]);
  });

  it.each(CALCULATORS)('never covers the focused element with the bar of the total: %s', async (path) => {
    for (const [width, height] of [
      [640, 370],
      [360, 740],
      [320, 256],
    ] as const) {
      await page.goto('about:blank');
      await page.setViewportSize({ width, height });
      await page.goto(pages.url + path);
      await page.locator('.figure-sum, #total').first().waitFor();
      const reached = new Set<unknown>();
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        const { id, isBack } = await page.evaluate<{ id: string; isBack: boolean }>(
          `({ id: document.activeElement.id, isBack: document.activeElement === document.body })`,
        );
        if (isBack && reached.size > 0) break;
        reached.add(id);
        // The page scrolls, and learns whether the result is in view, only some frames later.
        await expect.poll(() => page.evaluate(COVERED), { message: `${width} px` }).toBe(null);
      }
      expect(reached.size).toBeGreaterThan(3);
    }
  });
});
