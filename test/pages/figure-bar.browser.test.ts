import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const SIZES = [
  [640, 370],
  [360, 740],
  [320, 256],
] as const;
const CALCULATORS = [
  '/quote#items.description=Lawn&items.unit_price=80&items.description=Hedge&items.unit_price=120&items.description=Pots&items.unit_price=9&currency=GBP',
  '/late-invoice#amount=1250&due_date=2026-09-04',
];

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

describe.skipIf(executablePath === undefined)('the bar with the total', () => {
  const pages = pagesUnderTest({ locale: 'en-GB' });
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  it.each(SIZES.flatMap(([width, height]) => CALCULATORS.map((path) => [width, height, path] as const)))(
    'does not cover the focused element at %d x %d pixels: %s',
    async (width, height, path) => {
      await page.setViewportSize({ width, height });
      await page.goto(pages.url + path);
      await page.locator('.figure-sum, #total').first().waitFor();
      const covered: unknown[] = [];
      const reached = new Set<unknown>();
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        // The page learns only one frame later whether the result is in view.
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
        const isBack = await page.evaluate(`document.activeElement === document.body`);
        if (isBack && reached.size > 0) break;
        reached.add(await page.evaluate('document.activeElement.id'));
        const what = await page.evaluate(COVERED);
        if (what !== null) covered.push(what);
      }
      expect(covered).toEqual([]);
      expect(reached.size).toBeGreaterThan(3);
    },
  );
});
