import { beforeEach, describe, expect, it } from 'vitest';
import { placed, priceWord } from '../../src/surfaces/pages/shell.tsx';
import type { Page } from '../../tools/browser/index.ts';
import { catalog } from '../support/app.ts';
import { executablePath, pagesUnderTest } from '../support/pages-under-test.ts';

/** Word for word, and what the catalog has besides. */
const KNOWN = [
  'Quote',
  'Late invoice',
  'Free software',
  'Letter 1¢',
  'Three options 5¢',
  'Software report $1',
];
const MENU = placed({ operations: catalog }).map(({ page: { menu, heading }, price }) =>
  price === null ? (menu ?? heading) : `${menu ?? heading} ${priceWord(price)}`,
);
/** A page of each kind. */
const PATHS = ['/', '/late-invoice', '/quote', '/tools', '/late-invoice', '/quote-pack', '/pricing', '/docs'];

type Target = {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly least: number;
};
const TARGETS = `[...document.querySelectorAll('.menu a')].map((link) => {
  const { left, right, width, height } = link.getBoundingClientRect();
  return { text: link.textContent.trim(), left, right, least: Math.min(width, height) };
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

  it.each([320, 360, 412, 768])('shows all of the menu at %d px, in targets for a thumb', async (width) => {
    await at(width, '/quote');
    const targets = (await page.evaluate(TARGETS)) as readonly Target[];
    expect(targets.map(({ text }) => text)).toEqual(MENU);
    expect(MENU).toEqual(expect.arrayContaining(KNOWN));
    for (const { left, right, least } of targets) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      expect(least).toBeGreaterThanOrEqual(44);
    }
    expect(await overhang()).toBeLessThanOrEqual(0);
  });

  it('has room on the home page for a whole date at 320 px', async () => {
    await at(320, '/');
    const box = await page.getByLabel('Due date').boundingBox();
    expect(box?.width).toBeGreaterThan(160);
  });

  it.each(PATHS)('has nothing beside it at 320 px, which is 200 % of 640: %s', async (path) => {
    await at(320, path);
    expect(await overhang()).toBeLessThanOrEqual(0);
  });
});
