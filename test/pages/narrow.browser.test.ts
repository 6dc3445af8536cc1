import { beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../tools/browser/index.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

const MENU = ['Quote', 'Late invoice', 'Free tools'];
/** Pages that no other suite checks at this width. */
const PATHS = ['/', '/tools', '/quote/hvac', '/tools/category/invoicing', '/tools#words=salon+booking'];

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
  const pages = pagesUnderTest({});
  let page: Page;

  beforeEach(async () => {
    page = await pages.open();
  });

  const at = async (width: number, path: string) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${pages.url}${path}`);
  };
  const overhang = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');

  it.each([320, 768])(
    'shows the menu in one line at %d px, with targets large enough for a thumb',
    async (width) => {
      await at(width, '/quote');
      const targets = (await page.evaluate(TARGETS)) as readonly Target[];
      expect(targets.map(({ text }) => text)).toEqual(MENU);
      expect(new Set(targets.map(({ top }) => top)).size).toBe(1);
      for (const { left, right, least } of targets) {
        expect(left).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(width);
        expect(least).toBeGreaterThanOrEqual(44);
      }
      expect(await overhang()).toBeLessThanOrEqual(0);
    },
  );

  it.each(PATHS)('does not overflow at 320 px, which is 200 % of 640 px: %s', async (path) => {
    await at(320, path);
    expect(await overhang()).toBeLessThanOrEqual(0);
  });
});
